import HTTPTransport
import ModelServers
import Testing

@Suite struct MannersTests {
  @Test("pauses double up to a maximum, vary with the jitter, and end at the retry limit")
  func pauses() {
    let policy = RetryPause(limit: 8, first: .seconds(1), longest: .seconds(60))
    #expect(policy.pause(after: 1, asked: nil, jitter: 0) == .seconds(0.5))
    #expect(policy.pause(after: 1, asked: nil, jitter: 1) == .seconds(1))
    #expect(policy.pause(after: 4, asked: nil, jitter: 1) == .seconds(8))
    #expect(policy.pause(after: 8, asked: nil, jitter: 1) == .seconds(60))
    #expect(policy.pause(after: 9, asked: nil, jitter: 1) == nil)
    #expect(RetryPause(limit: 0).pause(after: 1, asked: nil, jitter: 0) == nil)
  }

  @Test("a pause that the server requests is respected; one of over two minutes ends the attempt")
  func askedPauses() {
    let policy = RetryPause()
    #expect(policy.pause(after: 1, asked: .seconds(34), jitter: 0) == .seconds(34))
    #expect(policy.pause(after: 1, asked: .seconds(34), jitter: 1) == .seconds(34.25))
    #expect(policy.pause(after: 1, asked: .seconds(121), jitter: 0) == nil)
  }

  static let headers: [(headers: [HTTPHeader], body: String, asked: Duration?)] = [
    ([HTTPHeader("Retry-After", "7")], "", .seconds(7)),
    ([HTTPHeader("retry-after", "0.5")], "", .seconds(0.5)),
    (
      [HTTPHeader("retry-after-ms", "250"), HTTPHeader("retry-after", "9")], "", .milliseconds(250)
    ),
    ([HTTPHeader("retry-after", "Sun, 22 Nov 2026 10:00:30 GMT")], "", .seconds(30)),
    ([HTTPHeader("retry-after", "Sunday, 22-Nov-26 10:00:30 GMT")], "", .seconds(30)),
    ([HTTPHeader("retry-after", "Sunday, 22-Nov-99 10:00:30 GMT")], "", .zero),
    ([HTTPHeader("retry-after", "Sun Nov 22 10:00:30 2026")], "", .seconds(30)),
    ([HTTPHeader("retry-after", "Sun Nov  1 10:00:30 2026")], "", .zero),
    ([HTTPHeader("retry-after", "Sun Nov 22 10:00:30")], "", nil),
    (
      [
        HTTPHeader("retry-after", "Sun, 22 Nov 2026 10:00:30 GMT"),
        HTTPHeader("date", "Sun, 22 Nov 2026 10:00:25 GMT"),
      ], "", .seconds(5)
    ),
    ([HTTPHeader("retry-after", "Sun, 22 Nov 2020 10:00:30 GMT")], "", .zero),
    ([HTTPHeader("retry-after", "soon")], "", nil),
    ([HTTPHeader("retry-after", "-5")], "", nil),
    ([], #"{"error":{"details":[{"@type":"RetryInfo","retryDelay":"34s"}]}}"#, .seconds(34)),
    ([], #"{"error":{"details":[{"retryDelay":"x"}]}}"#, nil),
    ([], "no JSON", nil),
  ]

  @Test("the pause that a server requests is read from every form of header and body")
  func checkHeaders() {
    // This is 2026-11-22 10:00:00 UTC.
    let now = 1_795_341_600.0
    for (headers, body, asked) in Self.headers {
      let response = HTTPResponse(status: 429, headers: headers, body: Array(body.utf8))
      #expect(RetryPause.asked(by: response, now: now) == asked, "\(headers) \(body)")
    }
  }

  @Test("jitter is spread evenly from 0 to 1, and equal seeds and tries give equal jitter")
  func jitter() {
    let values = (0..<200).map { RetryPause.jitter(seed: UInt64($0), tries: 1) }
    #expect(Set(values).count == 200)
    #expect(values.allSatisfy { (0...1).contains($0) })
    #expect(abs(values.reduce(0, +) / 200 - 0.5) < 0.1)
    #expect(RetryPause.jitter(seed: 3, tries: 2) == RetryPause.jitter(seed: 3, tries: 2))
  }

  @Test("successes widen the concurrency window, and a burst of rejections halves it only once")
  func window() {
    var window = ConcurrencyWindow(start: 4, most: 16)
    let burst = (0..<4).map { _ in window.begin() }
    for number in burst { window.congested(number) }
    #expect(window.limit == 2)
    window.congested(window.begin())
    #expect(window.limit == 1)
    window.congested(window.begin())
    #expect(window.limit == 1)
    for _ in 0..<1000 { window.succeeded() }
    #expect(window.limit == 16)
  }

  @Test("cached tokens can have a separate price")
  func prices() {
    let reply = ServerReply(
      text: "", promptTokens: 1_000_000, outputTokens: 500_000, cachedTokens: 400_000)
    #expect(TokenPrices(prompt: 2, cached: 0.5, output: 8).cost(of: reply) == 1.2 + 0.2 + 4)
    #expect(TokenPrices(prompt: 2, output: 8).cost(of: reply) == 6)
    #expect(TokenPrices(prompt: 2, output: 8).cost(of: ServerReply(text: "{}")) == nil)
  }
}
