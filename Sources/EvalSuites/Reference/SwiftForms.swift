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

  /// A table of the assertions with functions of their own, in Markdown.
  static var table: String {
    let rows = AssertionKind.all.compactMap { kind -> String? in
      guard let forms = functions[kind.name] else { return nil }
      // Even in code, a bar would end the cell.
      let cell = forms.map { "`\($0.replacing("|", with: #"\|"#))`" }.joined(separator: ", ")
      return "| `\(kind.name)` | \(cell) |\n"
    }
    let others =
      #"| a closure | `.holds("short", for: CardSet.self) { $0.cards.count < 9 }`, "#
      + "`.custom(CustomAssertion(…))` |\n"
      + "| any other, with the name and the parameters of a suite file | "
      + #"`.check("closeTo", ["path": "$.total", "value": 9.99, "tolerance": 0.01])` |"#
    return "| Assertion | In Swift |\n|---|---|\n" + rows.joined() + others + "\n"
  }
}
