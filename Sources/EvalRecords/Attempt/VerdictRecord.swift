/// What an assertion says of an attempt.
public enum Verdict: String, Sendable, Hashable, Codable, CaseIterable {
  case pass
  case fail
  /// A "for all" assertion over nothing: neither passed nor failed.
  case vacuous
  /// The answer was cut off before this could be decided: neither passed nor failed.
  case unknown
}

/// One assertion's verdict on one attempt, self-describing.
public struct VerdictRecord: Sendable, Hashable, Codable {
  /// The assertion's name within its suite or case, for example `count $.cards`.
  public var assertion: String
  /// The assertion's type, for example `count`.
  public var type: String
  /// The path it looks at; `$` for the whole value.
  public var path: String
  /// The verdict.
  public var verdict: Verdict
  /// What was expected, in words: `3...8 elements`.
  public var expected: String
  /// What was there, in words: `0 elements`.
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
