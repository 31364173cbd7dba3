/// A token's number in a vocabulary.
public typealias TokenID = Int32

/// Cuts a text that goes on after other text into the tokens that a model's tokenizer would give
/// it: `Tokenizer.encodeContinuation`, or what a test puts in its place.
public typealias TokenEncoder = @Sendable (_ text: String) -> [TokenID]

/// The tokens of a model as bytes.
///
/// Text tokens carry the exact bytes that they add to the output; a token may hold part of a UTF-8
/// sequence, and several tokens may carry the same bytes. Special tokens carry none.
public struct Vocabulary: Sendable {
  /// What a token is for.
  public enum Kind: UInt8, Sendable {
    /// The token adds its bytes to the text.
    case text
    /// The token steers the model (start, end, role) and never matches text.
    case special
    /// The number is not in use.
    case unused
  }

  /// All tokens' bytes, one after the other.
  public let bytes: [UInt8]
  /// Where each token's bytes begin in `bytes`; one more entry than there are tokens.
  public let offsets: [UInt32]
  /// What each token is for.
  public let kinds: [Kind]
  /// The tokens that end a text, in ascending order.
  public let endTokens: [TokenID]

  /// Creates a vocabulary.
  ///
  /// - Parameters:
  ///   - tokens: The bytes of each token, by its number; empty for special and unused ones.
  ///   - kinds: What each token is for; as many as there are tokens.
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

  /// Creates a vocabulary of tokens that lie one after the other.
  init(bytes: [UInt8], offsets: [UInt32], kinds: [Kind], endTokens: [TokenID]) {
    precondition(offsets.count == kinds.count + 1, "one kind for each token")
    self.bytes = bytes
    self.offsets = offsets
    self.kinds = kinds
    self.endTokens = endTokens.sorted()
  }

  /// The number of tokens.
  public var count: Int { kinds.count }

  /// The bytes of a token.
  ///
  /// - Parameter token: A number below `count`.
  public func bytes(of token: TokenID) -> ArraySlice<UInt8> {
    bytes[Int(offsets[Int(token)])..<Int(offsets[Int(token) + 1])]
  }
}
