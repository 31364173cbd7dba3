/// The rules for numbers, strings and escapes.
extension JSONScanner {
  /// Reads the number at the current position.
  ///
  /// ```
  /// -? ( 0 | [1-9] [0-9]* ) ( . [0-9]+ )? ( [eE] [+-]? [0-9]+ )?
  ///                        ▲             ▲                      ▲   a number may end here
  /// ```
  mutating func scanNumber() throws(Problem) {
    let start = position
    content = start..<start
    if bytes[position] == UInt8(ascii: "-") { position += 1 }
    let whole = position
    try digits(.whole, of: start)
    if bytes[whole] == UInt8(ascii: "0"), position > whole + 1 {
      throw Problem(reason: .leadingZero, start: start, offset: whole, isAtEnd: false)
    }
    content = start..<position
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      try digits(.fraction, of: start)
      content = start..<position
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < bytes.count,
        bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-")
      {
        position += 1
      }
      try digits(.exponent, of: start)
      content = start..<position
    }
  }

  private mutating func digits(_ part: Problem.NumberPart, of start: Int) throws(Problem) {
    let first = position
    while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
    guard position == first else { return }
    if !content.isEmpty { openToken = .number }
    throw problem(.noDigit(part), start: start)
  }

  /// Reads the string at the current position.
  ///
  /// - Parameter event: The key or the string.
  mutating func string(_ event: Event) throws(Problem) {
    let opening = position
    position += 1
    hasEscapes = false
    var runStart = position
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        take(from: runStart)
        position += 1
        return
      }
      if byte == UInt8(ascii: "\\") {
        if !hasEscapes { unescaped.removeAll(keepingCapacity: true) }
        hasEscapes = true
        take(from: runStart)
        do {
          try escape()
        } catch {
          if error.isAtEnd { openToken = event }
          throw error
        }
        runStart = position
      } else if byte < 0x20 {
        throw problem(.controlCharacter)
      } else {
        position += 1
      }
    }
    take(from: runStart)
    openToken = event
    throw problem(.unclosedString, start: opening)
  }

  /// Adds the bytes before the current position to the string.
  private mutating func take(from start: Int) {
    content = start..<position
    if hasEscapes {
      unescaped.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[content]))
    }
  }

  /// Reads the escape at the current position.
  private mutating func escape() throws(Problem) {
    let start = position
    guard start + 1 < bytes.count else {
      position = bytes.count
      throw problem(.unfinishedEscape, start: start)
    }
    let letter = bytes[start + 1]
    if letter == UInt8(ascii: "u") {
      let scalar = try unicodeEscape(from: start)
      unescaped.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    } else if let character = JSONEscapes.character(letter) {
      position += 2
      unescaped.append(character)
    } else {
      throw problem(.unknownEscape)
    }
  }

  /// Reads one `\uXXXX`, or two that form a surrogate pair.
  private mutating func unicodeEscape(from start: Int) throws(Problem) -> Unicode.Scalar {
    let first = try fourHexDigits(from: start, of: start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    let half = Problem(reason: .halfSurrogate, start: start, offset: start, isAtEnd: false)
    guard JSONEscapes.isHighSurrogate(first) else { throw half }
    for (index, expected) in [UInt8(ascii: "\\"), UInt8(ascii: "u")].enumerated() {
      guard position + index < bytes.count else {
        position = bytes.count
        throw problem(.halfSurrogate, start: start)
      }
      guard bytes[position + index] == expected else { throw half }
    }
    let second = try fourHexDigits(from: position, of: start)
    guard let scalar = JSONEscapes.scalar(high: first, low: second) else { throw half }
    return scalar
  }

  private mutating func fourHexDigits(from half: Int, of start: Int) throws(Problem) -> UInt32 {
    position = half + 2
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard position < bytes.count, let digit = JSONEscapes.hexDigit(bytes[position]) else {
        throw Problem(
          reason: .incompleteUnicodeEscape, start: start, offset: half,
          isAtEnd: position == bytes.count)
      }
      value = value << 4 | digit
      position += 1
    }
    return value
  }
}
