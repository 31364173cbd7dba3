import Foundation

/// Tests of two rates within strata (one table for each case), for repeats that are not paired.
package enum Stratified {
  /// The result of the Cochran–Mantel–Haenszel test.
  package struct MantelHaenszel: Sendable, Hashable {
    /// The chi-squared statistic with continuity correction, one degree of freedom.
    package var statistic: Double
    /// The two-sided p-value.
    package var pValue: Double
    /// The common odds ratio, first side over second; NaN where no stratum tells.
    package var oddsRatio: Double
  }

  /// The Cochran–Mantel–Haenszel test of a common odds ratio of one.
  package static func mantelHaenszel(_ tables: [TwoByTwo]) -> MantelHaenszel {
    var (deviation, variance, above, below) = (0.0, 0.0, 0.0, 0.0)
    for table in tables {
      let (a, b) = (Double(table.firstHits), Double(table.firstMisses))
      let (c, d) = (Double(table.secondHits), Double(table.secondMisses))
      let n = a + b + c + d
      guard n >= 2 else { continue }
      deviation += a - (a + b) * (a + c) / n
      variance += (a + b) * (c + d) * (a + c) * (b + d) / (n * n * (n - 1))
      above += a * d / n
      below += b * c / n
    }
    guard variance > 0 else { return MantelHaenszel(statistic: 0, pValue: 1, oddsRatio: .nan) }
    let corrected = max(0, abs(deviation) - 0.5)
    let statistic = corrected * corrected / variance
    return MantelHaenszel(
      statistic: statistic, pValue: erfc((statistic / 2).squareRoot()),
      oddsRatio: below > 0 ? above / below : .infinity)
  }

  /// The exact permutation test within strata: attempts change sides only inside their own case.
  ///
  /// The sum of the first side's hits is the sum of one hypergeometric variable for each stratum;
  /// its distribution is their convolution, so nothing is drawn at random. With one stratum this is
  /// Fisher's exact test.
  ///
  /// - Complexity: O(total hits × hits of a stratum).
  package static func exact(_ tables: [TwoByTwo], _ alternative: Alternative) -> Double {
    var distribution = [1.0]
    var lowest = 0
    for table in tables {
      let part = table.hypergeometric
      lowest += part.lowest
      guard part.probabilities.count > 1 else { continue }
      var next = [Double](repeating: 0, count: distribution.count + part.probabilities.count - 1)
      for (i, left) in distribution.enumerated() {
        for (j, right) in part.probabilities.enumerated() { next[i + j] += left * right }
      }
      distribution = next
    }
    let seen = tables.reduce(0) { $0 + $1.firstHits }
    return exactP(distribution, at: seen - lowest, alternative)
  }
}
