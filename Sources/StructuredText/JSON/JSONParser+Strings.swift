extension JSONParser {
  /// Parses the string at the current position.
  mutating func string() throws(StructuredTextError) -> String {
    let opening = position
    position += 1
    var runStart = position
    var hasEscapes = false
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        let run = UnsafeBufferPointer(rebasing: bytes[runStart..<position])
        position += 1
        guard hasEscapes else { return String(decoding: run, as: UTF8.self) }
        scratch.append(contentsOf: run)
        return String(decoding: scratch, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\") {
        if !hasEscapes { scratch.removeAll(keepingCapacity: true) }
        hasEscapes = true
        scratch.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[runStart..<position]))
        try escape()
        runStart = position
      } else if byte < 0x20 {
        throw failure(
          at: position, "\(found(at: position)) is not allowed in a string",
          allowed: "write control characters as escapes, such as `\\n` or `\\u0009`")
      } else {
        position += 1
      }
    }
    throw failure(at: opening, "the string is not closed", allowed: "`\"` closes it")
  }

  /// Parses the escape at the current position and appends the character that it represents.
  private mutating func escape() throws(StructuredTextError) {
    let start = position
    position += 2
    guard start + 1 < bytes.count else {
      throw failure(at: start, "the text ends within an escape")
    }
    switch bytes[start + 1] {
    case UInt8(ascii: "\""): scratch.append(UInt8(ascii: "\""))
    case UInt8(ascii: "\\"): scratch.append(UInt8(ascii: "\\"))
    case UInt8(ascii: "/"): scratch.append(UInt8(ascii: "/"))
    case UInt8(ascii: "b"): scratch.append(0x08)
    case UInt8(ascii: "f"): scratch.append(0x0C)
    case UInt8(ascii: "n"): scratch.append(0x0A)
    case UInt8(ascii: "r"): scratch.append(0x0D)
    case UInt8(ascii: "t"): scratch.append(0x09)
    case UInt8(ascii: "u"):
      let scalar = try unicodeEscape(from: start)
      scratch.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    default:
      throw failure(
        at: start, "unknown escape",
        allowed: #"escapes are \" \\ \/ \b \f \n \r \t and \u with four hexadecimal digits"#)
    }
  }

  /// Parses one `\uXXXX`, or two that form a surrogate pair, into a scalar.
  private mutating func unicodeEscape(
    from start: Int
  ) throws(StructuredTextError) -> Unicode.Scalar {
    let first = try fourHexDigits(from: start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    if first < 0xDC00, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
      bytes[position + 1] == UInt8(ascii: "u")
    {
      let secondStart = position
      position += 2
      let second = try fourHexDigits(from: secondStart)
      if (0xDC00...0xDFFF).contains(second),
        let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
      {
        return scalar
      }
    }
    throw failure(
      at: start, "this is only half of a surrogate pair",
      allowed: "write a character above U+FFFF as two \\u escapes, high half first")
  }

  private mutating func fourHexDigits(from start: Int) throws(StructuredTextError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard position < bytes.count, let digit = Self.hexDigit(bytes[position]) else {
        throw failure(
          at: start, "this escape is incomplete", allowed: "\\u takes four hexadecimal digits")
      }
      value = value << 4 | digit
      position += 1
    }
    return value
  }

  private static func hexDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x41...0x46: UInt32(byte - 0x41 + 10)
    case 0x61...0x66: UInt32(byte - 0x61 + 10)
    default: nil
    }
  }
}
