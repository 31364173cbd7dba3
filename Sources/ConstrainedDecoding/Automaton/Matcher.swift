import Tokenization

/// A position in the text of one value, after the bytes accepted so far.
///
/// A matcher holds only the number of a configuration and the keys used so far, and copies of it
/// share the automaton. So a copy is a cheap snapshot: to go back, continue with the copy.
package struct Matcher {
  /// The automaton, which all copies of the matcher share.
  package let automaton: TokenAutomaton
  /// The current configuration.
  package private(set) var configuration: TokenAutomaton.Configuration
  /// The keys of the unclosed objects, or nil if no object may have keys that the schema doesn't
  /// name.
  private var keys: UsedKeys?

  /// Creates a matcher before the first byte.
  package init(_ automaton: TokenAutomaton) {
    self.automaton = automaton
    configuration = automaton.start
    keys = automaton.grammar.hasFreeKeys ? UsedKeys() : nil
  }

  /// Whether an object has too many keys to check for duplicates.
  var hasTooManyKeys: Bool { keys?.isExceeded ?? false }

  /// Whether the text so far is a complete value.
  package var isComplete: Bool { automaton.isComplete(configuration) }

  /// The legal tokens.
  package var mask: TokenMask {
    let mask = automaton.mask(at: configuration)
    guard let keys, keys.hasKeys else { return mask }
    // Only a token with a quote can end a key. A token that begins outside the key needs two
    // quotes, because it has to begin the key as well.
    let candidates = automaton.tokensWithQuotes[keys.isInKey ? 0 : 1]
    let banned = candidates.filter { token in
      mask.contains(token) && !keys.allows(automaton.table.tokens.bytes(of: token))
    }
    return banned.isEmpty ? mask : mask.without(Set(banned), tokenCount: automaton.table.tokenCount)
  }

  /// Whether the value is complete and nothing can follow it.
  package var isFinished: Bool {
    isComplete && automaton.headers[Int(configuration)].threadCount == 0
  }

  /// Appends bytes to the text.
  ///
  /// - Returns: False, leaving the matcher unchanged, if no value continues with these bytes.
  package mutating func accept(bytes: some Sequence<UInt8>) -> Bool {
    advance(bytes)
  }

  private mutating func advance(_ bytes: some Sequence<UInt8>) -> Bool {
    var next = configuration
    var known = keys
    for byte in bytes {
      next = automaton.successor(next, byte)
      if next == TokenAutomaton.dead { return false }
      if known?.feed(byte) == false { return false }
    }
    configuration = next
    keys = known
    return true
  }

  /// Appends a text token to the text.
  ///
  /// - Returns: False, leaving the matcher unchanged, if the token is not a text token or doesn't
  ///   fit.
  package mutating func accept(_ token: TokenID) -> Bool {
    let bytes = automaton.table.tokens.textBytes(of: token)
    return bytes.isEmpty ? false : advance(bytes)
  }
}
