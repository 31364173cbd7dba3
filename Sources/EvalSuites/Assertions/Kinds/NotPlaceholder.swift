import StructuredText

extension AssertionKind {
  static let notPlaceholder = values(
    "notPlaceholder", "The string is no stand-in such as `unknown`, `TBD`, `N/A` or `[name]`",
    rows: [KeyRow("also", .list(.text, minimum: 0), "More words that stand for nothing")],
    types: ["string"],
    example: AssertionExample(
      "notPlaceholder: { path: $.name, also: [anonymous] }",
      passing: #"{"name": "Nora"}"#, failing: #"{"name": "N/A"}"#, actual: #""N/A""#)
  ) { NotPlaceholderRule(also: $0.texts("also")) }
}

/// A string is none of the usual stand-ins for a missing value, nor one of more words.
struct NotPlaceholderRule: TextRule {
  /// More stand-ins.
  var also: [String]

  func judge(text: String) -> Judgement {
    Judgement(
      !Placeholder.isPlaceholder(text, also: also),
      text.isEmpty ? "an empty string" : ValueWords.quoted(text))
  }

  func expectation(negated: Bool) -> String { negated ? "a placeholder" : "no placeholder" }
}
