/// Writes values as JSON text.
///
/// Strings are escaped as in RFC 8785: `\"`, `\\`, `\b`, `\t`, `\n`, `\f`, `\r`, and `\u00xx` for
/// the other control characters. All other characters are written as they are.
public enum JSONWriter {
  /// Returns a text as a JSON string, including its quotation marks.
  ///
  /// - Parameter text: Any text.
  public static func quoted(_ text: String) -> String {
    var output: [UInt8] = []
    append(text, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  enum Style {
    case compact
    case canonical
    case pretty
  }

  static func text(of value: JSONValue, _ style: Style) -> String {
    var output: [UInt8] = []
    append(value, style, indentation: 0, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  /// Appends a value to UTF-8 text as JSON without spaces, for files of many values.
  package static func append(_ value: JSONValue, to output: inout [UInt8]) {
    append(value, .compact, indentation: 0, to: &output)
  }

  private static func append(
    _ value: JSONValue, _ style: Style, indentation: Int, to output: inout [UInt8]
  ) {
    switch value {
    case .null: output.append(contentsOf: "null".utf8)
    case .bool(let flag): output.append(contentsOf: (flag ? "true" : "false").utf8)
    case .number(let number):
      output.append(contentsOf: (style == .canonical ? number.canonicalText : number.text).utf8)
    case .string(let text): append(text, to: &output)
    case .array(let elements):
      list(elements, "[]", style, indentation, to: &output) { element, output in
        append(element, style, indentation: indentation + 1, to: &output)
      }
    case .object(let object):
      let members = style == .canonical ? canonicalOrder(object.members) : object.members
      list(members, "{}", style, indentation, to: &output) { member, output in
        append(member.key, to: &output)
        output.append(UInt8(ascii: ":"))
        if style == .pretty { output.append(UInt8(ascii: " ")) }
        append(member.value, style, indentation: indentation + 1, to: &output)
      }
    }
  }

  private static func list<Item>(
    _ items: [Item], _ brackets: String, _ style: Style, _ indentation: Int,
    to output: inout [UInt8], _ write: (Item, inout [UInt8]) -> Void
  ) {
    output.append(contentsOf: brackets.utf8.prefix(1))
    for (position, item) in items.enumerated() {
      if position > 0 { output.append(UInt8(ascii: ",")) }
      if style == .pretty { newLine(indentation + 1, to: &output) }
      write(item, &output)
    }
    if style == .pretty, !items.isEmpty { newLine(indentation, to: &output) }
    output.append(contentsOf: brackets.utf8.suffix(1))
  }

  private static func newLine(_ indentation: Int, to output: inout [UInt8]) {
    output.append(0x0A)
    output.append(contentsOf: repeatElement(0x20, count: 2 * indentation))
  }

  /// Sorts members by the UTF-16 code units of their keys, the order of RFC 8785, section 3.2.3.
  private static func canonicalOrder(_ members: [JSONObject.Member]) -> [JSONObject.Member] {
    members.sorted { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
  }

  private static func append(_ text: String, to output: inout [UInt8]) {
    var text = text
    output.append(UInt8(ascii: "\""))
    text.withUTF8 { bytes in
      // Most texts have nothing to escape and are copied in one piece.
      var start = 0
      for (position, byte) in bytes.enumerated()
      where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        output.append(contentsOf: bytes[start..<position])
        start = position + 1
        if byte < 0x20 {
          appendEscape(of: byte, to: &output)
        } else {
          output.append(UInt8(ascii: "\\"))
          output.append(byte)
        }
      }
      output.append(contentsOf: bytes[start...])
    }
    output.append(UInt8(ascii: "\""))
  }

  private static func appendEscape(of byte: UInt8, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: output.append(UInt8(ascii: "b"))
    case 0x09: output.append(UInt8(ascii: "t"))
    case 0x0A: output.append(UInt8(ascii: "n"))
    case 0x0C: output.append(UInt8(ascii: "f"))
    case 0x0D: output.append(UInt8(ascii: "r"))
    default:
      let digits = Array("0123456789abcdef".utf8)
      output.append(contentsOf: "u00".utf8)
      output.append(digits[Int(byte >> 4)])
      output.append(digits[Int(byte & 15)])
    }
  }
}

extension JSONValue {
  /// The value as JSON without spaces; keys keep their order, and numbers keep their text.
  public var compactText: String { JSONWriter.text(of: self, .compact) }

  /// The value as canonical JSON: equal values have equal texts.
  ///
  /// It has no spaces. Keys are sorted by UTF-16 code units and strings escaped as in RFC 8785.
  /// Numbers use the layout of the RFC but keep all their significant digits, whereas the RFC
  /// rounds them to doubles.
  public var canonicalText: String { JSONWriter.text(of: self, .canonical) }

  /// The value as JSON with one member or element per line, indented by two spaces.
  public var prettyText: String { JSONWriter.text(of: self, .pretty) }

  /// The SHA-256 of the canonical text in hexadecimal.
  public var canonicalDigest: String { SHA256.hexDigest(of: canonicalText) }
}
