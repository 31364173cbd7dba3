import EvalRecords
import StructuredText

extension AssertionKind {
  static let words = length(
    .words,
    "The number of words is within the bounds; white space separates words, and a word contains "
      + "a letter or digit",
    AssertionExample(
      "words: { path: $.title, min: 2, max: 6 }", passing: #"{"title": "Spring tides"}"#,
      failing: #"{"title": "Tides"}"#, actual: #"1 word: "Tides""#))
  static let sentences = length(
    .sentences, "The number of sentences is within the bounds",
    AssertionExample(
      "sentences: { path: $.note, exact: 1 }", passing: #"{"note": "Mr. Fox came."}"#,
      failing: #"{"note": "He came. He went."}"#, actual: #"2 sentences: "He came. He went.""#))
  static let characters = length(
    .characters, "The number of characters, as a reader counts them, is within the bounds",
    AssertionExample(
      "characters: { path: $.code, max: 4 }", passing: #"{"code": "café"}"#,
      failing: #"{"code": "cafés"}"#, actual: #"5 characters: "cafés""#))

  private static func length(
    _ unit: TextUnit, _ summary: String, _ example: AssertionExample
  ) -> AssertionKind {
    values(
      unit.rawValue, summary, rows: KeyRow.counts, rules: .counts, types: ["string"],
      example: example
    ) { LengthRule(unit: unit, bounds: $0.countBounds) }
  }
}

/// A rule that a string's length is within bounds.
struct LengthRule: TextRule {
  /// The unit that is counted.
  var unit: TextUnit
  /// The bounds.
  var bounds: CountBounds

  func judge(text: String) -> Judgement {
    let count = unit.count(in: text)
    return Judgement(
      bounds.contains(count), "\(count.counted(unit.noun)): \(ValueWords.quoted(text))")
  }

  /// Judges the beginning of a string.
  ///
  /// As more of the string arrives, the number of words or characters never decreases, but the last
  /// word or character may still change.
  func judge(beginning text: String) -> Judgement {
    let words = "cut off: \(ValueWords.quoted(text))"
    guard unit != .sentences else { return .unknown(words) }
    let count = unit.count(in: text) - 1
    if let maximum = bounds.maximum, count > maximum { return .fails(words) }
    if bounds.maximum == nil, count >= bounds.minimum ?? 0 { return .holds(words) }
    return .unknown(words)
  }

  func expectation(negated: Bool) -> String {
    (negated ? "not " : "") + bounds.words(unit.noun)
  }
}

/// A unit in which the length of a text is counted; see ``TextCounts``.
package enum TextUnit: String, Sendable, Hashable, CaseIterable {
  case words
  case sentences
  case characters

  /// The unit as a singular noun.
  var noun: String { String(rawValue.dropLast()) }

  /// Returns the number of units in a text.
  func count(in text: String) -> Int {
    switch self {
    case .words: TextCounts.words(in: text)
    case .sentences: TextCounts.sentences(in: text)
    case .characters: TextCounts.characters(in: text)
    }
  }
}
