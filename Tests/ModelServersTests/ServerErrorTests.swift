import EvalRecords
import HTTPTransport
import ModelServers
import Testing

/// Tests that the documented errors of servers are recognized and have the right consequences.
@Suite struct ServerErrorTests {
  struct Fixture: Sendable {
    let status: Int
    let body: String
    let kind: ServerError.Kind
    let consequence: ServerError.Consequence
    let failure: AttemptFailure.Kind
  }

  static let fixtures: [Fixture] = [
    .init(
      status: 429,
      body: #"{"error":{"message":"Rate limit reached","code":"rate_limit_exceeded"}}"#,
      kind: .rateLimited, consequence: .tryAgain, failure: .rateLimited),
    .init(
      status: 429, body: #"{"error":{"message":"You exceeded it","code":"insufficient_quota"}}"#,
      kind: .quota, consequence: .endBackend, failure: .backend),
    .init(
      status: 401, body: #"{"error":{"message":"Incorrect API key"}}"#, kind: .key,
      consequence: .endBackend, failure: .backend),
    .init(
      status: 403, body: #"{"type":"error","error":{"type":"permission_error","message":"no"}}"#,
      kind: .key, consequence: .endBackend, failure: .backend),
    .init(
      status: 402, body: #"{"type":"error","error":{"type":"billing_error","message":"pay"}}"#,
      kind: .quota, consequence: .endBackend, failure: .backend),
    .init(
      status: 400,
      body: #"{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT"}}"#,
      kind: .key, consequence: .endBackend, failure: .backend),
    .init(
      status: 529,
      body: #"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
      kind: .unavailable, consequence: .tryAgain, failure: .backend),
    .init(
      status: 503,
      body: #"{"error":{"message":"Loading model","type":"unavailable_error","code":503}}"#,
      kind: .unavailable, consequence: .tryAgain, failure: .backend),
    .init(
      status: 500, body: "<html><body><h1>Internal</h1> error</body></html>", kind: .unavailable,
      consequence: .tryAgain, failure: .backend),
    .init(
      status: 408, body: "", kind: .unavailable, consequence: .tryAgain, failure: .backend),
    .init(
      status: 409, body: "", kind: .unavailable, consequence: .tryAgain, failure: .backend),
    .init(
      status: 404, body: #"{"error":"model 'x' not found"}"#, kind: .notFound,
      consequence: .endBackend, failure: .backend),
    .init(
      status: 302, body: "", kind: .redirect, consequence: .endBackend, failure: .backend),
    .init(
      status: 400,
      body: """
        {"error":{"message":"Invalid schema for response_format 'a'","param":"response_format",\
        "code":null}}
        """, kind: .schemaRefused, consequence: .fail, failure: .unsupportedGenerationGuide),
    .init(
      status: 400,
      body: """
        {"type":"error","error":{"type":"invalid_request_error",\
        "message":"Schema is too complex for compilation."}}
        """, kind: .schemaRefused, consequence: .fail, failure: .unsupportedGenerationGuide),
    .init(
      status: 400,
      body: """
        {"error":{"message":"Pattern must start with '^' and end with '$'",\
        "type":"invalid_request_error","code":400}}
        """, kind: .schemaRefused, consequence: .fail, failure: .unsupportedGenerationGuide),
    .init(
      status: 400,
      body: """
        {"error":{"message":"This model's maximum context length is 2048 tokens.",\
        "type":"BadRequestError","param":"input_tokens","code":400}}
        """, kind: .contextTooLong, consequence: .fail, failure: .promptTooLong),
    .init(
      status: 400,
      body: """
        {"error":{"code":400,"message":"too large","type":"exceed_context_size_error",\
        "n_prompt_tokens":9,"n_ctx":8}}
        """, kind: .contextTooLong, consequence: .fail, failure: .promptTooLong),
    .init(
      status: 400, body: #"{"error":{"code":"content_filter","message":"filtered"}}"#,
      kind: .filtered, consequence: .fail, failure: .refusal),
    .init(
      status: 400,
      body: """
        {"error":{"message":"Unsupported value: 'temperature'","param":"temperature",\
        "code":"unsupported_value"}}
        """, kind: .unsupportedMember("temperature"), consequence: .fail, failure: .backend),
    // A request without its messages would be another request.
    .init(
      status: 400,
      body: """
        {"error":{"message":"Unsupported parameter: 'messages'","param":"messages",\
        "code":"unsupported_parameter"}}
        """, kind: .badRequest, consequence: .fail, failure: .backend),
    .init(
      status: 400,
      body: #"{"error":{"message":"logprobs are not supported with reasoning models"}}"#,
      kind: .unsupportedMember("logprobs"), consequence: .fail, failure: .backend),
    .init(
      status: 422, body: #"{"detail":[{"loc":["body"],"msg":"bad"}]}"#, kind: .badRequest,
      consequence: .fail, failure: .backend),
    .init(
      status: 400, body: "\u{FFFD}\u{0}", kind: .badRequest, consequence: .fail, failure: .backend),
  ]

  @Test(
    "each documented error is recognized and has the right consequence",
    arguments: 0..<fixtures.count)
  func checkFixture(_ index: Int) {
    let fixture = Self.fixtures[index]
    let error = ServerError(
      HTTPResponse(status: fixture.status, body: Array(fixture.body.utf8)))
    #expect(error.kind == fixture.kind)
    #expect(error.consequence == fixture.consequence)
    #expect(AttemptFailure(error).kind == fixture.failure)
  }

  @Test("a server may reject any setting that limits the candidates, and the retry omits it")
  func rejectedLimits() {
    let limits = GenerationSetting.allCases.filter { $0.row.neutral != nil }
    let names = limits.flatMap(\.row.servers.keys)
    #expect(names.count > limits.count)
    for name in names {
      let body = #"{"error":{"message":"no","param":"\#(name)","code":"unsupported_parameter"}}"#
      let error = ServerError(HTTPResponse(status: 400, body: Array(body.utf8)))
      #expect(error.kind == .unsupportedMember(name))
    }
  }

  @Test("a message is one line of limited length, and omits the path of a redirect")
  func messages() {
    let long = ServerError(
      HTTPResponse(status: 500, body: Array(String(repeating: "a\n b", count: 2000).utf8)))
    // A message has at most 400 characters and an ellipsis.
    #expect(long.message.count <= 401 && !long.message.contains("\n"))
    let page = ServerError(
      HTTPResponse(status: 502, body: Array("<html><h1>Bad</h1>\n<p>gateway</p></html>".utf8)))
    #expect(
      page.description == "the server can't answer now (status 502): Bad gateway")
    let redirect = ServerError(
      HTTPResponse(
        status: 302, headers: [HTTPHeader("Location", "https://u:k@evil.test/p?key=1")]))
    #expect(
      redirect.description
        == "the server redirects the request, and redirects are not followed: to https://evil.test")
  }
}
