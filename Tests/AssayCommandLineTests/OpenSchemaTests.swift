import Foundation
import StructuredText
import Testing

@testable import AssayCommandLine

@Suite("Suites with plain JSON Schemas")
struct OpenSchemaTests {
  private static let plain = #""$schema":"https://json-schema.org/draft/2020-12/schema""#

  /// Writes a suite with a single test case.
  private func lab(schema: String) throws -> CommandLab {
    let lab = try CommandLab()
    try lab.write(schema, to: "open/schema.json")
    try lab.write(
      """
      suite: open
      generates: { schema: schema.json }
      assertions: [ { present: { path: $ } } ]
      cases: [ { id: a, input: x, stub: { content: { a: 1, z: 2 } } } ]
      """, to: "open/suite.yaml")
    return lab
  }

  @Test(
    "an answer may have the keys that the schema accepts, and no others",
    arguments: [
      (#"{\#(plain),"type":"object","properties":{"a":{"type":"integer"}}}"#, true),
      (
        """
        {\(plain),"type":"object","properties":{"a":{"type":"integer"}},
         "additionalProperties":false}
        """, false
      ),
    ])
  func checkKeys(_ schema: String, _ isValid: Bool) async throws {
    let lab = try lab(schema: schema)
    let run = await lab.assay("run", lab.path("open"), "-b", "stub")
    #expect(run.status == (isValid ? .passed : .failed), "\(run.output) \(run.notes)")
    // The stored record keeps the rule.
    let again = await lab.assay("recheck", "1", lab.path("open"))
    #expect(again.status == (isValid ? .passed : .failed), "\(again.output) \(again.notes)")
    try lab.write(#"{"input":"x","output":{"a":1,"z":2}}"# + "\n", to: "log.jsonl")
    let imported = await lab.assay("import", lab.path("log.jsonl"), "--suites", lab.path("open"))
    #expect(imported.status == (isValid ? .passed : .failed), "\(imported.notes)")
  }

  @Test(
    "`list` and `run` warn about a misspelled keyword and a missing type, in one line each",
    arguments: [
      (#"{"type":"object","properties":{"a":{"type":"array","maxItem":3}}}"#, "`maxItems`", true),
      (#"{"properties":{"a":{"type":"integer"}}}"#, #"add "type": "object""#, true),
      (#"{"type":"object","properties":{"a":{"minimum":3}}}"#, #"add "type": "integer" or"#, true),
      // These schemas limit the type elsewhere.
      (#"{"type":"object","anyOf":[{"required":["a"]}]}"#, "warning", false),
      (#"{"type":"object","properties":{"a":{}}}"#, "warning", false),
    ])
  func checkWarning(_ schema: String, _ words: String, _ isExpected: Bool) async throws {
    let lab = try lab(schema: schema)
    for command in ["list", "run"] {
      let ending = await lab.assay(command, lab.path("open"), "-b", "stub")
      let lines = ending.notes.split(separator: "\n").filter { $0.contains(words) }
      #expect(lines.count == (isExpected ? 1 : 0), "\(command): \(ending.notes)")
    }
  }
}
