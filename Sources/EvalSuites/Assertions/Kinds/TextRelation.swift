import EvalRecords
import StructuredText

extension AssertionKind {
  static let contains = one(
    .contains, "The string contains the text",
    AssertionExample(
      "contains: { path: $.note, text: TIDE, ignoringCase: true }",
      passing: #"{"note": "the tides"}"#, failing: #"{"note": "the moon"}"#,
      actual: #""the moon""#))
  static let containsAny = several(
    .containsAny, "The string contains at least one of the texts",
    AssertionExample(
      "containsAny: { path: $.note, texts: [sea, moon] }",
      passing: #"{"note": "the moon"}"#, failing: #"{"note": "the sun"}"#,
      actual: #""the sun""#))
  static let containsAll = several(
    .containsAll, "The string contains all of the texts",
    AssertionExample(
      "containsAll: { path: $.note, texts: [sea, moon] }",
      passing: #"{"note": "sea and moon"}"#, failing: #"{"note": "the moon"}"#,
      actual: #""the moon""#))
  static let startsWith = one(
    .startsWith, "The string starts with the text",
    AssertionExample(
      "startsWith: { path: $.note, text: Dear }", passing: #"{"note": "Dear Bo"}"#,
      failing: #"{"note": "Hi Bo"}"#, actual: #""Hi Bo""#))
  static let endsWith = one(
    .endsWith, "The string ends with the text",
    AssertionExample(
      #"endsWith: { path: $.note, text: "." }"#, passing: #"{"note": "Done."}"#,
      failing: #"{"note": "Done"}"#, actual: #""Done""#))

  private static func one(
    _ relation: TextRelation, _ summary: String, _ example: AssertionExample
  ) -> AssertionKind {
    values(
      relation.rawValue, summary, version: 2,
      rows: [KeyRow("text", .text, "The text"), .variable, .ignoringCase],
      rules: [.exactlyOne(["text", "variable"])], types: ["string"], example: example,
      variable: { value, node, _ throws(UnfitVariable) in
        RelationRule(
          relation: relation, needles: [value.text], ignoresCase: node.flag("ignoringCase"))
      }
    ) { node in
      node["text"]?.text.map {
        RelationRule(relation: relation, needles: [$0], ignoresCase: node.flag("ignoringCase"))
      }
    }
  }

  private static func several(
    _ relation: TextRelation, _ summary: String, _ example: AssertionExample
  ) -> AssertionKind {
    values(
      relation.rawValue, summary, version: 2,
      rows: [KeyRow("texts", .list(.text, minimum: 1), "The texts"), .variable, .ignoringCase],
      rules: [.exactlyOne(["texts", "variable"])], types: ["string"], example: example,
      variable: { value, node, _ throws(UnfitVariable) in
        guard let elements = value.written.array, elements.allSatisfy({ $0.string != nil }) else {
          throw UnfitVariable(allowed: #"a list of texts such as `["a", "b"]`"#)
        }
        return RelationRule(
          relation: relation, needles: elements.compactMap(\.string),
          ignoresCase: node.flag("ignoringCase"))
      }
    ) { node in
      RelationRule(
        relation: relation, needles: node.texts("texts"), ignoresCase: node.flag("ignoringCase"))
    }
  }
}

/// A relation between a string and other texts.
package enum TextRelation: String, Sendable, Hashable, CaseIterable {
  case contains
  case containsAny
  case containsAll
  case startsWith
  case endsWith
}

/// A rule that a string contains, begins with or ends with the given texts.
///
/// Texts are compared scalar by scalar, as ``ScalarText`` explains, so a composed `é` equals a
/// decomposed one. If case is ignored, their case mappings are compared, so `ß` equals `SS`.
struct RelationRule: TextRule {
  /// The relation.
  var relation: TextRelation
  /// The texts to look for.
  var needles: [String]
  /// Whether case is ignored, so that `A` equals `a`.
  var ignoresCase = false

  func judge(text: String) -> Judgement {
    holds(in: text)
      ? .holds(ValueWords.quoted(text)) : .fails(ValueWords.quoted(text) + lookalike(in: text))
  }

  /// Returns the words that tell a part of the text from the first needle that looks the same, or
  /// an empty string.
  private func lookalike(in text: String) -> String {
    let text = ignoresCase ? text.lowercased() : text
    return needles.lazy.compactMap { needle in
      let needle = ignoresCase ? needle.lowercased() : needle
      return Lookalike.part(of: text, like: needle).flatMap {
        Lookalike.note(on: $0, insteadOf: needle)
      }
    }.first ?? ""
  }

  /// Judges the beginning of a string.
  ///
  /// Text that arrives later can't undo a match. The last character is ignored, because a combining
  /// mark may still change it.
  func judge(beginning text: String) -> Judgement {
    let words = "cut off: \(ValueWords.quoted(text))"
    if relation != .endsWith, holds(in: String(text.dropLast())) { return .holds(words) }
    return .unknown(words)
  }

  private func holds(in text: String) -> Bool {
    let text = folded(text)
    return switch relation {
    case .contains, .containsAll: needles.allSatisfy { text.contains(folded($0)) }
    case .containsAny: needles.contains { text.contains(folded($0)) }
    case .startsWith: needles.allSatisfy { text.starts(with: folded($0)) }
    case .endsWith: needles.allSatisfy { text.ends(with: folded($0)) }
    }
  }

  private func folded(_ text: String) -> ScalarText {
    ScalarText(ignoresCase ? text.uppercased().lowercased() : text)
  }

  /// Returns the verdict for a path that selects no values.
  ///
  /// If there is no value, nothing contains the text, so `contains`, `containsAny` and
  /// `containsAll` fail, and their negations are vacuous. `startsWith` and `endsWith` are vacuous,
  /// because no value has a wrong beginning or end.
  func verdictOnNothing(negated: Bool) -> Verdict {
    switch relation {
    case .contains, .containsAny, .containsAll: negated ? .vacuous : .fail
    case .startsWith, .endsWith: .vacuous
    }
  }

  func expectation(negated: Bool) -> String {
    let list = needles.map(ValueWords.quoted).joined(separator: ", ")
    let words =
      switch relation {
      case .contains: negated ? "does not contain \(list)" : "contains \(list)"
      case .containsAll: negated ? "does not contain all of \(list)" : "contains all of \(list)"
      case .containsAny: negated ? "contains none of \(list)" : "contains one of \(list)"
      case .startsWith: negated ? "does not start with \(list)" : "starts with \(list)"
      case .endsWith: negated ? "does not end with \(list)" : "ends with \(list)"
      }
    return words + (ignoresCase ? " (ignoring case)" : "")
  }
}
