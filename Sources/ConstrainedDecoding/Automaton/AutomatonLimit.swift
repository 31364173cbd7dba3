/// A limit that ends an answer early.
package enum AutomatonLimit: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text at one place can continue in more than this number of ways.
  case threads(Int)
  /// The automaton's tables take more than this number of bytes.
  case bytes(Int)
  /// One object has more than this number of keys.
  case keys(Int)
  /// Every key that an object may have is already in it.
  case usedKeys

  /// The words that an error uses for the limit.
  package var description: String {
    switch self {
    case .threads(let most):
      "the text can continue in more than \(most) ways (the engine's limit)"
    case .bytes(let most):
      "the schema's automaton takes more than \(most >> 20) MiB (the engine's limit)"
    case .keys(let most):
      "an object has more than \(most) keys (the engine's limit)"
    case .usedKeys:
      "the object already has every key that the schema allows"
    }
  }
}
