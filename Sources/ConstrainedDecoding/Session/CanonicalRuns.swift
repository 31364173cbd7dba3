import Tokenization

/// A policy on which *segmentations* of a text (ways to split it into tokens) are legal.
///
/// The request fingerprint covers the policy.
package enum TokenizationPolicy: Sendable {
  /// Allows every token whose bytes fit: the mask is exact.
  case allSegmentations
  /// Restricts forced text to the tokens into which the model's tokenizer splits it; elsewhere, the
  /// policy allows every token whose bytes fit.
  ///
  /// Text is *forced* if it is the only text that can come next. In training, a model hardly ever
  /// sees a text that is split in another way. The set of possible values stays the same. Inside
  /// forced text, the mask excludes the other segmentations, so the mass that it keeps (Z) is the
  /// mass of the one remaining token.
  case canonicalForcedRuns(encoder: TokenEncoder)
  /// Allows every token whose bytes fit and that the model's tokenizer would write right after the
  /// last token.
  ///
  /// If the tokenizer would write none of the likely tokens, the policy allows all of them.
  case canonicalPairs(encoder: TokenEncoder)
}

/// Finds *canonical runs*: the tokens into which the tokenizer splits forced text, whatever follows
/// it.
///
/// The tokens of a text can change when more text follows: `"` and `:` alone are two tokens, but
/// `":` may be one. So the last tokens of a forced text must stay open ("healing"), and the finder
/// computes how many. The text that follows either begins with a new token, or its first bytes are
/// part of a token that begins inside the forced text. In both cases, the position at which this
/// token begins is a *cut*. With byte-pair encoders, the tokens on the two sides of a cut don't
/// depend on each other, so the tokens that all cuts have in common are certain:
///
/// ```
/// text so far {        forced "cards":[        then { or ]
///
///   a token begins at   because       tokens of the text up to there
///   the end             always        "   cards   ":   [
///   the [               [{  []        "   cards   ":
///   the :               :[            "   cards   "
///   ─────────────────────────────────────────────────────
///   common to all                     "   cards              is the run; ":[ stays open
/// ```
///
/// The tokens so far were sampled, so the last of them may end where the tokenizer would not end a
/// token: the tokenizer would join the end of the text so far and the beginning of the forced text
/// in one token. In that case, the finder computes the run from the forced text alone. Several
/// blanks before a cut stay open too, because what follows them affects how tokenizers split them.
struct CanonicalRuns: Sendable {
  private let encode: TokenEncoder

  /// The maximum number of bytes that the encoder sees before a run.
  private static let contextLength = 64
  /// The maximum number of forced bytes to consider together.
  private static let forcedLength = 512

  /// Creates a finder, or nil if the policy isn't `canonicalForcedRuns`.
  init?(_ policy: TokenizationPolicy) {
    guard case .canonicalForcedRuns(let encoder) = policy else { return nil }
    encode = encoder
  }

  /// Returns the tokens that are certain to come next; empty if there are none.
  ///
  /// The method encodes at most a few hundred bytes for each cut.
  ///
  /// - Parameters:
  ///   - automaton: The automaton.
  ///   - place: The configuration at the place in the text.
  ///   - tokens: The output so far.
  func run(
    in automaton: TokenAutomaton, at place: TokenAutomaton.Configuration, after tokens: [TokenID]
  ) -> [TokenID] {
    var end = place
    var forced: [UInt8] = []
    while forced.count < Self.forcedLength, let byte = automaton.forcedByte(at: end) {
      forced.append(byte)
      end = automaton.successor(end, byte)
    }
    if forced.isEmpty { return [] }
    let cuts = automaton.spanningTokenStarts(in: forced, upTo: end)
    if cuts.first == 0 { return [] }
    let context = context(of: tokens, automaton)
    guard var common = canonical(forced[...], after: context, automaton) else { return [] }
    for cut in cuts.reversed() where !common.isEmpty {
      guard let run = canonical(forced[..<cut], after: context, automaton) else { return [] }
      common = zip(common, run).prefix { $0 == $1 }.map(\.0)
    }
    return common
  }

  /// Returns the mask that allows only the run's first token, or nil if there is no run.
  func mask(
    of automaton: TokenAutomaton, at place: TokenAutomaton.Configuration, after tokens: [TokenID]
  ) -> TokenMask? {
    run(in: automaton, at: place, after: tokens).first.map { automaton.mask(of: $0) }
  }

  /// Returns the bytes of the last tokens, starting at the beginning of a character.
  private func context(of tokens: [TokenID], _ automaton: TokenAutomaton) -> [UInt8] {
    var pieces: [ArraySlice<UInt8>] = []
    var length = 0
    for token in tokens.reversed() {
      let bytes = automaton.table.tokens.bytes(of: token)
      if length + bytes.count > Self.contextLength { break }
      length += bytes.count
      pieces.append(bytes)
    }
    return Array(pieces.reversed().joined().drop { $0 & 0xC0 == 0x80 })
  }

  /// Returns the tokens of forced text after a context, or nil if the encoder's tokens don't spell
  /// the text.
  private func canonical(
    _ forced: ArraySlice<UInt8>, after context: [UInt8], _ automaton: TokenAutomaton
  ) -> [TokenID]? {
    // If the text ends inside a character, drop the incomplete character. The token before that
    // character may then still change.
    let whole = forced.prefix(Self.wholeCharacters(in: forced))
    if whole.isEmpty { return [] }
    let isCut = whole.count < forced.count
    guard let text = String(validating: context + whole, as: UTF8.self) else { return nil }
    if let run = tokens(of: text, automaton), let first = run.index(after: context.count) {
      return run.tokens[first..<max(first, run.certain(in: text, isCut: isCut))].map { $0 }
    }
    guard let alone = String(validating: whole, as: UTF8.self),
      let run = tokens(of: alone, automaton)
    else { return nil }
    return run.tokens.prefix(run.certain(in: alone, isCut: isCut)).map { $0 }
  }

  /// Returns the number of leading bytes that form whole characters.
  static func wholeCharacters(in bytes: ArraySlice<UInt8>) -> Int {
    guard let last = bytes.lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return bytes.count }
    let length =
      switch bytes[last] {
      case ..<0x80: 1
      case ..<0xE0: 2
      case ..<0xF0: 3
      default: 4
      }
    return bytes.endIndex - last >= length ? bytes.count : last - bytes.startIndex
  }

  private struct Segmentation {
    var tokens: [TokenID]
    /// The offset at which each token ends.
    var ends: [Int]

    /// Returns the number of leading tokens that don't depend on what follows the text.
    ///
    /// Tokenizers look ahead over white space: the last of several blanks may belong to the next
    /// word (`\s+(?!\S)`). So if the text ends with several blanks, their tokens are not certain.
    ///
    /// - Parameter isCut: Whether an incomplete character after the text was dropped; if so, the
    ///   last token isn't certain either.
    func certain(in text: String, isCut: Bool) -> Int {
      let blank = text.utf8.reversed().prefix { ByteSet.whitespace.contains($0) }.count
      let end = text.utf8.count - (blank > 1 ? blank : 0)
      return min(ends.count(where: { $0 <= end }), ends.count - (isCut ? 1 : 0))
    }

    /// Returns the index of the token that begins at a byte, or nil if no token begins there.
    func index(after byte: Int) -> Int? {
      byte == 0 ? 0 : ends.firstIndex(of: byte).map { $0 + 1 }
    }
  }

  /// Returns the encoder's tokens, or nil if they are not text tokens that spell the text.
  private func tokens(of text: String, _ automaton: TokenAutomaton) -> Segmentation? {
    let tokens = encode(text)
    var rest = Array(text.utf8)[...]
    var ends: [Int] = []
    for token in tokens {
      let bytes = automaton.table.tokens.textBytes(of: token)
      if bytes.isEmpty || !rest.starts(with: bytes) { return nil }
      rest = rest.dropFirst(bytes.count)
      ends.append(rest.startIndex)
    }
    return rest.isEmpty ? Segmentation(tokens: tokens, ends: ends) : nil
  }
}

extension TokenAutomaton {
  /// Returns the positions in forced text at which a token that extends past the end of the text
  /// can begin, in ascending order.
  ///
  /// - Parameters:
  ///   - forced: The forced text.
  ///   - end: The configuration after the forced text.
  func spanningTokenStarts(in forced: [UInt8], upTo end: Configuration) -> [Int] {
    let trie = table.trie
    return (max(0, forced.count - trie.maximumDepth)..<forced.count).filter { start in
      guard let node = trie.find(forced[start...]) else { return false }
      return hasLegalToken(below: node, from: end)
    }
  }

  /// Returns whether some token below a node of the vocabulary's trie fits, counting only the bytes
  /// after that node.
  private func hasLegalToken(below node: Int, from place: Configuration) -> Bool {
    let trie = table.trie
    let base = Int(trie.nodes[node].depth)
    var stack = [place]
    var position = node + 1
    let end = node + Int(trie.nodes[node].subtree)
    while position < end {
      let next = trie.nodes[position]
      let depth = Int(next.depth) - base
      stack.removeSubrange(depth...)
      let configuration = successor(stack[depth - 1], next.byte)
      if configuration == Self.dead {
        position += Int(next.subtree)
        continue
      }
      if next.value >= 0 { return true }
      stack.append(configuration)
      position += 1
    }
    return false
  }
}
