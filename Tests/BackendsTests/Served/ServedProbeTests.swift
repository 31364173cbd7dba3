import EvalRecords
import Foundation
import HTTPTransport
import ModelServers
import StructuredText
import Testing

@testable import Backends

@Suite("The test of a server before a run")
struct ServedProbeTests {
  /// A scripted server that applies or ignores the schema, the seed and the temperature.
  struct Server: Sendable {
    var name: String
    var enforcesSchema = true
    var repeatsSeeds = true
    var appliesTemperature = true
    /// The requests, from the first one about a town, to which the answer is another one.
    var rarely: Set<Int> = []
    var mood = #"{"words":["rain"],"mood":"calm"}"#
    var expected: @Sendable (inout ServerCapabilities) -> Void = { _ in }

    func answer(_ request: HTTPRequest, _ number: Int) -> String {
      let body = try? JSONValue(parsing: String(decoding: request.body ?? [], as: UTF8.self))
      if request.bodyText.contains("prose") { return enforcesSchema ? mood : "Rain falls." }
      let seed = body?["seed"]?.int ?? 0
      let isCold = body?["temperature"]?.double == 0 && appliesTemperature
      let town =
        isCold
        ? "Same"
        : !rarely.isEmpty
          ? rarely.contains(number) ? "Other" : "Same"
          : repeatsSeeds ? "Town \(seed)" : "Town \(number)"
      return #"{"name":"\#(town)"}"#
    }
  }

  static let servers = [
    Server(name: "a good server"),
    Server(name: "a server that ignores schemas", enforcesSchema: false) {
      $0.enforcesSchema = .no
      $0.keepsKeyOrder = .unknown("the answer is not JSON")
      $0.writesWhitespace = .unknown("the answer is not JSON")
    },
    Server(name: "a server that ignores seeds", repeatsSeeds: false) {
      $0.repeatsSeeds = .no
      $0.requests = 5
    },
    Server(name: "a server that ignores seeds and rarely varies", rarely: [3]) {
      $0.repeatsSeeds = .no
      $0.requests = 7
    },
    Server(name: "a server whose answers rarely vary, by chance with the seed", rarely: [3, 4]) {
      $0.repeatsSeeds = .unknown("different seeds gave too few different answers")
      $0.requests = 11
    },
    Server(name: "a server that ignores the temperature", appliesTemperature: false) {
      $0.appliesTemperature = .no
    },
    Server(
      name: "a server with another key order and layout",
      mood: #"{ "mood": "calm", "words": ["rain"] }"#
    ) {
      $0.keepsKeyOrder = .no
      $0.writesWhitespace = .yes
    },
  ]

  @Test(
    "Assay's test of a server shows whether it applies the schema, the seed and the temperature",
    arguments: servers.indices)
  func checkCapabilities(_ index: Int) async throws {
    let server = Self.servers[index]
    let client = ScriptedClient { request, number in
      ServedLab.response(200, ServedLab.completion(server.answer(request, number)))
    }
    let (found, use) = try await ServedLab.backend(client).probe()
    var expected = ServerCapabilities(unknown: "the server listed no tokens")
    expected.enforcesSchema = .yes
    expected.repeatsSeeds = .yes
    expected.appliesTemperature = .yes
    expected.measuresDecisions = .no
    expected.keepsKeyOrder = .yes
    expected.writesWhitespace = .no
    expected.unapplied = found.unapplied
    expected.requests = 9
    server.expected(&expected)
    #expect(found == expected, "\(server.name)")
    #expect(use.requests == expected.requests)
  }

  @Test(
    "Assay tests a server once, before the first answer, and doesn't count this as part of the run")
  func once() async throws {
    let client = ScriptedClient { request, number in
      let isProbe = !request.bodyText.contains("Say something.")
      return ServedLab.response(
        200,
        ServedLab.completion(
          isProbe ? Self.servers[0].answer(request, number) : ServedLab.answer))
    }
    var options = ServedLab.options
    options.probes = true
    let backend = try ServedLab.backend(client, options: options)
    for _ in 0..<2 {
      let answers = await ServedLab.answers(of: backend, repeats: 3)
      #expect(answers.allSatisfy { $0.failure == nil })
    }
    let isOfRun = client.requests.map { $0.bodyText.contains("Say something.") }
    #expect(isOfRun == [Bool](repeating: false, count: 9) + [Bool](repeating: true, count: 6))
    #expect(backend.served?.requests == 6)
    #expect(backend.served?.capabilities?.repeatsSeeds == .yes)
  }

  @Test("Assay's test of a server ends at the first failure, without retries; the run reports it")
  func failure() async throws {
    let client = ScriptedClient { _, _ in ServedLab.response(500, "") }
    var options = ServedLab.options
    options.probes = true
    let backend = try ServedLab.backend(client, options: options)
    let answers = await ServedLab.answers(of: backend)
    #expect(answers.first?.failure?.kind == .backend)
    // The test made one request, and the attempt made three tries.
    #expect(client.requests.count == 1 + 3)
    guard case .unknown(let reason) = backend.served?.capabilities?.enforcesSchema else {
      Issue.record("\(String(describing: backend.served))")
      return
    }
    #expect(reason.contains("500"))
  }

  @Test("a replay skips the test of the server if the recording doesn't contain it")
  func replay() async throws {
    let client = ScriptedClient { request, _ in
      request.bodyText.contains("Say something.")
        ? ServedLab.response(200, ServedLab.completion(ServedLab.answer))
        : .failure(.notRecorded("the request was not recorded"))
    }
    var options = ServedLab.options
    options.probes = true
    let backend = try ServedLab.backend(client, options: options)
    let answers = await ServedLab.answers(of: backend)
    #expect(answers.first?.output == ServedLab.answer)
    #expect(backend.served?.capabilities == nil)
    #expect(backend.ending == nil)
  }
}

extension HTTPRequest {
  fileprivate var bodyText: String { String(decoding: body ?? [], as: UTF8.self) }
}
