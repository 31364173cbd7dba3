/// Tests of two rates with unpaired repeats, stratified by test case (one table per stratum).
package enum Stratified {
  /// Returns the p-value of the exact permutation test within strata, which permutes attempts
  /// between the sides only within their test case.
  ///
  /// The total number of the first side's hits is a sum of independent hypergeometric variables,
  /// one per stratum. Its null distribution is the convolution of their distributions, so no random
  /// permutations are needed. With one stratum, this is Fisher's exact test.
  ///
  /// - Complexity: O(total hits × hits per stratum).
  package static func exact(_ tables: [TwoByTwo], _ alternative: Alternative) -> Double {
    exact(tables, distribution(tables), alternative)
  }

  /// Returns the null distribution of the first side's hits, over all permutations of the attempts
  /// within test cases.
  ///
  /// - Returns: The smallest possible number, and the probabilities from that number upward.
  static func distribution(
    _ tables: [TwoByTwo]
  ) -> (lowest: Int, probabilities: [Double]) {
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
    return (lowest, distribution)
  }

  /// Returns the p-value of the tables, given the null distribution of the first side's hits.
  static func exact(
    _ tables: [TwoByTwo], _ distribution: (lowest: Int, probabilities: [Double]),
    _ alternative: Alternative
  ) -> Double {
    let seen = tables.reduce(0) { $0 + $1.firstHits }
    return exactP(distribution.probabilities, at: seen - distribution.lowest, alternative)
  }
}
