import Tokenization

/// An answer that no mask holds to a schema, and where it ends.
///
/// The model writes any text. A text that begins with a bracket ends where that bracket closes, as a
/// masked answer does, so that what follows the value is not asked of the model; any other text goes
/// on until the model ends it.
///
/// ```
/// {"title": "Tips"}⏎Here are …     ends behind the first }
/// Sure! Here is the JSON: {…       no end before the model's
/// ```
struct FreeText: Sendable {
  /// All tokens of text, and those that end one.
  let mask: TokenMask
  /// Whether the first bracket is closed.
  private(set) var isClosed = false
  private var depth = 0
  private var hasBegun = false
  private var isProse = false
  private var isInString = false
  private var isEscaped = false

  /// Makes an empty text.
  ///
  /// - Parameter table: The vocabulary.
  init(_ table: TokenTable) {
    let words = BitWords(bitCount: table.tokenCount)
    for token in table.tokens.textTokens { words.insert(token) }
    mask = TokenMask(
      base: words, baseCount: table.tokens.textTokens.count, ownsBase: true, listed: [],
      endTokens: table.endTokens, allowsEnd: true)
  }

  /// Takes in the next bytes.
  mutating func feed(_ bytes: some Sequence<UInt8>) { for byte in bytes { feed(byte) } }

  private mutating func feed(_ byte: UInt8) {
    if isClosed || isProse || !hasBegun && ByteSet.whitespace.contains(byte) { return }
    if isInString {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
      }
      return
    }
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      isClosed = depth == 0
    case UInt8(ascii: "\""): isInString = true
    default: break
    }
    if !hasBegun { isProse = depth != 1 }
    hasBegun = true
  }
}
