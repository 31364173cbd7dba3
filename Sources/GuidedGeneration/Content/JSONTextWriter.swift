import StructuredText

/// Writes JSON text, compact or with Apple's separators, and keeps the order of the members.
package enum JSONTextWriter {
  /// The separators between elements or members, and after keys.
  package enum Style: Sendable {
    /// `{"a": 1, "b": 2}`
    case spaced
    /// `{"a":1,"b":2}`
    case compact
  }

  /// Returns the JSON text of a value.
  package static func text(of value: JSONValue, style: Style = .spaced) -> String {
    var text = ""
    write(value, style: style, into: &text)
    return text
  }

  private static func write(_ value: JSONValue, style: Style, into text: inout String) {
    switch value {
    case .null: text += "null"
    case .bool(let flag): text += flag ? "true" : "false"
    case .number(let number): text += number.text
    case .string(let string): text += quoted(string)
    case .array(let elements):
      text += "["
      for (position, element) in elements.enumerated() {
        if position > 0 { text += style == .spaced ? ", " : "," }
        write(element, style: style, into: &text)
      }
      text += "]"
    case .object(let object):
      text += "{"
      for (position, member) in object.members.enumerated() {
        if position > 0 { text += style == .spaced ? ", " : "," }
        text += quoted(member.key)
        text += style == .spaced ? ": " : ":"
        write(member.value, style: style, into: &text)
      }
      text += "}"
    }
  }

  /// Returns a string in quotes, with only the escapes that JSON requires.
  package static func quoted(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{8}": text += "\\b"
      case "\u{C}": text += "\\f"
      case "\u{0}"..<"\u{20}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
