import EvalRecords
import Foundation
import StructuredText
import Testing

@Suite("The shape of an answer")
struct AnswerShapeTests {
  private func shape(_ text: String, at places: [String] = []) throws -> AnswerShape {
    AnswerShape(
      of: try JSONValue(parsing: text),
      expecting: places.map { ExpectedBranch(path: $0, branch: "x") })
  }

  @Test("the shape has the lengths of all arrays, even of empty ones, in document order")
  func lengths() throws {
    let text = #"{"cards":[],"days":[{"items":[1,2]},{"items":[]}],"o'clock":{"a b":[7]},"n":1}"#
    #expect(
      try shape(text).lengths == [
        "$.cards": [0], "$.days": [2], "$.days[*].items": [2, 0], #"$['o\'clock']['a b']"#: [1],
      ])
    #expect(try shape("[[1],[]]").lengths == ["$": [2], "$[*]": [1, 0]])
    #expect(try shape("3") == AnswerShape())
  }

  @Test(
    "the branch at a place is its string or the string under `type`",
    arguments: [
      ("$", "slip"), ("$.soup", "Tomato"), ("$['2nd']", "b"), ("$['it\\'s']", "c"),
      ("$.größe", "d"),
      ("$.days[1].mood", "calm"), ("$.more", "x"), ("$.absent", nil), ("$.n", nil),
      ("$.days[2].mood", nil), ("$.days", nil), ("$.soup.type", nil),
    ])
  func checkBranch(place: String, branch: String?) throws {
    let text = #"""
      {"type": "slip", "soup": "Tomato", "2nd": "b", "it's": "c", "größe": "d", "n": 3,
       "more": {"type": "x"}, "days": [{"mood": "sad"}, {"mood": "calm"}]}
      """#
    #expect(try shape(text, at: [place]).branches == (branch.map { [place: $0] } ?? [:]))
  }

  @Test("an empty part of a shape isn't stored")
  func coding() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    for (shape, text) in [
      (AnswerShape(), "{}"),
      (AnswerShape(lengths: ["$.cards": [3]]), #"{"lengths":{"$.cards":[3]}}"#),
      (AnswerShape(branches: ["$": "calm"]), #"{"branches":{"$":"calm"}}"#),
    ] {
      let data = try encoder.encode(shape)
      #expect(String(decoding: data, as: UTF8.self) == text)
      #expect(try JSONDecoder().decode(AnswerShape.self, from: data) == shape)
    }
  }
}

@Suite("Facts that version 0.1 didn't store")
struct OlderFactTests {
  private func read(
    _ output: String, _ stopReason: StopReason, _ failure: AttemptFailure.Kind? = nil,
    outcome: Outcome = .fail, change: (inout AttemptRecord) -> Void = { _ in }
  ) -> AttemptDetails {
    var attempt = AttemptRecord(
      key: AttemptKey(suite: "s", variant: "v", backend: "b", caseID: "c", repeatIndex: 0),
      seed: 1, outcome: outcome, stopReason: stopReason,
      failure: failure.map { AttemptFailure(kind: $0, message: "") }, output: output,
      outputTokens: 7)
    change(&attempt)
    return [attempt].withFacts { _ in [ExpectedBranch(path: "$['2nd']", branch: "a")] }[0].details
  }

  @Test("a reader derives the shape of a complete answer, also of one that doesn't fit its schema")
  func shapes() {
    let shape = AnswerShape(lengths: ["$.größe": [1]], branches: ["$['2nd']": "b"])
    let text = #"{"größe":[1],"2nd":"b"}"#
    #expect(read(text, .complete, outcome: .pass).shape == shape)
    #expect(read(text, .complete, .schemaMismatch).shape == shape)
    #expect(read("no JSON", .complete, .malformedOutput).shape == nil)
    #expect(read(text, .complete, .refusal).shape == nil)
    #expect(read(text, .failed, outcome: .error).shape == nil)
    #expect(read("", .complete, outcome: .skipped).shape == nil)
  }

  @Test(
    "a reader derives the place and the loop of a cut",
    arguments: [
      (#"{"cards":[{"question":"a"},{"question":"so"#, "$.cards[1].question"),
      (#"{"it's":{"2nd":{"größe":[1,2"#, #"$['it\'s']['2nd'].größe[1]"#),
      (#"{"a\"b":"#, #"$['a"b']"#), ("", "$"), ("plain text", "$"),
      ("{", "$"), (#"{"cards":"#, "$.cards"), (#"{"a":"\"","b":"#, "$.b"), (#"{"a":[1,2]}"#, "$"),
      (#"{"cards":[{"q":"a"},{"q":"b, [x]: {"#, "$.cards[1].q"), (#"["a","b""#, "$"), ("]]]", "$"),
      (#"["a","#, "$[1]"), (#"{"odd key":1"#, "$['odd key']"),
      (String(repeating: "[", count: 100), "$"),
    ])
  func checkCut(output: String, path: String) {
    let details = read(output, .tokenLimit, .truncated)
    #expect(details.shape == nil)
    #expect(details.cut?.path == (output.isEmpty ? nil : path))
    #expect(details.cut?.tokens == (output.isEmpty ? nil : 7))
  }

  @Test("a reader changes no fact that is stored")
  func storedFacts() {
    let shape = AnswerShape(lengths: ["$.a": [9]])
    #expect(read(#"{"a":[]}"#, .complete) { $0.details.shape = shape }.shape == shape)
    let cut = AnswerCut(limit: .tokens, tokens: 3, path: "$.x", loop: "ab")
    #expect(read(#"{"a":["#, .tokenLimit) { $0.details.cut = cut }.cut == cut)
    let loop = String(repeating: "ab", count: 40)
    #expect(read(loop, .contextFull, .contextSizeExceeded).cut?.loop == "ab")
    #expect(read(loop, .contextFull, .contextSizeExceeded).cut?.limit == .context)
  }
}
