/// Reads JSON (RFC 8259) as a sequence of events; it is the only reader of JSON's grammar.
///
/// The text may end anywhere: the scanner then fails at the end of the text
/// (``Problem/isAtEnd``), after which ``openToken`` and ``text`` say what has arrived of a string
/// or a number. The consumers decide what the events build, which words describe a problem, and
/// whether a key may appear twice.
///
/// ```
/// {"cards":[1]}    ─►  beginObject, key, beginArray, number, endArray, endObject, end
/// {"cards":["x     ─►  beginObject, key, beginArray, a problem at the end with the open string "x
/// ```
package struct JSONScanner {
  /// A part of a JSON text.
  package enum Event: Sendable, Hashable {
    case beginObject, endObject, beginArray, endArray
    case key, string, number, `true`, `false`, null
    /// Only white space follows the value.
    case end
  }

  /// The first thing in a text that JSON doesn't allow.
  package struct Problem: Error, Sendable, Hashable {
    /// What is wrong.
    package enum Reason: Sendable, Hashable {
      /// There is no value at all, no value where one must be, or something else in its place.
      case noValue, missingValue, notValue
      case notKey, noColon, unknownWord, tooDeep, trailingText
      /// Something else than a comma or the closing bracket follows a value.
      case noSeparator(inObject: Bool)
      /// The closing bracket follows a comma, which is at `start`.
      case trailingComma(inObject: Bool)
      /// Something else than a digit is where a digit must be.
      case noDigit(NumberPart)
      /// The number begins with a zero that isn't its only digit before the point.
      case leadingZero
      case controlCharacter, unclosedString
      case unfinishedEscape, unknownEscape, incompleteUnicodeEscape, halfSurrogate
      case notComment, unclosedComment
    }

    /// The parts of a number.
    package enum NumberPart: Sendable, Hashable { case whole, fraction, exponent }

    package var reason: Reason
    /// The offset at which the token begins that has the problem.
    package var start: Int
    /// The offset of the byte that isn't allowed or, in a Unicode escape, of the backslash.
    package var offset: Int
    /// Whether that is the end of the text, so that more text could mend the problem.
    package var isAtEnd: Bool
  }

  private enum State {
    /// A value must come; at the beginning, or after a colon.
    case value
    /// A value or the closing bracket must come.
    case firstElement, firstKey
    /// A comma was read: a value or a key must come, and the bracket only if the options allow it.
    case element, nextKey
    case colon
    case afterValue
  }

  package let bytes: UnsafeBufferPointer<UInt8>
  /// The offset of the next byte.
  package internal(set) var position: Int
  /// The offset of the last token.
  package private(set) var start = 0
  /// The token that the end of the text cut: a key, a string, a number, or `nil`.
  package internal(set) var openToken: Event?
  /// Whether comments, and a comma after the last element or member, are allowed.
  private let isLenient: Bool
  private var state = State.value
  private var comma = 0
  private var open = Brackets()

  /// The bytes of the last string that needs other bytes than the text has.
  var unescaped: [UInt8] = []
  var hasEscapes = false
  /// The offsets between which the last string or number is.
  var content = 0..<0

  /// Creates a scanner.
  ///
  /// - Parameters:
  ///   - bytes: The text, in valid UTF-8.
  ///   - position: The offset at which the text begins.
  ///   - isLenient: Whether comments, and a comma after the last element or member, are allowed.
  package init(
    _ bytes: UnsafeBufferPointer<UInt8>, from position: Int = 0, isLenient: Bool = false
  ) {
    self.bytes = bytes
    self.position = position
    self.isLenient = isLenient
  }

  /// The value of the last key or string, or what has arrived of it.
  package var text: String {
    hasEscapes
      ? String(decoding: unescaped, as: UTF8.self)
      : String(decoding: UnsafeBufferPointer(rebasing: bytes[content]), as: UTF8.self)
  }

  /// The last number, without the end that the end of the text cut, as in `1.5e`.
  package var number: JSONNumber {
    JSONNumber(
      unchecked: String(
        decoding: UnsafeBufferPointer(rebasing: bytes[content]), as: UTF8.self))
  }

  /// The arrays and objects that are open, with one bit each, so that most texts need no memory for
  /// them.
  private struct Brackets {
    var count = 0
    /// Whether each of the last brackets is a brace, with the innermost in the lowest bit.
    private var last: UInt64 = 0
    private var others: [UInt64] = []

    var isInObject: Bool { last & 1 == 1 }

    mutating func push(_ isObject: Bool) {
      if count > 0, count % 64 == 0 { others.append(last) }
      last = last << 1 | (isObject ? 1 : 0)
      count += 1
    }

    mutating func pop() {
      last >>= 1
      count -= 1
      if count > 0, count % 64 == 0 { last = others.removeLast() }
    }
  }

  /// The number of arrays and objects that are open.
  package var depth: Int { open.count }

  /// Returns the next part of the text.
  ///
  /// - Throws: The first problem. The scanner is of no use after a problem that isn't at the end.
  package mutating func next() throws(Problem) -> Event {
    openToken = nil
    try skipSpace()
    if state == .colon {
      guard take(UInt8(ascii: ":")) else { throw problem(.noColon) }
      state = .value
      try skipSpace()
    }
    if state == .afterValue {
      guard depth > 0 else {
        guard position == bytes.count else { throw problem(.trailingText) }
        return .end
      }
      let isObject = open.isInObject
      if take(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) { return close() }
      comma = position
      guard take(UInt8(ascii: ",")) else { throw problem(.noSeparator(inObject: isObject)) }
      state = isObject ? .nextKey : .element
      try skipSpace()
    }
    switch state {
    case .firstElement, .element:
      if take(UInt8(ascii: "]")) { return try closeList(in: false) }
    case .firstKey, .nextKey:
      if take(UInt8(ascii: "}")) { return try closeList(in: true) }
      return try key()
    default: break
    }
    return try value()
  }

  private mutating func key() throws(Problem) -> Event {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
      throw problem(.notKey)
    }
    start = position
    try string(.key)
    state = .colon
    return .key
  }

  private mutating func value() throws(Problem) -> Event {
    guard position < bytes.count else {
      throw problem(state == .value && depth == 0 ? .noValue : .missingValue)
    }
    start = position
    let event: Event
    switch bytes[position] {
    case UInt8(ascii: "{"): return try begin(object: true)
    case UInt8(ascii: "["): return try begin(object: false)
    case UInt8(ascii: "\""):
      try string(.string)
      event = .string
    case UInt8(ascii: "-"), 0x30...0x39:
      try scanNumber()
      event = .number
    case UInt8(ascii: "t"): event = try word("true", .true)
    case UInt8(ascii: "f"): event = try word("false", .false)
    case UInt8(ascii: "n"): event = try word("null", .null)
    default: throw problem(.notValue)
    }
    state = .afterValue
    return event
  }

  private mutating func begin(object: Bool) throws(Problem) -> Event {
    guard depth < JSONReader.depthLimit else { throw problem(.tooDeep) }
    position += 1
    open.push(object)
    state = object ? .firstKey : .firstElement
    return object ? .beginObject : .beginArray
  }

  /// Closes an array or an object, after an element or member or before the first.
  private mutating func closeList(in object: Bool) throws(Problem) -> Event {
    if !isLenient, state == .element || state == .nextKey {
      position -= 1
      throw problem(.trailingComma(inObject: object), start: comma)
    }
    return close()
  }

  private mutating func close() -> Event {
    start = position - 1
    state = .afterValue
    defer { open.pop() }
    return open.isInObject ? .endObject : .endArray
  }

  private mutating func word(_ word: StaticString, _ event: Event) throws(Problem) -> Event {
    for offset in 0..<word.utf8CodeUnitCount {
      guard position < bytes.count, bytes[position] == word.utf8Start[offset] else {
        throw problem(.unknownWord, start: start)
      }
      position += 1
    }
    return event
  }

  // MARK: Bytes

  func problem(_ reason: Problem.Reason, start: Int? = nil) -> Problem {
    Problem(
      reason: reason, start: start ?? position, offset: position,
      isAtEnd: position == bytes.count)
  }

  @inline(__always)
  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  @inline(__always)
  private mutating func skipSpace() throws(Problem) {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      case UInt8(ascii: "/") where isLenient: try skipComment()
      default: return
      }
    }
  }

  private mutating func skipComment() throws(Problem) {
    let start = position
    let second = position + 1 < bytes.count ? bytes[position + 1] : 0
    switch second {
    case UInt8(ascii: "/"):
      while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D {
        position += 1
      }
    case UInt8(ascii: "*"):
      position += 2
      while position + 1 < bytes.count {
        if bytes[position] == UInt8(ascii: "*"), bytes[position + 1] == UInt8(ascii: "/") {
          position += 2
          return
        }
        position += 1
      }
      throw problem(.unclosedComment, start: start)
    default: throw problem(.notComment)
    }
  }
}
