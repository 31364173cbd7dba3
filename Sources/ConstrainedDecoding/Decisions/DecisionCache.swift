/// The cached sites and classifications of decisions; empty if nobody records decisions.
struct DecisionCache {
  /// The choices that `expand` recorded, by continuation.
  var parts: [UInt32: DecisionSite] = [:]
  /// The decisions that `sites(at:)` numbered; similar parts at one place form one decision.
  var sites: [DecisionSite] = []
  /// The numbers of the sites, by the parts that form them.
  var numbers: [[UInt32]: UInt32] = [:]
  /// The numbers of the sites at a configuration.
  var lists: [TokenAutomaton.Configuration: [UInt32]] = [:]
  /// The text that must come before the next decision.
  var settled: [TokenAutomaton.Configuration: TokenAutomaton.SettledText?] = [:]
  /// The crossings by configuration and token.
  var crossings: [UInt64: [Crossing]] = [:]
  var classifications: [[UInt32]: Classification] = [:]
  /// The number of tokens in the classifications.
  var classifiedCount = 0

  /// Clears the data that the automaton can recompute; the numbers of sites stay, because answers
  /// refer to them.
  mutating func forget() {
    lists = [:]
    settled = [:]
    crossings = [:]
    classifications = [:]
    classifiedCount = 0
  }
}
