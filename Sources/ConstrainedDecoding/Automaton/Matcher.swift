import Tokenization

/// A place in the text of one value: what was accepted so far.
///
/// A matcher is one number beside its automaton: a copy is a snapshot, and going back is going on
/// with the copy.
package struct Matcher {
  /// The automaton, which its matchers share.
  package let automaton: TokenAutomaton
  /// The place.
  package private(set) var configuration: TokenAutomaton.Configuration
  /// The keys of the open objects; nil if the grammar has no keys that the schema doesn't name.
  private var keys: UsedKeys?

  /// A matcher before the first byte.
  package init(_ automaton: TokenAutomaton) {
    self.automaton = automaton
    configuration = automaton.start
    keys = automaton.grammar.hasFreeKeys ? UsedKeys() : nil
  }

  /// Whether an object has more keys than are compared.
  var hasTooManyKeys: Bool { keys?.isExceeded ?? false }

  /// Whether the text so far is a whole value.
  package var isComplete: Bool { automaton.isComplete(configuration) }

  /// The legal tokens.
  package var mask: TokenMask {
    let mask = automaton.mask(at: configuration)
    guard let keys, keys.hasKeys else { return mask }
    // A token ends a key only with a quote; outside of keys it also has to begin it.
    let candidates = automaton.tokensWithQuotes[keys.isInKey ? 0 : 1]
    let banned = candidates.filter { token in
      mask.contains(token) && !keys.allows(automaton.table.tokens.bytes(of: token))
    }
    return banned.isEmpty ? mask : mask.without(Set(banned), tokenCount: automaton.table.tokenCount)
  }

  /// Whether the text so far is a whole value that nothing can be added to.
  package var isFinished: Bool {
    isComplete && automaton.headers[Int(configuration)].threadCount == 0
  }

  /// Appends bytes.
  ///
  /// - Returns: False, with nothing changed, where no value begins like that.
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

  /// Appends a text token.
  ///
  /// - Returns: False, with nothing changed, where it is no text token or does not fit.
  package mutating func accept(_ token: TokenID) -> Bool {
    let bytes = automaton.table.tokens.textBytes(of: token)
    return bytes.isEmpty ? false : advance(bytes)
  }

  /// The bytes that must follow, whatever is generated: as far as there is exactly one way on.
  ///
  /// - Parameter limit: The most bytes to look ahead.
  package func forcedBytes(limit: Int = 4096) -> [UInt8] {
    var result: [UInt8] = []
    var place = configuration
    while result.count < limit, let byte = automaton.forcedByte(at: place) {
      result.append(byte)
      place = automaton.successor(place, byte)
    }
    return result
  }
}
