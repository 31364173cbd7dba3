/// Divides a JSON text that arrives byte by byte into tokens.
///
/// It knows only where strings begin and end, so it divides any text, JSON or not.
/// ``JSONScanner`` knows the whole grammar.
package struct JSONByteLexer: Sendable {
  /// What a byte does.
  package enum Token: Sendable {
    case beginObject, beginArray, end
    case comma, colon, space
    /// A byte of a number or a word.
    case scalar
    case beginString, inString, endString
  }

  /// Whether the position is inside a string.
  package private(set) var isInString = false
  private var isEscaped = false

  /// Creates a lexer at the beginning of a text.
  package init() {}

  /// Moves past the next byte of the text, and returns what it does.
  @inline(__always)
  package mutating func feed(_ byte: UInt8) -> Token {
    if isInString {
      if !isEscaped, byte == UInt8(ascii: "\"") {
        isInString = false
        return .endString
      }
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      return .inString
    }
    switch byte {
    case UInt8(ascii: "{"): return .beginObject
    case UInt8(ascii: "["): return .beginArray
    case UInt8(ascii: "}"), UInt8(ascii: "]"): return .end
    case UInt8(ascii: ","): return .comma
    case UInt8(ascii: ":"): return .colon
    case UInt8(ascii: "\""):
      isInString = true
      return .beginString
    case 0x20, 0x09, 0x0A, 0x0D: return .space
    default: return .scalar
    }
  }
}
