import EvalRecords
import StructuredText

extension StarterSuite {
  /// The first words of the placeholder inputs that the author has to replace.
  static let placeholder = CaseRecord.placeholders[0]

  /// Returns the suite file as text.
  ///
  /// - Parameters:
  ///   - editorSchema: The location of the JSON Schema for editors, relative to the file, or `nil`
  ///     if there is none.
  ///   - program: The name of the program that runs the suite.
  public func text(editorSchema: String? = nil, program: String = "assay") -> String {
    var lines: [String] = []
    if let editorSchema { lines.append("# yaml-language-server: $schema=\(editorSchema)") }
    lines += [
      "# A first suite for \(VisibleLine.of(typeName)): a test case for every case of an "
        + "enum, every bound of a count and every optional property.",
      "# Replace each input with one for which the asserted answer is right. Until then, only the "
        + "stub,",
      "# which takes its answers from this file, passes: \(program) run --backend stub",
      "suite: \(Self.quoted(id))",
      "title: \(Self.quoted(typeName))",
      "guards: \(Self.quoted("Regressions after edits to the guides of \(typeName)."))",
      "generates:",
      "  schema: \(Self.quoted(schemaFile))",
      "instructions: Answer from the input alone.",
      "prompt: \"{{input}}\"",
      "repeats: 1",
    ]
    if !shared.isEmpty { lines += ["assertions:"] + shared.map { "  - \($0)" } }
    lines += ["gate:", "  passRate: 1", "cases:"]
    for entry in cases {
      lines += [
        "  - id: \(Self.quoted(entry.id))",
        "    title: \(Self.quoted(entry.title))",
        "    input: \(Self.quoted("\(Self.placeholder) \(entry.title)."))",
        "    assertions:",
      ]
      lines += entry.assertions.map { "      - \($0)" }
      lines += ["    stub:", "      content: \(entry.content.compactText)"]
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Suite {
  /// The ids of the test cases whose inputs the author hasn't replaced since `assay init`.
  public var placeholderCases: [String] {
    cases.filter { suiteCase in
      suiteCase.variables.members.contains { CaseRecord.isPlaceholder($0.value) }
    }.map(\.id)
  }
}

/// Replaces line breaks with spaces, so that a text fits on one line of a comment.
private enum VisibleLine {
  static func of(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}
