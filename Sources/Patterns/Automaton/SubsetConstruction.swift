/// Makes an automaton deterministic: its states are the sets of states in which it can be.
struct SubsetConstruction {
  /// The number of states at which building ends with an error.
  static let stateLimit = 20_000
  /// The number of steps (states put into sets) at which building ends with an error.
  static let workLimit = 20_000_000

  private let nfa: ByteNFA
  /// Whether the accepting state can be reached, per state of the nondeterministic automaton.
  private let isLive: [Bool]
  private var classOfByte = [UInt8](repeating: 0, count: 256)
  private var classCount = 1
  private var idOfSet: [[Int32]: Int32] = [:]
  private var sets: [[Int32]] = []
  private var transitions: [Int32] = []
  private var work = 0
  private var closure: StateSet

  /// The smallest deterministic automaton of a nondeterministic one's language.
  ///
  /// - Throws: That it needs more states or steps than the limits allow.
  static func automaton(of nfa: ByteNFA) throws(PatternError) -> ByteAutomaton {
    var construction = SubsetConstruction(nfa)
    try construction.run()
    let isAccepting = construction.sets.map { $0.contains(nfa.accepting) }
    return Minimization.smallest(
      transitions: construction.transitions, isAccepting: isAccepting,
      classOfByte: construction.classOfByte, classCount: construction.classCount)
  }

  private init(_ nfa: ByteNFA) {
    self.nfa = nfa
    isLive = Self.liveStates(of: nfa)
    closure = StateSet(capacity: nfa.states.count)
    findClasses()
  }

  private mutating func run() throws(PatternError) {
    _ = try id(ofTargets: [nfa.start])
    var current = 0
    while current < sets.count {
      var targets = [[Int32]](repeating: [], count: classCount)
      for state in sets[current] {
        for edge in nfa.states[Int(state)].edges where isLive[Int(edge.target)] {
          let first = Int(classOfByte[Int(edge.bytes.lowerBound)])
          let last = Int(classOfByte[Int(edge.bytes.upperBound)])
          work += last - first + 1
          for index in first...last { targets[index].append(edge.target) }
        }
      }
      var previous: (targets: [Int32], id: Int32) = ([], ByteAutomaton.none)
      for index in 0..<classCount {
        if targets[index] != previous.targets {
          previous = (targets[index], try id(ofTargets: targets[index]))
        }
        transitions.append(previous.id)
      }
      current += 1
    }
  }

  /// The state of a set of targets and all that they reach silently; none for no targets.
  private mutating func id(ofTargets targets: [Int32]) throws(PatternError) -> Int32 {
    if targets.isEmpty { return ByteAutomaton.none }
    closure.removeAll()
    for target in targets { nfa.insert(target, into: &closure) }
    work += closure.members.count
    let set = closure.members
      .filter { isLive[Int($0)] && (!nfa.states[Int($0)].edges.isEmpty || $0 == nfa.accepting) }
      .sorted()
    if let id = idOfSet[set] { return id }
    guard sets.count < Self.stateLimit, work < Self.workLimit else {
      throw PatternError(
        at: nil,
        "the pattern needs too large an automaton: more than \(Self.stateLimit) states",
        allowed:
          "smaller counts in `{m,n}`, or none behind a part that also matches what they count")
    }
    let id = Int32(sets.count)
    idOfSet[set] = id
    sets.append(set)
    return id
  }

  /// Gives bytes that begin and end no edge between them one class.
  private mutating func findClasses() {
    var begins = [Bool](repeating: false, count: 257)
    for state in nfa.states {
      for edge in state.edges {
        begins[Int(edge.bytes.lowerBound)] = true
        begins[Int(edge.bytes.upperBound) + 1] = true
      }
    }
    for byte in 1..<256 {
      classOfByte[byte] = classOfByte[byte - 1] + (begins[byte] ? 1 : 0)
    }
    classCount = Int(classOfByte[255]) + 1
  }

  private static func liveStates(of nfa: ByteNFA) -> [Bool] {
    var sources = [[Int32]](repeating: [], count: nfa.states.count)
    for (index, state) in nfa.states.enumerated() {
      for target in state.edges.map(\.target) + state.silent {
        sources[Int(target)].append(Int32(index))
      }
    }
    var isLive = [Bool](repeating: false, count: nfa.states.count)
    var waiting = [nfa.accepting]
    isLive[Int(nfa.accepting)] = true
    while let state = waiting.popLast() {
      for source in sources[Int(state)] where !isLive[Int(source)] {
        isLive[Int(source)] = true
        waiting.append(source)
      }
    }
    return isLive
  }
}
