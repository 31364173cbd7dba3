import EvalRecords

/// The nights between two changes of a rate, with their attempts counted together.
///
/// The dashboard uses the term “stable period” for a stretch.
package struct SteadyStretch: Sendable, Hashable {
  /// The nights of the stretch, by their position in the series.
  package let range: Range<Int>
  /// The share of all these nights' attempts that passed.
  package let share: Share
  /// The direction of the change from the previous stretch: 1 for a rise, -1 for a fall, and 0 if
  /// the rate is the same or this is the first stretch.
  package let direction: Int
  /// Whether the stretch began with a fall that is over by the newest night (``DriftScan``).
  package let isOver: Bool

  /// The maximum number of nights at an end of a stretch that Fisher's exact test compares with the
  /// rest of the stretch.
  private static let edge = 3

  /// Splits a series of nights into stretches.
  ///
  /// The search for change points needs several nights on either side of a change, so it misses a
  /// change in the first or newest nights. Fisher's exact test therefore compares one, two and
  /// three nights at each end of the last stretch with the rest of the stretch. The six tests share
  /// a significance level of 0.01, and the clearest change counts. A dip within a stretch becomes a
  /// separate stretch. So do the newest nights if they show that a fall is over (``DriftScan``).
  ///
  /// - Parameters:
  ///   - series: The counts of the nights that were measured, in chronological order.
  ///   - level: The approximate chance that a series whose rate never changes ever shows a
  ///     change, on any of its nights (see `clearP(_:nights:)`). A page about many suites passes a
  ///     smaller level, because each suite is another opportunity for a false change.
  package static func stretches(of series: [Share], level: Double = 0.01) -> [SteadyStretch] {
    guard !series.isEmpty else { return [] }
    let points = series.map { HistoryPoint(passed: $0.hits, count: $0.count) }
    var starts = [0] + ChangePoint.find(points).map(\.index)
    // Each end can have one change.
    for _ in 0..<2 {
      guard let start = starts.last, let split = edgeChange(in: series, from: start) else { break }
      starts.append(split)
    }
    for (start, end) in zip(starts, starts.dropFirst() + [series.count]) {
      if let dip = dip(in: series[start..<end]) { starts += [dip.lowerBound, dip.upperBound] }
    }
    starts.sort()
    if let start = starts.last, let end = recovery(in: series, from: start) { starts.append(end) }
    dropUnclear(&starts, of: series, above: clearP(level, nights: series.count))
    var stretches: [SteadyStretch] = []
    for (start, end) in zip(starts, starts.dropFirst() + [series.count]) {
      let share = Share(pooling: series[start..<end])
      let before = stretches.last?.share.value
      let direction = before.map { share.value > $0 ? 1 : share.value < $0 ? -1 : 0 } ?? 0
      stretches.append(
        SteadyStretch(
          range: start..<end, share: share, direction: direction,
          isOver: direction < 0 && end == series.count
            && DriftScan.recovery(series.map(\.badDraws), since: start) != nil))
    }
    return stretches
  }

  /// Returns the p-value that a change must be below, so that all looks at a series together have
  /// a chance of about `level` to show a change where there is none.
  ///
  /// The series is looked at again after every night. The look after n nights spends
  /// `level / (n (n − 1))`, and shares this among the n − 1 nights on which the rate could have
  /// changed. The sum of 1 / (n (n − 1)) over all n from 2 on is 1, so the looks of any number of
  /// nights spend `level` (as in the alpha spending of Lan and DeMets, Biometrika 70, 1983).
  ///
  /// This is no strict bound: the periods on both sides of a night can have several lengths, and
  /// each length is another comparison. Simulated series of 40 unchanged nights show how often one
  /// claims a change (`scripts/benchmark alarms`).
  private static func clearP(_ level: Double, nights: Int) -> Double {
    let places = Double(max(1, nights - 1))
    return level / (Double(max(1, nights)) * places * places)
  }

  /// Removes changes, the least clear one first, until the p-values of all remaining ones are at
  /// most `level`.
  private static func dropUnclear(_ starts: inout [Int], of series: [Share], above level: Double) {
    while starts.count > 1 {
      let ends = starts.dropFirst() + [series.count]
      let periods = zip(starts, ends).map { pooled(series[$0..<$1]) }
      let pValues = zip(periods, periods.dropFirst()).map {
        ShareChange(from: $0, to: $1).pValue
      }
      guard let largest = pValues.max(), largest > level,
        let place = pValues.firstIndex(of: largest)
      else { return }
      starts.remove(at: place + 1)
    }
  }

  /// Returns the first night after the clearest change near either end of `series[start...]`, or
  /// `nil` if there is no clear change.
  private static func edgeChange(in series: [Share], from start: Int) -> Int? {
    var best: (split: Int, p: Double)?
    for length in 1...edge where series.count - length - start >= 3 {
      for split in [start + length, series.count - length] {
        let change = ShareChange(
          from: pooled(series[start..<split]), to: pooled(series[split...]))
        if change.pValue < 0.01 / Double(2 * edge), change.pValue < best?.p ?? 1 {
          best = (split, change.pValue)
        }
      }
    }
    return best?.split
  }

  /// Returns the first night of the newest nights that clearly show the end of a fall, or `nil` if
  /// the last stretch didn't begin with a fall, or if the fall isn't clearly over.
  private static func recovery(in series: [Share], from start: Int) -> Int? {
    guard start > 0, let end = DriftScan.recovery(series.map(\.badDraws), since: start) else {
      return nil
    }
    let change = ShareChange(from: pooled(series[start..<end]), to: pooled(series[end...]))
    return change.change > 0 && change.pValue < 0.01 / Double(2 * edge) ? end : nil
  }

  /// The maximum length of a dip, in nights.
  private static let longestDip = 30

  /// Returns the nights of a dip within a stretch, or `nil` if there is none.
  ///
  /// A single split doesn't show a dip, because the rate is the same before and after the dip.
  /// The clearest dip counts if fewer than 10 of 999 random orders of the same nights have a dip
  /// that is at least as clear.
  private static func dip(in stretch: ArraySlice<Share>) -> Range<Int>? {
    guard stretch.count >= 7, let clearest = clearestDip(Array(stretch)) else { return nil }
    var generator = SplitMix(seed: 1)
    var nights = Array(stretch)
    var asClear = 0
    for _ in 0..<999 {
      nights.shuffle(using: &generator)
      if (clearestDip(nights)?.score ?? 0) >= clearest.score { asClear += 1 }
      if asClear >= 10 { return nil }
    }
    let (first, end) = (clearest.range.lowerBound, clearest.range.upperBound)
    return stretch.startIndex + first..<stretch.startIndex + end
  }

  /// Returns the successive nights whose rate is furthest below the rate of the other nights, in
  /// standard errors.
  private static func clearestDip(_ nights: [Share]) -> (range: Range<Int>, score: Double)? {
    let all = pooled(nights[...])
    let (hits, count) = (Double(all.hits), Double(all.count))
    var best: (range: Range<Int>, score: Double)?
    for first in 1..<nights.count - 2 {
      var (ownHits, ownCount) = (0.0, 0.0)
      for end in first + 1...min(first + longestDip, nights.count - 1) {
        ownHits += Double(nights[end - 1].hits)
        ownCount += Double(nights[end - 1].count)
        guard end - first > 1, ownCount > 0, ownCount < count else { continue }
        let lack = hits * ownCount / count - ownHits
        let score = lack * lack / (ownCount * (1 - ownCount / count))
        if lack > 0, score > best?.score ?? 0 { best = (first..<end, score) }
      }
    }
    return best
  }

  private static func pooled(_ series: ArraySlice<Share>) -> Share {
    Share(series.reduce(0) { $0 + $1.hits }, of: series.reduce(0) { $0 + $1.count })
  }
}
