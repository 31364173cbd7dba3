import Tokenization

/// The masks of an automaton and their parts.
///
/// All of it can be made again, so an automaton forgets it when it takes too much memory.
struct MaskCache {
  /// The finished masks, by configuration.
  var masks: [TokenMask?] = []
  /// Masks of one token, which canonical runs narrow to.
  var single: [TokenID: TokenMask] = [:]
  /// The tokens that begin with white space, by what can follow it.
  var spacedTokens: [TokenAutomaton.Configuration: TokenAutomaton.SpacedTokens] = [:]
  /// The loops of byte states, or nil if there is none; as far as they are known.
  var classLoops: [UInt32: ClassLoop?] = [:]
  /// Their single steps.
  var loopSteps: [UInt32: LoopStep?] = [:]

  /// Forgets all that grows with the places that were met; loops are few.
  mutating func forget() {
    for index in masks.indices { masks[index] = nil }
    single = [:]
    spacedTokens = [:]
  }
}
