import EvalRecords
public import HTTPTransport
import StructuredText

extension ServerError {
  /// Creates an error from a response.
  ///
  /// - Parameter response: The response, whose status is outside 200–299.
  public init(_ response: HTTPResponse) {
    let body = ErrorBody(response.body)
    let status = response.status
    if (300..<400).contains(status) {
      let place = response.header("location").map { "to \(Self.hostOnly($0))" } ?? ""
      self.init(.redirect, status: status, message: place)
    } else {
      self.init(
        Self.kind(status, body, responseFormat: body.text), status: status, message: body.message)
    }
  }

  /// Returns the scheme and host of a URL.
  ///
  /// The rest may contain private data.
  private static func hostOnly(_ place: String) -> String {
    guard let start = place.firstRange(of: "://") else { return "another path" }
    let host = place[start.upperBound...].prefix { !"/?#".contains($0) }
    return String(place[..<start.upperBound] + (host.split(separator: "@").last ?? ""))
  }

  private static func kind(_ status: Int, _ body: ErrorBody, responseFormat text: String) -> Kind {
    func says(_ phrases: String...) -> Bool { phrases.contains { text.contains($0) } }
    switch status {
    case 401, 403: return .key
    case 402: return .quota
    case 404, 405: return .notFound
    case 429:
      return says("insufficient_quota", "billing", "perday", "credit balance")
        ? .quota : .rateLimited
    case 408, 409, 425, 500...599: return .unavailable
    default: break
    }
    if says("authentication_error", "invalid x-api-key", "api key not valid") { return .key }
    if says("billing_error", "credit balance") { return .quota }
    if says(
      "exceed_context_size", "context_length_exceeded", "maximum context length",
      "prompt is too long", "context size", "exceeds the maximum number of tokens")
    {
      return .contextTooLong
    }
    if says("content_filter", "content management policy", "responsibleaipolicyviolation") {
      return .filtered
    }
    if let name = body.unsupportedMember { return .unsupportedMember(name) }
    if says(
      "response_format", "json_schema", "json schema", "invalid schema", "output_config.format",
      "schema is too complex", "response_schema", "responsejsonschema", "grammar",
      "pattern must start")
    {
      return .schemaRefused
    }
    return .badRequest
  }
}

/// The body of an error response, in any form that servers use.
struct ErrorBody {
  /// The message, on one line and cut off after 400 characters.
  let message: String
  /// The first 64 KiB of the body in lower case, in which `ServerError` looks for phrases.
  let text: String
  /// The request member that the server rejects, or `nil` if it rejects none.
  let unsupportedMember: String?

  /// The members that a retry can leave out if the server rejects them.
  ///
  /// The run's record lists the members that were left out. The table of settings names those that
  /// limit the candidates for the next token.
  private static let optional = Set(
    ["temperature", "seed", "logprobs", "top_logprobs", "max_tokens", "max_completion_tokens"]
      + GenerationSetting.allCases.filter { $0.row.neutral != nil }.flatMap(\.row.servers.keys))

  init(_ bytes: [UInt8]) {
    self.init(String(decoding: bytes.prefix(64 << 10), as: UTF8.self))
  }

  init(_ whole: String) {
    text = whole.lowercased()
    let value = try? JSONValue(parsing: whole)
    let error = value?["error"]
    let words =
      error?["message"]?.string ?? error?.string ?? value?["message"]?.string
      ?? value?["detail"]?.string ?? value?["detail"]?.compactText
    message = Self.line(words ?? (value == nil ? Self.withoutTags(whole) : whole))
    let code = error?["code"]?.string
    let parameter = error?["param"]?.string
    let isUnsupported = code == "unsupported_parameter" || code == "unsupported_value"
    let isLogprobs =
      message.contains("logprobs")
      && (message.contains("not supported") || message.contains("not allowed"))
    if isUnsupported, let parameter, Self.optional.contains(parameter) {
      unsupportedMember = parameter
    } else {
      unsupportedMember = isLogprobs ? "logprobs" : nil
    }
  }

  private static func line(_ text: String) -> String {
    let words = text.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
    return words.count > 400 ? words.prefix(400) + "…" : words
  }

  /// Returns the text of an HTML page, for example from a proxy.
  private static func withoutTags(_ page: String) -> String {
    var text = ""
    var depth = 0
    for character in page.prefix(4000) {
      if character == "<" {
        depth += 1
      } else if character == ">", depth > 0 {
        depth -= 1
        text.append(" ")
      } else if depth == 0 {
        text.append(character)
      }
    }
    return text
  }
}
