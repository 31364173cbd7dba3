import StructuredText

extension AssertionKind {
  static let notPlaceholder = values(
    "notPlaceholder", "The string is not a placeholder such as `unknown`, `TBD`, `N/A` or `[name]`",
    rows: [KeyRow("also", .list(.text, minimum: 0), "Additional placeholders")],
    types: ["string"],
    example: AssertionExample(
      "notPlaceholder: { path: $.name, also: [anonymous] }",
      passing: #"{"name": "Nora"}"#, failing: #"{"name": "N/A"}"#, actual: #""N/A""#)
  ) { NotPlaceholderRule(also: $0.texts("also")) }
}

/// A rule that a string is neither a common placeholder for a missing value nor one of the
/// additional placeholders that the suite lists.
struct NotPlaceholderRule: TextRule {
  /// The additional placeholders.
  var also: [String]

  func judge(text: String) -> Judgement {
    Judgement(
      !Placeholder.isPlaceholder(text, also: also),
      text.isEmpty ? "an empty string" : ValueWords.quoted(text))
  }

  func expectation(negated: Bool) -> String { negated ? "a placeholder" : "no placeholder" }
}
