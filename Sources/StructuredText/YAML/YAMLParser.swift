/// Parses YAML by recursive descent, from bytes that are already known to be valid UTF-8.
///
/// Between two block nodes, the parser is at the first character of the next line with content, and
/// `indentation` is the column of that character:
///
///     prompt: text      after the node `text`, indentation is 0 and position is at `c`
///     # a comment
///     cases:
struct YAMLParser {
  let bytes: UnsafeBufferPointer<UInt8>
  var position: Int
  /// The offset of the start of the current line.
  var lineStart: Int
  /// The column, from 0, of the next content if the parser is between block nodes.
  var indentation = 0
  /// Whether the document has no more content.
  var hasEnded = false
  var anchors: [String: YAMLAnchor] = [:]
  /// The last comment inside brackets that may be the end of a text, because no space follows `#`.
  var flowComment: (offset: Int, line: Int)?
  /// The values so far that YAML probably reads differently than their author.
  private(set) var doubts = YAMLDoubts()
  /// The total number of values to which the aliases parsed so far expand.
  var expandedCount = 0
  private var counter: LocationCounter

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    let hasMark = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
    position = hasMark ? 3 : 0
    lineStart = position
    counter = LocationCounter(bytes, first: position)
  }

  // MARK: - The document

  mutating func document() throws(StructuredTextError) -> SourceNode {
    try refuseControlCharacters()
    try enterContentLine()
    var node = SourceNode(.scalar(.null), at: location(of: position))
    if !hasEnded, indentation == 0, peek() == UInt8(ascii: "%") {
      throw failure(
        at: position, "directives are not supported", allowed: "start with the document itself")
    }
    if hasEnded, isMarker("---") {
      position += 3
      hasEnded = false
      node = try self.node(parent: -1, after: .marker, depth: 0)
    } else if !hasEnded {
      node = try content(parent: -1, column: indentation, mayBeBlock: true, depth: 0)
    }
    try finishDocument()
    return node
  }

  private mutating func finishDocument() throws(StructuredTextError) {
    if !hasEnded { throw misplacedLine() }
    if isMarker("...") {
      position += 3
      try finishLine()
    }
    if hasEnded, position < bytes.count, !isMarker("---") { try enterContentLine() }
    if position < bytes.count {
      throw failure(
        at: position, "a second document begins here",
        allowed: "a text may contain only one document")
    }
  }

  /// Notes a comment that directly follows a plain scalar and has no space after its `#`.
  mutating func noteCut(of place: SourceLocation) {
    guard isComment, !Self.isSpace(peek(1)), peek(1) != UInt8(ascii: "#") else { return }
    doubts.cuts[place] = location(of: position)
  }

  /// Notes a number with leading zeros, which the number doesn't keep.
  mutating func notePadding(of text: String, at place: SourceLocation) {
    if YAMLCoreSchema.isPadded(text) { doubts.paddedNumbers[place] = text }
  }

  mutating func misplacedLine() -> StructuredTextError {
    failure(
      at: position, "the indentation of this line matches nothing above it",
      allowed: "indent it like the other items or keys of its collection")
  }

  // MARK: - Characters

  /// Returns the byte `ahead` places after the current one, or 0 past the end of the text.
  func peek(_ ahead: Int = 0) -> UInt8 {
    let offset = position + ahead
    return offset < bytes.count ? bytes[offset] : 0
  }

  var column: Int { position - lineStart }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D || byte == 0 }

  static func isSpace(_ byte: UInt8) -> Bool { isBlank(byte) || isLineEnd(byte) }

  static func isFlowIndicator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
      UInt8(ascii: "}"):
      true
    default: false
    }
  }

  /// Returns whether an indicator comes next as a separate word, followed by a space or the end of
  /// the line.
  func isIndicator(_ character: Unicode.Scalar, ahead: Int = 0) -> Bool {
    peek(ahead) == UInt8(ascii: character) && Self.isSpace(peek(ahead + 1))
  }

  /// Whether a comment begins here.
  var isComment: Bool {
    peek() == UInt8(ascii: "#") && (position == lineStart || Self.isBlank(bytes[position - 1]))
  }

  /// Returns whether the marker, `---` or `...`, comes next at the start of a line.
  func isMarker(_ marker: StaticString) -> Bool {
    guard position == lineStart, Self.isSpace(peek(3)) else { return false }
    return (0..<3).allSatisfy { peek($0) == marker.utf8Start[$0] }
  }

  var isAnyMarker: Bool { isMarker("---") || isMarker("...") }

  mutating func skipBlanks() { while Self.isBlank(peek()) { position += 1 } }

  mutating func skipToLineEnd() { while !Self.isLineEnd(peek()) { position += 1 } }

  /// Skips the line break at the current position.
  mutating func skipLineBreak() {
    guard position < bytes.count else { return }
    position += peek() == 0x0D && peek(1) == 0x0A ? 2 : 1
    lineStart = position
  }

  // MARK: - Lines

  /// Checks that only a comment follows on the line, and moves to the end of the line.
  mutating func finishLine() throws(StructuredTextError) {
    skipBlanks()
    if isComment { skipToLineEnd() }
    guard Self.isLineEnd(peek()) else {
      throw failure(
        at: position, "\(found(at: position)) follows a value",
        allowed: "only a comment may follow, after a space and `#`")
    }
  }

  /// Moves from the end of a line or the start of the text to the next content.
  mutating func enterContentLine() throws(StructuredTextError) {
    while position < bytes.count {
      if Self.isLineEnd(peek()) { skipLineBreak() }
      if isAnyMarker { break }
      while peek() == 0x20 { position += 1 }
      indentation = column
      let indentationEnd = position
      skipBlanks()
      if isComment { skipToLineEnd() }
      if Self.isLineEnd(peek()) { continue }
      if position > indentationEnd { throw tab(at: indentationEnd) }
      return
    }
    hasEnded = true
    indentation = -1
  }

  mutating func tab(at offset: Int) -> StructuredTextError {
    failure(at: offset, "a tab indents this line", allowed: "indent lines with spaces")
  }

  // MARK: - Errors

  mutating func location(of offset: Int) -> SourceLocation { counter.location(of: offset) }

  mutating func failure(
    at offset: Int, _ problem: String, allowed: String
  ) -> StructuredTextError {
    StructuredTextError(at: counter.location(of: offset), problem, allowed: allowed)
  }

  /// Describes the character at an offset for an error message.
  func found(at offset: Int) -> String { StructuredTextError.character(in: bytes, at: offset) }

  /// Throws an error for the first character that YAML's production `c-printable` excludes.
  private mutating func refuseControlCharacters() throws(StructuredTextError) {
    for offset in bytes.indices {
      let byte = bytes[offset]
      let isRefused =
        switch byte {
        case 0x09, 0x0A, 0x0D: false
        case 0x00..<0x20, 0x7F: true
        case 0xC2: bytes[offset + 1] < 0xA0 && bytes[offset + 1] != 0x85
        case 0xEF: bytes[offset + 1] == 0xBF && bytes[offset + 2] >= 0xBE
        default: false
        }
      if isRefused {
        throw failure(
          at: offset, "\(found(at: offset)) is not allowed in the text",
          allowed: "write it as an escape in double quotes, as in \"\\x07\"")
      }
    }
  }
}
