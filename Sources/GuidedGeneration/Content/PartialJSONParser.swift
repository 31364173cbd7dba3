import StructuredText

/// Parses JSON text (RFC 8259) that may end anywhere.
///
/// If the text ends inside a value, the parser keeps the part that has arrived, and marks the value
/// and everything around it as incomplete. It drops a value of which too little has arrived, such
/// as `-` or `tr`.
struct PartialJSONParser {
  static let depthLimit = JSONReader.depthLimit

  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func parse() throws(JSONTextProblem) -> GeneratedContent {
    guard let content = try value(depth: 0) else {
      return GeneratedContent(storage: .null, isComplete: false)
    }
    skipSpace()
    if position < bytes.count { throw problem(.trailingText) }
    return content
  }

  // MARK: Values

  /// Parses the value that begins here, or returns `nil` if the text ends before it is clear which
  /// value begins.
  private mutating func value(depth: Int) throws(JSONTextProblem) -> GeneratedContent? {
    skipSpace()
    guard let byte = current else { return nil }
    if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "["), depth >= Self.depthLimit {
      throw problem(.tooDeep(limit: Self.depthLimit))
    }
    switch byte {
    case UInt8(ascii: "{"): return try structure(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""):
      let (text, isComplete) = try string()
      return GeneratedContent(storage: .string(text), isComplete: isComplete)
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number(depth: depth)
    default: throw unexpected("a value")
    }
  }

  private mutating func literal(
    _ word: StaticString, _ storage: GeneratedContent.Storage
  ) throws(JSONTextProblem) -> GeneratedContent? {
    let start = position
    for offset in 0..<word.utf8CodeUnitCount {
      guard let byte = current else { return nil }
      guard byte == word.utf8Start[offset] else {
        throw JSONTextProblem(
          reason: .unexpected(character(at: position), expected: "\(word)"), offset: start)
      }
      position += 1
    }
    return GeneratedContent(storage: storage)
  }

  private mutating func structure(depth: Int) throws(JSONTextProblem) -> GeneratedContent {
    position += 1
    var properties: [String: GeneratedContent] = [:]
    var keys: [String] = []
    func content(isComplete: Bool) -> GeneratedContent {
      GeneratedContent(
        storage: .structure(properties: properties, orderedKeys: keys), isComplete: isComplete)
    }
    skipSpace()
    if current == UInt8(ascii: "}") {
      position += 1
      return content(isComplete: true)
    }
    while true {
      skipSpace()
      guard let byte = current else { return content(isComplete: false) }
      guard byte == UInt8(ascii: "\"") else { throw unexpected("a key") }
      let keyStart = position
      let (key, isWhole) = try string()
      guard isWhole else { return content(isComplete: false) }
      if properties[key] != nil {
        throw JSONTextProblem(reason: .duplicateKey(key), offset: keyStart)
      }
      skipSpace()
      guard let colon = current else { return content(isComplete: false) }
      guard colon == UInt8(ascii: ":") else { throw unexpected("`:`") }
      position += 1
      guard let value = try value(depth: depth + 1) else { return content(isComplete: false) }
      properties[key] = value
      keys.append(key)
      skipSpace()
      switch current {
      case nil: return content(isComplete: false)
      case UInt8(ascii: ","): position += 1
      case UInt8(ascii: "}"):
        position += 1
        return content(isComplete: true)
      default: throw unexpected("`,` or `}`")
      }
    }
  }

  private mutating func array(depth: Int) throws(JSONTextProblem) -> GeneratedContent {
    position += 1
    var elements: [GeneratedContent] = []
    skipSpace()
    if current == UInt8(ascii: "]") {
      position += 1
      return GeneratedContent(storage: .array([]))
    }
    while true {
      guard let element = try value(depth: depth + 1) else { break }
      elements.append(element)
      skipSpace()
      guard let byte = current else { break }
      if byte == UInt8(ascii: "]") {
        position += 1
        return GeneratedContent(storage: .array(elements))
      }
      guard byte == UInt8(ascii: ",") else { throw unexpected("`,` or `]`") }
      position += 1
    }
    return GeneratedContent(storage: .array(elements), isComplete: false)
  }

  // MARK: Numbers

  /// Parses the number that begins here.
  ///
  /// A number that reaches the end of the text is incomplete if it is inside another value, because
  /// more digits may follow. At the top level, such a number is complete unless digits are missing,
  /// as in `1.` or `1e`.
  ///
  /// ```
  /// -? ( 0 | [1-9] [0-9]* ) ( . [0-9]+ )? ( [eE] [+-]? [0-9]+ )?
  ///                        ▲             ▲                      ▲   a number may end here
  /// ```
  private mutating func number(depth: Int) throws(JSONTextProblem) -> GeneratedContent? {
    let start = position
    var end: Int?
    if current == UInt8(ascii: "-") { position += 1 }
    let wholeStart = position
    let wholeDigits = skipDigits()
    if wholeDigits > 1, bytes[wholeStart] == UInt8(ascii: "0") { throw invalidNumber(start) }
    if wholeDigits > 0 { end = position }
    if wholeDigits == 0, position < bytes.count { throw invalidNumber(start) }
    if current == UInt8(ascii: ".") {
      position += 1
      if skipDigits() > 0 {
        end = position
      } else if position < bytes.count {
        throw invalidNumber(start)
      }
    }
    if position == end, current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      if skipDigits() > 0 {
        end = position
      } else if position < bytes.count {
        throw invalidNumber(start)
      }
    }
    guard let end else { return nil }
    let number = JSONNumber(unchecked: String(decoding: bytes[start..<end], as: UTF8.self))
    guard number.double.isFinite else {
      throw JSONTextProblem(reason: .numberTooLarge, offset: start)
    }
    let isOpen = position == bytes.count && (depth > 0 || end < position)
    return GeneratedContent(storage: .number(number), isComplete: !isOpen)
  }

  private mutating func skipDigits() -> Int {
    let start = position
    while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      position += 1
    }
    return position - start
  }

  private func invalidNumber(_ start: Int) -> JSONTextProblem {
    JSONTextProblem(reason: .invalidNumber, offset: start)
  }

  // MARK: Strings

  /// Parses the string that begins here, and also returns whether it is complete.
  ///
  /// The parser drops an escape sequence that is cut off.
  private mutating func string() throws(JSONTextProblem) -> (text: String, isComplete: Bool) {
    position += 1
    var text: [UInt8] = []
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return (String(decoding: text, as: UTF8.self), true)
      case UInt8(ascii: "\\"):
        guard let scalar = try escape() else {
          return (String(decoding: text, as: UTF8.self), false)
        }
        text.append(contentsOf: String(Character(scalar)).utf8)
      case 0..<0x20: throw problem(.controlCharacter)
      default:
        text.append(byte)
        position += 1
      }
    }
    return (String(decoding: text, as: UTF8.self), false)
  }

  /// Parses the escape sequence that begins here, or returns `nil` if the text ends inside the
  /// sequence.
  private mutating func escape() throws(JSONTextProblem) -> Unicode.Scalar? {
    let start = position
    guard position + 1 < bytes.count else {
      position = bytes.count
      return nil
    }
    let letter = bytes[position + 1]
    position += 2
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "u"): break
    default: throw JSONTextProblem(reason: .invalidEscape, offset: start)
    }
    guard let unit = try hexUnit(start) else { return nil }
    if let scalar = Unicode.Scalar(unit) { return scalar }
    let loneSurrogate = JSONTextProblem(reason: .loneSurrogate, offset: start)
    guard unit < 0xDC00 else { throw loneSurrogate }
    for expected in [UInt8(ascii: "\\"), UInt8(ascii: "u")] {
      guard let byte = current else { return nil }
      guard byte == expected else { throw loneSurrogate }
      position += 1
    }
    guard let low = try hexUnit(start) else { return nil }
    guard (0xDC00...0xDFFF).contains(low) else { throw loneSurrogate }
    return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
  }

  private mutating func hexUnit(_ start: Int) throws(JSONTextProblem) -> UInt32? {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = current else { return nil }
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw JSONTextProblem(reason: .invalidEscape, offset: start)
      }
      unit = unit << 4 | UInt32(digit)
      position += 1
    }
    return unit
  }

  // MARK: Text

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  private func problem(_ reason: JSONTextProblem.Reason) -> JSONTextProblem {
    JSONTextProblem(reason: reason, offset: position)
  }

  private func unexpected(_ expected: String) -> JSONTextProblem {
    problem(.unexpected(character(at: position), expected: expected))
  }

  private func character(at position: Int) -> String {
    guard position < bytes.count else { return "the end" }
    let rest = String(decoding: bytes[position..<min(position + 4, bytes.count)], as: UTF8.self)
    return rest.first.map { "`\($0)`" } ?? "the end"
  }
}
