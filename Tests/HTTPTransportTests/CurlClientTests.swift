import FaultServer
import Foundation
import HTTPTransport
import TestSupport
import Testing

/// Tests the client with a server that fails in many ways.
@Suite(.timeLimit(.minutes(30))) struct CurlClientTests {
  private static func exchange(
    _ client: CurlClient, _ url: String, timeLimit: Duration = .seconds(600),
    bodyLimit: Int = HTTPRequest.defaultBodyLimit, secret: SecretHeader? = nil
  ) async -> Result<HTTPResponse, HTTPFailure> {
    do throws(HTTPFailure) {
      guard let address = try? ServerAddress(parsing: url) else {
        return .failure(.other("\(url) is not an address"))
      }
      return .success(
        try await client.exchange(
          HTTPRequest(
            address: address, path: "/v1/x", headers: [HTTPHeader("X-Test", "one")],
            secret: secret, body: Array(#"{"a":1}"#.utf8), timeLimit: timeLimit,
            bodyLimit: bodyLimit)))
    } catch {
      return .failure(error)
    }
  }

  @Test("requests arrive unchanged, and their responses are returned")
  func exchanges() async throws {
    let server = try FaultServer { _, _ in .reply(201, "ok", headers: ["X-Reply": "two"]) }
    defer { server.stop() }
    let response = try await Self.exchange(
      CurlClient(), server.url, secret: SecretHeader("Authorization", "Bearer k")
    ).get()
    #expect(response.status == 201)
    #expect(String(decoding: response.body, as: UTF8.self) == "ok")
    #expect(response.header("x-reply") == "two")
    let request = try #require(server.requests.first)
    #expect(request.method == "POST" && request.path == "/v1/x")
    #expect(request.headers["x-test"] == "one")
    #expect(request.headers["authorization"] == "Bearer k")
    #expect(request.body == #"{"a":1}"#)
  }

  @Test("an error status is an ordinary response, and redirects are not followed")
  func statuses() async throws {
    let server = try FaultServer { _, number in
      number == 0 ? .reply(503, "wait") : .reply(302, "", headers: ["Location": "http://x.test/"])
    }
    defer { server.stop() }
    let client = try CurlClient()
    #expect(try await Self.exchange(client, server.url).get().status == 503)
    #expect(try await Self.exchange(client, server.url).get().status == 302)
    #expect(server.requests.count == 2)
  }

  static let faults: [(name: String, steps: [FaultServer.Step], failure: HTTPFailure)] = [
    ("a reset", [.reset], .connectionLost),
    ("an end without an answer", [.close], .connectionLost),
    ("a short body", .reply(200, "{", length: 100) + [.close], .incomplete),
    ("a wrong length", .reply(200, "{}", length: 5000) + [.close], .incomplete),
    (
      "a reply that is not HTTP", [.send(Array("SSH-2.0\r\n\r\n".utf8)), .close],
      .malformedResponse("Received HTTP/0.9 when not allowed")
    ),
  ]

  @Test("each fault of a server is reported as the matching failure", arguments: 0..<faults.count)
  func checkFault(_ index: Int) async throws {
    let fault = Self.faults[index]
    let server = try FaultServer { _, _ in fault.steps }
    defer { server.stop() }
    let result = await Self.exchange(try CurlClient(), server.url)
    #expect(result == .failure(fault.failure), "\(fault.name)")
  }

  @Test("if the server resets a kept-alive connection, the request fails instead of hanging")
  func keptConnection() async throws {
    let server = try FaultServer { _, number in number == 0 ? .reply(200, "ok") : [.reset] }
    defer { server.stop() }
    let client = try CurlClient()
    #expect(try await Self.exchange(client, server.url).get().status == 200)
    #expect(await Self.exchange(client, server.url) == .failure(.connectionLost))
  }

  @Test("a port where nothing listens refuses the connection")
  func refused() async throws {
    let server = try FaultServer { _, _ in [] }
    let url = server.url
    server.stop()
    #expect(await Self.exchange(try CurlClient(), url) == .failure(.refused(url)))
  }

  @Test("a host name that has no address is reported as not found")
  func unknownHost() async throws {
    let result = await Self.exchange(try CurlClient(), "http://no-such-host.invalid")
    #expect(result == .failure(.hostNotFound("no-such-host.invalid")))
  }

  @Test("a request ends at its time limit, whether the server sends nothing or a byte now and then")
  func timeouts() async throws {
    let drip: [FaultServer.Step] = (0..<1000).flatMap { _ in
      [FaultServer.Step.send([0x20]), .wait(0.02)]
    }
    let server = try FaultServer { _, number in
      number == 0 ? [.wait(3600)] : [.send([FaultServer.Step].head(200, 100_000))] + drip
    }
    defer { server.stop() }
    let client = try CurlClient()
    for _ in 0..<2 {
      let limit = Duration.milliseconds(300)
      #expect(
        await Self.exchange(client, server.url, timeLimit: limit) == .failure(.timeout(limit)))
    }
  }

  @Test("the client stops a response that is too long, even if the server doesn't state its length")
  func longAnswers() async throws {
    let server = try FaultServer { _, number in
      let length = number == 0 ? 1 << 30 : nil
      return [
        .send([FaultServer.Step].head(200, length)),
        .flood([UInt8](repeating: 0x20, count: 64 << 10), count: 16_384), .close,
      ]
    }
    defer { server.stop() }
    let client = try CurlClient()
    for _ in 0..<2 {
      #expect(
        await Self.exchange(client, server.url, bodyLimit: 1 << 20)
          == .failure(.tooLong(limit: 1 << 20)))
    }
  }

  @Test("cancelling a request ends it even if the server hasn't answered")
  func cancellation() async throws {
    let server = try FaultServer { _, _ in [.wait(3600)] }
    defer { server.stop() }
    let client = try CurlClient()
    let url = server.url
    let task = Task { await Self.exchange(client, url, timeLimit: .seconds(3600)) }
    await waitUntil { !server.requests.isEmpty }
    task.cancel()
    #expect(await task.value == .failure(.cancelled))
    let early = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await Self.exchange(client, url)
    }
    #expect(await early.value == .failure(.cancelled))
  }

  @Test("exchanges share open connections")
  func keepAlive() async throws {
    let server = try FaultServer { _, _ in [.wait(0.002)] + .reply(200, "ok") }
    defer { server.stop() }
    let client = try CurlClient()
    let url = server.url
    var connections = 0
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          var opened = 0
          for _ in 0..<25 {
            opened += (try? await Self.exchange(client, url).get())?.connections ?? 1000
          }
          return opened
        }
      }
      for await count in group { connections += count }
    }
    #expect(server.requests.count == 200)
    // An idle connection may be closed and reopened if the machine is busy.
    #expect(connections <= 100)
    #expect(server.connectionCount == connections)
  }

  @Test("a client can be released right after an exchange")
  func release() async throws {
    let server = try FaultServer { _, _ in .reply(200, "ok") }
    defer { server.stop() }
    for _ in 0..<20 {
      #expect(try await Self.exchange(CurlClient(), server.url).get().status == 200)
    }
  }

  @Test("a header value with a line break is not sent")
  func headerInjection() async throws {
    let server = try FaultServer { _, _ in .reply(200, "ok") }
    defer { server.stop() }
    let result = await Self.exchange(
      try CurlClient(), server.url, secret: SecretHeader("Authorization", "k\r\nX-Evil: 1"))
    #expect(result == .failure(.other("the request can't be sent")))
    #expect(server.requests.isEmpty)
  }
}
