/// The counts of one night, or one run, of a history.
public struct HistoryPoint: Sendable, Hashable {
  /// The number of attempts that passed.
  public var passed: Int
  /// The number of attempts that were made.
  public var count: Int

  /// Creates a point, with negative counts raised to zero and `passed` limited to `count`.
  public init(passed: Int, count: Int) {
    self.count = max(0, count)
    self.passed = min(max(0, passed), self.count)
  }
}

extension Sequence<HistoryPoint> {
  /// All points combined.
  var pooled: HistoryPoint {
    reduce(into: HistoryPoint(passed: 0, count: 0)) {
      $0.passed += $1.passed
      $0.count += $1.count
    }
  }
}
