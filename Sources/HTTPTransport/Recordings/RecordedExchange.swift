public import StructuredText
import SystemBasics

/// An exchange as stored in a recording: one line of JSON without API keys and cookies.
///
/// A recorded request doesn't contain the host. Only a recorded failure to reach the host may
/// contain the host's name.
public struct RecordedExchange: Sendable, Hashable {
  /// The digest of the method, the path and the canonical body.
  public var key: String
  /// The number of requests with the same key before this request.
  public var occurrence: Int
  /// The method.
  public var method: String
  /// The path relative to the server's address.
  public var path: String
  /// The body as JSON, or null if it isn't JSON.
  public var body: JSONValue
  /// The response, or the reason why there was none.
  public var result: Result<HTTPResponse, HTTPFailure>

  /// The response headers that recordings keep, in addition to headers with one of `keptPrefixes`.
  ///
  /// Other headers may contain private data.
  static let keptHeaders: Set<String> = [
    "content-type", "retry-after", "retry-after-ms", "x-should-retry", "date", "server",
    "x-request-id", "request-id", "openai-processing-ms",
  ]
  private static let keptPrefixes = ["x-ratelimit-", "anthropic-ratelimit-"]

  static func isKept(_ header: String) -> Bool {
    let name = header.lowercased()
    return keptHeaders.contains(name) || keptPrefixes.contains { name.hasPrefix($0) }
  }

  init(
    _ request: HTTPRequest, occurrence: Int, _ result: Result<HTTPResponse, HTTPFailure>
  ) {
    body = Self.body(of: request)
    method = request.method
    path = request.path
    key = Self.key(method, path, body)
    self.occurrence = occurrence
    self.result = result
  }

  static func key(of request: HTTPRequest) -> String {
    key(request.method, request.path, body(of: request))
  }

  static func body(of request: HTTPRequest) -> JSONValue {
    request.body.flatMap { try? JSONValue(parsing: String(decoding: $0, as: UTF8.self)) } ?? .null
  }

  private static func key(_ method: String, _ path: String, _ body: JSONValue) -> String {
    SHA256.hexDigest(of: "\(method) \(path)\n\(body.canonical.compactText)")
  }

  // MARK: Lines

  /// The exchange as a line of JSON.
  public var line: String {
    var members: JSONObject = [
      "key": .string(key), "occurrence": .number(JSONNumber(occurrence)),
      "request": ["method": .string(method), "path": .string(path), "body": body],
    ]
    switch result {
    case .success(let response):
      var headers: JSONObject = [:]
      for header in response.headers where Self.isKept(header.name) {
        headers[header.name.lowercased()] = .string(header.value)
      }
      var written: JSONObject = [
        "status": .number(JSONNumber(response.status)), "headers": .object(headers),
      ]
      if let text = String(validating: response.body, as: UTF8.self) {
        written["body"] = .string(text)
      } else {
        written["base64"] = .string(Data(response.body).base64EncodedString())
      }
      written["seconds"] = .number(JSONNumber(response.duration))
      members["response"] = .object(written)
    case .failure(let failure): members["failure"] = failure.recorded
    }
    return JSONValue.object(members).compactText
  }

  /// Creates an exchange by parsing a line.
  ///
  /// - Throws: The problem with the line.
  public init(line: String) throws(RecordingProblem) {
    let value: JSONValue
    do throws(StructuredTextError) {
      value = try JSONValue(parsing: line)
    } catch {
      throw RecordingProblem(description: "it is not JSON: \(error)")
    }
    guard let occurrence = value["occurrence"]?.int, occurrence >= 0,
      let method = value["request"]?["method"]?.string,
      let path = value["request"]?["path"]?.string,
      let body = value["request"]?["body"]
    else {
      throw RecordingProblem(
        description: "it is not an exchange; `occurrence` and `request` are required")
    }
    (self.occurrence, self.method, self.path, self.body) = (occurrence, method, path, body)
    // Recompute the digest, so that a line that was edited by hand answers the edited request.
    key = Self.key(method, path, body)
    if let response = value["response"] {
      guard let status = response["status"]?.int, (100...999).contains(status) else {
        throw RecordingProblem(description: "its response has no status from 100 to 999")
      }
      let bytes =
        response["body"]?.string.map { Array($0.utf8) }
        ?? response["base64"]?.string.flatMap { Data(base64Encoded: $0) }.map { Array($0) } ?? []
      let headers = (response["headers"]?.object ?? [:]).members.compactMap { member in
        member.value.string.map { HTTPHeader(member.key, $0) }
      }
      result = .success(
        HTTPResponse(
          status: status, headers: headers, body: bytes,
          duration: max(0, response["seconds"]?.double ?? 0)))
    } else if let failure = value["failure"].flatMap(HTTPFailure.init(recorded:)) {
      result = .failure(failure)
    } else {
      throw RecordingProblem(description: "it has neither a `response` nor a known `failure`")
    }
  }
}

/// The problem with a recording.
public struct RecordingProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// A description of the problem.
  public let description: String
}

extension JSONValue {
  /// The value with the members of all objects sorted by key.
  var canonical: JSONValue {
    switch self {
    case .array(let elements): .array(elements.map(\.canonical))
    case .object(let object):
      .object(
        JSONObject(
          object.members.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value.canonical) }
        ))
    default: self
    }
  }
}

extension HTTPFailure {
  /// The failure as stored in a recording.
  var recorded: JSONValue {
    switch self {
    case .hostNotFound(let host): ["kind": "hostNotFound", "words": .string(host)]
    case .refused(let place): ["kind": "refused", "words": .string(place)]
    case .untrusted(let words): ["kind": "untrusted", "words": .string(words)]
    case .tls(let words): ["kind": "tls", "words": .string(words)]
    case .timeout(let limit):
      ["kind": "timeout", "seconds": .number(JSONNumber(limit.inSeconds))]
    case .connectionLost: ["kind": "connectionLost"]
    case .incomplete: ["kind": "incomplete"]
    case .tooLong(let limit): ["kind": "tooLong", "limit": .number(JSONNumber(limit))]
    case .malformedResponse(let words): ["kind": "malformedResponse", "words": .string(words)]
    case .noProgram(let words): ["kind": "noProgram", "words": .string(words)]
    case .neverAnswered(let words): ["kind": "neverAnswered", "words": .string(words)]
    case .programEnded(let words): ["kind": "programEnded", "words": .string(words)]
    case .brokenReply(let words): ["kind": "brokenReply", "words": .string(words)]
    case .cancelled: ["kind": "cancelled"]
    case .notRecorded(let words), .unrecorded(let words), .other(let words):
      ["kind": "other", "words": .string(words)]
    }
  }

  /// Creates a failure from a recording, or returns `nil` if its kind is unknown.
  init?(recorded value: JSONValue) {
    let words = value["words"]?.string ?? ""
    switch value["kind"]?.string {
    case "hostNotFound": self = .hostNotFound(words)
    case "refused": self = .refused(words)
    case "untrusted": self = .untrusted(words)
    case "tls": self = .tls(words)
    case "timeout": self = .timeout(.seconds(min(1e6, max(0, value["seconds"]?.double ?? 0))))
    case "connectionLost": self = .connectionLost
    case "incomplete": self = .incomplete
    case "tooLong": self = .tooLong(limit: max(0, value["limit"]?.int ?? 0))
    case "malformedResponse": self = .malformedResponse(words)
    case "noProgram": self = .noProgram(words)
    case "neverAnswered": self = .neverAnswered(words)
    case "programEnded": self = .programEnded(words)
    case "brokenReply": self = .brokenReply(words)
    case "other": self = .other(words)
    default: return nil
    }
  }
}

extension Duration {
  fileprivate var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
