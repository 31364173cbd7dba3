public import HTTPTransport
public import StructuredText

extension ServerError {
  /// Returns the JSON value in the body of a response whose status means success.
  ///
  /// - Parameter response: The response.
  /// - Returns: The value.
  /// - Throws: `ServerError` with the server's words if the body is not JSON.
  public static func body(
    of response: HTTPResponse
  ) throws(ServerError) -> JSONValue {
    func broken(_ problem: String, _ body: ErrorBody? = nil) -> ServerError {
      let words = body.map { $0.message.isEmpty ? "" : ": \($0.message)" } ?? ""
      return ServerError(.malformedResponse, status: response.status, message: problem + words)
    }
    if response.body.isEmpty { throw broken("it is empty") }
    guard let text = response.text else {
      throw broken(
        response.charset.map { "it is not readable text in its encoding, `\($0)`" }
          ?? "it is not UTF-8, and declares no other encoding")
    }
    do throws(StructuredTextError) {
      return try JSONValue(parsing: text)
    } catch {
      let body = ErrorBody(text)
      let start = body.text.drop(while: \.isWhitespace)
      if start.hasPrefix("<") { throw broken("it is HTML or XML", body) }
      if ["data:", "event:", "id:", ": "].contains(where: start.hasPrefix) {
        throw broken("it is an event stream, which the request didn't ask for", body)
      }
      throw broken("it is not JSON (\(error))", body)
    }
  }

  /// Creates an error from the body of a response whose status means success.
  ///
  /// - Parameters:
  ///   - body: The body.
  ///   - lack: What the body lacks to be a message of the interface, as a clause.
  init(inAnswer body: JSONValue, lack: String) {
    let report = Self.report(in: body)
    let code = report?["code"]?.int ?? body["code"]?.int
    let words = ErrorBody(body.compactText).message
    let number = code.map { " (code \($0))" } ?? ""
    self.init(
      code == 429 ? .rateLimited : .malformedResponse, status: 200,
      message: report == nil ? "\(lack): \(words)" : words + number)
  }

  /// Returns the error that a body reports instead of an answer, or beside an incomplete one.
  ///
  /// Some gateways write an `error` without words into every answer; such a member reports nothing.
  ///
  /// - Parameter body: A body, or a part of it that can report an error of its own.
  /// - Returns: The error, or `nil` if the body reports none.
  static func report(in body: JSONValue) -> JSONValue? {
    if body["object"]?.string == "error" || body["type"]?.string == "error" {
      return body["error"] ?? body
    }
    guard let error = body["error"] else { return nil }
    switch error {
    case .null, .bool(false), .string(""): return nil
    case .object(let members):
      let says = members.members.contains { member in
        member.value != .null && member.value.string != "" && member.value.int != 0
      }
      if says { return error }
      return nil
    default: return error
    }
  }
}
