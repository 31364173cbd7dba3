import StructuredText

/// The first check of a line that a program wrote in reply to a request.
enum ReplyLine {
  /// Returns the reason why a line can't be the reply to a request, or `nil` if it can.
  ///
  /// - Parameters:
  ///   - line: The line, without the line break.
  ///   - id: The id of the request.
  static func problem(with line: some Sequence<UInt8>, for id: UInt64) -> HTTPFailure? {
    guard let text = String(validating: line, as: UTF8.self) else {
      return .brokenReply("the program wrote a line that is not UTF-8")
    }
    let value: JSONValue
    do throws(StructuredTextError) {
      value = try JSONValue(parsing: text)
    } catch {
      // A program that wrote words needs no reason why they are not JSON.
      guard text.first(where: { !$0.isWhitespace }) == "{" else { return noObject(text) }
      return .brokenReply(
        "the program's reply `\(shortened(text))` is not JSON (\(error))")
    }
    guard value.object != nil else { return noObject(text) }
    guard let given = value["id"] else {
      return .brokenReply(
        "the program's reply has no `id`; a reply has the `id` of its request")
    }
    guard given.int == Int(id) else {
      return .brokenReply(
        "the program replied to the request \(shortened(given.compactText)) while it was asked "
          + "the request \(id); it must write one line for each request, in their order")
    }
    return nil
  }

  private static func noObject(_ text: String) -> HTTPFailure {
    .brokenReply(
      "the program wrote `\(shortened(text))` instead of a JSON object; it must write nothing "
        + "else to its standard output")
  }

  /// Returns the beginning of a text, on one line.
  static func shortened(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.count > 100 ? line.prefix(100) + "…" : line
  }
}
