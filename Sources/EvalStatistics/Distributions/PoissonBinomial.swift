import SystemBasics

/// The number of successes in independent trials with different probabilities.
enum PoissonBinomial {
  /// The largest number of trials for which the distribution is computed exactly.
  private static let exactLimit = 4_000

  /// Returns the two-sided p-value of a number of successes: twice the probability of a number at
  /// least as far out on the same side, at most 1.
  ///
  /// - Parameters:
  ///   - hits: The observed number.
  ///   - probabilities: The probability of each trial.
  /// - Complexity: O(n²) for up to 4,000 trials; with more, it uses the normal approximation.
  static func pValue(of hits: Int, probabilities: [Double]) -> Double {
    guard !probabilities.isEmpty else { return 1 }
    guard probabilities.count <= exactLimit else {
      let mean = probabilities.reduce(0, +)
      let variance = probabilities.reduce(0) { $0 + $1 * (1 - $1) }
      let distance = abs(Double(hits) - mean) - 0.5
      guard distance > 0 else { return 1 }
      guard variance > 0 else { return 0 }
      return min(1, 2 * Normal.cumulative(-distance / variance.squareRoot()))
    }
    var distribution = [1.0]
    distribution.reserveCapacity(probabilities.count + 1)
    for probability in probabilities {
      distribution.append(0)
      for index in stride(from: distribution.count - 1, through: 1, by: -1) {
        distribution[index] =
          distribution[index] * (1 - probability) + distribution[index - 1] * probability
      }
      distribution[0] *= 1 - probability
    }
    let below = distribution[...hits].reduce(0, +)
    let above = distribution[hits...].reduce(0, +)
    return min(1, 2 * min(below, above))
  }
}
