/// SentencePiece's pair merging by score, with single bytes for text that has no token.
///
/// The algorithm is that of Kudo and Richardson, 2018.
struct SentencePieceEncoder: Sendable {
  /// U+2581, which represents a space.
  static let space: [UInt8] = [0xE2, 0x96, 0x81]

  private let tokens: ByteStringIndex
  private let scores: [Float]
  private let byteTokens: [TokenID?]
  private let unknown: TokenID?
  private let longest: Int

  init(_ definition: TokenizerDefinition) {
    var index = ByteStringIndex(definition.tokens, capacity: definition.tokens.count)
    var byteTokens = [TokenID?](repeating: nil, count: 256)
    var unknown: TokenID?
    var longest = 0
    for (number, type) in definition.types.enumerated() {
      let token = definition.tokens[number]
      switch type {
      case .byte:
        if let byte = TokenizerDefinition.byte(token) { byteTokens[Int(byte)] = TokenID(number) }
      case .unknown: unknown = unknown ?? TokenID(number)
      case .normal, .userDefined:
        index.insert(number, replacing: true)
        longest = max(longest, token.count)
      case .control, .unused: break
      }
    }
    tokens = index
    scores = definition.scores
    self.byteTokens = byteTokens
    self.unknown = unknown
    self.longest = longest
  }

  /// Appends the tokens of a text.
  ///
  /// - Parameter prefix: Whether to insert a space before the text.
  func encode(
    _ text: Substring.UnicodeScalarView, prefix: Bool, into output: inout [TokenID]
  ) {
    var bytes: [UInt8] = prefix ? Self.space : []
    var queue = MergeQueue()
    if prefix { queue.append(0, start: 0, length: 3) }
    for scalar in text {
      let start = bytes.count
      if scalar == " " {
        bytes += Self.space
      } else {
        bytes += UTF8.encode(scalar).map(Array.init) ?? []
      }
      queue.append(0, start: start, length: bytes.count - start)
    }
    bytes.withUnsafeBufferPointer { bytes in
      func token(_ start: Int, _ length: Int) -> Int32? {
        guard length <= longest else { return nil }
        return tokens.find(UnsafeBufferPointer(rebasing: bytes[start..<start + length]))
      }
      queue.mergeAll { left, right in
        token(left.start, left.length + right.length).map { (-score($0), $0) }
      }
      for symbol in queue.symbols where symbol.length > 0 {
        if let token = token(symbol.start, symbol.length) {
          output.append(token)
          continue
        }
        for byte in bytes[symbol.start..<symbol.start + symbol.length] {
          if let token = byteTokens[Int(byte)] ?? unknown { output.append(token) }
        }
      }
    }
  }

  private func score(_ token: Int32) -> Float {
    scores.isEmpty ? 0 : scores[Int(token)]
  }
}
