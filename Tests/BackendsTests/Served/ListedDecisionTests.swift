import EvalRecords
import Foundation
import GuidedGeneration
import HTTPTransport
import ModelServers
import StructuredText
import Testing

@testable import Backends

@Suite("Decisions from listed tokens")
struct ListedDecisionTests {
  private static let schema = """
    {"title":"Tips","type":"object","properties":{"tips":{"type":"array","items":{"type":"string"}}},\
    "required":["tips"],"x-order":["tips"],"additionalProperties":false}
    """

  /// Returns a step with tokens and their probabilities; the first token is the sampled one.
  private static func step(_ tokens: [(String, Double)]) -> ListedToken {
    let all = tokens.map {
      ListedToken.Alternative(bytes: Array($0.0.utf8), logProbability: log($0.1))
    }
    return ListedToken(chosen: all[0], alternatives: all)
  }

  private static func decisions(
    _ steps: [[(String, Double)]], isCut: Bool = false
  ) throws -> [DecisionRecord] {
    let schema = try GenerationSchema(json: JSONValue(parsing: Self.schema))
    return ListedDecisions(
      steps.map(step), schema, GenerationSettings(temperature: 1), isCut: isCut
    ).decisions
  }

  @Test(
    "an option's probability is a sum over listed tokens, and unlisted tokens count as unresolved")
  func unlisted() throws {
    let decision = try #require(
      try Self.decisions([
        [(#"{"tips":"#, 1)], [("[]", 0.2), (#"[""#, 0.5), ("[", 0.25)], [("}", 1)],
      ]).first)
    #expect(decision.kind == .array && decision.path == "$.tips" && decision.chosen == .end)
    let end = try #require(decision.options.first { $0.option == .end })
    // `[]` ends the array and has probability 0.2. `["` adds an element and has probability 0.5.
    #expect(abs(end.masked - 0.2 / 0.7) < 1e-6, "\(decision)")
    // 0.3 is unresolved: 0.25 for `[`, which could begin either option and wasn't sampled, and 0.05
    // for unlisted tokens.
    #expect(abs(decision.unresolved - 0.3) < 1e-6, "\(decision)")
  }

  @Test("a decision that a limit cut off has no chosen option", arguments: [true, false])
  func cut(isCut: Bool) throws {
    let decisions = try Self.decisions(
      [[(#"{"tips":"#, 1)], [("[", 0.6), ("[]", 0.4)]], isCut: isCut)
    #expect(decisions.map(\.chosen) == (isCut ? [nil] : []))
  }

  @Test("probabilities are exact if all tokens are listed, whatever the mask excludes")
  func whole() throws {
    let decision = try #require(
      try Self.decisions([
        [(#"{"tips":"#, 0.1), ("Here", 0.9)],
        [("[]", 0.1), (#"[""#, 0.3), ("nothing", 0.6)], [("}", 1)],
      ]).first)
    let end = try #require(decision.options.first { $0.option == .end })
    // `[]` has 0.1 of the 0.4 that the mask allows.
    #expect(abs(end.masked - 0.25) < 1e-6 && decision.unresolved < 1e-6, "\(decision)")
  }

  @Test("a text that doesn't follow the grammar, or has no listed tokens, yields no decisions")
  func otherText() throws {
    #expect(try Self.decisions([[("Sure", 1)], [(#"{"tips":"#, 1)]]).isEmpty)
    #expect(try Self.decisions([]).isEmpty)
  }

  @Test(
    "tokens that spell another text measure no decision of the answer",
    arguments: [
      (["{", "}"], "{}", true), (["{", "}", "<|im_end|>"], "{}", true), ([" ", "{"], "{}", true),
      (["{", "}"], "\n{}", true), (["{"], "{}", true), (["[", "]"], "{}", false),
      (["{", "]"], "{}", false), (["Sure: ", "{", "}"], "{}", false),
    ] as [([String], String, Bool)])
  func spelledText(tokens: [String], text: String, spells: Bool) {
    let tokens = tokens.map {
      ListedToken(
        chosen: ListedToken.Alternative(bytes: Array($0.utf8), logProbability: 0),
        alternatives: [])
    }
    #expect(ServerReply(text: text, tokens: tokens).tokensSpellText == spells)
  }

  // MARK: Further requests

  /// A small vocabulary: the texts of the tokens, whose ids are the indices.
  private static let texts = [#"{"tips":"#, "[]", #"[""#, "[", "}", "]", "\"", "x"]

  private static func entry(_ text: String, _ probability: Double) -> JSONObject {
    [
      "id": .number(JSONNumber(texts.firstIndex(of: text) ?? -1)), "token": .string(text),
      "logprob": .number(JSONNumber(log(probability))),
    ]
  }

  private static func listed(_ tokens: [(String, Double)]) -> JSONValue {
    var chosen = entry(tokens[0].0, tokens[0].1)
    chosen["top_logprobs"] = .array(tokens.map { .object(entry($0.0, $0.1)) })
    return .object(chosen)
  }

  /// Returns the tokens that the server lists for the next step of an answer that begins with the
  /// given tokens, or nil if the server lists none.
  private static func list(after ids: [Int]) -> [(String, Double)]? {
    switch ids {
    case []: [(#"{"tips":"#, 1)]
    case [0]: [("[]", 0.2), (#"[""#, 0.45), ("[", 0.3), ("x", 0.05)]
    // After an open bracket, `]` ends the array.
    case [0, 3]: [("]", 0.5), (#"""#, 0.5)]
    default: nil
    }
  }

  /// Replies like a server that lists up to two tokens per step of its answer, and more after
  /// a requested prefix.
  private static func reply(to request: HTTPRequest) -> Result<HTTPResponse, HTTPFailure> {
    let body = try? JSONValue(parsing: String(decoding: request.body ?? [], as: UTF8.self))
    let answer: JSONValue
    switch (request.address.path, request.path) {
    case ("", "/apply-template"): answer = ["prompt": "<|user|>Say something."]
    case ("", "/tokenize"): answer = ["tokens": [900, 901, 902]]
    case ("", "/completion"):
      let ids = body?["prompt"]?.array?.compactMap(\.int) ?? []
      guard ids.starts(with: [900, 901, 902]), let list = list(after: Array(ids.dropFirst(3)))
      else { return ServedLab.response(400, "{}") }
      answer = ["completion_probabilities": [listed(list)]]
    default:
      answer = [
        "model": "m",
        "choices": [
          [
            "finish_reason": "stop", "message": ["content": #"{"tips":[]}"#],
            "logprobs": [
              "content": [
                listed([(#"{"tips":"#, 1)]), listed([("[]", 0.2), (#"[""#, 0.45)]),
                listed([("}", 1)]),
              ]
            ],
          ]
        ],
      ]
    }
    return ServedLab.response(200, answer.compactText)
  }

  @Test(
    "if a short list has no legal token, the backend requests the whole vocabulary, but only once",
    arguments: [5_000, 5_001])
  func uselessList(count: Int) throws {
    func entry(_ text: String, _ id: Int, _ probability: Double) -> ListedToken.Alternative {
      ListedToken.Alternative(bytes: Array(text.utf8), id: id, logProbability: log(probability))
    }
    func step(_ tokens: [ListedToken.Alternative]) -> ListedToken {
      ListedToken(chosen: tokens[0], alternatives: tokens)
    }
    let schema = try GenerationSchema(json: JSONValue(parsing: Self.schema))
    var decisions = ListedDecisions(
      [
        step([entry(#"{"tips":"#, 0, 1)]), step([entry("[]", 1, 0.5), entry("[", 3, 0.5)]),
        step([entry("}", 4, 1)]),
      ], schema, GenerationSettings(temperature: 1))
    var wish = decisions.wish()
    let first = try #require(wish)
    #expect(first.ids == [0, 3] && first.count == 5_000)
    let useless = (0..<count).map { entry("x\($0)", 10 + $0, 0.9 / Double(count)) }
    decisions.take(step(useless), for: first)
    wish = decisions.wish()
    let second = try #require(wish)
    #expect(second.ids == [0, 3] && second.count == 262_144)
    let whole = [entry("]", 5, 0.05), entry("\"", 6, 0.05)] + useless
    decisions.take(step(whole), for: second)
    wish = decisions.wish()
    #expect(wish == nil)
    let decision = try #require(decisions.decisions.first)
    let end = try #require(decision.options.first { $0.option == .end })
    // The option `end` gets 0.5 from `[]`, and half of the probability 0.5 of `[`.
    #expect(abs(end.masked - 0.75) < 1e-6, "\(decision)")
  }

  @Test("the backend asks llama-server for longer lists, even after tokens that were not sampled")
  func prefixes() async throws {
    let client = ScriptedClient { request, _ in Self.reply(to: request) }
    let backend = try ServedLab.backend(client, name: "llama-server@127.0.0.1:1")
    let answer = try #require(
      await ServedLab.answers(of: backend, ServedLab.request(Self.schema)).first)
    #expect(answer.failure == nil, "\(answer)")
    let decision = try #require(answer.decisions.first)
    // The end has 0.2 from `[]` and half of the 0.3 on `[`. All legal tokens together have 0.95.
    let end = decision.options.first { $0.option == .end }?.masked ?? 0
    #expect(abs(end - 0.35 / 0.95) < 1e-6, "\(decision)")
    #expect(decision.unresolved < 1e-6)
    let paths = client.requests.map { $0.address.path + $0.path }
    #expect(
      paths == [
        "/v1/chat/completions", "/apply-template", "/tokenize", "/completion", "/completion",
      ])
    #expect(answer.served?.probabilities == .beforeMask)
    #expect(backend.served?.measuredDecisions == 1 && backend.served?.boundedDecisions == 0)
    #expect(backend.served?.requests == 5)
  }

  @Test("a decision stays unresolved if the server doesn't answer further requests")
  func noPrefixes() async throws {
    let client = ScriptedClient { request, _ in
      request.path == "/chat/completions" ? Self.reply(to: request) : ServedLab.response(404, "{}")
    }
    let backend = try ServedLab.backend(client, name: "llama-server@127.0.0.1:1")
    let answer = try #require(
      await ServedLab.answers(of: backend, ServedLab.request(Self.schema)).first)
    #expect(answer.failure == nil && answer.decisions.first?.isResolved == false)
    #expect(client.requests.count == 2 && backend.ending == nil)
  }

  /// Sends a request, and returns its body, the settings that weren't applied, and the recorded
  /// engine.
  private static func request(
    whitespace: GenerationSettings.Whitespace
  ) async throws -> (body: JSONValue, unapplied: [String]?, engine: String) {
    let client = ScriptedClient { request, _ in reply(to: request) }
    let backend = try ServedLab.backend(client, name: "llama-server@127.0.0.1:1")
    var request = ServedLab.request(schema)
    request.settings.whitespace = whitespace
    _ = await ServedLab.answers(of: backend, request)
    let body = try JSONValue(
      parsing: String(decoding: client.requests.first?.body ?? [], as: UTF8.self))
    return (body, backend.served?.unapplied, backend.record.engine)
  }

  @Test("the backend sends its own grammar, with the suite's layout, instead of the schema")
  func grammar() async throws {
    let sent = try await Self.request(whitespace: .compact)
    #expect(sent.body["grammar"]?.string?.hasPrefix("root ::= ") == true)
    #expect(sent.body["response_format"] == nil && sent.unapplied == [])
    #expect(sent.engine == "served, llama-server, own grammar")
  }

  @Test(
    "the backend sends the schema instead of a grammar if GBNF can't express the suite's layout")
  func noGrammar() async throws {
    let sent = try await Self.request(whitespace: .pretty)
    #expect(sent.body["grammar"] == nil && sent.body["response_format"] != nil)
    #expect(
      sent.unapplied == [
        "grammar of notes (GBNF can't express the layout `pretty`)", "whitespace",
      ])
  }
}
