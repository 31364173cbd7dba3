/// A deterministic automaton over letters (see ``ScalarAlphabet``) that stores only the transitions
/// that exist.
///
/// State 0 is the start.
struct SparseAutomaton {
  struct Edge: Hashable {
    var letter: Int32
    var target: Int32
  }

  /// The edges of each state, sorted by letter.
  var edges: [[Edge]] = []
  /// For each state, whether a text may end in it.
  var isAccepting: [Bool] = []
}
