import EvalStatistics

/// Nights between changes, pooled.
struct SteadyStretch: Sendable, Hashable {
  /// The nights of the stretch, by their position in the series.
  let range: Range<Int>
  /// All their attempts together.
  let share: Share
  /// The direction of the change from the stretch before: 1, -1, or 0 without one.
  let direction: Int

  /// The number of last nights that are searched for a change.
  private static let newest = 3

  /// The stretches of a series of nights.
  ///
  /// Change points need some nights on either side. Changes in the last one to three nights are
  /// therefore tested separately, against the stretch that they would belong to: Fisher's exact
  /// test at a level of 0.01, shared among the three.
  ///
  /// - Parameter series: The counts of the nights that were measured, in the order of time.
  static func stretches(of series: [Share]) -> [SteadyStretch] {
    guard !series.isEmpty else { return [] }
    let points = series.map { HistoryPoint(passed: $0.hits, count: $0.count) }
    var starts = [0] + ChangePoint.find(points).map(\.index)
    if let start = starts.last, let split = newestChange(in: series, from: start) {
      starts.append(split)
    }
    var stretches: [SteadyStretch] = []
    for (start, end) in zip(starts, starts.dropFirst() + [series.count]) {
      let share = pooled(series[start..<end])
      let before = stretches.last?.share.value
      stretches.append(
        SteadyStretch(
          range: start..<end, share: share,
          direction: before.map { share.value > $0 ? 1 : share.value < $0 ? -1 : 0 } ?? 0))
    }
    return stretches
  }

  private static func newestChange(in series: [Share], from start: Int) -> Int? {
    var best: (split: Int, p: Double)?
    for length in 1...newest where series.count - length - start >= 3 {
      let split = series.count - length
      let change = ShareChange(
        from: pooled(series[start..<split]), to: pooled(series[split...]))
      if change.pValue < 0.01 / Double(newest), change.pValue < best?.p ?? 1 {
        best = (split, change.pValue)
      }
    }
    return best?.split
  }

  private static func pooled(_ series: ArraySlice<Share>) -> Share {
    Share(series.reduce(0) { $0 + $1.hits }, of: series.reduce(0) { $0 + $1.count })
  }
}
