/// Tests of two rates within strata (one table per test case), for repeats that are not paired.
package enum Stratified {
  /// Returns the p-value of the exact permutation test within strata: attempts change sides only
  /// within their test case.
  ///
  /// The sum of the first side's hits is the sum of one hypergeometric variable per stratum. The
  /// distribution of the sum is the convolution of their distributions, so nothing is drawn at
  /// random. With one stratum, this is Fisher's exact test.
  ///
  /// - Complexity: O(total hits × hits of a stratum).
  package static func exact(_ tables: [TwoByTwo], _ alternative: Alternative) -> Double {
    exact(tables, distribution(tables), alternative)
  }

  /// Returns the distribution of the first side's hits over all ways to distribute the attempts
  /// within test cases.
  ///
  /// - Returns: The smallest possible number, and the probabilities from it upwards.
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

  /// Returns the p-value of the tables, given the distribution of the first side's hits.
  static func exact(
    _ tables: [TwoByTwo], _ distribution: (lowest: Int, probabilities: [Double]),
    _ alternative: Alternative
  ) -> Double {
    let seen = tables.reduce(0) { $0 + $1.firstHits }
    return exactP(distribution.probabilities, at: seen - distribution.lowest, alternative)
  }
}
