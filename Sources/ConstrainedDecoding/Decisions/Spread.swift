import Tokenization

/// The tokens that can come after some tokens, grouped by their effect on a decision, with their
/// probabilities.
struct Spread {
  /// The mass of the tokens that settle the decision, for each option.
  var decided: [Mass]
  /// The likely tokens that leave the decision open.
  var open: [(token: TokenID, mass: Mass)] = []
  /// The mass of all other tokens that leave the decision open.
  var rest = Mass()
  /// The factor by which raw probabilities are multiplied.
  var scale: Double
}

/// The spreads at the decisions of a prompt's answers.
///
/// The answers to a prompt often begin in the same way. So one answer's tokens are often an open
/// path of another answer, and several answers often have the same open paths. A spread depends
/// only on the tokens before it. So the memory saves evaluations and changes no result.
///
/// All answers must have the same automaton and the same settings.
package final class SpreadMemory {
  /// Everything that determines a spread.
  private struct Key: Hashable {
    var tokens: [TokenID]
    var site: UInt32
    /// The key of the decision's progress.
    var state: [UInt32]
  }

  /// The maximum size of the memory in bytes.
  private static let byteLimit = 16 << 20

  private var known: [Key: Spread] = [:]
  private var bytes = 0

  package init() {}

  /// Returns the spread of a decision after some tokens, or nil if it isn't known.
  func spread(after tokens: [TokenID], site: UInt32, _ state: DecisionProgress) -> Spread? {
    known[Key(tokens: tokens, site: site, state: state.key)]
  }

  /// Adds a spread if there is room for it.
  func add(_ spread: Spread, after tokens: [TokenID], site: UInt32, _ state: DecisionProgress) {
    guard bytes < Self.byteLimit else { return }
    let key = Key(tokens: tokens, site: site, state: state.key)
    bytes += 160 + 4 * (key.tokens.count + key.state.count)
    bytes += MemoryLayout<Mass>.stride * (spread.decided.count + 2 * spread.open.count)
    known[key] = spread
  }
}
