/// Converts an automaton to a deterministic one: each new state is a set of the states in which the
/// old automaton can be at the same time.
struct SubsetConstruction {
  /// The maximum number of states; if a pattern needs more, the construction fails with an error.
  static let stateLimit = 20_000

  private let nfa: PatternNFA
  private let alphabet: ScalarAlphabet
  private let isLive: [Bool]
  /// For each old state, whether the sets that make up new states may contain it.
  ///
  /// The sets contain only states that can reach the accepting state, and that either consume a
  /// scalar or are the accepting state. Leaving out all other states doesn't change which texts are
  /// accepted.
  private let isKept: [Bool]
  private let budget: PatternBudget
  private var idOfSet: [StateList: Int32] = [:]
  private var sets: [[Int32]] = []
  private var closure: StateSet

  /// Returns the minimal deterministic automaton over bytes that accepts the same texts as a given
  /// automaton.
  ///
  /// - Throws: An error if a stage of the construction takes more states than its limit, or if the
  ///   stages together take more steps than the budget allows.
  static func automaton(
    of nfa: PatternNFA, within budget: PatternBudget
  ) throws(PatternError) -> ByteAutomaton {
    let alphabet = try ScalarAlphabet(of: nfa.sets, within: budget)
    var construction = SubsetConstruction(nfa, alphabet, budget)
    let smallest = Minimization.smallest(try construction.run(), letterCount: alphabet.count)
    var expansion = UTF8Expansion(alphabet, budget)
    return try expansion.automaton(of: smallest)
  }

  /// Returns the error for an automaton with more states than a limit.
  static func tooLarge(_ limit: Int) -> PatternError {
    PatternError(
      at: nil, "the pattern's automaton is too large: more than \(limit) states",
      allowed: PatternBudget.smaller)
  }

  private init(_ nfa: PatternNFA, _ alphabet: ScalarAlphabet, _ budget: PatternBudget) {
    self.nfa = nfa
    self.alphabet = alphabet
    self.budget = budget
    let isLive = nfa.liveStates()
    self.isLive = isLive
    isKept = nfa.states.indices.map { state in
      isLive[state] && (nfa.states[state].set >= 0 || Int32(state) == nfa.accepting)
    }
    closure = StateSet(capacity: nfa.states.count)
  }

  private mutating func run() throws(PatternError) -> SparseAutomaton {
    var automaton = SparseAutomaton()
    var targets = [[Int32]](repeating: [], count: alphabet.count)
    _ = try id(ofTargets: [nfa.start])
    while automaton.edges.count < sets.count {
      let set = sets[automaton.edges.count]
      var letters: [Int32] = []
      for index in set {
        let state = nfa.states[Int(index)]
        guard state.set >= 0, isLive[Int(state.target)] else { continue }
        let reached = alphabet.lettersOfSet[Int(state.set)]
        try budget.spend(reached.count)
        for letter in reached {
          if targets[Int(letter)].isEmpty { letters.append(letter) }
          targets[Int(letter)].append(state.target)
        }
      }
      letters.sort()
      var edges: [SparseAutomaton.Edge] = []
      edges.reserveCapacity(letters.count)
      var previous: (targets: [Int32], id: Int32) = ([], -1)
      for letter in letters {
        if targets[Int(letter)] != previous.targets {
          previous = (targets[Int(letter)], try id(ofTargets: targets[Int(letter)]))
        }
        edges.append(SparseAutomaton.Edge(letter: letter, target: previous.id))
        targets[Int(letter)].removeAll(keepingCapacity: true)
      }
      automaton.edges.append(edges)
      automaton.isAccepting.append(set.contains(nfa.accepting))
    }
    return automaton
  }

  /// Returns the new state that stands for the targets and all states that they reach without
  /// consuming a scalar.
  private mutating func id(ofTargets targets: [Int32]) throws(PatternError) -> Int32 {
    closure.removeAll()
    for target in targets { nfa.insert(target, into: &closure) }
    try budget.spend(closure.members.count)
    let set = closure.members.filter { isKept[Int($0)] }.sorted()
    let key = StateList(states: set)
    if let id = idOfSet[key] { return id }
    guard sets.count < Self.stateLimit else { throw Self.tooLarge(Self.stateLimit) }
    let id = Int32(sets.count)
    idOfSet[key] = id
    sets.append(set)
    return id
  }
}

/// A sorted list of states.
///
/// The list hashes its raw bytes, which is faster: an array of integers hashes one element at a
/// time.
private struct StateList: Hashable {
  var states: [Int32]

  func hash(into hasher: inout Hasher) {
    states.withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}
