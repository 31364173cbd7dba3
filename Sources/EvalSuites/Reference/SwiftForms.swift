import StructuredText

/// The forms of the assertions in suites that are written in Swift.
enum SwiftForms {
  /// The functions for kinds of assertions that have their own, by the kind's name.
  static let functions: [String: [String]] = [
    "count": [
      #".count("$.cards", 1...8)"#, #".count("$.cards", exactly: 3)"#,
    ],
    "nonEmpty": [#".nonEmpty("$.title")"#],
    "unique": [#".unique("$.cards[*].question")"#],
    "branch": [#".branch("$.mood", "calm", "glad")"#],
    "equals": [#".equals("$.age", 30)"#],
    "range": [#".range("$.price", 0...9.99)"#],
    "words": [#".words("$.title", 2...6)"#],
    "contains": [
      #".contains("$.title", "tide")"#, #".contains("$.title", "tide", ignoringCase: true)"#,
    ],
    "matches": [#".matches("$.code", "[A-Z]{2}[0-9]{4}")"#],
    "notPlaceholder": [#".notPlaceholder("$.name")"#],
    "noMarkup": [#".noMarkup("$.text")"#],
    "dateISO8601": [#".dateISO8601("$.date")"#],
    "present": [#".present("$.note")"#],
    "absent": [#".absent("$.note")"#],
    "not": [#".not(.contains("$.title", "tide"))"#],
  ]

  /// A table of all kinds of assertions in Markdown.
  static var table: String {
    let rows = AssertionKind.all.map { kind in
      let forms = functions[kind.name] ?? [check(kind)]
      // Even in code, a bar would end the cell.
      let cell = forms.map { "`\($0.replacing("|", with: #"\|"#))`" }.joined(separator: ", ")
      return "| `\(kind.name)` | \(cell) |\n"
    }
    let closures =
      #"| a closure | `.holds("short", for: CardSet.self) { $0.cards.count < 9 }`, "#
      + "`.custom(CustomAssertion(…))` |\n"
      + "| any assertion | `.check(…)`, with the name and the parameters of a suite file |\n"
    return "| Assertion | In Swift |\n|---|---|\n" + rows.joined() + closures
  }

  /// Returns the example of a kind as a call of `check`.
  private static func check(_ kind: AssertionKind) -> String {
    guard let node = try? YAMLReader.read("- \(kind.example.entry)\n"),
      let member = node.elements.first?.members.first
    else { return ".check(\"\(kind.name)\", …)" }
    return ".check(\(literal(.string(member.key))), \(literal(member.node.value)))"
  }

  /// Returns a value as a Swift literal.
  private static func literal(_ value: JSONValue) -> String {
    switch value {
    case .object(let object):
      "["
        + object.members.map { "\(literal(.string($0.key))): \(literal($0.value))" }
        .joined(separator: ", ") + "]"
    case .array(let elements): "[" + elements.map(literal).joined(separator: ", ") + "]"
    case .null: "nil"
    default: value.compactText
    }
  }
}
