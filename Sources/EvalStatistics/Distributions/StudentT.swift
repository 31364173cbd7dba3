/// Student's t distribution.
package enum StudentT {
  /// Returns the quantile: the value below which a share `p` of the distribution lies.
  ///
  /// If T has k degrees of freedom, k / (k + T²) has a beta distribution with shapes k/2 and 1/2.
  ///
  /// - Parameters:
  ///   - p: The share, between 0 and 1.
  ///   - degrees: The degrees of freedom, at least 1.
  package static func quantile(_ p: Double, degrees: Int) -> Double {
    let tail = 2 * min(p, 1 - p)
    guard tail > 0 else { return p < 0.5 ? -.infinity : .infinity }
    guard tail < 1 else { return 0 }
    let freedom = Double(max(1, degrees))
    let share = BetaDistribution.quantile(freedom / 2, 0.5, tail)
    let size = (freedom * (1 - share) / share).squareRoot()
    return p < 0.5 ? -size : size
  }
}
