/// The number of independent draws of one test case, and the number of hits among them.
public struct CaseCount: Sendable, Hashable {
  /// The number of hits; the caller decides whether passes or failures are hits.
  public var hits: Int
  /// The total number of draws.
  public var count: Int

  /// Creates a count.
  ///
  /// - Parameters:
  ///   - hits: The number of hits, from 0 to `count`.
  ///   - count: The total number of draws.
  public init(hits: Int = 0, count: Int = 0) {
    self.count = max(0, count)
    self.hits = min(max(0, hits), self.count)
  }

  /// Adds one draw.
  public mutating func add(_ isHit: Bool) {
    count += 1
    if isHit { hits += 1 }
  }

  /// The share of hits, or 0 if there are no draws.
  package var rate: Double { count > 0 ? Double(hits) / Double(count) : 0 }

  /// Adds two counts.
  package static func + (left: CaseCount, right: CaseCount) -> CaseCount {
    CaseCount(hits: left.hits + right.hits, count: left.count + right.count)
  }
}
