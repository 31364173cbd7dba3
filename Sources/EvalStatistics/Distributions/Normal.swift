import SystemBasics

/// The standard normal distribution.
package enum Normal {
  /// Returns the cumulative distribution function at `x`.
  package static func cumulative(_ x: Double) -> Double { 0.5 * erfc(-x / 2.0.squareRoot()) }

  /// Returns the quantile: the value below which a share `p` of the distribution lies.
  ///
  /// P. J. Acklam's rational approximation (relative error 1.15e-9) gives the first estimate. Two
  /// steps of Halley's method then make it accurate to the last digits of a double.
  ///
  /// - Parameter p: The share, from 0 to 1; 0 gives minus infinity, and 1 gives infinity.
  package static func quantile(_ p: Double) -> Double {
    guard p > 0 else { return -.infinity }
    guard p < 1 else { return .infinity }
    // Halley's step uses the cumulative distribution function, which is most precise in the lower
    // half.
    guard p <= 0.5 else { return -quantile(1 - p) }
    var x = approximateQuantile(p)
    for _ in 0..<2 {
      let error = cumulative(x) - p
      let step = error * (2 * Double.pi).squareRoot() * exp(x * x / 2)
      x -= step / (1 + x * step / 2)
    }
    return x
  }

  private static func approximateQuantile(_ p: Double) -> Double {
    if p < 0.02425 {
      let q = (-2 * log(p)).squareRoot()
      return polynomial(tailNumerator, q) / (polynomial(tailDenominator, q) * q + 1)
    }
    let q = p - 0.5
    let r = q * q
    return polynomial(centreNumerator, r) * q / (polynomial(centreDenominator, r) * r + 1)
  }

  /// Evaluates a polynomial by Horner's scheme, highest power first.
  private static func polynomial(_ coefficients: [Double], _ x: Double) -> Double {
    coefficients.reduce(0) { $0 * x + $1 }
  }

  private static let centreNumerator: [Double] = [
    -3.969683028665376e+01, 2.209460984245205e+02, -2.759285104469687e+02, 1.383577518672690e+02,
    -3.066479806614716e+01, 2.506628277459239e+00,
  ]
  private static let centreDenominator: [Double] = [
    -5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02, 6.680131188771972e+01,
    -1.328068155288572e+01,
  ]
  private static let tailNumerator: [Double] = [
    -7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
    -2.549732539343734e+00, 4.374664141464968e+00, 2.938163982698783e+00,
  ]
  private static let tailDenominator: [Double] = [
    7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00, 3.754408661907416e+00,
  ]
}
