import ConstrainedDecoding

/// The automata that a worker keeps for the next answers under the same schemas.
///
/// They grow with use. So the ones that were not used for longest go where there are too many, or
/// where together they have grown too large; one that is too large alone starts anew.
struct AutomatonCache<Key: Hashable> {
  private var automata: [Key: TokenAutomaton] = [:]
  /// The keys, the last used one last.
  private var order: [Key] = []
  private let mostAutomata: Int
  private let mostBytes: Int

  /// - Parameters:
  ///   - mostAutomata: The most automata that are kept.
  ///   - mostBytes: The most bytes that they may take together when a further answer begins, roughly.
  init(mostAutomata: Int = 32, mostBytes: Int = 256 << 20) {
    self.mostAutomata = mostAutomata
    self.mostBytes = mostBytes
  }

  /// The number of automata.
  var count: Int { automata.count }

  /// The automaton under a key, fit for another answer; nil where none is kept.
  mutating func automaton(for key: Key) -> TokenAutomaton? {
    guard let known = automata[key] else { return nil }
    let automaton = usable(known)
    insert(automaton, for: key)
    return automaton
  }

  /// Keeps an automaton as the one used last.
  mutating func insert(_ automaton: TokenAutomaton, for key: Key) {
    order.removeAll { $0 == key }
    order.append(key)
    automata[key] = automaton
    var bytes = automata.values.reduce(0) { $0 + $1.byteCount }
    while order.count > 1, order.count > mostAutomata || bytes > mostBytes {
      bytes -= automata.removeValue(forKey: order.removeFirst())?.byteCount ?? 0
    }
  }

  /// The automaton itself, or a fresh one in its place where it has grown too large.
  func usable(_ automaton: TokenAutomaton) -> TokenAutomaton {
    automaton.exceeded == nil && automaton.byteCount <= mostBytes ? automaton : automaton.unused()
  }
}
