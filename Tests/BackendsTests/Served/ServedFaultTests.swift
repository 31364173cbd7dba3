import EvalRecords
import FaultServer
import Foundation
import HTTPTransport
import ModelServers
import Testing

@testable import Backends

/// Tests a served backend with a server that fails in many ways.
@Suite("A served backend and a server with faults", .timeLimit(.minutes(10)))
struct ServedFaultTests {
  struct Fault: Sendable {
    var name: String
    var steps: [FaultServer.Step]
    /// The kind of failure if the fault persists, or nil if there is no failure.
    var kind: AttemptFailure.Kind?
    /// The number of requests if the fault persists.
    var requests = 3
    var words: String
  }

  private static let good = [FaultServer.Step].reply(
    200, ServedLab.completion(ServedLab.answer))

  static let faults: [Fault] = [
    Fault(name: "a TCP reset", steps: [.reset], kind: .backend, words: "closed the connection"),
    Fault(name: "no answer", steps: [.close], kind: .backend, words: "closed the connection"),
    Fault(
      name: "a short body", steps: .reply(200, "{", length: 100) + [.close], kind: .backend,
      words: "is shorter than its stated length"),
    Fault(
      name: "not HTTP", steps: [.send(Array("SSH-2.0\r\n\r\n".utf8)), .close], kind: .backend,
      words: "not HTTP"),
    Fault(
      name: "silence", steps: [.wait(3600)], kind: .timeout, words: "no answer within 300 ms"),
    Fault(
      name: "a body that arrives too slowly",
      steps: [.send([FaultServer.Step].head(200, 100_000))]
        + (0..<1000).flatMap { _ in [FaultServer.Step.send([0x20]), .wait(0.02)] },
      kind: .timeout, words: "no answer within 300 ms"),
    Fault(
      name: "an endless answer",
      steps: [
        .send([FaultServer.Step].head(200, nil)),
        .flood([UInt8](repeating: 0x20, count: 1 << 20), count: 1024), .close,
      ], kind: .backend, requests: 1, words: "longer than the 65536 KiB"),
    Fault(
      name: "invalid UTF-8", steps: .reply(200, bytes: [0x7B, 0xFF, 0x7D]),
      kind: .backend, words: "not UTF-8"),
    Fault(
      name: "a proxy's error page", steps: .reply(502, "<html><h1>Bad Gateway</h1></html>"),
      kind: .backend, words: "Bad Gateway"),
  ]

  /// Returns a backend whose time limit is short if the fault causes a timeout, and otherwise long
  /// enough for a busy machine.
  private func backend(_ server: FaultServer, _ fault: Fault? = nil) throws -> ServedBackend {
    var options = ServedLab.options
    options.timeLimit = fault?.kind == .timeout ? .milliseconds(300) : .seconds(60)
    return try ServedLab.backend(
      CurlClient(), name: "openai-api:m@\(server.url)", options: options)
  }

  @Test("a fault that persists becomes an error that says what happened", arguments: faults.indices)
  func checkLasting(_ index: Int) async throws {
    let fault = Self.faults[index]
    let server = try FaultServer { _, _ in fault.steps }
    defer { server.stop() }
    let backend = try backend(server, fault)
    let answer = try #require(await ServedLab.answers(of: backend).first)
    #expect(answer.failure?.kind == fault.kind, "\(fault.name): \(answer)")
    #expect(answer.failure?.message.contains(fault.words) == true, "\(fault.name): \(answer)")
    #expect(server.requests.count == fault.requests, "\(fault.name)")
    #expect(backend.ending == nil)
  }

  @Test(
    "a temporary fault costs one more try, and the answer records the failed try",
    arguments: faults.indices)
  func checkPassing(_ index: Int) async throws {
    let fault = Self.faults[index]
    guard fault.requests > 1 else { return }
    let server = try FaultServer { _, number in number == 0 ? fault.steps : Self.good }
    defer { server.stop() }
    let answer = try #require(await ServedLab.answers(of: try backend(server, fault)).first)
    #expect(answer.failure == nil && answer.output == ServedLab.answer, "\(fault.name): \(answer)")
    #expect(answer.earlierTries?.count == 1, "\(fault.name)")
    #expect(answer.earlierTries?.first?.failure.message.contains(fault.words) == true)
  }

  @Test("if the server is unreachable, the backend gives up after the last try of an attempt")
  func refused() async throws {
    let server = try FaultServer { _, _ in [] }
    server.stop()
    let backend = try backend(server)
    let answers = await ServedLab.answers(of: backend)
    #expect(answers.first?.earlierTries?.count == 2)
    #expect(backend.ending == "nothing accepts connections at \(server.url)/v1")
  }

  @Test(
    "the backend gives up if the server's certificate is untrusted",
    .enabled(if: CertificateServer.isAvailable, "openssl is not installed"))
  func untrustedCertificate() async throws {
    let server = try CertificateServer()
    defer { server.stop() }
    let backend = try ServedLab.backend(
      CurlClient(), name: "openai-api:m@https://127.0.0.1:\(server.port)")
    let answer = try #require(await ServedLab.answers(of: backend).first)
    #expect(answer.failure?.kind == .backend)
    #expect(answer.earlierTries == nil)
    #expect(
      backend.ending?.hasPrefix("the server's certificate isn't trusted: ") == true, "\(answer)")
  }

  @Test("the backend pauses for as long as the server requests")
  func retryAfter() async throws {
    let server = try FaultServer { _, number in
      number == 0 ? .reply(429, "", headers: ["retry-after-ms": "120"]) : Self.good
    }
    defer { server.stop() }
    let backend = try backend(server)
    let start = ContinuousClock.now
    let answer = try #require(await ServedLab.answers(of: backend).first)
    #expect(answer.failure == nil)
    #expect(start.duration(to: .now) >= .milliseconds(120))
  }

  @Test("the backend sends the API key in the authorization header and nowhere else")
  func key() async throws {
    let server = try FaultServer { _, number in
      number == 0 ? .reply(500, "") : .reply(401, #"{"error":{"message":"wrong"}}"#)
    }
    defer { server.stop() }
    let name = try ServedModelName(parsing: "openai-api:m@\(server.url)")
    var options = ServedLab.options
    options.key = try ServerKey.header(
      for: name, environment: ["ASSAY_SERVER_KEY": "sk-secret-1234"])
    let backend = ServedBackend(name, options: options, client: try CurlClient(), now: { 0 })
    let answers = await ServedLab.answers(of: backend)
    #expect(server.requests.first?.headers["authorization"] == "Bearer sk-secret-1234")
    #expect(
      server.requests.allSatisfy { !$0.body.contains("secret") && !$0.path.contains("secret") })
    let told = "\(answers) \(backend.record) \(String(describing: backend.served)) \(options)"
    #expect(!told.contains("secret"))
    #expect(backend.ending?.contains("refuses the key") == true)
  }
}
