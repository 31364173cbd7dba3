/// A set of up to 32 kinds of characters: those that occur in a token, or that a pattern accepts.
///
/// The kinds are a–f, g–z, A–F, G–Z (a–f and A–F are separate because of hexadecimal digits), 0–9,
/// the space, each common punctuation mark, and a few groups of all other characters.
struct TextClass: OptionSet, Hashable, Sendable {
  var rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Non-ASCII characters other than the line separators, including a character that is cut off by
  /// the end of a token.
  static let beyondASCII = TextClass(rawValue: 1 << 31)
  /// Continuation bytes of a character that began in an earlier token; they can't follow a complete
  /// character.
  static let fragment = TextClass(rawValue: 1 << 30)
  /// U+2028 and U+2029, which `.` doesn't match.
  static let lineSeparator = TextClass(rawValue: 1 << 27)
  /// Control characters.
  static let control = TextClass(rawValue: 1 << 29)

  private static let singles = Array(" _-.,:;!?'()/@&+*#%$\"\\".utf8)
  private static let ranges: [ClosedRange<UInt8>] = [
    0x61...0x66, 0x67...0x7A, 0x41...0x46, 0x47...0x5A, 0x30...0x39,
  ]

  /// The kind of each ASCII byte.
  static let ofASCII: [TextClass] = (UInt8(0)..<128).map { byte in
    if byte < 0x20 || byte == 0x7F { return .control }
    if let index = singles.firstIndex(of: byte) { return TextClass(rawValue: 1 << UInt32(index)) }
    if let index = ranges.firstIndex(where: { $0.contains(byte) }) {
      return TextClass(rawValue: 1 << UInt32(singles.count + index))
    }
    return TextClass(rawValue: 1 << 28)
  }

  /// The bytes of each kind of ASCII character.
  static let kinds: [(kind: TextClass, bytes: ByteSet)] = {
    var bytes: [TextClass: ByteSet] = [:]
    for byte in UInt8(0)..<128 { bytes[ofASCII[Int(byte)], default: ByteSet()].insert(byte) }
    return bytes.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) }
  }()

  /// The first bytes of the characters of these kinds; for `beyondASCII`, all bytes from 0x80 on.
  var firstBytes: ByteSet {
    var bytes = ByteSet()
    for (kind, members) in Self.kinds where contains(kind) { bytes.formUnion(members) }
    if contains(.beyondASCII) { bytes.formUnion(.beyondASCII) }
    return bytes
  }

  /// Creates a set of all kinds that contain a character whose first byte is one of the given
  /// bytes.
  init(beginningWith bytes: ByteSet) {
    self = []
    for (kind, members) in Self.kinds where !members.intersection(bytes).isEmpty {
      formUnion(kind)
    }
    if !bytes.intersection(.beyondASCII).isEmpty { formUnion([.beyondASCII, .lineSeparator]) }
  }

  /// All kinds except quotes, backslashes, control characters and fragments.
  static let plain: TextClass = {
    var all: TextClass = [.beyondASCII, .lineSeparator]
    for (kind, _) in kinds { all.formUnion(kind) }
    return all.subtracting([ofASCII[0x22], ofASCII[0x5C], .control])
  }()

  /// Returns the kinds of the characters in a text, and the number of characters.
  static func measure(_ bytes: ArraySlice<UInt8>) -> (kinds: TextClass, characters: Int) {
    var kinds: TextClass = []
    var characters = 0
    var position = bytes.startIndex
    while position < bytes.endIndex {
      let (kind, length) = kind(at: position, in: bytes)
      kinds.formUnion(kind)
      characters += 1
      position += length
    }
    return (kinds, characters)
  }

  /// Returns the number of leading characters whose kinds are in the set, and the bytes after them.
  func prefix(of bytes: ArraySlice<UInt8>) -> (characters: Int, rest: ArraySlice<UInt8>) {
    var characters = 0
    var position = bytes.startIndex
    while position < bytes.endIndex {
      let (kind, length) = Self.kind(at: position, in: bytes)
      if !isSuperset(of: kind) { break }
      characters += 1
      position += length
    }
    return (characters, bytes[position...])
  }

  /// Returns the kind of the character at a position, and its length in bytes.
  static func kind(
    at position: Int, in bytes: ArraySlice<UInt8>
  ) -> (kind: TextClass, length: Int) {
    let byte = bytes[position]
    if byte < 0x80 { return (ofASCII[Int(byte)], 1) }
    let length = UTF8Sequence.length(at: position, in: bytes)
    if length == 0 { return (.fragment, 1) }
    let isSeparator = length == 3 && UTF8Sequence.isLineSeparator(bytes[position...].prefix(3))
    return (isSeparator ? .lineSeparator : .beyondASCII, length)
  }
}

/// Well-formed non-ASCII UTF-8, following Unicode's table 3-7.
enum UTF8Sequence {
  typealias Form = (lead: ClosedRange<UInt8>, second: ClosedRange<UInt8>, further: Int)

  /// The forms of sequences: the range of leading bytes, the range of second bytes, and the number
  /// of further bytes.
  static let forms: [Form] = [
    (0xC2...0xDF, 0x80...0xBF, 0), (0xE0...0xE0, 0xA0...0xBF, 1), (0xE1...0xEC, 0x80...0xBF, 1),
    (0xED...0xED, 0x80...0x9F, 1), (0xEE...0xEF, 0x80...0xBF, 1), (0xF0...0xF0, 0x90...0xBF, 2),
    (0xF1...0xF3, 0x80...0xBF, 2), (0xF4...0xF4, 0x80...0x8F, 2),
  ]

  /// The bytes of U+2028 and U+2029 before the last byte.
  static let separatorLead: [UInt8] = [0xE2, 0x80]
  /// The last bytes of U+2028 and U+2029.
  static let separatorTails: ClosedRange<UInt8> = 0xA8...0xA9

  static func isLineSeparator(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.starts(with: separatorLead) && bytes.last.map { separatorTails.contains($0) } ?? false
  }

  /// Returns the length in bytes of the character at a position, or 0 if no character begins there.
  ///
  /// If the bytes end inside the character, the result is the number of its bytes up to the end.
  static func length(at position: Int, in bytes: ArraySlice<UInt8>) -> Int {
    guard let form = forms.first(where: { $0.lead.contains(bytes[position]) }) else { return 0 }
    let rest = bytes[position...].prefix(form.further + 2)
    if rest.count > 1, !form.second.contains(rest[position + 1]) { return 0 }
    return rest.dropFirst(2).allSatisfy { $0 & 0xC0 == 0x80 } ? rest.count : 0
  }
}
