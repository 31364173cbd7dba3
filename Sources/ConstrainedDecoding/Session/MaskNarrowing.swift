import Tokenization

/// Narrows a mask to the tokens that a segmentation policy allows.
struct MaskNarrowing: Sendable {
  /// The finder of the tokens into which the tokenizer splits *forced* text (the only text that can
  /// come next); nil if the policy also allows other tokens there.
  let runs: CanonicalRuns?
  /// The check of whether the tokenizer would write a token right after the output's last token;
  /// nil if the policy also allows other tokens.
  let pairs: CanonicalPairs?

  init(_ policy: TokenizationPolicy) {
    runs = CanonicalRuns(policy)
    pairs = CanonicalPairs(policy)
  }

  /// Computes the probabilities of the next token, and stores them in the automaton's distribution.
  ///
  /// - Parameters:
  ///   - automaton: The automaton.
  ///   - place: The automaton's configuration after the output so far.
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

  /// Does the same as `fill(_:at:after:logits:settings:)`, given a mask that is already known.
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
