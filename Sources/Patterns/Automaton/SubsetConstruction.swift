/// Makes an automaton deterministic: its states are the sets of states in which it can be.
struct SubsetConstruction {
  /// The number of states at which building ends with an error.
  static let stateLimit = 20_000
  /// The number of steps (states put into sets) at which building ends with an error.
  static let workLimit = 5_000_000

  private let nfa: PatternNFA
  private let alphabet: ScalarAlphabet
  private let isLive: [Bool]
  private var idOfSet: [[Int32]: Int32] = [:]
  private var sets: [[Int32]] = []
  private var work = 0
  private var closure: StateSet

  /// The smallest deterministic automaton over bytes of an automaton's language.
  ///
  /// - Throws: That it needs more states or steps than the limits allow.
  static func automaton(of nfa: PatternNFA) throws(PatternError) -> ByteAutomaton {
    let alphabet = ScalarAlphabet(of: nfa.sets)
    var construction = SubsetConstruction(nfa, alphabet)
    let smallest = Minimization.smallest(try construction.run(), letterCount: alphabet.count)
    var expansion = UTF8Expansion(alphabet)
    return try expansion.automaton(of: smallest)
  }

  /// The error of an automaton beyond the limits.
  static var tooLarge: PatternError {
    PatternError(
      at: nil,
      "the pattern needs too large an automaton: more than \(stateLimit) states, or too many steps",
      allowed: "smaller counts in `{m,n}`, or none behind a part that also matches what they count")
  }

  private init(_ nfa: PatternNFA, _ alphabet: ScalarAlphabet) {
    self.nfa = nfa
    self.alphabet = alphabet
    isLive = nfa.liveStates()
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
        work += reached.count
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

  /// The state of a set of targets and all that they reach silently.
  private mutating func id(ofTargets targets: [Int32]) throws(PatternError) -> Int32 {
    closure.removeAll()
    for target in targets { nfa.insert(target, into: &closure) }
    work += closure.members.count
    let set = closure.members
      .filter { isLive[Int($0)] && (nfa.states[Int($0)].set >= 0 || $0 == nfa.accepting) }
      .sorted()
    if let id = idOfSet[set] { return id }
    guard sets.count < Self.stateLimit, work < Self.workLimit else { throw Self.tooLarge }
    let id = Int32(sets.count)
    idOfSet[set] = id
    sets.append(set)
    return id
  }
}
