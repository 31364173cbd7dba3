extension JSONParser {
  /// Parses the number at the current position and keeps its text.
  mutating func number() throws(StructuredTextError) -> JSONNumber {
    let start = position
    if bytes[position] == UInt8(ascii: "-") { position += 1 }
    let whole = position
    try digits("a digit is expected")
    if bytes[whole] == UInt8(ascii: "0"), position > whole + 1 {
      throw failure(
        at: start, "the number begins with 0", allowed: "only 0 itself and 0.… begin with 0")
    }
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      try digits("a digit is expected after the decimal point")
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < bytes.count,
        bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-")
      {
        position += 1
      }
      try digits("a digit is expected in the exponent")
    }
    let text = UnsafeBufferPointer(rebasing: bytes[start..<position])
    return JSONNumber(unchecked: String(decoding: text, as: UTF8.self))
  }

  private mutating func digits(_ allowed: String) throws(StructuredTextError) {
    let start = position
    while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
    if position == start {
      throw failure(
        at: position, "\(found(at: position)) is not allowed in a number", allowed: allowed)
    }
  }
}
