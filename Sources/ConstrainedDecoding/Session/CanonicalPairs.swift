import Synchronization
import Tokenization

/// Checks which tokens the model's tokenizer would write right after the output's last token.
///
/// A tokenizer that merges pairs writes a token directly after another if and only if it encodes
/// their joined text as exactly these two tokens (Vieira et al., Language Models over Canonical
/// Byte-Pair Encodings, 2025). A session checks only likely tokens in advance, because a mask may
/// contain a hundred thousand tokens. It checks an unlikely token only after choosing it.
final class CanonicalPairs: Sendable {
  private let encode: TokenEncoder
  /// For each pair of tokens checked so far, whether the tokenizer writes the second token directly
  /// after the first.
  private let known = Mutex<[UInt64: Bool]>([:])

  /// The minimum share of the legal mass for a token to be checked in advance.
  private static let leastShare = 1e-4
  /// The maximum number of tokens to check in advance.
  private static let mostTokens = 64

  /// Creates a check, or nil if the policy isn't `canonicalPairs`.
  init?(_ policy: TokenizationPolicy) {
    guard case .canonicalPairs(let encoder) = policy else { return nil }
    encode = encoder
  }

  /// Returns the likely legal tokens that the tokenizer wouldn't write next.
  ///
  /// If the tokenizer would write none of the likely tokens, the result is empty, so that at least
  /// one token stays legal.
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

  /// Returns whether a token is likely enough for `strange` to check it.
  ///
  /// The method ignores the limit `mostTokens`, so its result is also true for a token that
  /// `strange` left out because of this limit.
  func wasSeen(_ token: TokenID, in distribution: TokenDistribution) -> Bool {
    distribution.maskedProbability(of: token) >= Self.leastShare
  }

  /// Returns whether the tokenizer would write a token right after another token, or at the
  /// beginning of the output if `last` is nil.
  func isCanonical(_ token: TokenID, after last: TokenID?, _ automaton: TokenAutomaton) -> Bool {
    if automaton.table.endTokens.contains(token) { return true }
    let key = UInt64(UInt32(bitPattern: last ?? -1)) << 32 | UInt64(UInt32(bitPattern: token))
    if let answer = known.withLock({ $0[key] }) { return answer }
    let before = last.map { Array(automaton.table.tokens.bytes(of: $0)) } ?? []
    let bytes = before + automaton.table.tokens.bytes(of: token)
    // The tokenizer can't encode an incomplete character, so tokens with an incomplete character
    // stay legal.
    let answer =
      String(validating: bytes, as: UTF8.self).map {
        encode($0) == (last.map { [$0] } ?? []) + [token]
      }
      ?? true
    known.withLock { $0[key] = answer }
    return answer
  }
}
