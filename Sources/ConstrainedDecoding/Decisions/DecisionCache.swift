/// An automaton's cached sites and classifications; empty if nobody records decisions.
struct DecisionCache {
  /// The sites that `expand` recorded, keyed by continuation.
  var parts: [UInt32: DecisionSite] = [:]
  /// The sites that `sites(at:)` has returned so far, indexed by number; similar sites at one place
  /// are joined into one.
  var sites: [DecisionSite] = []
  /// The numbers of the sites, keyed by the continuations whose sites were joined.
  var numbers: [[UInt32]: UInt32] = [:]
  /// The numbers of the sites at each configuration.
  var lists: [TokenAutomaton.Configuration: [UInt32]] = [:]
  /// The settled text after each configuration; the value is nil if there is none.
  var settled: [TokenAutomaton.Configuration: TokenAutomaton.SettledText?] = [:]
  /// The results of `crossings(from:along:)`, keyed by configuration and token.
  var crossings: [UInt64: [Crossing]] = [:]
  var classifications: [[UInt32]: Classification] = [:]
  /// The total number of tokens in the classifications.
  var classifiedCount = 0

  /// Clears everything that the automaton can recompute; sites keep their numbers, because
  /// sessions refer to them.
  mutating func forget() {
    lists = [:]
    settled = [:]
    crossings = [:]
    classifications = [:]
    classifiedCount = 0
  }
}
