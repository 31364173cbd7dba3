/// The exponential function and the logarithm, computed only with additions, multiplications,
/// divisions and fused multiplications.
///
/// IEEE 754 fixes the results of these operations to the last bit, so the same operations in the
/// same order give the same result on every machine. The functions of C libraries don't guarantee
/// that. The results of the two functions here are within 2 units in the last place of the true
/// value.
package enum ExactMath {
  /// The powers 2^(j / 16), rounded to the nearest doubles.
  private static let rootsOfTwo: [Double] = [
    1, 0x1.0b5586cf9890fp0, 0x1.172b83c7d517bp0, 0x1.2387a6e756238p0,
    0x1.306fe0a31b715p0, 0x1.3dea64c123422p0, 0x1.4bfdad5362a27p0, 0x1.5ab07dd485429p0,
    0x1.6a09e667f3bcdp0, 0x1.7a11473eb0187p0, 0x1.8ace5422aa0dbp0, 0x1.9c49182a3f090p0,
    0x1.ae89f995ad3adp0, 0x1.c199bdd85529cp0, 0x1.d5818dcfba487p0, 0x1.ea4afa2a490dap0,
  ]

  /// Returns e to the power of x.
  ///
  /// The result is 0 if x is NaN or at most -745, and infinity if x is above 709.7.
  ///
  /// The function splits x into n ln 2 / 16 + r with |r| ≤ ln 2 / 32. The Taylor series of degree 7
  /// gives e to the power of r with an error below 2e-18, and a table gives 2 to the power of
  /// n / 16:
  ///
  /// ```
  /// e^x = 2^k · 2^(j / 16) · e^r     n = 16 k + j     e^r = 1 + r + r² (½ + …)
  /// ```
  package static func exp(_ x: Double) -> Double {
    guard x > -745 else { return 0 }
    if x > 709.7 { return .infinity }
    // Adding and subtracting 1.5 · 2⁵² rounds to the nearest integer.
    let n = 0x1.8p52.addingProduct(x, 0x1.71547652b82fep4) - 0x1.8p52
    // Split ln 2 / 16 into two parts, so that the product of n and the first part is exact.
    let r = x.addingProduct(-n, 0x1.62e42fee00000p-5).addingProduct(-n, 0x1.a39ef35793c76p-37)
    let square = r * r
    var sum = (1.0 / 720).addingProduct(1.0 / 5040, r)
    sum = (1.0 / 24).addingProduct(1.0 / 120, r).addingProduct(sum, square)
    sum = 0.5.addingProduct(1.0 / 6, r).addingProduct(sum, square)
    sum = r.addingProduct(sum, square)
    let root = rootsOfTwo[Int(n) & 15]
    let k = Int(n) >> 4
    // Two factors are needed, because 2 to the power of k is not a normal number if k is below
    // -1022 or above 1023.
    return root.addingProduct(root, sum) * powerOfTwo(k >> 1) * powerOfTwo(k - (k >> 1))
  }

  /// Returns the natural logarithm of x.
  ///
  /// The result is minus infinity if x is NaN, zero or negative.
  ///
  /// The function splits x into 2ᵏ m with m between √½ and √2, and computes the logarithm of m as
  /// the series of 2 artanh((m - 1) / (m + 1)).
  package static func log(_ x: Double) -> Double {
    guard x > 0 else { return -.infinity }
    guard x.isFinite else { return x }
    var exponent = Double(x.exponent)
    var mantissa = x.significand
    if mantissa > 1.414_213_562_373_095_1 {
      mantissa /= 2
      exponent += 1
    }
    let s = (mantissa - 1) / (mantissa + 1)
    let square = s * s
    var sum = 1.0 / 25
    sum = sum * square + 1.0 / 23
    sum = sum * square + 1.0 / 21
    sum = sum * square + 1.0 / 19
    sum = sum * square + 1.0 / 17
    sum = sum * square + 1.0 / 15
    sum = sum * square + 1.0 / 13
    sum = sum * square + 1.0 / 11
    sum = sum * square + 1.0 / 9
    sum = sum * square + 1.0 / 7
    sum = sum * square + 1.0 / 5
    sum = sum * square + 1.0 / 3
    sum = sum * square + 1
    return exponent * 0.693_147_180_559_945_309_4 + 2 * s * sum
  }

  private static func powerOfTwo(_ exponent: Int) -> Double {
    Double(bitPattern: UInt64(bitPattern: Int64(exponent + 1023)) << 52)
  }
}
