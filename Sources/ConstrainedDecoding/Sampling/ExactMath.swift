/// The exponential function and the logarithm, computed only with additions, multiplications and
/// divisions.
///
/// IEEE 754 fixes the results of these operations to the last bit, so the same operations in the
/// same order give the same result on every machine. The functions of C libraries don't guarantee
/// that. The results of both functions are within 2 units in the last place of the true value.
package enum ExactMath {
  /// Returns e to the power of x.
  ///
  /// The result is 0 if x is NaN or at most -745, and infinity if x is above 709.7.
  ///
  /// The function splits x into k ln 2 + r with |r| ≤ ln 2 / 2, and computes e to the power of r
  /// with the Taylor series of degree 13, whose error is below 5e-18.
  package static func exp(_ x: Double) -> Double {
    guard x > -745 else { return 0 }
    if x > 709.7 { return .infinity }
    let k = (x * 1.442_695_040_888_963_4).rounded()
    // Split ln 2 into two parts, so that the product of k and the first part is exact.
    let r = (x - k * 0.693_147_180_369_123_816_490) - k * 1.908_214_929_270_587_700_02e-10
    var sum = 1.0 / 6_227_020_800
    sum = sum * r + 1.0 / 479_001_600
    sum = sum * r + 1.0 / 39_916_800
    sum = sum * r + 1.0 / 3_628_800
    sum = sum * r + 1.0 / 362_880
    sum = sum * r + 1.0 / 40_320
    sum = sum * r + 1.0 / 5_040
    sum = sum * r + 1.0 / 720
    sum = sum * r + 1.0 / 120
    sum = sum * r + 1.0 / 24
    sum = sum * r + 1.0 / 6
    sum = sum * r + 0.5
    sum = sum * r + 1
    sum = sum * r + 1
    // Two factors are needed, because 2 to the power of k is not a normal number if k is below
    // -1022 or above 1023.
    let half = Int(k) / 2
    return sum * powerOfTwo(half) * powerOfTwo(Int(k) - half)
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
