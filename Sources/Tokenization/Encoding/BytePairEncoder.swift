/// Byte-level byte-pair encoding.
///
/// All lookups use the letters that represent bytes (`ByteLetters`), because the model file spells
/// its tokens and merges in these letters:
///
/// ```
/// " low"  ──letters──►  Ġ l o w  ──merges──►  Ġlow  ──tokens──►  2968
/// ```
///
/// The algorithm is that of Sennrich et al., 2016, with the byte-level alphabet of GPT-2.
struct BytePairEncoder: Sendable {
  private let splitting: TextSplitting
  /// The letter of each byte, in UTF-8.
  private let letters: [[UInt8]]
  private let merges: MergeIndex
  private let tokens: ByteStringIndex

  init(_ definition: TokenizerDefinition, splitting: TextSplitting, letters: ByteLetters) {
    self.splitting = splitting
    self.letters = (UInt8.min...UInt8.max).map(letters.written)
    var tokens = ByteStringIndex(definition.tokens, capacity: definition.tokens.count)
    for (number, type) in definition.types.enumerated() {
      switch type {
      case .normal, .byte, .userDefined: tokens.insert(number, replacing: true)
      case .control, .unknown, .unused: break
      }
    }
    self.tokens = tokens
    merges = MergeIndex(definition.merges)
  }

  /// Appends the tokens of a text.
  func encode(_ text: Substring.UnicodeScalarView, into tokens: inout [TokenID]) {
    let scalars = Array(text)
    splitting.pieces(of: scalars) { piece in
      var written: [UInt8] = []
      var queue = MergeQueue()
      for scalar in scalars[piece] {
        UTF8.encode(scalar)?.forEach { byte in
          let letter = letters[Int(byte)]
          queue.append(0, start: written.count, length: letter.count)
          written += letter
        }
      }
      written.withUnsafeBufferPointer { encode(piece: $0, &queue, into: &tokens) }
    }
  }

  private func encode(
    piece written: UnsafeBufferPointer<UInt8>, _ queue: inout MergeQueue,
    into tokens: inout [TokenID]
  ) {
    if splitting.takesWholePieces, let token = self.tokens.find(written) {
      tokens.append(token)
      return
    }
    func part(_ symbol: MergeQueue.Symbol) -> UnsafeBufferPointer<UInt8> {
      UnsafeBufferPointer(rebasing: written[symbol.start..<symbol.start + symbol.length])
    }
    queue.mergeAll { left, right in
      merges.rank(part(left), part(right)).map { (Float($0), 0) }
    }
    for symbol in queue.symbols where symbol.length > 0 {
      let part = part(symbol)
      if let token = self.tokens.find(part) {
        tokens.append(token)
        continue
      }
      // This part is not a token, so append those of its letters that are tokens. A letter takes
      // one or two bytes.
      var place = 0
      while place < part.count {
        let end = part[place] < 0x80 ? place + 1 : place + 2
        if let token = self.tokens.find(UnsafeBufferPointer(rebasing: part[place..<end])) {
          tokens.append(token)
        }
        place = end
      }
    }
  }
}
