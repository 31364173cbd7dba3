import StructuredText
import Tokenization

/// The state of an answer without a mask, which shows where the answer ends.
///
/// The model may write any text. If the text begins with a bracket, it ends where that bracket
/// closes, as a masked answer would, so the model doesn't generate anything after the value. Any
/// other text continues until the model ends it.
///
/// ```
/// {"title": "Tips"}⏎Here are …     ends after the first }
/// Sure! Here is the JSON: {…       ends when the model ends it
/// ```
struct FreeText: Sendable {
  /// The mask that allows all text tokens and end tokens.
  let mask: TokenMask
  /// Whether the first bracket is closed.
  private(set) var isClosed = false
  private var depth = 0
  private var hasBegun = false
  private var isProse = false
  private var lexer = JSONByteLexer()

  /// Creates an empty text.
  ///
  /// - Parameter table: The vocabulary's tables.
  init(_ table: TokenTable) {
    let words = BitWords(bitCount: table.tokenCount)
    for token in table.tokens.textTokens { words.insert(token) }
    mask = TokenMask(
      base: words, baseCount: table.tokens.textTokens.count, ownsBase: true, listed: [],
      endTokens: table.endTokens, allowsEnd: true)
  }

  /// Appends bytes to the text.
  mutating func feed(_ bytes: some Sequence<UInt8>) { for byte in bytes { feed(byte) } }

  private mutating func feed(_ byte: UInt8) {
    if isClosed || isProse || !hasBegun && ByteSet.whitespace.contains(byte) { return }
    switch lexer.feed(byte) {
    case .beginObject, .beginArray: depth += 1
    case .end:
      depth -= 1
      isClosed = depth == 0
    default: break
    }
    if !hasBegun { isProse = depth != 1 }
    hasBegun = true
  }
}
