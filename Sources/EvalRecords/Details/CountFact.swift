/// The number of elements or members that made a `count` assertion fail, and the assertion's
/// bounds.
public struct CountFact: Sendable, Hashable, Codable {
  /// The number of elements at the first place where the assertion failed.
  public var count: Int
  /// The minimum of the assertion, or `nil` if the assertion has none.
  public var minimum: Int?
  /// The maximum of the assertion, or `nil` if the assertion has none.
  public var maximum: Int?

  /// Creates a fact.
  public init(count: Int, minimum: Int? = nil, maximum: Int? = nil) {
    self.count = count
    self.minimum = minimum
    self.maximum = maximum
  }
}

extension AttemptRecord {
  /// Returns the number of elements that made a `count` assertion fail, or `nil` if it isn't known.
  ///
  /// - Parameter verdict: One of the attempt's verdicts.
  public func count(of verdict: VerdictRecord) -> Int? {
    // Version 0.1 stored only a description: `0 elements`.
    details.counts?[verdict.assertion]?.count
      ?? (verdict.type == "count"
        ? verdict.actual.split(separator: " ").first.flatMap { Int($0) } : nil)
  }
}
