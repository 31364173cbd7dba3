/// A limit of what an automaton remembers that a schema has exceeded.
package enum AutomatonLimit: Error, Sendable, Hashable, CustomStringConvertible {
  /// More ways than these in which the text at one place can be going on.
  case threads(Int)
  /// More bytes than these for all places that were met.
  case bytes(Int)
  /// More keys of one object than these.
  case keys(Int)
  /// Every key that may stand in an object is there already.
  case usedKeys

  /// The limit in words.
  package var description: String {
    switch self {
    case .threads(let most):
      "the schema leaves more than \(most) ways open in which the text can go on (the engine's limit)"
    case .bytes(let most):
      "the schema's automaton takes more than \(most >> 20) MiB (the engine's limit)"
    case .keys(let most):
      "an object has more than \(most) keys (the engine's limit)"
    case .usedKeys:
      "every key that can follow is in the object already"
    }
  }
}
