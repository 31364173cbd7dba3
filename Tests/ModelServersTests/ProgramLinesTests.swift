import EvalRecords
import ModelServers
import StructuredText
import Testing

@Suite("The lines of a program")
struct ProgramLinesTests {
  private func reply(_ body: String) throws -> ServerReply {
    try ServerInterface.program.mapping.reply(from: JSONValue(parsing: body))
  }

  @Test("an answer is a JSON value or a text, and keeps the order of its keys")
  func checkAnswers() throws {
    #expect(try reply(#"{"id":1,"answer":{"b":1,"a":[2]}}"#).text == #"{"b":1,"a":[2]}"#)
    #expect(try reply(#"{"id":1,"answer":"x"}"#).text == #""x""#)
    #expect(try reply(#"{"id":1,"answer":null}"#).text == "null")
    #expect(try reply(#"{"id":1,"text":"not JSON"}"#).text == "not JSON")
    #expect(try reply(#"{"id":1,"text":""}"#).ending == .unusable("the answer is empty"))
    let cut = try reply(#"{"id":1,"text":"{\"a\":","failure":{"kind":"truncated"}}"#)
    #expect(cut.text == #"{"a":"# && cut.ending == .tokenLimit)
    #expect(try reply(#"{"id":1,"answer":1,"trace":"mine","answer_id":3}"#).text == "1")
  }

  static let broken: [(body: String, words: String)] = [
    ("[]", "it is not a JSON object"), (#"{"id":1}"#, "it has none of `answer`, `text`"),
    (#"{"id":1,"answer":1,"text":"1"}"#, "it has `answer` and `text`"),
    (#"{"id":1,"text":1}"#, "its `text` is not a string"),
    (#"{"id":1,"failure":{"kind":"boom"}}"#, "its failure's `kind` is \"boom\"; the kinds are"),
    (#"{"id":1,"failure":"boom"}"#, "its failure's `kind` is missing"),
    (#"{"id":1,"answer":1,"decision":[]}"#, "it has `decision`; did you mean `decisions`?"),
    (#"{"id":1,"answer":1,"decisions":{}}"#, "its `decisions` is not a list"),
    (#"{"id":1,"answer":1,"decisions":[{}]}"#, "decision 0: its `kind` is not one of"),
  ]

  @Test("a reply that can't be used is an error that says why", arguments: broken.indices)
  func checkBroken(_ index: Int) throws {
    let (body, words) = Self.broken[index]
    let error = #expect(throws: ServerError.self) { _ = try reply(body) }
    #expect(error?.message.hasPrefix(words) == true, "\(String(describing: error))")
    #expect(error?.description.hasPrefix("the program's reply can't be used: ") == true)
    #expect(error?.consequence == .tryAgain)
  }

  static let decisions: [(entry: String, words: String?)] = [
    (#"{"kind":"array","path":"$.x","options":{"element":0.6,"end":0.4},"index":2}"#, nil),
    (#"{"kind":"choice","path":"$.y","options":{"a":0.5,"b":0.2},"chosen":"b"}"#, nil),
    (#"{"kind":"choice","path":"$.x[0]","options":{"1":0.5,"2":0.2},"chosen":"1"}"#, nil),
    (
      #"{"kind":"array","path":"$.x","options":{"element":1,"end":0},"index":1,"chosen":"end"}"#,
      nil
    ),
    (
      #"{"kind":"optional","path":"$.z","options":{"present":1,"absent":0},"chosen":"absent"}"#,
      nil
    ),
    (#"{"kind":"branch","path":"$.x","options":{"A":0.6,"B":0.4},"chosen":"A"}"#, nil),
    (
      #"{"kind":"choice","path":"$.y","options":{"a":0.5,"b":0.5},"chosen":"a"}"#,
      #"`chosen` is `a`, but at $.y, the answer has "b""#
    ),
    (
      #"{"kind":"choice","path":"$.q","options":{"a":0.5,"b":0.5},"chosen":"a"}"#,
      "`chosen` is `a`, but at $.q, the answer has nothing"
    ),
    (
      #"{"kind":"array","path":"$.x","options":{"element":1,"end":0},"chosen":"end"}"#,
      "`chosen` is `end` at index 0, but at $.x, the answer has [1]"
    ),
    (
      #"{"kind":"optional","path":"$.y","options":{"present":1,"absent":0},"chosen":"absent"}"#,
      "`chosen` is `absent`"
    ),
    (#"{"kind":"array","path":"$.x","options":{"more":0.6,"end":0.4}}"#, "`more` doesn't exist"),
    (#"{"kind":"choice","path":"x","options":{"a":0.5,"b":0.5}}"#, "its `path` is not a path"),
    (#"{"kind":"choice","path":"$x","options":{"a":0.5,"b":0.5}}"#, "its `path` is not a path"),
    (#"{"kind":"choice","path":"$.","options":{"a":0.5,"b":0.5}}"#, "its `path` is not a path"),
    (#"{"kind":"choice","path":"$['größe']","options":{"a":0.5,"b":0.5}}"#, nil),
    (#"{"kind":"choice","path":"$.a[*].b","options":{"a":0.5,"b":0.5}}"#, nil),
    (#"{"kind":"choice","path":"$","options":{"a":0.5}}"#, "its `options` is not an object"),
    (#"{"kind":"choice","path":"$","options":{"a":1.5,"b":0}}"#, "not a number from 0 to 1"),
    (#"{"kind":"choice","path":"$","options":{"a":0.7,"b":0.7}}"#, "add up to more than 1"),
    (
      #"{"kind":"choice","path":"$.y","options":{"a":0.5,"b":0.5},"chosen":"c"}"#, "`chosen` is `c`"
    ),
  ]

  @Test("the place of a decision has one spelling, however the program spells it")
  func place() throws {
    for path in ["$['größe']", #"$[\"größe\"]"#, "$.größe"] {
      let entry = #"{"kind":"choice","path":"\#(path)","options":{"a":0.5,"b":0.5}}"#
      let decisions = try reply(#"{"id":1,"answer":1,"decisions":[\#(entry)]}"#).decisions
      #expect(decisions.map(\.path) == ["$.größe"])
    }
  }

  @Test("decisions about an array without an index count its elements")
  func arrayIndices() throws {
    let chosen =
      [("$.x", "element"), ("$.x", "element"), ("$.x", "end")]
      + ["element", "end", "end"].map { ("$.y[*].z", $0) }
    let entries = chosen.map { path, option in
      #"{"kind":"array","path":"\#(path)","options":{"element":0.6,"end":0.4},"#
        + #""chosen":"\#(option)"}"#
    }
    let list = entries.joined(separator: ",")
    let decisions = try reply(#"{"id":1,"answer":{"x":[1,2]},"decisions":[\#(list)]}"#).decisions
    #expect(decisions.map(\.index) == [0, 1, 2, 0, 1, 0])
  }

  @Test(
    "a decision has possible probabilities, and chose what the answer has",
    arguments: decisions.indices)
  func checkDecision(_ index: Int) throws {
    let (entry, words) = Self.decisions[index]
    let body = #"{"id":1,"answer":{"x":[1],"y":"b"},"decisions":[\#(entry)]}"#
    guard let words else {
      let decision = try #require(try reply(body).decisions.first)
      #expect(decision.options.count == 2)
      let sum = decision.options.reduce(0) { $0 + $1.sampled }
      #expect(abs(decision.unresolved - (1 - sum)) < 1e-12)
      return
    }
    let error = #expect(throws: ServerError.self) { _ = try reply(body) }
    #expect(error?.message.contains(words) == true, "\(String(describing: error))")
  }
}
