/// The reference of the suite format in Markdown, generated from the tables that the loader uses.
///
/// In a document, the generated tables are between marks; the rest of the text is written by hand:
///
/// ```
/// <!-- keys: options -->
/// …                        replaced
/// <!-- end of keys -->
/// ```
package enum SuiteReference {
  /// The tables that a document can contain, keyed by the name in their marks.
  package static let sections: [(name: String, text: String)] =
    [
      TableName.suite, .generates, .options, .suiteCase, .variant, .edit, .gate, .caseGate, .metric,
      .stub,
      .weightedStubEntry, .promptSet, .promptSetPart, .include, .lint, .project, .projectModel,
      .projectPrices,
    ].map { ($0.text, keys($0.table)) } + [
      ("assertions", assertions), ("functions", functions), ("examples", examples),
      ("swiftAssertions", SwiftForms.table),
    ]

  private static let end = "<!-- end of keys -->"

  private static func start(_ name: String) -> String { "<!-- keys: \(name) -->" }

  /// Returns a document with its tables regenerated.
  ///
  /// - Parameter document: Markdown with marks. The text between marks with unknown names is
  ///   unchanged.
  package static func updated(_ document: String) -> String {
    sections.reduce(document) { document, section in
      let mark = start(section.name) + "\n"
      guard let opening = document.firstRange(of: mark),
        let closing = document[opening.upperBound...].firstRange(of: end)
      else { return document }
      return document[..<opening.upperBound] + section.text + document[closing.lowerBound...]
    }
  }

  private static func keys(_ table: KeyTable) -> String {
    let hasDefaults = table.rows.contains { $0.isRequired || !$0.fallback.isEmpty }
    var text =
      hasDefaults
      ? "| Key | Default | Meaning |\n|---|---|---|\n" : "| Key | Meaning |\n|---|---|\n"
    for row in table.rows {
      let fallback = row.isRequired ? "required" : row.fallback
      text +=
        hasDefaults
        ? "| `\(row.name)` | \(fallback) | \(row.summary) |\n"
        : "| `\(row.name)` | \(row.summary) |\n"
    }
    if table.others != nil {
      text +=
        hasDefaults
        ? "| any other | | A variable of the prompt and of assertions |\n"
        : "| any other | A variable of the prompt and of assertions |\n"
    }
    return text
  }

  private static var assertions: String {
    AssertionKind.all.reduce("| Type | Parameters | Passes when |\n|---|---|---|\n") { text, kind in
      let parameters =
        switch kind.parameters {
        case .assertion: "one assertion"
        case .assertions: "a list of assertions"
        case .formula: "a formula"
        case .keys(let rows, _):
          rows.filter { $0.name != "path" }
            .map { $0.isRequired ? "**`\($0.name)`**" : "`\($0.name)`" }.joined(separator: ", ")
        }
      return text + "| `\(kind.name)` | \(parameters) | \(kind.summary) |\n"
    }
  }

  /// An example of each kind of assertion, with its failure message.
  private static var examples: String {
    AssertionKind.all.reduce("") { text, kind in
      let example = kind.example
      let start = "\n### `\(kind.name)`\n\n```yaml\n- \(example.entry)\n```\n\n"
      if kind == .boundHugging {
        return text + start + "In a single attempt, the verdict of this assertion is always "
          + "vacuous. The gate judges all attempts together.\n"
      }
      return text + start + "`\(example.passing)` passes. `\(example.failing)` fails: "
        + "\(example.actual)\n"
    } + "\n"
  }

  private static var functions: String {
    ExpressionFunction.allCases.reduce("| Function | Gives |\n|---|---|\n") {
      $0 + "| `\($1.signature)` | \($1.summary) |\n"
    }
  }
}
