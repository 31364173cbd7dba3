/// A token's number in a vocabulary.
public typealias TokenID = Int32

/// A function that tokenizes a continuation of other text: `Tokenizer.encodeContinuation`, or a
/// substitute in a test.
public typealias TokenEncoder = @Sendable (_ text: String) -> [TokenID]

/// The tokens of a model as bytes.
///
/// Text tokens carry the exact bytes that they add to the output. A token may hold part of a UTF-8
/// sequence, and several tokens may carry the same bytes. Special tokens carry no bytes.
public struct Vocabulary: Sendable {
  /// The purpose of a token.
  public enum Kind: UInt8, Sendable {
    /// The token adds its bytes to the text.
    case text
    /// The token steers the model (start, end, role) and never matches text.
    case special
    /// The number is unused.
    case unused
  }

  /// The bytes of all tokens, one after the other.
  public let bytes: [UInt8]
  /// The start of each token's bytes in `bytes`, followed by the end of the last token's bytes.
  public let offsets: [UInt32]
  /// The purpose of each token.
  public let kinds: [Kind]
  /// The tokens that end a text, in ascending order.
  public let endTokens: [TokenID]

  /// Creates a vocabulary.
  ///
  /// - Parameters:
  ///   - tokens: The bytes of each token, indexed by number; empty for special and unused tokens.
  ///   - kinds: The purpose of each token.
  ///   - endTokens: The tokens that end a text.
  public init(tokens: [[UInt8]], kinds: [Kind], endTokens: [TokenID]) {
    precondition(tokens.count == kinds.count, "one kind for each token")
    var bytes: [UInt8] = []
    var offsets: [UInt32] = [0]
    bytes.reserveCapacity(tokens.reduce(0) { $0 + $1.count })
    offsets.reserveCapacity(tokens.count + 1)
    for token in tokens {
      bytes += token
      offsets.append(UInt32(bytes.count))
    }
    self.bytes = bytes
    self.offsets = offsets
    self.kinds = kinds
    self.endTokens = endTokens.sorted()
  }

  /// Creates a vocabulary from tokens whose bytes are stored one after the other.
  init(bytes: [UInt8], offsets: [UInt32], kinds: [Kind], endTokens: [TokenID]) {
    precondition(offsets.count == kinds.count + 1, "one kind for each token")
    self.bytes = bytes
    self.offsets = offsets
    self.kinds = kinds
    self.endTokens = endTokens.sorted()
  }

  /// The number of tokens.
  public var count: Int { kinds.count }

  /// Returns the bytes of a token.
  ///
  /// - Parameter token: A number below `count`.
  public func bytes(of token: TokenID) -> ArraySlice<UInt8> {
    bytes[Int(offsets[Int(token)])..<Int(offsets[Int(token) + 1])]
  }
}
