import EvalRecords

/// The types of assertions: a closed set.
package enum CheckType: String, Sendable, Hashable, CaseIterable {
  case count
  case nonEmpty
  case unique
  case sorted
  case branch
  case equals
  case oneOf
  case subsetOf
  case range
  case closeTo
  case words
  case sentences
  case characters
  case matches
  case dateISO8601
  case contains
  case containsAny
  case containsAll
  case startsWith
  case endsWith
  case noMarkup
  case notPlaceholder
  case present
  case absent
  case isNull
  case each
  case any
  case none
  case all
  case anyOf
  case not
  case stopReason
  case latency
  case tokens
  case pressure
  case decision

  /// What stands under the type's key.
  var kind: KeyKind {
    switch self {
    case .not: .table(.assertion)
    case .all, .anyOf: .list(.table(.assertion), minimum: 1)
    default: .table(.check(self))
    }
  }

  /// When an assertion of the type passes.
  package var summary: String {
    switch self {
    case .count: "The array has so many elements, or the object so many members"
    case .nonEmpty: "The string has more than white space, the array elements, the object members"
    case .unique: "No two values of the path, or no two elements of the array, are equal"
    case .sorted: "The values of the path, or the elements of the array, are in order"
    case .branch: "The enum took this case: the `type` of a payload enum, or the string"
    case .equals: "The value is the same, numbers by value, whatever the order of keys"
    case .oneOf: "The value is one of these"
    case .subsetOf: "Every element of the array is one of these"
    case .range: "The number lies within, ends included"
    case .closeTo: "The number lies no further than the tolerance from another"
    case .words: "The text has so many words: runs between white space with a letter or digit"
    case .sentences: "The text has so many sentences"
    case .characters: "The text has so many characters, as a reader counts them"
    case .matches: "The whole string matches the regular expression"
    case .dateISO8601: "The string is a date of the calendar such as `2026-03-12`"
    case .contains: "The string contains the text"
    case .containsAny: "The string contains one of the texts"
    case .containsAll: "The string contains all of the texts"
    case .startsWith: "The string starts with the text"
    case .endsWith: "The string ends with the text"
    case .noMarkup: "The string has no Markdown and no HTML in it"
    case .notPlaceholder: "The string is no stand-in such as `unknown`, `TBD`, `N/A` or `[name]`"
    case .present: "The path leads to a value, null included"
    case .absent: "The path leads nowhere"
    case .isNull: "The value is null"
    case .each: "The assertions hold for every value of the path"
    case .any: "The assertions hold for at least one value of the path"
    case .none: "The assertions hold for no value of the path"
    case .all: "All of the assertions hold"
    case .anyOf: "At least one of the assertions holds"
    case .not: "The assertion does not hold, for any value of its path"
    case .stopReason: "Generation stopped for this reason"
    case .latency: "The answer took at most so many milliseconds"
    case .tokens: "The answer has so many tokens"
    case .pressure: "The mask removed at most so many nats (Σ −ln Z) from the model's choices"
    case .decision: "The sampled probability of an option at the path lies within"
    }
  }

  private static let path = KeyRow("path", .path, "What is looked at", isRequired: true)
  private static let counts = [
    KeyRow("min", .integer(minimum: 0, maximum: 1 << 40), "The least number"),
    KeyRow("max", .integer(minimum: 0, maximum: 1 << 40), "The greatest number"),
    KeyRow("exact", .integer(minimum: 0, maximum: 1 << 40), "The only number"),
  ]
  private static let countRules: [KeyRule] = [
    .atLeastOne(["min", "max", "exact"]), .atMostOne(["exact", "min"]),
    .atMostOne(["exact", "max"]), .ordered("min", "max"),
  ]
  private static let number = KeyKind.number(
    minimum: -Double.greatestFiniteMagnitude, maximum: .greatestFiniteMagnitude)
  private static let probability = KeyKind.number(minimum: 0, maximum: 1)
  private static let variable = KeyRow(
    "variable", .text, "A variable of the case that has what is expected")
  private static let ignoringCase = KeyRow(
    "ignoringCase", .flag, "Whether `A` equals `a`", fallback: "false")

  /// The parameters of the type.
  var table: KeyTable {
    let title = "`\(rawValue)`"
    func withPath(_ rows: [KeyRow], rules: [KeyRule] = []) -> KeyTable {
      KeyTable(title, [Self.path] + rows, rules: rules)
    }
    switch self {
    case .count, .words, .sentences, .characters:
      return withPath(Self.counts, rules: Self.countRules)
    case .nonEmpty, .noMarkup, .present, .absent, .isNull: return withPath([])
    case .unique:
      return withPath([
        KeyRow(
          "normalized", .flag, "Whether letter case, punctuation and spacing are disregarded",
          fallback: "false")
      ])
    case .sorted:
      return withPath([
        KeyRow("descending", .flag, "Whether the greatest comes first", fallback: "false")
      ])
    case .branch:
      return withPath(
        [
          KeyRow("is", .text, "The case"),
          KeyRow("in", .list(.text, minimum: 1), "The cases that are right"),
          Self.variable,
        ], rules: [.exactlyOne(["is", "in", "variable"])])
    case .equals:
      return withPath(
        [KeyRow("value", .value, "The value"), Self.variable],
        rules: [.exactlyOne(["value", "variable"])])
    case .oneOf, .subsetOf:
      return withPath([
        KeyRow("values", .list(.value, minimum: 1), "The values", isRequired: true)
      ])
    case .range:
      return withPath(
        [
          KeyRow("min", Self.number, "The least number"),
          KeyRow("max", Self.number, "The greatest number"),
        ], rules: [.atLeastOne(["min", "max"]), .ordered("min", "max")])
    case .closeTo:
      return withPath([
        KeyRow("value", Self.number, "The number", isRequired: true),
        KeyRow(
          "tolerance", .number(minimum: 0, maximum: .greatestFiniteMagnitude), "The distance",
          isRequired: true),
      ])
    case .matches:
      return withPath([
        KeyRow(
          "pattern", .pattern,
          "A regular expression without look-around and back-references", isRequired: true)
      ])
    case .dateISO8601:
      return withPath([
        KeyRow("orEmpty", .flag, "Whether an empty string passes too", fallback: "false"),
        KeyRow(
          "form", .choice(CalendarDate.Form.allCases.map(\.rawValue)),
          "`dateTime` asks for a time and its zone as well", fallback: "`date`"),
      ])
    case .contains, .startsWith, .endsWith:
      return withPath(
        [KeyRow("text", .text, "The text"), Self.variable, Self.ignoringCase],
        rules: [.exactlyOne(["text", "variable"])])
    case .containsAny, .containsAll:
      return withPath([
        KeyRow("texts", .list(.text, minimum: 1), "The texts", isRequired: true),
        Self.ignoringCase,
      ])
    case .notPlaceholder:
      return withPath([
        KeyRow("also", .list(.text, minimum: 0), "More words that stand for nothing")
      ])
    case .each, .any, .none:
      return withPath([
        KeyRow(
          "assertions", .list(.table(.assertion), minimum: 1),
          "Assertions whose paths begin with `@`, the element", isRequired: true)
      ])
    case .stopReason:
      let reasons = StopReason.allCases.map(\.rawValue)
      return KeyTable(
        title,
        [
          KeyRow("is", .choice(reasons), "The reason"),
          KeyRow("in", .list(.choice(reasons), minimum: 1), "The reasons that are right"),
        ], rules: [.exactlyOne(["is", "in"])])
    case .latency:
      return KeyTable(
        title,
        [
          KeyRow(
            "max", .number(minimum: 0, maximum: 1e12), "The most milliseconds", isRequired: true)
        ])
    case .tokens: return KeyTable(title, Self.counts, rules: Self.countRules)
    case .pressure:
      return KeyTable(
        title,
        [KeyRow("max", .number(minimum: 0, maximum: 1e12), "The most nats", isRequired: true)])
    case .decision:
      return withPath(
        [
          KeyRow(
            "option", .text,
            "The option: `element` or `end` of an array, a case of an enum, `present`, `absent`",
            isRequired: true),
          KeyRow("min", Self.probability, "The least probability"),
          KeyRow("max", Self.probability, "The greatest probability"),
        ], rules: [.atLeastOne(["min", "max"]), .ordered("min", "max")])
    case .all, .anyOf, .not: return KeyTable(title, [])
    }
  }
}
