import EvalRecords
import EvalStatistics

/// Simulates how often the dashboard's trends claim a change, night by night.
///
/// Every test case passes with the same probability, and each night makes new draws. The trends of
/// the suite (``SteadyStretch``) and of its test cases (``CaseChange``) are computed again after
/// every night, as a person would see them who opens the dashboard every morning.
struct TrendSimulation: Sendable {
  /// The number of test cases.
  var cases: Int
  /// The number of new draws of each test case per night.
  var repeats: Int
  /// The probability that a draw passes.
  var passing = 0.85
  /// The number of simulated series.
  var trials = 200
  /// The seed.
  var seed: UInt64 = 1

  /// Returns the number of series without a change whose trend shows a change on any night.
  func falseClaims(nights: Int = 40) -> Int {
    count { generator in
      let series = (0..<nights).map { _ in Share(night(passing, &generator)) }
      return (2...nights).contains { SteadyStretch.stretches(of: Array(series[..<$0])).count > 1 }
    }
  }

  /// Returns the number of series without a change in which any test case shows a change on any
  /// night.
  func falseClaimsOfCases(nights: Int = 40) -> Int {
    count { generator in
      let series = (0..<nights).map { _ in night(passing, &generator) }
      return series[0].keys.contains { key in
        let cells = series.map { night in night[key].map { Share($0.hits, of: $0.count) } }
        return (2...nights).contains { CaseChange(Array(cells[..<$0]), among: cases) != nil }
      }
    }
  }

  /// The nights after which a fall was named, over all series.
  struct Delays: Sendable, Hashable {
    /// For each series, the number of nights with the lower rate up to the first on which the trend
    /// shows the fall, or `nil` if no night does.
    var nights: [Int?]

    /// Returns the share of the series in which the fall is named within a number of nights.
    func share(within limit: Int) -> Double {
      Double(nights.count { $0.map { $0 <= limit } ?? false }) / Double(max(1, nights.count))
    }
  }

  /// Simulates falls of the pass rate by `fall`, and returns when they are named.
  ///
  /// - Parameters:
  ///   - fall: The fall, such as 0.1 for ten points.
  ///   - before: The number of nights before the fall.
  ///   - after: The number of nights after it on which the trend is looked at.
  func delays(fall: Double, before: Int = 20, after: Int = 20) -> Delays {
    var generator = SplitMix(seed: seed)
    return Delays(
      nights: (0..<trials).map { _ -> Int? in
        var series = (0..<before).map { _ in Share(night(passing, &generator)) }
        for length in 1...after {
          series.append(Share(night(passing - fall, &generator)))
          let newest = SteadyStretch.stretches(of: series).last
          // The fall must be named where it is, give or take two nights.
          if let newest, newest.direction < 0, !newest.isOver,
            abs(newest.range.lowerBound - before) <= 2
          {
            return length
          }
        }
        return nil
      })
  }

  private func count(where isClaimed: (inout SplitMix) -> Bool) -> Int {
    var generator = SplitMix(seed: seed)
    return (0..<trials).count { _ in isClaimed(&generator) }
  }

  private func night(
    _ rate: Double, _ generator: inout SplitMix
  ) -> [Share.CaseKey: CaseCount] {
    Dictionary(
      uniqueKeysWithValues: (0..<cases).map { number in
        let hits = (0..<repeats).count { _ in generator.unit() < rate }
        return (
          Share.CaseKey(suite: "suite", caseID: "case-\(number)"),
          CaseCount(hits: hits, count: repeats)
        )
      })
  }
}
