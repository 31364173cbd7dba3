import EvalRecords
import Foundation
import HTTPTransport
import ModelServers
import StructuredText
import Synchronization

@testable import Backends

/// A client that answers requests as a test specifies, without a network.
final class ScriptedClient: HTTPClient {
  typealias Reply = @Sendable (HTTPRequest, Int) async -> Result<HTTPResponse, HTTPFailure>

  private let reply: Reply
  private let seen = Mutex<[HTTPRequest]>([])

  init(_ reply: @escaping Reply) { self.reply = reply }

  var requests: [HTTPRequest] { seen.withLock(\.self) }

  func exchange(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    let number = seen.withLock { seen in
      seen.append(request)
      return seen.count - 1
    }
    return try await reply(request, number).get()
  }
}

/// Served backends, and requests and responses for one small schema.
enum ServedLab {
  static let schema = """
    {"title":"Note","type":"object","properties":{"tone":{"type":"string","enum":["calm","loud"]},\
    "tips":{"type":"array","items":{"type":"string"},"minItems":1}},"required":["tone","tips"],\
    "x-order":["tone","tips"],"additionalProperties":false}
    """
  static let answer = #"{"tone":"calm","tips":["Breathe."]}"#

  static func request(_ schema: String = schema) -> BackendRequest {
    BackendRequest(
      suite: "notes", variant: "default", caseID: "one", schema: schema,
      instructions: "Be brief.", prompt: "Say something.", settings: GenerationSettings())
  }

  /// Returns the body of a chat completion.
  static func completion(
    _ text: String, model: String = "m-1", fingerprint: String = "fp", finish: String = "stop"
  ) -> String {
    let body: JSONValue = [
      "model": .string(model), "system_fingerprint": .string(fingerprint),
      "choices": [
        [
          "index": 0, "finish_reason": .string(finish),
          "message": ["role": "assistant", "content": .string(text)],
        ]
      ],
      "usage": ["prompt_tokens": 20, "completion_tokens": 10],
    ]
    return body.compactText
  }

  static func response(
    _ status: Int, _ body: String, headers: [HTTPHeader] = []
  ) -> Result<HTTPResponse, HTTPFailure> {
    .success(HTTPResponse(status: status, headers: headers, body: Array(body.utf8)))
  }

  /// Options with pauses of only a few milliseconds between tries.
  static var options: ServedOptions {
    var options = ServedOptions()
    options.retries = RetryPause(limit: 2, first: .milliseconds(1))
    return options
  }

  static func backend(
    _ client: any HTTPClient, name: String = "openai-api:m@http://127.0.0.1:1",
    options: ServedOptions = options
  ) throws -> ServedBackend {
    ServedBackend(
      try ServedModelName(parsing: name), options: options, client: client, now: { 1.79e9 })
  }

  /// Returns the answers to a number of repeats, in the order of the repeats.
  static func answers(
    of backend: ServedBackend, _ request: BackendRequest = request(), repeats: Int = 1
  ) async -> [BackendAnswer] {
    var answers: [BackendAnswer] = []
    let seeds = (0..<repeats).map { RepeatSeed(repeatIndex: $0, seed: UInt64(7 + $0)) }
    for await answer in backend.answers(to: request, repeats: seeds) { answers.append(answer) }
    return answers.sorted { $0.repeatSeed.repeatIndex < $1.repeatSeed.repeatIndex }
  }
}
