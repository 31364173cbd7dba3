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

  /// A step with tokens and their probabilities, starting with the sampled one.
  private static func step(_ tokens: [(String, Double)]) -> ListedToken {
    let all = tokens.map {
      ListedToken.Alternative(bytes: Array($0.0.utf8), logProbability: log($0.1))
    }
    return ListedToken(chosen: all[0], alternatives: all)
  }

  private static func decisions(_ steps: [[(String, Double)]]) throws -> [DecisionRecord] {
    let schema = try GenerationSchema(json: JSONValue(parsing: Self.schema))
    return ListedDecisions(steps.map(step), schema, GenerationSettings(temperature: 1)).decisions
  }

  @Test("sum the mass of all tokens that take an option, and leave unlisted mass unresolved")
  func unlisted() throws {
    let decision = try #require(
      try Self.decisions([
        [(#"{"tips":"#, 1)], [("[]", 0.2), (#"[""#, 0.5), ("[", 0.25)], [("}", 1)],
      ]).first)
    #expect(decision.kind == .array && decision.path == "$.tips" && decision.chosen == "end")
    let end = try #require(decision.options.first { $0.name == "end" })
    #expect(abs(end.masked - 0.2 / 0.7) < 1e-6, "\(decision)")
    // 0.25 on `[`, which was not followed, and 0.05 that was not listed.
    #expect(abs(decision.unresolved - 0.3) < 1e-6, "\(decision)")
  }

  @Test("are exact if everything is listed, whatever the mask excludes")
  func whole() throws {
    let decision = try #require(
      try Self.decisions([
        [(#"{"tips":"#, 0.1), ("Here", 0.9)],
        [("[]", 0.1), (#"[""#, 0.3), ("nothing", 0.6)], [("}", 1)],
      ]).first)
    let end = try #require(decision.options.first { $0.name == "end" })
    #expect(abs(end.masked - 0.25) < 1e-6 && decision.unresolved < 1e-6, "\(decision)")
  }

  @Test("end where the server's text leaves the grammar, and need listed tokens")
  func otherText() throws {
    #expect(try Self.decisions([[("Sure", 1)], [(#"{"tips":"#, 1)]]).isEmpty)
    #expect(try Self.decisions([]).isEmpty)
  }

  /// The answer of a server that lists as many tokens as the request asks for.
  private static func reply(to request: HTTPRequest) -> Result<HTTPResponse, HTTPFailure> {
    let body = try? JSONValue(parsing: String(decoding: request.body ?? [], as: UTF8.self))
    let isLong = (body?["top_logprobs"]?.int ?? 0) > 200
    func listed(_ tokens: [(String, Double)]) -> JSONValue {
      let entries = tokens.map { text, probability -> JSONValue in
        ["token": .string(text), "logprob": .number(JSONNumber(log(probability)))]
      }
      return [
        "token": .string(tokens[0].0), "logprob": .number(JSONNumber(log(tokens[0].1))),
        "top_logprobs": .array(entries),
      ]
    }
    let answer: JSONValue = [
      "model": "m",
      "choices": [
        [
          "finish_reason": "stop", "message": ["content": #"{"tips":[]}"#],
          "logprobs": [
            "content": [
              listed([(#"{"tips":"#, 1)]),
              listed([("[]", 0.2), (#"[""#, 0.5)] + (isLong ? [(#"[" "#, 0.3)] : [])),
              listed([("}", 1)]),
            ]
          ],
        ]
      ],
    ]
    return ServedLab.response(200, answer.compactText)
  }

  @Test("are requested again with a longer list while one is unresolved")
  func longerList() async throws {
    let client = ScriptedClient { request, _ in Self.reply(to: request) }
    let backend = try ServedLab.backend(client, name: "llama-server@127.0.0.1:1")
    let answer = try #require(
      await ServedLab.answers(of: backend, ServedLab.request(Self.schema)).first)
    #expect(answer.failure == nil, "\(answer)")
    #expect(client.requests.count == 2)
    let decision = try #require(answer.decisions.first)
    #expect(
      decision.isResolved
        && abs((decision.options.first { $0.name == "end" }?.masked ?? 0) - 0.2) < 1e-6)
    #expect(answer.served?.probabilities == .beforeMask)
    #expect(backend.served?.measuredDecisions == 1 && backend.served?.boundedDecisions == 0)
  }
}
