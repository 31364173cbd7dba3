import StructuredText

extension AssertionKind {
  static let noMarkup = values(
    "noMarkup", "The string contains no Markdown or HTML", version: 2, types: ["string"],
    example: AssertionExample(
      "noMarkup: { path: $.note }", passing: #"{"note": "plain"}"#,
      failing: #"{"note": "so **bold**"}"#, actual: #"bold `**` in "so **bold**""#)
  ) { _ in NoMarkupRule() }
}

/// A rule that a string contains no Markdown or HTML.
struct NoMarkupRule: TextRule {
  func judge(text: String) -> Judgement {
    guard let found = Markup.first(in: text) else { return .holds(ValueWords.quoted(text)) }
    return .fails("\(found) in \(ValueWords.quoted(text))")
  }

  func expectation(negated: Bool) -> String { negated ? "markup" : "no markup" }
}
