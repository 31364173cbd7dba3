/// What a model file says about its tokenizer.
public struct TokenizerDefinition: Sendable {
  /// How text is cut into tokens.
  public enum Algorithm: Sendable, Hashable {
    /// Byte-level byte-pair encoding: pieces of text, cut by a rule, merged in a fixed order.
    case bytePairs(TextSplitting)
    /// SentencePiece: characters merged by score, single bytes where there is no token.
    case sentencePiece

    /// Whether a text begins with the begin token where the file does not say.
    public var addsBeginTokenByDefault: Bool {
      switch self {
      case .bytePairs(let splitting): splitting == .llama3 || splitting == .tekken
      case .sentencePiece: true
      }
    }
  }

  /// What a token is, by the numbers of the GGUF format.
  public enum TokenType: Int, Sendable, Hashable {
    /// Text.
    case normal = 1
    /// Stands for what has no token.
    case unknown = 2
    /// Steers the model.
    case control = 3
    /// Text that is never cut.
    case userDefined = 4
    /// Not in use.
    case unused = 5
    /// A single byte, written `<0xNN>`.
    case byte = 6
  }

  /// The algorithm.
  public var algorithm: Algorithm
  /// The tokens as the file writes them, by their numbers.
  public var tokens: ByteStrings
  /// What each token is; as many as there are tokens.
  public var types: [TokenType]
  /// SentencePiece: each token's score; the highest is merged first.
  public var scores: [Float]
  /// Byte pairs: the merges, best first, each as two parts with a space between.
  public var merges: ByteStrings
  /// The token that begins a text.
  public var beginToken: TokenID?
  /// The tokens that end a text.
  public var endTokens: [TokenID]
  /// Whether a text begins with the begin token.
  public var addsBeginToken: Bool
  /// SentencePiece: whether a space is put before the text.
  public var addsSpacePrefix: Bool

  /// Creates a definition of strings in memory.
  ///
  /// - Parameters:
  ///   - algorithm: The algorithm.
  ///   - tokens: The tokens as the file writes them.
  ///   - types: What each token is; as many as there are tokens.
  ///   - scores: SentencePiece: as many as there are tokens.
  ///   - merges: Byte pairs: the merges, best first.
  ///   - beginToken: The token that begins a text.
  ///   - endTokens: The tokens that end a text.
  ///   - addsBeginToken: Whether a text begins with the begin token.
  ///   - addsSpacePrefix: SentencePiece: whether a space is put before the text.
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

  /// Creates a definition of strings where they lie: `init(algorithm:tokens:…)` says the rest.
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

  /// Where a merge's two parts are divided: at the first space after the first byte.
  ///
  /// - Returns: The space's place, or nothing where there is none with a byte after it.
  package static func division(ofMerge line: UnsafeBufferPointer<UInt8>) -> Int? {
    MergeIndex.space(line)
  }

  /// The tokens as the exact bytes that they add to a text, and nothing for numbers beyond them.
  func vocabulary(count: Int, _ letters: ByteLetters) -> Vocabulary {
    var offsets: [UInt32] = [0]
    offsets.reserveCapacity(count + 1)
    // No token's text is longer than what is written for it.
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

  /// Writes the bytes that a token adds to a text, and returns their number.
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

  /// Writes text as it is, but SentencePiece's U+2581 as the space that it stands for.
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

  /// The byte of a token written `<0xNN>`.
  static func byte(_ written: UnsafeBufferPointer<UInt8>) -> UInt8? {
    guard written.count == 6, written.starts(with: "<0x".utf8), written[5] == 0x3E else {
      return nil
    }
    return UInt8(String(decoding: written[3..<5], as: UTF8.self), radix: 16)
  }
}
