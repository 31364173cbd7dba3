import ConstrainedDecoding
import GuidedGeneration
import StructuredText

/// The output of `assay schema explain`: a schema's grammar, its decisions, and the effect of each
/// keyword.
struct SchemaExplanation {
  private let keywords: [KeywordUse]
  private let grammar: GrammarExplanation?

  /// Creates an explanation.
  ///
  /// - Parameters:
  ///   - document: The schema as the file contains it.
  ///   - grammar: The schema's grammar, or `nil` if the schema can't be compiled.
  init(document: JSONValue, grammar: GrammarExplanation?) {
    keywords = KeywordUse.uses(in: document)
    self.grammar = grammar
  }

  /// Returns the explanation as text or JSON.
  func text(isJSON: Bool) -> String {
    isJSON ? json.prettyText + "\n" : lines.joined(separator: "\n") + "\n"
  }

  private var lines: [String] {
    var lines: [String] = []
    if let grammar {
      let width = grammar.rules.map(\.name.count).max() ?? 0
      lines += ["Grammar"] + grammar.rules.map { "  \($0.name.padded(to: width)) = \($0.text)" }
      lines += ["", "Decisions"]
      let paths = grammar.decisions.map(\.path.count).max() ?? 0
      lines += grammar.decisions.map {
        "  \($0.kind.rawValue.padded(to: 8))  \($0.path.padded(to: paths))  \($0.options)"
      }
      if grammar.decisions.isEmpty {
        lines.append("  none: the schema allows only one value, or only free text")
      }
      if grammar.isCut { lines.append("  … and more") }
      lines.append("")
    }
    lines.append("Keywords")
    for treatment in [KeywordTable.Treatment.enforced, .annotation] {
      let names = Set(keywords.filter { $0.treatment == treatment }.map(\.keyword)).sorted()
      let title = treatment == .enforced ? "enforced" : "annotations"
      lines.append(
        "  \(title.padded(to: 11))  \(names.isEmpty ? "–" : names.joined(separator: ", "))")
    }
    let refused = keywords.filter { $0.treatment == .refused }
    lines.append(refused.isEmpty ? "  refused      –" : "  refused")
    lines += refused.map { "    \($0.place): \($0.keyword): \($0.note)" }
    return lines
  }

  private var json: JSONValue {
    func object(_ members: [(String, String)]) -> JSONValue {
      .object(JSONObject(members.map { (key: $0.0, value: .string($0.1)) }))
    }
    var members: [JSONObject.Member] = []
    if let grammar {
      members.append(
        (
          key: "grammar",
          value: .array(grammar.rules.map { object([("name", $0.name), ("rule", $0.text)]) })
        ))
      members.append(
        (
          key: "decisions",
          value: .array(
            grammar.decisions.map {
              object([("kind", $0.kind.rawValue), ("path", $0.path), ("options", $0.options)])
            })
        ))
    }
    members.append(
      (
        key: "keywords",
        value: .array(
          keywords.map {
            object([
              ("keyword", $0.keyword), ("place", $0.place), ("treatment", $0.treatment.rawValue),
              ("note", $0.note),
            ])
          })
      ))
    return .object(JSONObject(members))
  }
}
