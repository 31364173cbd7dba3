import ConstrainedDecoding

/// A worker's cache of automata, for reuse by answers with the same schema.
///
/// Automata grow with use. If there are too many automata, or if their total size is too large, the
/// cache removes the least recently used automata. If a single automaton is too large, the cache
/// replaces it with a new one.
struct AutomatonCache<Key: Hashable> {
  private var automata: [Key: TokenAutomaton] = [:]
  /// The keys, ordered from the least to the most recently used.
  private var order: [Key] = []
  private let mostAutomata: Int
  private let mostBytes: Int

  /// Creates an empty cache.
  ///
  /// - Parameters:
  ///   - mostAutomata: The maximum number of automata.
  ///   - mostBytes: The approximate maximum size of all automata in bytes. The cache enforces it
  ///     whenever an answer begins.
  init(mostAutomata: Int = 32, mostBytes: Int = 256 << 20) {
    self.mostAutomata = mostAutomata
    self.mostBytes = mostBytes
  }

  var count: Int { automata.count }

  /// Returns the automaton for a key, ready for another answer, or `nil` if there is none.
  mutating func automaton(for key: Key) -> TokenAutomaton? {
    guard let known = automata[key] else { return nil }
    let automaton = usable(known)
    insert(automaton, for: key)
    return automaton
  }

  /// Adds an automaton, which becomes the most recently used automaton.
  mutating func insert(_ automaton: TokenAutomaton, for key: Key) {
    order.removeAll { $0 == key }
    order.append(key)
    automata[key] = automaton
    var bytes = automata.values.reduce(0) { $0 + $1.byteCount }
    while order.count > 1, order.count > mostAutomata || bytes > mostBytes {
      bytes -= automata.removeValue(forKey: order.removeFirst())?.byteCount ?? 0
    }
  }

  /// Returns the automaton itself or, if it has grown too large, a new automaton to replace it.
  func usable(_ automaton: TokenAutomaton) -> TokenAutomaton {
    automaton.exceeded == nil && automaton.byteCount <= mostBytes ? automaton : automaton.unused()
  }
}
