import Foundation
import StructuredText
import Synchronization
import Testing

@testable import HTTPTransport

@Suite("Recordings")
struct RecordingTests {
  /// A client that answers with the elements of a list, in order.
  private final class ListClient: HTTPClient {
    private let results: Mutex<[Result<HTTPResponse, HTTPFailure>]>

    init(_ results: [Result<HTTPResponse, HTTPFailure>]) { self.results = Mutex(results) }

    func exchange(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
      try results.withLock { $0.isEmpty ? .failure(.connectionLost) : $0.removeFirst() }.get()
    }
  }

  private static func request(_ body: String, path: String = "/chat") throws -> HTTPRequest {
    HTTPRequest(
      address: try ServerAddress(parsing: "http://127.0.0.1:1/v1"), path: path,
      headers: [HTTPHeader("X-Mine", "header-1")], secret: SecretHeader("Authorization", "sk-123"),
      body: Array(body.utf8))
  }

  private static func result(
    _ client: any HTTPClient, _ request: HTTPRequest
  ) async -> Result<HTTPResponse, HTTPFailure> {
    do throws(HTTPFailure) {
      return .success(try await client.exchange(request))
    } catch {
      return .failure(error)
    }
  }

  static let results: [Result<HTTPResponse, HTTPFailure>] = [
    .success(
      HTTPResponse(
        status: 429, headers: [HTTPHeader("Retry-After", "1"), HTTPHeader("Set-Cookie", "c=1")],
        body: Array("{}".utf8), duration: 0.25)),
    .success(HTTPResponse(status: 200, body: [0x7B, 0xFF], duration: 1.5)),
    .failure(.timeout(.seconds(2))), .failure(.connectionLost), .failure(.incomplete),
    .failure(.tooLong(limit: 9)), .failure(.refused("there")), .failure(.tls("no")),
    .failure(.untrusted("self-signed")),
    .failure(.hostNotFound("h")), .failure(.malformedResponse("x")), .failure(.other("y")),
  ]

  /// Records the results of equal requests and reads them back.
  private static func recorded() async throws -> (lines: [String], read: [RecordedExchange]) {
    let lines = Mutex<[String]>([])
    let client = RecordingClient(ListClient(results)) { exchange in
      lines.withLock { $0.append(exchange.line) }
    }
    for _ in results { _ = await result(client, try request(#"{"a":1,"b":[2]}"#)) }
    let all = lines.withLock(\.self)
    return (all, try all.map { try RecordedExchange(line: $0) })
  }

  @Test("equal requests get their answers in the recorded order, including failures")
  func replays() async throws {
    let (lines, read) = try await Self.recorded()
    #expect(lines.count == Self.results.count)
    let client = ReplayClient(read.reversed())
    for original in Self.results {
      let again = await Self.result(client, try Self.request(#"{"b":[2],"a":1}"#))
      switch (original, again) {
      case (.success(let left), .success(let right)):
        #expect(left.status == right.status && left.body == right.body)
        #expect(left.duration == right.duration)
      default: #expect(original == again)
      }
    }
  }

  @Test("a recording contains no key, no cookie and no host")
  func secrets() async throws {
    let text = try await Self.recorded().lines.joined()
    for word in ["sk-123", "Set-Cookie", "set-cookie", "127.0.0.1", "header-1", "Authorization"] {
      #expect(!text.contains(word), "\(word)")
    }
    #expect(text.contains(#""retry-after":"1""#))
  }

  static let misses: [(body: String, path: String, words: String)] = [
    (#"{"a":2,"b":[2]}"#, "/chat", "differs in $.a: 1 was recorded, 2 was requested"),
    (#"{"a":1,"b":[2,3]}"#, "/chat", "$.b[1]: nothing was recorded, 3 was requested"),
    (#"{"a":1,"b":[2]}"#, "/other", "has no POST /other; it has POST /chat"),
  ]

  @Test(
    "a request that was not recorded fails, and the failure names the difference",
    arguments: misses.indices)
  func checkMiss(_ index: Int) async throws {
    let miss = Self.misses[index]
    let client = ReplayClient(try await Self.recorded().read)
    let result = await Self.result(client, try Self.request(miss.body, path: miss.path))
    guard case .failure(.notRecorded(let words)) = result else {
      Issue.record("the result is \(result)")
      return
    }
    #expect(words.contains(miss.words), "\(words)")
  }

  @Test(
    "an invalid line of a recording is rejected, and the error says why",
    arguments: [
      ("{", "not JSON"), ("{}", "not an exchange"),
      (#"{"occurrence":0,"request":{"method":"GET","path":"/","body":null}}"#, "neither"),
      (
        #"{"occurrence":0,"request":{"method":"GET","path":"/","body":null},"response":{"status":7}}"#,
        "no status"
      ),
    ])
  func checkLine(_ line: String, _ words: String) {
    #expect { try RecordedExchange(line: line) } throws: { "\($0)".contains(words) }
  }

  @Test("a skipping clock advances its time without waiting")
  func clock() async throws {
    let clock = SkippingClock()
    let (start, real) = (clock.now, ContinuousClock.now)
    try await clock.sleep(for: .seconds(3600))
    #expect(start.duration(to: clock.now) >= .seconds(3600))
    #expect(real.duration(to: .now) < .seconds(600))
  }

  @Test("an exchange that can't be recorded fails")
  func unrecorded() async throws {
    let client = RecordingClient(ListClient(Self.results)) { _ throws(HTTPFailure) in
      throw .unrecorded("full")
    }
    #expect(await Self.result(client, try Self.request("{}")) == .failure(.unrecorded("full")))
  }

  // MARK: Keys

  static let quotes: [(key: String, sent: String, hidden: String)] = [
    ("Bearer sk-1234/+x", "no key here", "no key here"),
    ("Bearer sk-1234/+x", "wrong key sk-1234/+x: sk-1234/+x", "wrong key [key]: [key]"),
    ("sk-1234/+x", #"{"error":"key sk-1234\/+x"}"#, #"{"error":"key [key]"}"#),
    ("sk-1234/+x", #""\u0073\u006b-1234\u002F+x!""#, #""[key]!""#),
    ("sk-1234/+x", #""{\"k\":\"\\u0073k-1234\\/+x\"}""#, #""{\"k\":\"[key]\"}""#),
    ("sk-1234/+x", "/?key=sk-1234%2F%2bx&a", "/?key=[key]&a"),
    ("sk-1234/+x", "C:\\sk-1234/+x\\", "C:\\[key]\\"),
    ("a\"b\\c'1234", #"{"k":"a\"b\\c'1234"}"#, #"{"k":"[key]"}"#),
    ("a\"b\\c'1234", "a\"b\\c'1234", "[key]"),
    ("sk-1234/+x", "sk-1234/+", "sk-1234/+"), ("sk-1234/+x", "SK-1234/+X", "SK-1234/+X"),
    ("sk-12345", "sk-sk-12345", "sk-[key]"), ("Bearer secret", "a secret", "a secret"),
    ("sk-1234/+x", #""sk-1234\u00""#, #""sk-1234\u00""#), ("sk-12345", "sk-1234\\", "sk-1234\\"),
  ]

  @Test("the key is replaced wherever the server quotes it, unless it is short")
  func quotedKeys() async throws {
    for (key, sent, hidden) in Self.quotes {
      let client = KeyHidingClient(
        ListClient([
          .success(
            HTTPResponse(
              status: 401, headers: [HTTPHeader("X-Request-ID", sent)],
              body: [0xFF] + Array(sent.utf8) + [0]))
        ]))
      var request = try Self.request("{}")
      request.secret = SecretHeader("Authorization", key)
      let response = try await client.exchange(request)
      #expect(response.body == [0xFF] + Array(hidden.utf8) + [0], "\(sent)")
      #expect(response.header("x-request-id") == hidden, "\(sent)")
    }
    var request = try Self.request("{}")
    request.secret = nil
    let client = KeyHidingClient(ListClient(Self.results))
    #expect(await Self.result(client, request) == Self.results[0])
  }
}
