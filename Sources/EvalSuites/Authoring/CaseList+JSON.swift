import StructuredText

extension CaseList {
  /// Adds elements to a list in a JSON text.
  ///
  /// - Parameters:
  ///   - drafts: The test cases.
  ///   - list: The node of the list.
  ///   - text: The text.
  /// - Returns: The new text, or `nil` if the text has no list at the node's location.
  static func elementsAdded(
    _ drafts: [CaseDraft], to list: SourceNode, in text: String
  ) -> String? {
    let scalars = Array(text.unicodeScalars)
    guard let start = index(of: list.location, in: scalars), scalars[start] == "[",
      let end = closingBracket(from: start, in: scalars)
    else { return nil }
    var last = end - 1
    while last > start, scalars[last].properties.isWhitespace { last -= 1 }
    let elements = drafts.map { JSONValue.object($0.value).compactText }
    var separator = ", "
    if let element = list.elements.last, element.location.line > list.location.line,
      let place = index(of: SourceLocation(line: element.location.line, column: 1), in: scalars)
    {
      let indentation = scalars[place...].prefix { $0 == " " || $0 == "\t" }
      separator = ",\(lineEnd(in: text))" + string(indentation)
    }
    let isEmpty = last == start
    let inserted = (isEmpty ? "" : separator) + elements.joined(separator: separator)
    return string(scalars[...last]) + inserted + string(scalars[(last + 1)...])
  }

  /// Returns the line ending that a text uses.
  static func lineEnd(in text: String) -> String { text.utf8.contains(0x0D) ? "\r\n" : "\n" }

  private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  private static func index(of location: SourceLocation, in text: [Unicode.Scalar]) -> Int? {
    var line = 1
    var index = 0
    while line < location.line, index < text.count {
      if text[index] == "\n" { line += 1 }
      index += 1
    }
    index += location.column - 1
    return text.indices.contains(index) ? index : nil
  }

  /// Returns the index of the bracket that closes the bracket at `start`, ignoring brackets in
  /// strings.
  private static func closingBracket(from start: Int, in text: [Unicode.Scalar]) -> Int? {
    var depth = 0
    var lexer = JSONByteLexer()
    for index in text.indices[start...] {
      switch lexer.feed(UInt8(exactly: text[index].value) ?? .max) {
      case .beginArray: depth += 1
      case .end where text[index] == "]":
        depth -= 1
        if depth == 0 { return index }
      default: break
      }
    }
    return nil
  }
}
