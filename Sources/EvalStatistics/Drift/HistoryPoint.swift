/// What one night, or one run, of a history counted.
public struct HistoryPoint: Sendable, Hashable {
  /// The attempts that passed.
  public var passed: Int
  /// The attempts that were made.
  public var count: Int

  /// Creates a point; counts below zero are taken as zero, and more passes than attempts as all.
  public init(passed: Int, count: Int) {
    self.count = max(0, count)
    self.passed = min(max(0, passed), self.count)
  }

  /// The pass rate; nil without attempts.
  public var rate: Double? { count > 0 ? Double(passed) / Double(count) : nil }
}

extension Sequence<HistoryPoint> {
  /// All points as one.
  var pooled: HistoryPoint {
    reduce(into: HistoryPoint(passed: 0, count: 0)) {
      $0.passed += $1.passed
      $0.count += $1.count
    }
  }
}
