import Tokenization

/// The cache of an automaton's masks and their parts.
///
/// An automaton can recompute everything in its cache, so it clears the cache when the contents
/// take too much memory.
struct MaskCache {
  /// The finished masks, by configuration.
  var masks: [TokenMask?] = []
  /// The masks that allow a single token; sessions use them inside runs (`CanonicalRuns`).
  var single: [TokenID: TokenMask] = [:]
  /// The tokens of white space and something else, by the configuration after the white space.
  var spacedTokens: [TokenAutomaton.Configuration: TokenAutomaton.SpacedTokens] = [:]
  /// The loops of the byte states examined so far; nil for a state without a loop.
  var classLoops: [UInt32: ClassLoop?] = [:]
  /// The steps from byte states that may be part of a loop; nil for a state without such a step.
  var loopSteps: [UInt32: LoopStep?] = [:]

  /// Clears the cache, except for the loops and their steps, because there are few of them.
  mutating func forget() {
    for index in masks.indices { masks[index] = nil }
    single = [:]
    spacedTokens = [:]
  }
}
