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

  /// The limit that the automaton or the text exceeded, or nil; if there is one, don't use the
  /// mask.
  var exceeded: AutomatonLimit? {
    automaton.exceeded ?? (keys?.isExceeded == true ? .keys(UsedKeys.limit) : nil)
  }

  /// Whether the text so far is a complete value.
  package var isComplete: Bool { automaton.isComplete(configuration) }

  /// The legal tokens.
  package var mask: TokenMask {
    let mask = automaton.mask(at: configuration)
    guard let keys else { return mask }
    var banned: Set<TokenID> = []
    if keys.mayRepeat { addRepeatingTokens(to: &banned) }
    // Other tokens can repeat a key only if they begin the key as well, with a quote. Inside a
    // string, they need another quote before it. Without earlier keys, they need the quotes of the
    // first key too.
    let candidates = automaton.tokensWithQuotes[keys.hasKeys ? keys.isInString ? 1 : 0 : 2]
    func check(_ token: TokenID) {
      if banned.contains(token) || !mask.contains(token) { return }
      var next = self
      if !next.advance(automaton.table.tokens.textBytes(of: token)) { banned.insert(token) }
    }
    if mask.count < candidates.count {
      mask.forEach { if !automaton.table.endTokens.contains($0) { check($0) } }
    } else {
      candidates.forEach(check)
    }
    return banned.isEmpty ? mask : mask.without(banned, tokenCount: automaton.table.tokenCount)
  }

  /// Adds the tokens that would turn the current key into one that the object already has, or into
  /// the beginning of such keys alone.
  ///
  /// The method walks only through those parts of the vocabulary's trie with which a used key
  /// continues.
  private func addRepeatingTokens(to banned: inout Set<TokenID>) {
    let trie = automaton.table.trie
    var open: [(node: Int, place: Matcher)] = []
    func visit(_ node: Int, _ place: Matcher) {
      let byte = trie.nodes[node].byte
      if automaton.successor(place.configuration, byte) == TokenAutomaton.dead { return }
      var next = place
      if next.advance(CollectionOfOne(byte)) {
        if next.keys?.mayRepeat == true { open.append((node, next)) }
        return
      }
      for below in node..<node + Int(trie.nodes[node].subtree) {
        if trie.nodes[below].value >= 0 {
          trie.forEachValue(trie.nodes[below].value) { banned.insert($0) }
        }
      }
    }
    for root in trie.roots where root != 0 { visit(Int(root), self) }
    while let (node, place) = open.popLast() {
      var child = node + 1
      let end = node + Int(trie.nodes[node].subtree)
      while child < end {
        visit(child, place)
        child += Int(trie.nodes[child].subtree)
      }
    }
  }

  /// The bytes that can come next.
  var legalBytes: [UInt8] {
    var bytes: [UInt8] = []
    automaton.firstBytes(configuration).forEach { byte in
      var next = self
      if next.advance(CollectionOfOne(byte)) { bytes.append(byte) }
    }
    return bytes
  }

  /// The only byte that can follow, or nil if the text may end or several bytes can follow.
  var forcedByte: UInt8? {
    if isComplete { return nil }
    let bytes = legalBytes
    return bytes.count == 1 ? bytes[0] : nil
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
      if let known, known.mayRepeat, !automaton.hasUnusedKey(at: next, known) { return false }
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

extension TokenAutomaton {
  /// Returns whether some key that its object doesn't have yet can follow at a configuration inside
  /// a key.
  ///
  /// If any string may be the key, there's always another one.
  fileprivate func hasUnusedKey(at configuration: Configuration, _ keys: UsedKeys) -> Bool {
    let header = headers[Int(configuration)]
    return threads[Int(header.firstThread)...].prefix(Int(header.threadCount)).contains { thread in
      thread.kind != Thread.states || keys.hasUnusedKey(from: thread.state, in: grammar.states)
    }
  }
}
