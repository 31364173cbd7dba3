extension YAMLParser {
  /// Parses `'…'`, in which `''` stands for one quotation mark.
  mutating func singleQuoted(parent: Int) throws(StructuredTextError) -> String {
    let opening = position
    var output: [UInt8] = []
    position += 1
    while position < bytes.count {
      let byte = peek()
      if byte == UInt8(ascii: "'") {
        guard peek(1) == UInt8(ascii: "'") else {
          position += 1
          return String(decoding: output, as: UTF8.self)
        }
        output.append(byte)
        position += 2
      } else if Self.isLineEnd(byte) {
        try foldQuotedLines(from: opening, parent: parent, kept: 0, into: &output)
      } else {
        output.append(byte)
        position += 1
      }
    }
    throw failure(
      at: opening, "the quoted string is not closed",
      allowed: "`'` closes it; write `''` for a `'` inside it")
  }

  /// Parses `"…"` with its escapes.
  mutating func doubleQuoted(parent: Int) throws(StructuredTextError) -> String {
    let opening = position
    var output: [UInt8] = []
    /// The length of the output up to and including the last escape, because folding must not
    /// remove escaped spaces.
    var kept = 0
    position += 1
    while position < bytes.count {
      let byte = peek()
      if byte == UInt8(ascii: "\"") {
        position += 1
        return String(decoding: output, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\") {
        if Self.isLineEnd(peek(1)), position + 1 < bytes.count {
          position += 1
          let breaks = try skipQuotedLines(from: opening, parent: parent)
          output.append(contentsOf: repeatElement(0x0A, count: breaks - 1))
        } else {
          let scalar = try escape()
          output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
        kept = output.count
      } else if Self.isLineEnd(byte) {
        try foldQuotedLines(from: opening, parent: parent, kept: kept, into: &output)
      } else {
        output.append(byte)
        position += 1
      }
    }
    throw failure(
      at: opening, "the quoted string is not closed",
      allowed: "`\"` closes it; write `\\\"` for a `\"` inside it")
  }

  private mutating func foldQuotedLines(
    from opening: Int, parent: Int, kept: Int, into output: inout [UInt8]
  ) throws(StructuredTextError) {
    while output.count > kept, let last = output.last, Self.isBlank(last) { output.removeLast() }
    appendFold(try skipQuotedLines(from: opening, parent: parent), to: &output)
  }

  /// Moves to the next line with text, and returns the number of line breaks before it.
  ///
  /// If that line can't belong to the string, the closing quotation mark is probably missing, so
  /// the error points to the opening one.
  private mutating func skipQuotedLines(
    from opening: Int, parent: Int
  ) throws(StructuredTextError) -> Int {
    var breaks = 0
    repeat {
      skipLineBreak()
      breaks += 1
      if isAnyMarker {
        throw failure(
          at: opening, "the document ends inside a quoted string",
          allowed: "a quotation mark closes it")
      }
      while peek() == 0x20 { position += 1 }
      let depth = column
      let indentationEnd = position
      skipBlanks()
      if !Self.isLineEnd(peek()), depth <= parent {
        if position > indentationEnd { throw tab(at: indentationEnd) }
        let line = location(of: position).line
        throw failure(
          at: opening, "the quoted string is not closed, and line \(line) can't continue it",
          allowed: "a quotation mark closes it; indent a line that continues it by at least "
            + "\(parent + 1) spaces")
      }
    } while Self.isLineEnd(peek()) && position < bytes.count
    return breaks
  }

  // MARK: - Escapes

  private mutating func escape() throws(StructuredTextError) -> Unicode.Scalar {
    let start = position
    let letter = peek(1)
    position += 2
    switch letter {
    case UInt8(ascii: "x"): return try scalarEscape(digits: 2, from: start)
    case UInt8(ascii: "u"): return try scalarEscape(digits: 4, from: start)
    case UInt8(ascii: "U"): return try scalarEscape(digits: 8, from: start)
    default: break
    }
    guard let scalar = Self.escapes[letter] else {
      throw failure(
        at: start, "unknown escape",
        allowed: #"escapes are \0 \a \b \t \n \v \f \r \e \" \/ \\ \N \_ \L \P \x \u \U, "#
          + "an escaped space and an escaped line end; `\\` itself is `\\\\`")
    }
    return scalar
  }

  private static let escapes: [UInt8: Unicode.Scalar] = [
    UInt8(ascii: "0"): "\0", UInt8(ascii: "a"): "\u{7}", UInt8(ascii: "b"): "\u{8}",
    UInt8(ascii: "t"): "\t", 0x09: "\t", UInt8(ascii: "n"): "\n", UInt8(ascii: "v"): "\u{B}",
    UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "r"): "\r", UInt8(ascii: "e"): "\u{1B}",
    0x20: " ", UInt8(ascii: "\""): "\"", UInt8(ascii: "/"): "/", UInt8(ascii: "\\"): "\\",
    UInt8(ascii: "N"): "\u{85}", UInt8(ascii: "_"): "\u{A0}", UInt8(ascii: "L"): "\u{2028}",
    UInt8(ascii: "P"): "\u{2029}",
  ]

  private mutating func scalarEscape(
    digits: Int, from start: Int
  ) throws(StructuredTextError) -> Unicode.Scalar {
    let first = try hexDigits(digits, from: start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    // JSON writes characters above U+FFFF as two escapes, and JSON is valid YAML.
    if digits == 4, first < 0xDC00, peek() == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "u") {
      position += 2
      let second = try hexDigits(4, from: start)
      if (0xDC00...0xDFFF).contains(second),
        let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
      {
        return scalar
      }
    }
    throw failure(
      at: start, "this escape is not a character",
      allowed: "characters are U+0000 to U+10FFFF, except surrogates")
  }

  private mutating func hexDigits(
    _ count: Int, from start: Int
  ) throws(StructuredTextError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard let digit = Character(Unicode.Scalar(peek())).hexDigitValue else {
        throw failure(
          at: start, "this escape is incomplete",
          allowed: "\\x takes two hexadecimal digits, \\u four, \\U eight")
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }
}
