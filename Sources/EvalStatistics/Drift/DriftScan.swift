import SystemBasics

/// A test of whether a rate got worse on any night of a history, including tonight.
///
/// The null hypothesis is that no night is worse than the nights before it. For a given night, the
/// scan compares that night and all later ones with the nights before it, by the exact permutation
/// test within test cases. It tests two nights in this way: tonight, and the earlier night with the
/// clearest worsening. Tonight's test gets half of the level, because a new regression shows there
/// first; all earlier nights share the other half evenly.
///
/// The evidence for a drift grows with every night. A drift that was found stays found as long as
/// it lasts, because the scan compares the nights since the drift began only with the nights before
/// it. A worsening that is over says nothing about tonight: the scan leaves out its nights.
///
/// ```
/// nights   1  2  3  4  5  6  7
/// failed   0  0  0  0  3  2  3
///                      └──┴──┴── against nights 1 to 4
/// ```
package struct DriftScan: Sendable {
  /// The counts of bad attempts in one night, keyed by the test case's id.
  package typealias Night = [String: CaseCount]

  /// The p-value of "worse from some night on", adjusted for the number of nights.
  package let pValue: Double
  /// The smallest attainable p-value of the test of tonight alone, adjusted in the same way as
  /// ``pValue``.
  package let leastP: Double
  /// The index of the first night of the clearest worsening, or the last index if only tonight is
  /// worse.
  package let since: Int
  /// The indices of the nights that were left out, because a worsening on them is over.
  let leftOut: [Int]
  /// The number of nights before tonight that the worsening has lasted.
  let lasting: Int
  /// The counts of each test case that ran both before and since the worsening began, sorted by id.
  package let cases: [CountedTest.Case]

  /// The share of the significance level that the test of tonight alone gets.
  private static let shareOfTonight = 0.5
  /// The p-value above which a worsening that began before tonight isn't worth a remark.
  private static let levelOfInterest = 0.05
  /// The number of earlier nights at which the scan looks for the beginning of a worsening that
  /// lasts until tonight.
  static let triedNights = 10

  /// Creates a scan of a history.
  ///
  /// The scan picks the earlier night with the clearest worsening by a statistic that is cheap to
  /// compute, and runs the exact test for only that night. The p-value is adjusted for all nights,
  /// so it is valid however the night was picked.
  ///
  /// An earlier night becomes the beginning only if its p-value is small enough to be of interest.
  /// Otherwise, the counts are those of tonight alone.
  ///
  /// - Parameters:
  ///   - all: The nights, oldest first and tonight last.
  ///   - isSame: Whether tonight's requests are the same as those of the earlier nights. If they
  ///     are, a worsening may have begun before tonight; otherwise, the scan tests only tonight.
  package init(_ all: [Night], isSame: Bool = true) {
    let kept = Self.withoutPastWorsenings(all)
    leftOut = all.indices.filter { !kept.contains($0) }
    let nights = kept.map { all[$0] }
    let last = nights.count - 1
    guard last > 0 else {
      (pValue, leastP, since, lasting, cases) = (1, 1, kept.last ?? 0, 0, [])
      return
    }
    let tonight = Self.stretches(nights, from: last)
    let (tonightP, least) = Self.test(tonight)
    let earlier = isSame ? max(0, last - 1) : 0
    let share = earlier > 0 ? Self.shareOfTonight : 1
    var best = (p: min(1, tonightP / share), since: last, cases: tonight)
    leastP = min(1, least / share)
    if earlier > 0, let split = Self.clearest(nights) {
      let cases = Self.stretches(nights, from: split)
      let p = min(1, Self.test(cases).p * Double(earlier) / (1 - share))
      if p < best.p, p <= Self.levelOfInterest { best = (p, split, cases) }
    }
    (pValue, since, cases) = (best.p, kept[best.since], best.cases)
    lasting = last - best.since
  }

  /// Returns the p-value of the exact permutation test within test cases, and the smallest
  /// attainable one.
  static func test(_ cases: [CountedTest.Case]) -> (p: Double, least: Double) {
    let tables = cases.map {
      TwoByTwo(
        $0.candidate.hits, $0.candidate.count - $0.candidate.hits, $0.baseline.hits,
        $0.baseline.count - $0.baseline.hits)
    }
    let distribution = Stratified.distribution(tables)
    return (
      Stratified.exact(tables, distribution, .greater), distribution.probabilities.last ?? 1
    )
  }

  /// Returns the counts of each test case that ran on both sides of a split.
  ///
  /// The nights before the night `split` are the baseline; the night `split` and all later nights
  /// are the candidate.
  static func stretches(_ nights: [Night], from split: Int) -> [CountedTest.Case] {
    var cases: [String: CountedTest.Case] = [:]
    for (position, night) in nights.enumerated() {
      for (id, count) in night {
        var entry = cases[id] ?? CountedTest.Case(id: id)
        if position < split {
          entry.baseline.hits += count.hits
          entry.baseline.count += count.count
        } else {
          entry.candidate.hits += count.hits
          entry.candidate.count += count.count
        }
        cases[id] = entry
      }
    }
    return cases.values.filter { $0.baseline.count > 0 && $0.candidate.count > 0 }
      .sorted { $0.id < $1.id }
  }

  /// Returns the earlier night (never tonight) at which the rate rose most clearly and from which
  /// the worsening lasts until tonight, or `nil` if there is none.
  private static func clearest(_ nights: [Night]) -> Int? {
    rises(nights).prefix(triedNights).first { recovery(nights, since: $0) == nil }
  }

  /// Returns the earlier nights (never tonight) at which the rate rose, the clearest rise first.
  ///
  /// The rise is the number of bad draws in excess of the expected number, in standard deviations.
  static func rises(_ nights: [Night]) -> [Int] {
    var totals: [String: CaseCount] = [:]
    for night in nights { totals.merge(night, uniquingKeysWith: +) }
    var before: Night = [:]
    var rises: [(night: Int, score: Double)] = []
    for split in nights.indices.dropFirst().dropLast() {
      before.merge(nights[split - 1], uniquingKeysWith: +)
      var (excess, variance) = (0.0, 0.0)
      for (id, total) in totals.sorted(by: { $0.key < $1.key }) {
        let early = before[id] ?? CaseCount()
        let (n, m) = (Double(total.count), Double(total.count - early.count))
        guard n > 1, m > 0, m < n else { continue }
        let hits = Double(total.hits)
        excess += hits - Double(early.hits) - hits * m / n
        variance += hits * (n - hits) * m * (n - m) / (n * n * (n - 1))
      }
      guard variance > 0, excess > 0 else { continue }
      rises.append((split, excess / variance.squareRoot()))
    }
    rises.sort { ($1.score, $0.night) < ($0.score, $1.night) }
    return rises.map(\.night)
  }
}
