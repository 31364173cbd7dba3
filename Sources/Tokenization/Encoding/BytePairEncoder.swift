/// Byte-level byte-pair encoding.
///
/// Source: Sennrich et al., 2016; the byte-level alphabet of GPT-2.
struct BytePairEncoder: Sendable {
  private let splitting: TextSplitting
  /// The symbol of each byte.
  private let byteSymbols: [Int32]
  /// Rank and result of a merge, by both symbols' numbers.
  private let merges: [UInt64: Merge]
  /// Tokens by the bytes they stand for, for pieces that are tokens as a whole.
  private let wholes: ByteStringIndex
  /// The number of tokens; symbols from here on are parts that are no tokens themselves.
  private let tokenCount: Int

  private struct Merge {
    var rank: Float
    var result: Int32
  }

  init(_ definition: TokenizerDefinition, splitting: TextSplitting, letters: ByteLetters) {
    self.splitting = splitting
    tokenCount = definition.tokens.count
    var symbols = ByteStringIndex(capacity: tokenCount + 512)
    var wholes = ByteStringIndex(capacity: tokenCount)
    for (number, token) in definition.tokens.enumerated() {
      switch definition.types[number] {
      case .normal, .byte, .userDefined: break
      case .control, .unknown, .unused: continue
      }
      symbols.insert(token, Int32(number), replacing: true)
      wholes.insert(definition.text(of: number, letters), Int32(number), replacing: true)
    }
    var next = Int32(tokenCount)
    func symbol(_ written: [UInt8]) -> Int32 {
      if let known = symbols.find(written) { return known }
      symbols.insert(written, next)
      next += 1
      return next - 1
    }
    byteSymbols = (UInt8.min...UInt8.max).map { symbol(letters.written($0)) }
    var merges: [UInt64: Merge] = [:]
    merges.reserveCapacity(definition.merges.count)
    for (rank, merge) in definition.merges.enumerated() {
      let key = Self.key(symbol(merge.left), symbol(merge.right))
      // A merge that is listed twice keeps its first place.
      guard merges[key] == nil else { continue }
      merges[key] = Merge(rank: Float(rank), result: symbol(merge.left + merge.right))
    }
    self.merges = merges
    self.wholes = wholes
  }

  private static func key(_ left: Int32, _ right: Int32) -> UInt64 {
    UInt64(UInt32(bitPattern: left)) << 32 | UInt64(UInt32(bitPattern: right))
  }

  /// Appends the tokens of a text.
  func encode(_ text: Substring.UnicodeScalarView, into tokens: inout [TokenID]) {
    let scalars = Array(text)
    splitting.pieces(of: scalars) { piece in
      var bytes: [UInt8] = []
      for scalar in scalars[piece] { bytes += UTF8.encode(scalar).map(Array.init) ?? [] }
      encode(piece: bytes, into: &tokens)
    }
  }

  private func encode(piece bytes: [UInt8], into tokens: inout [TokenID]) {
    if splitting.takesWholePieces, let token = wholes.find(bytes) {
      tokens.append(token)
      return
    }
    var queue = MergeQueue()
    for (position, byte) in bytes.enumerated() {
      queue.append(byteSymbols[Int(byte)], start: position, length: 1)
    }
    queue.mergeAll { left, right in
      merges[Self.key(left.number, right.number)].map { ($0.rank, $0.result) }
    }
    for symbol in queue.symbols where symbol.length > 0 {
      if symbol.number < tokenCount {
        tokens.append(symbol.number)
      } else {
        // A part that is no token: its bytes, as far as they are tokens.
        for byte in bytes[symbol.start..<symbol.start + symbol.length]
        where byteSymbols[Int(byte)] < tokenCount {
          tokens.append(byteSymbols[Int(byte)])
        }
      }
    }
  }
}
