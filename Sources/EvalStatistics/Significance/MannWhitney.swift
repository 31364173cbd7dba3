import Foundation

/// The Mann–Whitney test of two samples: is one side's value usually the larger? For latency.
package enum MannWhitney {
  /// The result.
  package struct Result: Sendable, Hashable {
    /// U: the number of pairs in which the first sample's value is the larger; a tie counts half.
    package var statistic: Double
    /// The two-sided p-value.
    package var pValue: Double
  }

  /// The test: exact without ties up to 400 pairs of values, else the normal approximation with the
  /// corrections for ties and continuity.
  package static func test(_ first: [Double], _ second: [Double]) -> Result {
    let (m, n) = (first.count, second.count)
    guard m > 0, n > 0 else { return Result(statistic: 0, pValue: 1) }
    let merged =
      (first.map { ($0, true) } + second.map { ($0, false) }).sorted { $0.0 < $1.0 }
    var (rankSum, ties) = (0.0, 0.0)
    var start = 0
    while start < merged.count {
      var end = start + 1
      while end < merged.count, merged[end].0 == merged[start].0 { end += 1 }
      let rank = Double(start + end + 1) / 2
      rankSum += rank * Double(merged[start..<end].count { $0.1 })
      let size = Double(end - start)
      ties += size * size * size - size
      start = end
    }
    let statistic = rankSum - Double(m) * Double(m + 1) / 2
    let pValue =
      ties == 0 && m * n <= 400
      ? exactP(statistic, m, n) : approximateP(statistic, Double(m), Double(n), ties)
    return Result(statistic: statistic, pValue: pValue)
  }

  /// The Hodges–Lehmann estimate of the shift: the median of all differences, first minus second.
  ///
  /// - Complexity: O(m n log(m n)).
  package static func shift(_ first: [Double], _ second: [Double]) -> Double? {
    let differences = first.flatMap { left in second.map { left - $0 } }.sorted()
    guard !differences.isEmpty else { return nil }
    let middle = differences.count / 2
    return differences.count.isMultiple(of: 2)
      ? (differences[middle - 1] + differences[middle]) / 2 : differences[middle]
  }

  /// The number of ways to reach each U, by the recurrence N(u; m, n) = N(u − n; m − 1, n) +
  /// N(u; m, n − 1), one row of m at a time.
  private static func exactP(_ statistic: Double, _ m: Int, _ n: Int) -> Double {
    var previous = [[Double]](repeating: [1], count: n + 1)
    for i in 1...m {
      var row: [[Double]] = [[1]]
      for j in 1...n {
        var ways = [Double](repeating: 0, count: i * j + 1)
        for (u, count) in previous[j].enumerated() { ways[u + j] += count }
        for (u, count) in row[j - 1].enumerated() { ways[u] += count }
        row.append(ways)
      }
      previous = row
    }
    let ways = previous[n]
    let extreme = Int(max(statistic, Double(m * n) - statistic))
    return min(1, 2 * ways[extreme...].reduce(0, +) / ways.reduce(0, +))
  }

  private static func approximateP(
    _ statistic: Double, _ m: Double, _ n: Double, _ ties: Double
  ) -> Double {
    let total = m + n
    let variance = m * n / 12 * (total + 1 - ties / (total * (total - 1)))
    guard variance > 0 else { return 1 }
    let larger = max(statistic, m * n - statistic)
    let z = (larger - m * n / 2 - 0.5) / variance.squareRoot()
    return min(1, 2 * Normal.upperTail(z))
  }
}
