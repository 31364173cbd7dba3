/// Converts text to tokens and back, for one model.
///
/// Encoding splits a text into pieces; a piece of *n* bytes takes at most O(*n* log *n*) time.
public struct Tokenizer: Sendable {
  /// The tokens as bytes.
  public let vocabulary: Vocabulary
  /// The token that begins a text, or nil if the model has none.
  public let beginToken: TokenID?
  /// Whether the model expects a text to begin with the begin token.
  public let addsBeginToken: Bool

  /// Whether the tokenizer merges bytes by rank; otherwise, it merges characters by score.
  public var isByteLevel: Bool {
    switch encoder {
    case .bytePairs: true
    case .sentencePiece: false
    }
  }

  private enum Encoder: Sendable {
    case bytePairs(BytePairEncoder)
    case sentencePiece(SentencePieceEncoder, addsSpacePrefix: Bool)
  }

  private let encoder: Encoder
  /// The finders of tokens that the encoder never splits: `uncut` finds user-defined tokens, and
  /// `uncutAndSpecial` also finds special tokens.
  private let uncut: SpecialTokenFinder
  private let uncutAndSpecial: SpecialTokenFinder
  private let specials: ByteStringIndex

  /// Creates a tokenizer.
  ///
  /// - Parameters:
  ///   - definition: The tokenizer's definition in the model file.
  ///   - tokenCount: The number of tokens in the model, if the model has more tokens than the file
  ///     lists.
  public init(_ definition: TokenizerDefinition, tokenCount: Int? = nil) {
    let letters = ByteLetters()
    var special: [TokenID] = []
    var userDefined: [TokenID] = []
    for (number, type) in definition.types.enumerated() {
      switch type {
      case .control, .unknown: special.append(TokenID(number))
      case .userDefined: userDefined.append(TokenID(number))
      case .unused, .normal, .byte: break
      }
    }
    vocabulary = definition.vocabulary(
      count: max(tokenCount ?? 0, definition.tokens.count), letters)
    beginToken = definition.beginToken
    addsBeginToken = definition.addsBeginToken
    uncut = SpecialTokenFinder(definition.tokens, userDefined)
    uncutAndSpecial = SpecialTokenFinder(definition.tokens, special + userDefined)
    var specials = ByteStringIndex(definition.tokens, capacity: special.count)
    for token in special { specials.insert(Int(token)) }
    self.specials = specials
    switch definition.algorithm {
    case .bytePairs(let splitting):
      encoder = .bytePairs(
        BytePairEncoder(definition, splitting: splitting, letters: letters))
    case .sentencePiece:
      encoder = .sentencePiece(
        SentencePieceEncoder(definition), addsSpacePrefix: definition.addsSpacePrefix)
    }
  }

  /// Returns the tokens of a text, without a begin token.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - parsingSpecial: Whether the spelling of a special token in the text becomes that token.
  ///     Pass false for untrusted text, in which such a spelling must stay ordinary text.
  public func encode(_ text: String, parsingSpecial: Bool = false) -> [TokenID] {
    // SentencePiece puts a space before the text, and before text that follows a special token.
    encode(text, parsingSpecial ? uncutAndSpecial : uncut, afterSpecial: true)
  }

  /// Returns the tokens of a text that continues other text.
  ///
  /// The result contains neither special tokens nor the space that the model's format puts before a
  /// whole text.
  public func encodeContinuation(_ text: String) -> [TokenID] {
    encode(text, uncut, afterSpecial: false)
  }

  private func encode(
    _ text: String, _ finder: SpecialTokenFinder, afterSpecial: Bool
  ) -> [TokenID] {
    var tokens: [TokenID] = []
    var afterSpecial = afterSpecial
    finder.cut(text) { plain in
      switch encoder {
      case .bytePairs(let encoder): encoder.encode(plain.unicodeScalars, into: &tokens)
      case .sentencePiece(let encoder, let addsSpacePrefix):
        encoder.encode(
          plain.unicodeScalars, prefix: addsSpacePrefix && afterSpecial, into: &tokens)
      }
      afterSpecial = false
    } special: { token, _ in
      tokens.append(token)
      afterSpecial = true
    }
    return tokens
  }

  /// Returns the special token with the given spelling, or nil if there is none.
  public func specialToken(_ written: String) -> TokenID? {
    specials.find(Array(written.utf8))
  }

  /// Returns the places where a text spells a special token, which is ordinary text there.
  ///
  /// - Parameter text: The text.
  /// - Returns: The ranges of the spellings in the UTF-8 bytes of the text.
  public func specialSpellings(in text: String) -> [Range<Int>] {
    var (found, offset): ([Range<Int>], Int) = ([], 0)
    uncutAndSpecial.cut(text) {
      offset += $0.utf8.count
    } special: { token, length in
      if vocabulary.kinds[Int(token)] == .special { found.append(offset..<offset + length) }
      offset += length
    }
    return found
  }

  /// Returns the text of tokens; invalid UTF-8 becomes U+FFFD, and special tokens add nothing.
  public func decode(_ tokens: some Sequence<TokenID>) -> String {
    var bytes: [UInt8] = []
    for token in tokens where token >= 0 && token < vocabulary.count {
      bytes += vocabulary.bytes(of: token)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
