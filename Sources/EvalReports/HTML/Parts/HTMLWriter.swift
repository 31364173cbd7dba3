import EvalFindings
import StructuredText

/// Writes HTML and inline SVG in which only the program's own text can be markup.
///
/// Names of elements and attributes are `StaticString`, so they can only come from the program. The
/// writer escapes every value. There is no way to insert a string of markup.
struct HTMLWriter {
  /// The text written so far.
  private(set) var bytes: [UInt8] = []

  /// The tables written so far, with their values.
  private(set) var facts: [JSONValue] = []

  /// The number of regions with each name, keyed by the name in lower case without extra white
  /// space.
  private var regionNames: [String: Int] = [:]

  /// Adds a table to the page's facts.
  mutating func add(fact: JSONValue) { facts.append(fact) }

  /// Writes the document type, which must come first.
  mutating func documentType() { append("<!doctype html>\n") }

  /// Writes an element with content.
  mutating func element(
    _ name: StaticString, _ attributes: HTMLAttribute?..., content: (inout HTMLWriter) -> Void
  ) {
    element(name, attributes, content: content)
  }

  /// Writes an element with content.
  mutating func element(
    _ name: StaticString, _ attributes: [HTMLAttribute?], content: (inout HTMLWriter) -> Void
  ) {
    begin(name, attributes)
    content(&self)
    end(name)
  }

  /// Writes an element that contains only text.
  mutating func element(_ name: StaticString, _ attributes: HTMLAttribute?..., text: String) {
    begin(name, attributes)
    self.text(text)
    end(name)
  }

  /// Writes an element without content and without an end tag.
  mutating func void(_ name: StaticString, _ attributes: HTMLAttribute?...) {
    begin(name, attributes)
  }

  /// Writes a scrollable region with a unique name.
  ///
  /// If `opensAtEnd`, it starts scrolled to its end, where the newest night is.
  mutating func scrollRegion(
    _ name: String, opensAtEnd: Bool = false, content: (inout HTMLWriter) -> Void
  ) {
    let heard = VisibleText.visible(name).lowercased().split { $0.isWhitespace }
      .joined(separator: " ")
    let uses = regionNames[heard, default: 0] + 1
    regionNames[heard] = uses
    element(
      "div", .class(opensAtEnd ? "scroll end" : "scroll"), .init("tabindex", "0"),
      .init("role", "region"),
      .init("aria-label", uses == 1 ? name : "\(name) [\(uses)]"), content: content)
  }

  /// The maximum size of a text in bytes.
  ///
  /// The writer cuts longer texts, wherever they come from.
  private static let longestText = 8000

  mutating func text(_ text: String) {
    MarkupText.append(Self.clipped(text), to: &bytes, place: .text)
  }

  /// Cuts a long text, so that no single text of a record fills the page.
  private static func clipped(_ text: String) -> String {
    ClippedText(text, limit: longestText).noted
  }

  /// Writes a line feed between blocks.
  mutating func newline() { append("\n") }

  /// Writes a style sheet or a script that is part of the program.
  mutating func asset(_ name: StaticString, _ asset: PageAsset) {
    begin(name, [])
    bytes += asset.bytes
    end(name)
  }

  /// Writes JSON as data in a script element that browsers never run.
  ///
  /// The writer escapes `<`, `>`, `&` and the two line separators, so neither `</script` nor `<!--`
  /// can appear. The escapes don't change the data: in JSON, these characters occur only inside
  /// strings, where an escape means the same as the character.
  mutating func data(id: StaticString, json: [UInt8]) {
    begin("script", [.init("type", "application/json"), .init("id", "\(id)")])
    var position = 0
    while position < json.count {
      switch json[position] {
      case UInt8(ascii: "<"): append("\\u003c")
      case UInt8(ascii: ">"): append("\\u003e")
      case UInt8(ascii: "&"): append("\\u0026")
      case 0xE2
      where position + 2 < json.count && json[position + 1] == 0x80
        && (json[position + 2] == 0xA8 || json[position + 2] == 0xA9):
        bytes.append(contentsOf: (json[position + 2] == 0xA8 ? "\\u2028" : "\\u2029").utf8)
        position += 2
      case let byte: bytes.append(byte)
      }
      position += 1
    }
    end("script")
  }

  private mutating func begin(_ name: StaticString, _ attributes: [HTMLAttribute?]) {
    append("<")
    append(name)
    for case let attribute? in attributes {
      append(" ")
      append(attribute.name)
      guard let value = attribute.value else { continue }
      append("=\"")
      MarkupText.append(
        attribute.isOwn ? value : Self.clipped(value), to: &bytes,
        place: attribute.isOwn ? .text : .pageAttribute)
      append("\"")
    }
    append(">")
  }

  private mutating func end(_ name: StaticString) {
    append("</")
    append(name)
    append(">")
  }

  private mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }
}

/// An attribute of an element; the writer escapes its value.
struct HTMLAttribute {
  let name: StaticString
  /// The value, or `nil` for an attribute without a value, such as `hidden`.
  let value: String?
  /// Whether the value contains only the program's own text.
  var isOwn = false

  init(_ name: StaticString, _ value: String?) {
    self.name = name
    self.value = value
  }

  /// Creates an attribute whose value is the program's own text.
  static func own(_ name: StaticString, _ value: String) -> HTMLAttribute {
    var attribute = HTMLAttribute(name, value)
    attribute.isOwn = true
    return attribute
  }

  /// The class attribute, or none if there is no class.
  static func `class`(_ names: String) -> HTMLAttribute? {
    names.isEmpty ? nil : HTMLAttribute("class", names)
  }

  static func id(_ id: String) -> HTMLAttribute { HTMLAttribute("id", id) }

  /// A link to a fragment of the page itself.
  static func fragment(_ id: String) -> HTMLAttribute { HTMLAttribute("href", "#" + id) }

  /// An attribute that is a coordinate or a length, in SVG units.
  static func number(_ name: StaticString, _ value: Double) -> HTMLAttribute {
    HTMLAttribute(name, NumberText.coordinate(value))
  }

  /// The hidden attribute, which the script removes.
  static var hidden: HTMLAttribute { HTMLAttribute("hidden", nil) }
}
