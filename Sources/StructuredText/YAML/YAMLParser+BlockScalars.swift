extension YAMLParser {
  /// The treatment of line breaks at the end of a block scalar.
  private enum Chomping {
    case strip
    case clip
    case keep
  }

  /// Parses a literal (`|`) or folded (`>`) scalar including its header.
  mutating func blockScalar(parent: Int) throws(StructuredTextError) -> String {
    let isFolded = peek() == UInt8(ascii: ">")
    position += 1
    let (chomping, indicator) = try blockHeader()
    try finishLine()
    skipLineBreak()
    let indent =
      if let indicator { max(parent, 0) + indicator } else {
        try detectedIndentation(parent: parent)
      }
    let text = blockText(indent: indent, isFolded: isFolded, chomping)
    // The parser has already skipped the indentation of the next line; go back to its start.
    if position < bytes.count { position = lineStart }
    try enterContentLine()
    return text
  }

  private mutating func blockHeader() throws(StructuredTextError) -> (Chomping, indent: Int?) {
    var chomping: Chomping?
    var indent: Int?
    while !Self.isSpace(peek()) {
      let byte = peek()
      switch byte {
      case UInt8(ascii: "-") where chomping == nil: chomping = .strip
      case UInt8(ascii: "+") where chomping == nil: chomping = .keep
      case 0x31...0x39 where indent == nil: indent = Int(byte - 0x30)
      default:
        throw failure(
          at: position, "\(found(at: position)) is not allowed after `|` or `>`",
          allowed:
            "only `-` or `+`, and a digit from 1 to 9 for the indentation, may follow; start the "
            + "text on the next line")
      }
      position += 1
    }
    return (chomping ?? .clip, indent)
  }

  /// Returns the indentation of the first line that is not empty.
  private mutating func detectedIndentation(parent: Int) throws(StructuredTextError) -> Int {
    let start = (position, lineStart)
    defer { (position, lineStart) = start }
    var deepestEmpty = 0
    while position < bytes.count {
      while peek() == 0x20 { position += 1 }
      guard Self.isLineEnd(peek()) else {
        if isAnyMarker || column <= parent { break }
        if deepestEmpty > column {
          throw failure(
            at: position, "an empty line above is indented further than this first line",
            allowed: "the first line with text sets the indentation")
        }
        return column
      }
      deepestEmpty = max(deepestEmpty, column)
      skipLineBreak()
    }
    return max(parent + 1, deepestEmpty)
  }

  /// Parses the lines of the text, and stops at the line after them.
  ///
  /// Folding joins two adjacent lines with a space, unless one of them begins with a blank:
  ///
  ///     >
  ///       a
  ///       b        "a b\n c\nd\n"
  ///        c
  ///       d
  private mutating func blockText(indent: Int, isFolded: Bool, _ chomping: Chomping) -> String {
    var output: [UInt8] = []
    /// The number of line breaks since the last line that had text.
    var breaks = 0
    var hasText = false
    var previousIsFoldable = false
    while position < bytes.count, !isAnyMarker {
      while peek() == 0x20, column < indent { position += 1 }
      if Self.isLineEnd(peek()) {
        guard position < bytes.count else { break }
        skipLineBreak()
        breaks += 1
        continue
      }
      guard column == indent else { break }
      let isFoldable = isFolded && !Self.isBlank(peek())
      if hasText, isFoldable, previousIsFoldable {
        appendFold(breaks, to: &output)
      } else {
        output.append(contentsOf: repeatElement(0x0A, count: breaks))
      }
      let lineBegin = position
      skipToLineEnd()
      output.append(contentsOf: bytes[lineBegin..<position])
      breaks = 0
      hasText = true
      previousIsFoldable = isFoldable
      if position < bytes.count {
        skipLineBreak()
        breaks = 1
      }
    }
    switch chomping {
    case .strip: break
    case .clip: if hasText, breaks > 0 { output.append(0x0A) }
    case .keep: output.append(contentsOf: repeatElement(0x0A, count: breaks))
    }
    return String(decoding: output, as: UTF8.self)
  }
}
