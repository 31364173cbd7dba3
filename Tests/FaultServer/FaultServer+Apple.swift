import Foundation

extension FaultServer {
  /// How closely a stand-in for Apple's server checks requests.
  public enum AppleManner: Sendable {
    /// Definitions must have all members of Apple's encoding, as public notes on macOS 27 say.
    case strict
    /// Definitions may have any form.
    case lenient
  }

  /// Starts a stand-in for `fm serve` on macOS 27, with what public notes say about it.
  ///
  /// It has one model, `system`; streams unless the request forbids it; ignores `max_tokens`;
  /// refuses `pattern`, values that can be null and titles of strings; refuses a second request at
  /// the same time; and reports the model's own results with status 500 and a sentence: a guardrail
  /// if the last message contains `octopus`, and a full context if it contains `tides`.
  public static func apple(_ manner: AppleManner) throws -> FaultServer {
    try FaultServer { request, _ in
      switch (request.method, request.path) {
      case ("GET", "/health"):
        .reply(
          200,
          #"{"models":[{"available":true,"name":"system"}],"status":"fm serve is running"}"#)
      case ("POST", "/v1/chat/completions"): AppleReply(manner).steps(request.body)
      default: .reply(404, #"{"error":"not found"}"#)
      }
    }
  }
}

/// The replies of the stand-in for Apple's server.
private struct AppleReply {
  typealias JSON = [String: Any]

  private let manner: FaultServer.AppleManner

  init(_ manner: FaultServer.AppleManner) { self.manner = manner }

  func steps(_ body: String) -> [FaultServer.Step] {
    guard let request = Self.object(body) else { return error(400, "Invalid request") }
    guard request["model"] as? String == "system" else {
      return error(400, "Unknown model. Available models: system")
    }
    let schema =
      ((request["response_format"] as? JSON)?["json_schema"] as? JSON)?["schema"] as? JSON
    let prompt = (request["messages"] as? [JSON])?.last?["content"] as? String ?? ""
    if let schema {
      if manner == .strict, !hasWholeDefinitions(schema) {
        return error(
          400, "Invalid JSON: The data couldn\u{2019}t be read because it is missing.")
      }
      if refuses(schema) { return error(500, "The schema has an unsupported pattern.") }
    }
    if prompt.contains("octopus") {
      return error(500, "The model\u{2019}s safety guardrails were triggered.")
    }
    if prompt.contains("tides") {
      return error(500, "The session\u{2019}s transcript exceeded the model\u{2019}s context size.")
    }
    let text = schema.map { Self.text(value(of: $0, root: $0)) } ?? "Hello."
    if request["stream"] as? Bool != false {
      return .reply(200, "data: {\"object\":\"chat.completion.chunk\"}\n\ndata: [DONE]\n\n")
    }
    let answer: JSON = [
      "object": "chat.completion", "model": "system",
      "choices": [
        ["index": 0, "finish_reason": "stop", "message": ["role": "assistant", "content": text]]
      ],
      "usage": ["prompt_tokens": 60, "completion_tokens": 8, "total_tokens": 68],
    ]
    return .reply(200, Self.text(answer))
  }

  private func error(_ status: Int, _ message: String) -> [FaultServer.Step] {
    let type = status == 400 ? "invalid_request_error" : "server_error"
    let error: JSON = ["code": "\(status)", "message": message, "type": type]
    return .reply(status, Self.text(["error": error]))
  }

  private func hasWholeDefinitions(_ schema: JSON) -> Bool {
    let wanted = ["title", "properties", "required", "x-order", "additionalProperties"]
    return (schema["$defs"] as? JSON ?? [:]).values.allSatisfy { definition in
      let definition = definition as? JSON ?? [:]
      return definition["type"] as? String != "object"
        || wanted.allSatisfy { definition[$0] != nil }
    }
  }

  private func refuses(_ node: Any) -> Bool {
    if let list = node as? [Any] { return list.contains(where: refuses) }
    guard let object = node as? JSON else { return false }
    let isTitledString =
      object["type"] as? String == "string" && object["title"] is String && object["enum"] == nil
    return isTitledString || object["type"] as? String == "null" || object["pattern"] is String
      || object.values.contains(where: refuses)
  }

  /// Returns a value of a schema: the first enum case, and three elements of every array.
  private func value(of schema: JSON, root: JSON) -> Any {
    if let reference = schema["$ref"] as? String {
      let name = reference.split(separator: "/").last.map(String.init) ?? ""
      return value(of: (root["$defs"] as? JSON)?[name] as? JSON ?? [:], root: root)
    }
    if let first = (schema["enum"] as? [Any])?.first { return first }
    if let constant = schema["const"] { return constant }
    if let first = (schema["anyOf"] as? [JSON])?.first { return value(of: first, root: root) }
    switch schema["type"] as? String {
    case "object":
      return (schema["properties"] as? JSON ?? [:]).mapValues { property in
        value(of: property as? JSON ?? [:], root: root)
      }
    case "array":
      let items = schema["items"] as? JSON ?? [:]
      return (0..<3).map { _ in value(of: items, root: root) }
    case "integer", "number": return 1
    case "boolean": return false
    default: return "fake"
    }
  }

  private static func object(_ text: String) -> JSON? {
    (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? JSON
  }

  private static func text(_ value: Any) -> String {
    let data = try? JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
    return String(decoding: data ?? Data(), as: UTF8.self)
  }
}
