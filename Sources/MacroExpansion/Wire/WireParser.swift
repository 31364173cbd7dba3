/// Parses the JSON of the compiler's messages.
struct WireParser {
  struct Failure: Error {
    var offset: Int
  }

  private static let depthLimit = 1000

  private let bytes: [UInt8]
  private var position = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  static func parse(_ bytes: [UInt8]) throws(Failure) -> WireValue {
    var parser = WireParser(bytes)
    let value = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.position == bytes.count else { throw parser.failure }
    return value
  }

  private var failure: Failure { Failure(offset: position) }
  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || (0x09...0x0D).contains(byte) { position += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard current == byte else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) throws(Failure) -> WireValue {
    guard depth < Self.depthLimit else { throw failure }
    skipSpace()
    switch current {
    case UInt8(ascii: "{"):
      position += 1
      var members: [WireValue.Member] = []
      if take(UInt8(ascii: "}")) { return .object(members) }
      repeat {
        skipSpace()
        let key = try string()
        guard take(UInt8(ascii: ":")) else { throw failure }
        members.append(WireValue.Member(key: key, value: try value(depth: depth + 1)))
      } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "}")) else { throw failure }
      return .object(members)
    case UInt8(ascii: "["):
      position += 1
      var elements: [WireValue] = []
      if take(UInt8(ascii: "]")) { return .array(elements) }
      repeat { elements.append(try value(depth: depth + 1)) } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "]")) else { throw failure }
      return .array(elements)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func word(
    _ word: StaticString, _ value: WireValue
  ) throws(Failure) -> WireValue {
    let count = word.utf8CodeUnitCount
    for offset in 0..<count {
      guard position + offset < bytes.count, bytes[position + offset] == word.utf8Start[offset]
      else { throw failure }
    }
    position += count
    return value
  }

  private mutating func number() throws(Failure) -> WireValue {
    let start = position
    while let byte = current, byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte) {
      position += 1
    }
    guard let number = Int(String(decoding: bytes[start..<position], as: UTF8.self)) else {
      throw failure
    }
    return .number(number)
  }

  private mutating func string() throws(Failure) -> String {
    guard take(UInt8(ascii: "\"")) else { throw failure }
    var text: [UInt8] = []
    while let byte = current {
      position += 1
      if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      guard let letter = current else { throw failure }
      position += 1
      switch letter {
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0C)
      case UInt8(ascii: "u"): text += String(Character(try scalar())).utf8
      default: text.append(letter)
      }
    }
    throw failure
  }

  private mutating func scalar() throws(Failure) -> Unicode.Scalar {
    let unit = try hexUnit()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw failure }
    let low = try hexUnit()
    guard (0xD800..<0xDC00).contains(unit), (0xDC00..<0xE000).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    else { throw failure }
    return scalar
  }

  private mutating func hexUnit() throws(Failure) -> UInt32 {
    guard position + 4 <= bytes.count,
      let unit = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
    else { throw failure }
    position += 4
    return unit
  }
}
