import EvalRecords
import HTTPTransport
import ModelServers
import StructuredText
import Testing

@Suite struct AppleChatTests {
  @Test(
    "a sentence tells what the model did from what the server did",
    arguments: [
      (500, "The model\u{2019}s safety guardrails were triggered.", ServerError.Kind.filtered),
      (
        500, "The session\u{2019}s transcript exceeded the model\u{2019}s context size.",
        .contextTooLong
      ),
      (500, "Exceeded model context window size", .contextTooLong),
      (500, "The model refused to answer.", .filtered),
      (
        400, "Invalid JSON: The data couldn\u{2019}t be read because it is missing.", .schemaRefused
      ),
      (500, "The schema has an unsupported pattern.", .schemaRefused),
      (500, "The session is over the rate limit.", .rateLimited),
      (400, "Unknown model 'pcc'. Available models: system", .notFound),
      (500, "Unsupported language or locale", .badRequest),
      (500, "Something else", .unavailable), (503, "Starting", .unavailable),
      (404, "not found, in a safety file", .notFound), (400, "Invalid request", .badRequest),
    ])
  func checkError(status: Int, words: String, kind: ServerError.Kind) throws {
    let body: JSONValue = ["error": ["code": .string("\(status)"), "message": .string(words)]]
    let error = AppleChat().error(
      from: HTTPResponse(status: status, body: Array(body.compactText.utf8)))
    #expect(error.kind == kind)
    #expect(error.message == words)
  }

  @Test("the schema keeps Apple's dialect, and definitions have all of its members")
  func schema() throws {
    let sent = SentSchema(try JSONValue(parsing: SentSchemaTests.deck), for: .apple)
    let definition = sent.json["$defs"]?["Card"]
    for key in ["title", "type", "properties", "required", "x-order", "additionalProperties"] {
      #expect(definition?[key] != nil, "\(key)")
    }
    #expect(definition?["properties"]?["q"]?["pattern"] == nil)
    #expect(definition?["properties"]?["q"]?["description"] == "{pattern: [a-z]+}")
    #expect(sent.json["x-order"] == ["cards", "note", "level"])
    #expect(sent.json["properties"]?["cards"]?["maxItems"] == 8)
    #expect(
      sent.losses.map(\.description).contains(
        "#/properties/cards: the server doesn't enforce `minItems`, so Assay checks the answer"))
    #expect(sent.losses.allSatisfy { !$0.isRefused })
  }
}
