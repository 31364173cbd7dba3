/// The independent draws of one case, and how many of them counted.
public struct CaseCount: Sendable, Hashable {
  /// The draws that counted: those that passed, or those that failed.
  public var hits: Int
  /// All draws.
  public var count: Int

  /// Creates a count.
  ///
  /// - Parameters:
  ///   - hits: The draws that counted; from 0 to `count`.
  ///   - count: All draws.
  public init(hits: Int = 0, count: Int = 0) {
    self.count = max(0, count)
    self.hits = min(max(0, hits), self.count)
  }

  /// Adds one draw.
  public mutating func add(_ isHit: Bool) {
    count += 1
    if isHit { hits += 1 }
  }

  /// The share of the draws that counted; 0 without draws.
  package var rate: Double { count > 0 ? Double(hits) / Double(count) : 0 }
}
