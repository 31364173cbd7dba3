/// A scalar with both its text and the value that the text represents.
struct YAMLScalar {
  var text: String
  var isPlain: Bool
  var node: SourceNode
}

extension YAMLParser {
  /// Parses a plain or quoted scalar.
  ///
  /// - Parameters:
  ///   - parent: The column of the enclosing collection; continuation lines must be indented
  ///     further.
  ///   - inFlow: Whether the scalar is inside `[…]` or `{…}`.
  ///   - isKey: Whether the scalar is a key of a block mapping, which must end on its line.
  mutating func scalar(
    parent: Int, inFlow: Bool, isKey: Bool = false
  ) throws(StructuredTextError) -> YAMLScalar {
    let start = position
    let place = location(of: start)
    switch peek() {
    case UInt8(ascii: "\""):
      let text = try doubleQuoted(parent: parent)
      return YAMLScalar(
        text: text, isPlain: false, node: SourceNode(.scalar(.string(text)), at: place))
    case UInt8(ascii: "'"):
      let text = try singleQuoted(parent: parent)
      return YAMLScalar(
        text: text, isPlain: false, node: SourceNode(.scalar(.string(text)), at: place))
    default:
      try checkPlainStart(inFlow: inFlow)
      let text = try plain(parent: parent, inFlow: inFlow, isKey: isKey)
      if !isKey { noteCut(of: place) }
      if isKey {
        return YAMLScalar(
          text: text, isPlain: true, node: SourceNode(.scalar(.string(text)), at: place))
      }
      switch YAMLCoreSchema.value(of: text) {
      case .success(let value):
        if case .number = value { notePadding(of: text, at: place) }
        return YAMLScalar(text: text, isPlain: true, node: SourceNode(.scalar(value), at: place))
      case .failure(let refusal):
        throw failure(at: start, refusal.problem, allowed: refusal.allowed)
      }
    }
  }

  /// Throws an error if a plain scalar can't begin with the current character.
  private mutating func checkPlainStart(inFlow: Bool) throws(StructuredTextError) {
    let quoting = "quote a string that begins like this"
    switch peek() {
    case UInt8(ascii: "!"):
      throw failure(
        at: position, "tags are not supported",
        allowed: "quote a string that begins with `!`")
    case UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":"):
      let isAlone = Self.isSpace(peek(1)) || (inFlow && Self.isFlowIndicator(peek(1)))
      if isAlone {
        let problem =
          peek() == UInt8(ascii: ":")
          ? "the key before `:` is missing" : "\(found(at: position)) can't be alone here"
        throw failure(at: position, problem, allowed: quoting)
      }
    case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
      UInt8(ascii: "}"), UInt8(ascii: "#"), UInt8(ascii: "&"), UInt8(ascii: "*"),
      UInt8(ascii: "|"), UInt8(ascii: ">"), UInt8(ascii: "%"), UInt8(ascii: "@"),
      UInt8(ascii: "`"), 0:
      throw failure(
        at: position, "\(found(at: position)) can't begin a value here", allowed: quoting)
    default:
      break
    }
  }

  // MARK: - Plain scalars

  private mutating func plain(
    parent: Int, inFlow: Bool, isKey: Bool
  ) throws(StructuredTextError) -> String {
    var output: [UInt8] = []
    var isFirstLine = true
    while true {
      let end = plainLineEnd(inFlow: inFlow)
      output.append(contentsOf: bytes[position..<end])
      position = end
      skipBlanks()
      if !inFlow, !isFirstLine, isIndicator(":") {
        throw failure(
          at: position, "this line continues the string above it, but contains `: `",
          allowed: "quote the string, or indent a key like the keys above it")
      }
      guard !isKey, Self.isLineEnd(peek()) else { break }
      let here = (position, lineStart)
      guard let breaks = try continuation(parent: parent, inFlow: inFlow) else {
        (position, lineStart) = here
        break
      }
      appendFold(breaks, to: &output)
      isFirstLine = false
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns the end of the plain text on the current line, without trailing spaces.
  private func plainLineEnd(inFlow: Bool) -> Int {
    var ahead = 0
    var end = position
    while !Self.isLineEnd(peek(ahead)) {
      let byte = peek(ahead)
      if byte == UInt8(ascii: ":") {
        let next = peek(ahead + 1)
        if Self.isSpace(next) || (inFlow && Self.isFlowIndicator(next)) { break }
      }
      if byte == UInt8(ascii: "#"), ahead > 0, Self.isBlank(peek(ahead - 1)) { break }
      if inFlow, Self.isFlowIndicator(byte) { break }
      ahead += 1
      if !Self.isBlank(byte) { end = position + ahead }
    }
    return end
  }

  /// Moves to the line that continues a plain scalar and returns the number of line breaks before
  /// it, or nil if no line continues the scalar.
  private mutating func continuation(
    parent: Int, inFlow: Bool
  ) throws(StructuredTextError) -> Int? {
    var breaks = 0
    while position < bytes.count {
      skipLineBreak()
      breaks += 1
      if isAnyMarker { return nil }
      while peek() == 0x20 { position += 1 }
      let depth = column
      let indentationEnd = position
      skipBlanks()
      if position == bytes.count { return nil }
      if Self.isLineEnd(peek()) { continue }
      if isComment { return nil }
      if inFlow {
        let isEnd =
          Self.isFlowIndicator(peek())
          || (peek() == UInt8(ascii: ":")
            && (Self.isSpace(peek(1)) || Self.isFlowIndicator(peek(1))))
        return isEnd ? nil : breaks
      }
      if depth <= parent {
        if position > indentationEnd { throw tab(at: indentationEnd) }
        return nil
      }
      return breaks
    }
    return nil
  }

  /// Appends folded line breaks: a single line break becomes a space; of several, the first is
  /// dropped.
  func appendFold(_ breaks: Int, to output: inout [UInt8]) {
    if breaks == 1 {
      output.append(0x20)
    } else {
      output.append(contentsOf: repeatElement(0x0A, count: breaks - 1))
    }
  }
}
