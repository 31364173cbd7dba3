/// A deterministic automaton over letters, with only the transitions that exist; the start is 0.
struct SparseAutomaton {
  struct Edge: Hashable {
    var letter: Int32
    var target: Int32
  }

  /// The edges of each state, by letter.
  var edges: [[Edge]] = []
  /// Whether a text may end in a state, one entry per state.
  var isAccepting: [Bool] = []
}
