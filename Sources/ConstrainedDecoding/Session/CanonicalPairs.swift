import Synchronization
import Tokenization

/// Tells tokens that the model's tokenizer would write behind the last one from those that it would
/// not.
///
/// A tokenizer that merges pairs writes a token behind another one if and only if it cuts the text of
/// both between them (Vieira et al., Language Models over Canonical Byte-Pair Encodings, 2025). Only
/// likely tokens are looked at, since a mask may hold a hundred thousand; one that is chosen is
/// looked at in any case (`DecodingSession`).
final class CanonicalPairs: Sendable {
  private let encode: TokenEncoder
  /// Whether the tokenizer writes the second token behind the first one.
  private let known = Mutex<[UInt64: Bool]>([:])

  /// Tokens with a smaller share of the legal mass are not looked at before they are chosen.
  private static let leastShare = 1e-4
  /// The most tokens that are looked at.
  private static let mostTokens = 64

  /// Nil where the policy leaves no token out.
  init?(_ policy: TokenizationPolicy) {
    guard case .canonicalPairs(let encoder) = policy else { return nil }
    encode = encoder
  }

  /// The likely legal tokens that the tokenizer would not write; none where it would write none of
  /// them, so that something is always left.
  func strange(
    among distribution: TokenDistribution, _ mask: TokenMask, after last: TokenID?,
    _ logits: UnsafeBufferPointer<Float>, _ automaton: TokenAutomaton
  ) -> Set<TokenID> {
    if mask.count < 2 { return [] }
    var result: Set<TokenID> = []
    var isSomeLeft = false
    for token in distribution.likeliest(Self.mostTokens, logits, isLegal: true)
    where distribution.maskedProbability(of: token) >= Self.leastShare {
      if isCanonical(token, after: last, automaton) {
        isSomeLeft = true
      } else {
        result.insert(token)
      }
    }
    return isSomeLeft ? result : []
  }

  /// Whether a token is so likely that `strange` has looked at it.
  func wasSeen(_ token: TokenID, in distribution: TokenDistribution) -> Bool {
    distribution.maskedProbability(of: token) >= Self.leastShare
  }

  /// Whether the tokenizer would write a token behind another one.
  func isCanonical(_ token: TokenID, after last: TokenID?, _ automaton: TokenAutomaton) -> Bool {
    if automaton.table.endTokens.contains(token) { return true }
    let key = UInt64(UInt32(bitPattern: last ?? -1)) << 32 | UInt64(UInt32(bitPattern: token))
    if let answer = known.withLock({ $0[key] }) { return answer }
    let before = last.map { Array(automaton.table.tokens.bytes(of: $0)) } ?? []
    let bytes = before + automaton.table.tokens.bytes(of: token)
    // Half a character is no text: such tokens stay.
    let answer =
      String(validating: bytes, as: UTF8.self).map {
        encode($0) == (last.map { [$0] } ?? []) + [token]
      }
      ?? true
    known.withLock { $0[key] = answer }
    return answer
  }
}
