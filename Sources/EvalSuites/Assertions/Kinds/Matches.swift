import StructuredText

extension AssertionKind {
  static let matches = values(
    "matches", "The whole string matches the regular expression",
    rows: [
      KeyRow(
        "pattern", .pattern,
        "A regular expression without look-around or back-references", isRequired: true)
    ], types: ["string"],
    example: AssertionExample(
      #"matches: { path: $.code, pattern: "[A-Z]{2}-[0-9]+" }"#,
      passing: #"{"code": "AB-12"}"#, failing: #"{"code": "AB12"}"#, actual: #""AB12""#)
  ) { node in
    node["pattern"]?.text.flatMap { try? TextPattern(parsing: $0) }.map {
      MatchesRule(pattern: $0)
    }
  }
}

/// A rule that a regular expression matches the whole string.
struct MatchesRule: TextRule {
  /// The expression.
  var pattern: TextPattern

  func judge(text: String) -> Judgement {
    Judgement(pattern.matches(text), ValueWords.quoted(text))
  }

  func expectation(negated: Bool) -> String {
    (negated ? "not " : "") + "matches `\(pattern.text)`"
  }
}
