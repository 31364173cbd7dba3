import Tokenization

/// Narrows a mask to the tokens that a segmentation policy allows.
struct MaskNarrowing: Sendable {
  /// The finder that restricts forced text to the tokens into which the tokenizer splits it, or nil
  /// if the policy doesn't restrict forced text.
  let runs: CanonicalRuns?
  /// The check that excludes tokens that the tokenizer wouldn't write right after the last one, or
  /// nil if the policy doesn't exclude them.
  let pairs: CanonicalPairs?

  init(_ policy: TokenizationPolicy) {
    runs = CanonicalRuns(policy)
    pairs = CanonicalPairs(policy)
  }

  /// Fills the automaton's distribution with the probabilities at a place.
  ///
  /// - Parameters:
  ///   - automaton: The automaton.
  ///   - place: The configuration at the place.
  ///   - tokens: The output so far.
  ///   - logits: The model's logits.
  ///   - settings: The sampling settings.
  /// - Returns: The narrowed mask, or nil if no legal token has a finite logit.
  @discardableResult
  func fill(
    _ automaton: TokenAutomaton, at place: TokenAutomaton.Configuration, after tokens: [TokenID],
    logits: UnsafeBufferPointer<Float>, settings: SamplingSettings
  ) -> TokenMask? {
    let mask =
      runs?.mask(of: automaton, at: place, after: tokens) ?? automaton.mask(at: place)
    return fill(automaton, mask, after: tokens, logits: logits, settings: settings)
  }

  /// Fills the automaton's distribution, given a mask that is already known.
  func fill(
    _ automaton: TokenAutomaton, _ mask: TokenMask, after tokens: [TokenID],
    logits: UnsafeBufferPointer<Float>, settings: SamplingSettings
  ) -> TokenMask? {
    let distribution = automaton.distribution
    guard distribution.fill(logits: logits, mask: mask, settings: settings) else { return nil }
    guard let pairs else { return mask }
    let strange = pairs.strange(among: distribution, mask, after: tokens.last, logits, automaton)
    if strange.isEmpty { return mask }
    let narrowed = mask.without(strange, tokenCount: automaton.table.tokenCount)
    return distribution.fill(logits: logits, mask: narrowed, settings: settings)
      ? narrowed : nil
  }
}
