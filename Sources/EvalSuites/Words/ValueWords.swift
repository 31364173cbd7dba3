import StructuredText

/// Formats values, names and numbers for verdicts and messages.
package enum ValueWords {
  /// The maximum number of characters in a formatted value.
  static let maximumLength = 80

  /// Returns a value as JSON on a single line, truncated to ``maximumLength`` characters.
  package static func short(_ value: JSONValue) -> String {
    var writer = ShortWriter(limit: maximumLength)
    writer.write(value, depth: 0)
    return writer.text
  }

  /// Returns a value as JSON on a single line and, if it only looks like one of other values, the
  /// code points that differ.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - others: The values that it doesn't equal.
  package static func short(_ value: JSONValue, besides others: [JSONValue]) -> String {
    short(value) + lookalike(value.string, among: others.compactMap(\.string))
  }

  /// Returns the words that tell a text from the first of other texts that looks the same, or an
  /// empty string.
  package static func lookalike(_ text: String?, among others: [String]) -> String {
    guard let text else { return "" }
    return others.lazy.compactMap { Lookalike.note(on: text, insteadOf: $0) }.first ?? ""
  }

  /// Returns a text truncated to ``maximumLength`` characters, without quotes.
  package static func cut(_ text: String) -> String {
    text.count > maximumLength ? text.prefix(maximumLength) + "…" : text
  }

  /// Returns a text in quotes with control characters escaped, truncated to ``maximumLength``
  /// characters.
  package static func quoted(_ text: String) -> String { short(.string(text)) }

  /// Returns a list as text, for example "`a`, `b` and `c`".
  ///
  /// - Parameters:
  ///   - names: The elements of the list.
  ///   - last: The word before the last element.
  package static func list(_ names: [String], last: String = "and") -> String {
    let quoted = names.map { "`\($0)`" }
    guard let final = quoted.last, quoted.count > 1 else { return quoted.first ?? "nothing" }
    return quoted.dropLast().joined(separator: ", ") + " \(last) " + final
  }

  /// Returns a number without unnecessary digits, for example `3` or `0.25`.
  package static func number(_ value: Double) -> String {
    JSONNumber(value).text
  }
}

/// Writes JSON up to a maximum number of characters, so that a huge value takes no longer than a
/// small one.
private struct ShortWriter {
  let limit: Int
  private(set) var text = ""
  private var count = 0
  private var isFull = false

  init(limit: Int) { self.limit = limit }

  mutating func write(_ value: JSONValue, depth: Int) {
    guard !isFull else { return }
    switch value {
    case .null: put("null")
    case .bool(let flag): put(flag ? "true" : "false")
    case .number(let number): put(number.text)
    case .string(let string): write(string)
    case .array(let elements):
      guard depth < 8 else { return put("[…]") }
      put("[")
      for (index, element) in elements.enumerated() where !isFull {
        if index > 0 { put(", ") }
        write(element, depth: depth + 1)
      }
      put("]")
    case .object(let members):
      guard depth < 8 else { return put("{…}") }
      put("{")
      for (index, member) in members.members.enumerated() where !isFull {
        if index > 0 { put(", ") }
        write(member.key)
        put(": ")
        write(member.value, depth: depth + 1)
      }
      put("}")
    }
  }

  private mutating func write(_ string: String) {
    put("\"")
    for character in string where !isFull {
      switch character {
      case "\"": put("\\\"")
      case "\\": put("\\\\")
      case "\n": put("\\n")
      case "\r\n": put("\\r\\n")
      case "\r": put("\\r")
      case "\t": put("\\t")
      default:
        if let code = character.unicodeScalars.first?.value, code < 0x20 {
          put("\\u{00\(code < 0x10 ? "0" : "")\(String(code, radix: 16, uppercase: true))}")
        } else {
          put(String(character))
        }
      }
    }
    put("\"")
  }

  private mutating func put(_ part: String) {
    guard !isFull else { return }
    for character in part {
      if count == limit {
        text += "…"
        isFull = true
        return
      }
      text.append(character)
      count += 1
    }
  }
}
