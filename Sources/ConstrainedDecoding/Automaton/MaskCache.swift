import Tokenization

/// A cache of an automaton's masks and of the data that they're computed from.
///
/// The automaton can recompute everything in the cache, so it clears the cache when the contents
/// take up too much memory.
struct MaskCache {
  /// The finished masks, indexed by configuration.
  var masks: [TokenMask?] = []
  /// The masks that allow a single token, keyed by that token; sessions use them inside canonical
  /// runs (`CanonicalRuns`).
  var single: [TokenID: TokenMask] = [:]
  /// The tokens that consist of white space followed by other text, keyed by the configuration
  /// after the white space.
  var spacedTokens: [TokenAutomaton.Configuration: TokenAutomaton.SpacedTokens] = [:]
  /// The loops found so far, keyed by byte state; the value is nil if the state has no loop.
  var classLoops: [UInt32: ClassLoop?] = [:]
  /// The steps that may be part of a loop, keyed by byte state; the value is nil if the state has
  /// none.
  var loopSteps: [UInt32: LoopStep?] = [:]

  /// Clears the cache, but keeps the loops and their steps, because there are only a few.
  mutating func forget() {
    for index in masks.indices { masks[index] = nil }
    single = [:]
    spacedTokens = [:]
  }
}
