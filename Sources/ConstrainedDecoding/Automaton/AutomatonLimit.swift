/// A limit of a `TokenAutomaton`; an answer that exceeds it ends early.
package enum AutomatonLimit: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text can continue in more than this many ways.
  case threads(Int)
  /// The automaton's tables take up more than this many bytes.
  case bytes(Int)
  /// An object has more than this many keys.
  case keys(Int)

  /// A description of the limit for error messages.
  package var description: String {
    switch self {
    case .threads(let most):
      "the text can continue in more than \(most) ways (the engine's limit)"
    case .bytes(let most):
      "the schema's automaton takes more than \(most >> 20) MiB (the engine's limit)"
    case .keys(let most):
      "an object has more than \(most) keys (the engine's limit)"
    }
  }
}
