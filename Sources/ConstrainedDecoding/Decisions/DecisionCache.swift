/// The sites and classifications that decisions need; empty while nobody records decisions.
struct DecisionCache {
  /// The choices that `expand` noted, by their continuations.
  var parts: [UInt32: DecisionSite] = [:]
  /// The decisions that `sites(at:)` gave numbers: like parts at one place are one.
  var sites: [DecisionSite] = []
  /// The sites' numbers by the parts that they are made of.
  var numbers: [[UInt32]: UInt32] = [:]
  /// The numbers of the sites at a configuration.
  var lists: [TokenAutomaton.Configuration: [UInt32]] = [:]
  /// The text that must come up to the next decision.
  var settled: [TokenAutomaton.Configuration: TokenAutomaton.SettledText?] = [:]
  /// By the configuration and the token.
  var crossings: [UInt64: [Crossing]] = [:]
  var classifications: [[UInt32]: Classification] = [:]
  /// The number of tokens in them.
  var classifiedCount = 0

  /// Forgets what can be made again; numbers of sites stay, since answers hold them.
  mutating func forget() {
    lists = [:]
    settled = [:]
    crossings = [:]
    classifications = [:]
    classifiedCount = 0
  }
}
