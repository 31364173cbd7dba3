import SystemBasics

/// The logarithms of the gamma function and of the binomial coefficients.
package enum Gamma {
  /// Returns the natural logarithm of Γ(x).
  ///
  /// For x ≥ 10, the function evaluates eight terms of Stirling's series. Smaller arguments are
  /// first shifted up with Γ(x + 1) = x Γ(x). The relative error is about 1e-15; near the zeros at
  /// 1 and 2, the absolute error is about 1e-15 instead.
  ///
  /// - Parameter x: A positive number.
  package static func logGamma(_ x: Double) -> Double {
    guard x > 0 else { return .infinity }
    var shifted = x
    var product = 1.0
    while shifted < 10 {
      product *= shifted
      shifted += 1
    }
    let inverse = 1 / shifted
    let square = inverse * inverse
    let series = stirling.reduce(0) { $0 * square + $1 } * inverse
    return (shifted - 0.5) * log(shifted) - shifted + 0.5 * log(2 * Double.pi) + series
      - log(product)
  }

  /// Returns the natural logarithm of the binomial coefficient "n choose k".
  ///
  /// - Returns: The logarithm, or minus infinity if the coefficient is zero.
  package static func logBinomial(_ n: Int, _ k: Int) -> Double {
    guard k >= 0, k <= n else { return -.infinity }
    guard k > 0, k < n else { return 0 }
    return logGamma(Double(n) + 1) - logGamma(Double(k) + 1) - logGamma(Double(n - k) + 1)
  }

  /// The coefficients of Stirling's series, B₂ₖ / (2k (2k − 1)), highest order first.
  private static let stirling: [Double] = [
    -3617.0 / 122_400, 1.0 / 156, -691.0 / 360_360, 1.0 / 1188, -1.0 / 1680, 1.0 / 1260,
    -1.0 / 360, 1.0 / 12,
  ]
}
