import EvalFindings

/// Writes XML 1.0 without illegal characters, and escapes all text that isn't its own markup.
struct XMLWriter {
  /// The text written so far.
  private(set) var bytes: [UInt8] = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)

  private var depth = 0

  /// Writes an element, with its start tag and its end tag on separate lines.
  mutating func element(
    _ name: StaticString, _ attributes: [(name: StaticString, value: String)],
    content: ((inout XMLWriter) -> Void)? = nil
  ) {
    indent()
    begin(name, attributes, isEmpty: content == nil)
    if let content {
      append("\n")
      depth += 1
      content(&self)
      depth -= 1
      indent()
      end(name)
    }
    append("\n")
  }

  /// Writes an element that contains only text.
  mutating func element(
    _ name: StaticString, _ attributes: [(name: StaticString, value: String)], text: String
  ) {
    indent()
    begin(name, attributes, isEmpty: text.isEmpty)
    if !text.isEmpty {
      MarkupText.append(text, to: &bytes, place: .text)
      end(name)
    }
    append("\n")
  }

  private mutating func begin(
    _ name: StaticString, _ attributes: [(name: StaticString, value: String)], isEmpty: Bool
  ) {
    append("<")
    append(name)
    for attribute in attributes {
      append(" ")
      append(attribute.name)
      append("=\"")
      MarkupText.append(attribute.value, to: &bytes, place: .attribute)
      append("\"")
    }
    append(isEmpty ? "/>" : ">")
  }

  private mutating func end(_ name: StaticString) {
    append("</")
    append(name)
    append(">")
  }

  private mutating func indent() {
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2))
  }

  private mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }
}
