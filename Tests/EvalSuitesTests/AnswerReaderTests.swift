import EvalRecords
import StructuredText
import Testing

@testable import EvalSuites

@Suite("Reading answers")
struct AnswerReaderTests {
  /// A schema, an output, and the value and the kind of failure that it is read as.
  private typealias Row = (
    schema: String, output: String, value: JSONValue?, failure: AttemptFailure.Kind?
  )

  private static let rows: [Row] = [
    (#"{"type":"string"}"#, "Leek soup", "Leek soup", nil),
    (#"{"type":"string"}"#, #""Leek""#, "Leek", nil),
    // JSON is never a text, whichever backend it comes from.
    (#"{"type":"string"}"#, "42", 42, .schemaMismatch),
    (#"{"type":"string"}"#, "true", true, .schemaMismatch),
    (#"{"type":"string"}"#, " null\n", .null, .schemaMismatch),
    (#"{"type":"string"}"#, "42 soups", "42 soups", nil),
    (#"{"type":"string"}"#, #""42""#, "42", nil),
    (#"{"type":["string","integer"]}"#, "1.5", 1.5, .schemaMismatch),
    (#"{"type":["string","integer"]}"#, "Leek", nil, .malformedOutput),
    (#"{"maximum":3.0}"#, "3.5", 3.5, .schemaMismatch),
    (#"{"maximum":3.0}"#, "3", 3, nil),
    (#"{"maximum":3.0}"#, #""Leek""#, "Leek", nil),
    (#"{"anyOf":[{"enum":["a"]},{"maxLength":4,"type":"string"}]}"#, "Leek", "Leek", nil),
    (#"{"type":"string"}"#, "[1]", [1], .schemaMismatch),
    (#"{"type":["string","null"]}"#, "{}", [:], .schemaMismatch),
    (#"{"type":"string"}"#, "[1] Leek", "[1] Leek", nil),
    (#"{"type":"string"}"#, "", nil, .malformedOutput),
    (#"{"type":"string","maxLength":3}"#, "Leek", nil, .malformedOutput),
    (#"{"type":"string","maxLength":3}"#, #""Leek""#, "Leek", .schemaMismatch),
    (#"{"type":"integer"}"#, "Leek", nil, .malformedOutput),
    (#"{"type":"integer"}"#, "4", 4, nil),
    (#"{"type":"integer"}"#, " \n4\r\n", 4, nil),
    // A byte order mark isn't white space.
    (#"{"type":"integer"}"#, "\u{FEFF}4", nil, .malformedOutput),
    (#"{"type":"integer"}"#, "4.5", .number(JSONNumber(4.5)), .schemaMismatch),
    (#"{"anyOf":[{"type":"integer"},{"type":"string"}]}"#, "42", 42, nil),
    ("no schema", "4", 4, nil),
  ]

  @Test("plain text is read as an answer only if the schema allows only strings", arguments: rows)
  private func checkReading(_ row: Row) {
    let reading = AnswerReader(schema: row.schema).read(row.output)
    #expect(reading.value == row.value)
    #expect(reading.failure?.kind == row.failure)
    #expect(reading.cut == nil)
  }

  @Test(
    "an answer that was cut off is read up to the cut",
    arguments: [
      (#"{"a": {"b": [1, {"c": "Wh"#, #"{"a":{"b":[1,{"c":"Wh"}]}}"#, "$.a.b[1].c"),
      (#"{"a": 12"#, #"{"a":12}"#, "$.a"), (#"{"a": [1], "#, #"{"a":[1]}"#, "$"),
      ("[", "[]", "$"), ("{]", "null", "$"),
    ])
  func checkBeginning(output: String, value: String, cut: String) {
    let reading = AnswerReader(schema: "{}").readBeginning(output)
    #expect((reading.value ?? .null).compactText == value)
    #expect(reading.cut?.description == cut)
  }

  @Test(
    "a text that ends with many repetitions of the same part is a loop",
    arguments: [
      (#"["x","# + String(repeating: #""ab","#, count: 12), #""ab","#),
      (String(repeating: "la ", count: 40), "la "),
      (String(repeating: "la ", count: 10), nil),
      ("The end comes after many words, of which none is said again as others would do it.", nil),
      (String(repeating: "a long sentence that comes twice; ", count: 2), nil),
      ("", nil),
    ])
  func checkLoop(text: String, loop: String?) {
    let found = AnswerCut.loop(atEndOf: text)
    // The loop may start at any character of the repeated part.
    #expect(found.map { loop?.count == $0.count && text.hasSuffix($0) } ?? (loop == nil))
  }
}
