import Foundation
import StructuredText
import Testing

@testable import EvalSuites

@Suite("Documents generated from the table of keys")
struct ReferenceTests {
  private let evals = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("evals")

  /// Compares a committed file with the generated text.
  ///
  /// If ASSAY_REGENERATE is set, the method writes the file first.
  private func check(_ name: String, _ generate: (String) -> String) throws {
    let file = evals.appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["ASSAY_REGENERATE"] != nil {
      let old = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
      try generate(old).write(to: file, atomically: true, encoding: .utf8)
    }
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(
      text == generate(text),
      "evals/\(name) is not up to date: run the tests once with ASSAY_REGENERATE=1")
  }

  @Test("the tables in the reference are up to date")
  func reference() throws {
    try check("../docs/suite-format.md") { SuiteReference.updated($0) }
    let text = try String(
      contentsOf: evals.appendingPathComponent("../docs/suite-format.md"), encoding: .utf8)
    try check("../docs/assertions.md") { SuiteReference.updated($0) }
    try check("../docs/swift-suites.md") { SuiteReference.updated($0) }
    for name in ["suite", "options", "case", "edit", "gate", "assertions"] {
      #expect(text.contains("<!-- keys: \(name) -->"))
    }
  }

  @Test("the JSON Schemas for editors are up to date")
  func editorSchema() throws {
    try check("suite.schema.json") { _ in SuiteFormat.jsonSchemaText }
    try check("assay.schema.json") { _ in ProjectFormat.jsonSchemaText }
  }

  @Test("the JSON Schema has every kind of assertion, and every `$ref` has a target")
  func references() throws {
    let schema = SuiteFormat.jsonSchema
    let definitions = try #require(schema["$defs"]?.object)
    var references: [String] = []
    func walk(_ value: JSONValue) {
      if let reference = value["$ref"]?.string { references.append(reference) }
      for member in value.object?.members ?? [] { walk(member.value) }
      for element in value.array ?? [] { walk(element) }
    }
    walk(schema)
    for reference in references {
      #expect(definitions[String(reference.dropFirst("#/$defs/".count))] != .none, "\(reference)")
    }
    for kind in AssertionKind.all {
      guard case .keys = kind.parameters else { continue }
      #expect(definitions["check-\(kind.name)"] != .none)
    }
    let assertion = try #require(definitions["assertion"])
    #expect(assertion["additionalProperties"] == false)
    #expect(
      assertion["allOf"]?.array?.first?["oneOf"]?.array?.count == AssertionKind.all.count)
  }

  @Test("the list of Swift assertions has every function of SuiteAssertion")
  func swiftForms() throws {
    let source = try String(
      contentsOf: evals.appendingPathComponent(
        "../Sources/EvalSuites/SwiftSuites/SuiteAssertion.swift"), encoding: .utf8)
    let functions = source.matches(of: /public static func (\w+)[<(]/).map { String($0.output.1) }
    #expect(functions.count > 15)
    for function in functions {
      #expect(SwiftForms.table.contains("`.\(function)("), "\(function)")
    }
    for kind in AssertionKind.all where SwiftForms.functions[kind.name] != nil {
      #expect(SwiftForms.table.contains("| `\(kind.name)` | `."), "\(kind.name)")
    }
    #expect(SwiftForms.table.contains("| any other, "))
    for name in SwiftForms.functions.keys {
      #expect(AssertionKind.named(name) != nil, "\(name)")
    }
  }

  @Test("updating a table replaces only the text between its marks")
  func marks() {
    let text = "a\n<!-- keys: gate -->\nold\n<!-- end of keys -->\nb\n<!-- keys: nothing -->\n"
    let updated = SuiteReference.updated(text)
    #expect(updated.hasPrefix("a\n<!-- keys: gate -->\n| Key | Default | Meaning |\n"))
    #expect(updated.hasSuffix("|\n<!-- end of keys -->\nb\n<!-- keys: nothing -->\n"))
    #expect(!updated.contains("old"))
    #expect(SuiteReference.updated(updated) == updated)
  }
}
