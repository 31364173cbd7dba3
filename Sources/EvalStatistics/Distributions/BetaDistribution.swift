import SystemBasics

/// The beta distribution: the regularized incomplete beta function and its inverse.
package enum BetaDistribution {
  /// Returns the natural logarithm of B(a, b) = Γ(a) Γ(b) / Γ(a + b).
  package static func logBeta(_ a: Double, _ b: Double) -> Double {
    Gamma.logGamma(a) + Gamma.logGamma(b) - Gamma.logGamma(a + b)
  }

  /// Returns the cumulative distribution function at `x`: the regularized incomplete beta function
  /// Iₓ(a, b).
  ///
  /// The continued fraction is evaluated on the side where it converges fast; the other side
  /// follows from Iₓ(a, b) = 1 − I₁₋ₓ(b, a).
  ///
  /// - Parameters:
  ///   - a: The first shape parameter, positive.
  ///   - b: The second shape parameter, positive.
  ///   - x: A number from 0 to 1.
  package static func cumulative(_ a: Double, _ b: Double, _ x: Double) -> Double {
    guard x > 0 else { return 0 }
    guard x < 1 else { return 1 }
    let front = exp(a * log(x) + b * log1p(-x) - logBeta(a, b))
    return x < (a + 1) / (a + b + 2)
      ? front * continuedFraction(a, b, x) / a : 1 - front * continuedFraction(b, a, 1 - x) / b
  }

  /// Returns the quantile: the value below which a share `p` of the distribution lies.
  ///
  /// Newton's method runs inside a bracket that narrows with each step. If a step leaves the
  /// bracket, bisection replaces it, so the search ends for all shape parameters.
  package static func quantile(_ a: Double, _ b: Double, _ p: Double) -> Double {
    guard p > 0 else { return 0 }
    guard p < 1 else { return 1 }
    var low = 0.0
    var high = 1.0
    var x = a / (a + b)
    let constant = logBeta(a, b)
    for _ in 0..<400 {
      let error = cumulative(a, b, x) - p
      if error < 0 { low = x } else { high = x }
      let density = exp((a - 1) * log(x) + (b - 1) * log1p(-x) - constant)
      var next = x - error / density
      if !(next > low && next < high) {
        // Bisect on a logarithmic scale while the ends differ by more than a factor of 16.
        next = low > 0 && high / low > 16 ? (low * high).squareRoot() : (low + high) / 2
      }
      if next == x || abs(next - x) <= 1e-16 * x || next <= low || next >= high { return next }
      x = next
    }
    return x
  }

  /// Evaluates the continued fraction of the incomplete beta function by Lentz's algorithm.
  private static func continuedFraction(_ a: Double, _ b: Double, _ x: Double) -> Double {
    let tiny = 1e-300
    func away(_ value: Double) -> Double { abs(value) > tiny ? value : tiny }
    var c = 1.0
    var d = 1 / away(1 - (a + b) * x / (a + 1))
    var fraction = d
    for step in 1..<20_000 {
      let m = Double(step)
      let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
      d = 1 / away(1 + even * d)
      c = away(1 + even / c)
      fraction *= c * d
      let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
      d = 1 / away(1 + odd * d)
      c = away(1 + odd / c)
      fraction *= c * d
      if abs(c * d - 1) < 1e-15 { break }
    }
    return fraction
  }
}
