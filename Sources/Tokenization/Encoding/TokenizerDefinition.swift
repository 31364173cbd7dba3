/// The definition of a tokenizer in a model file.
public struct TokenizerDefinition: Sendable {
  /// The algorithm that splits text into tokens.
  public enum Algorithm: Sendable, Hashable {
    /// Byte-level byte-pair encoding: the encoder splits text into pieces by a rule, and merges the
    /// bytes of each piece in a fixed order.
    case bytePairs(TextSplitting)
    /// SentencePiece: the encoder merges characters by score, and encodes text that has no token as
    /// single bytes.
    case sentencePiece

    /// Whether a text begins with the begin token if the model file doesn't say.
    public var addsBeginTokenByDefault: Bool {
      switch self {
      case .bytePairs(let splitting): splitting == .llama3 || splitting == .tekken
      case .sentencePiece: true
      }
    }
  }

  /// The type of a token; the raw values are those of the GGUF format.
  public enum TokenType: Int, Sendable, Hashable {
    /// Text.
    case normal = 1
    /// The token for unknown text.
    case unknown = 2
    /// A token that steers the model.
    case control = 3
    /// Text that is never split.
    case userDefined = 4
    /// A number that stands for no token.
    case unused = 5
    /// A single byte, written `<0xNN>`.
    case byte = 6
  }

  /// The algorithm.
  public var algorithm: Algorithm
  /// The tokens as the file spells them, indexed by number.
  public var tokens: ByteStrings
  /// The type of each token.
  public var types: [TokenType]
  /// For SentencePiece: each token's score.
  ///
  /// The encoder first merges the pair that forms the token with the highest score.
  public var scores: [Float]
  /// For byte pairs: the merges, best first, each as two parts with a space between them.
  public var merges: ByteStrings
  /// The token that begins a text, or nil if there is none.
  public var beginToken: TokenID?
  /// The tokens that end a text.
  public var endTokens: [TokenID]
  /// Whether a text begins with the begin token.
  public var addsBeginToken: Bool
  /// For SentencePiece: whether to insert a space before the text.
  public var addsSpacePrefix: Bool

  /// Creates a definition from strings in memory.
  ///
  /// - Parameters:
  ///   - algorithm: The algorithm.
  ///   - tokens: The tokens as the file spells them.
  ///   - types: The type of each token.
  ///   - scores: For SentencePiece: the score of each token.
  ///   - merges: For byte pairs: the merges, best first.
  ///   - beginToken: The token that begins a text.
  ///   - endTokens: The tokens that end a text.
  ///   - addsBeginToken: Whether a text begins with the begin token.
  ///   - addsSpacePrefix: For SentencePiece: whether to insert a space before the text.
  public init(
    algorithm: Algorithm, tokens: [[UInt8]], types: [TokenType], scores: [Float] = [],
    merges: [(left: [UInt8], right: [UInt8])] = [], beginToken: TokenID? = nil,
    endTokens: [TokenID] = [], addsBeginToken: Bool = false, addsSpacePrefix: Bool = true
  ) {
    self.init(
      algorithm: algorithm, tokens: ByteStrings(tokens), types: types, scores: scores,
      merges: ByteStrings(merges.map { $0.left + [UInt8(ascii: " ")] + $0.right }),
      beginToken: beginToken, endTokens: endTokens, addsBeginToken: addsBeginToken,
      addsSpacePrefix: addsSpacePrefix)
  }

  /// Creates a definition without copying strings; see `init(algorithm:tokens:…)` for the
  /// parameters.
  package init(
    algorithm: Algorithm, tokens: ByteStrings, types: [TokenType], scores: [Float],
    merges: ByteStrings, beginToken: TokenID?, endTokens: [TokenID], addsBeginToken: Bool,
    addsSpacePrefix: Bool
  ) {
    precondition(tokens.count == types.count, "one type for each token")
    precondition(scores.isEmpty || scores.count == tokens.count, "one score for each token")
    self.algorithm = algorithm
    self.tokens = tokens
    self.types = types
    self.scores = scores
    self.merges = merges
    self.beginToken = beginToken
    self.endTokens = endTokens
    self.addsBeginToken = addsBeginToken
    self.addsSpacePrefix = addsSpacePrefix
  }

  /// Returns the position of the space between a merge's two parts: the first space with at least
  /// one byte before it and one after it.
  ///
  /// - Returns: The position, or nil if there is no such space.
  package static func division(ofMerge line: UnsafeBufferPointer<UInt8>) -> Int? {
    MergeIndex.space(line)
  }

  /// Returns a vocabulary with the exact bytes that each token adds to a text; tokens that the file
  /// doesn't list have no bytes.
  func vocabulary(count: Int, _ letters: ByteLetters) -> Vocabulary {
    var offsets: [UInt32] = [0]
    offsets.reserveCapacity(count + 1)
    // A token's text is never longer than its spelling.
    let bytes = [UInt8](unsafeUninitializedCapacity: tokens.byteCount) { memory, total in
      for number in types.indices {
        let rest = UnsafeMutableBufferPointer(rebasing: memory[total...])
        total += text(of: number, letters, into: rest)
        offsets.append(UInt32(total))
      }
    }
    var kinds: [Vocabulary.Kind] = []
    kinds.reserveCapacity(count)
    for type in types {
      switch type {
      case .control, .unknown: kinds.append(.special)
      case .unused: kinds.append(.unused)
      case .normal, .byte, .userDefined: kinds.append(.text)
      }
    }
    for _ in types.count..<max(count, types.count) {
      offsets.append(UInt32(bytes.count))
      kinds.append(.unused)
    }
    return Vocabulary(bytes: bytes, offsets: offsets, kinds: kinds, endTokens: endTokens)
  }

  /// Writes the bytes that a token adds to a text, and returns how many there are.
  private func text(
    of number: Int, _ letters: ByteLetters, into output: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    let written = tokens[number]
    switch types[number] {
    case .control, .unknown, .unused: return 0
    case .byte:
      guard let byte = Self.byte(written) else { return 0 }
      output[0] = byte
      return 1
    case .normal:
      if algorithm != .sentencePiece, let count = letters.decode(written, into: output) {
        return count
      }
    case .userDefined: break
    }
    return unescape(written, into: output)
  }

  /// Copies text, replacing SentencePiece's U+2581 with the space that it represents.
  private func unescape(
    _ written: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    var (place, count) = (0, 0)
    while place < written.count {
      if algorithm == .sentencePiece, written[place] == 0xE2,
        written[place...].starts(with: SentencePieceEncoder.space)
      {
        output[count] = UInt8(ascii: " ")
        place += 3
      } else {
        output[count] = written[place]
        place += 1
      }
      count += 1
    }
    return count
  }

  /// Returns the byte of a token spelled `<0xNN>`, or nil for any other spelling.
  static func byte(_ written: UnsafeBufferPointer<UInt8>) -> UInt8? {
    guard written.count == 6, written.starts(with: "<0x".utf8), written[5] == 0x3E else {
      return nil
    }
    return UInt8(String(decoding: written[3..<5], as: UTF8.self), radix: 16)
  }
}
