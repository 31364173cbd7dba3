import StructuredText

extension AssertionKind {
  static let branch = values(
    "branch",
    "The model chose one of the given enum cases; if the value is an object, `type` names its case",
    rows: [
      KeyRow("is", .text, "The expected case of the enum"),
      KeyRow("in", .list(.text, minimum: 1), "The allowed cases of the enum"),
      .variable,
    ], rules: [.exactlyOne(["is", "in", "variable"])],
    example: AssertionExample(
      "branch: { path: $.mood, in: [calm, glad] }", passing: #"{"mood": "calm"}"#,
      failing: #"{"mood": {"type": "angry", "at": "Bo"}}"#, actual: "`angry`"),
    fits: { reader, node, path, view in
      guard let branches = view.branches else {
        reader.problems.add(
          node["path"]?.location ?? node.location,
          "`\(path)` is of type \(view.typeWords), which has no cases",
          allowed: "`branch` applies to enums")
        return false
      }
      let places = node["is"].map { [$0] } ?? node["in"]?.elements ?? []
      return places.map {
        reader.known($0.text ?? "", among: branches, at: $0, what: "enum cases at `\(path)`")
      }.allSatisfy(\.self)
    },
    variable: { value, _, _ throws(UnfitVariable) in BranchRule(names: [value.text]) }
  ) { BranchRule(names: $0["is"]?.text.map { [$0] } ?? $0.texts("in")) }
}

/// A rule that the value is one of the given cases of an enum.
struct BranchRule: ValueRule {
  /// The names of the enum cases.
  var names: [String]

  func judge(_ value: JSONValue) -> Judgement {
    guard let name = value.branchName else { return .notApplicable(value.typeWords) }
    return names.contains(name)
      ? .holds("`\(name)`") : .fails("`\(name)`" + ValueWords.lookalike(name, among: names))
  }

  /// Judges a value that may be incomplete.
  ///
  /// The `type` of an enum with payloads is known before its payload ends. A string whose beginning
  /// fits none of the given cases can't become one of them.
  func judge(_ part: AnswerPart) -> Judgement {
    if part.isComplete { return judge(part.value) }
    if part.value.object != nil, let type = part.value["type"] {
      let inner = part.child(.name("type"), type)
      return inner.isComplete ? judge(part.value) : judge(inner)
    }
    // Ignore the last character, because a combining mark may still change it.
    if let text = part.value.string, !names.contains(where: { $0.hasPrefix(text.dropLast()) }) {
      return .fails("`\(text)…`")
    }
    return .unknown(part.cutWords)
  }

  func expectation(negated: Bool) -> String {
    (negated ? "not " : "") + ValueWords.list(names, last: "or")
  }
}

extension JSONValue {
  /// The enum case that the value represents: the string itself or, for an enum with payloads, its
  /// `type`.
  package var branchName: String? { string ?? self["type"]?.string }
}
