/// A deterministic automaton over letters that stores only existing transitions; state 0 is the
/// start.
struct SparseAutomaton {
  struct Edge: Hashable {
    var letter: Int32
    var target: Int32
  }

  /// The edges of each state, by letter.
  var edges: [[Edge]] = []
  /// Whether a text may end in a state, with one entry per state.
  var isAccepting: [Bool] = []
}
