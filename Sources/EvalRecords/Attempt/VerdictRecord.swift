/// The verdict of an assertion on an attempt.
public enum Verdict: String, Sendable, Hashable, Codable, CaseIterable {
  /// The assertion holds.
  case pass
  /// The assertion doesn't hold.
  case fail
  /// The assertion had nothing to check, so it neither holds nor fails.
  case vacuous
  /// The answer was cut off too early to decide whether the assertion holds.
  case unknown
}

/// One assertion's verdict on one attempt, with a self-contained description.
public struct VerdictRecord: Sendable, Hashable, Codable {
  /// The assertion's name within its suite or test case, for example `count $.cards`.
  public var assertion: String
  /// The assertion's type, for example `count`.
  public var type: String
  /// The path that the assertion checks, or `$` for the whole value.
  public var path: String
  /// The verdict.
  public var verdict: Verdict
  /// A description of the expectation: `3...8 elements`.
  public var expected: String
  /// A description of the actual value: `0 elements`.
  public var actual: String

  /// Creates a verdict record.
  public init(
    assertion: String, type: String, path: String, verdict: Verdict, expected: String,
    actual: String
  ) {
    self.assertion = assertion
    self.type = type
    self.path = path
    self.verdict = verdict
    self.expected = expected
    self.actual = actual
  }
}
