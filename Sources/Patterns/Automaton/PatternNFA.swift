/// A nondeterministic automaton over Unicode scalars, built from the end of a pattern to its start.
///
/// This is Thompson's construction: each state has at most one edge that consumes a scalar. The
/// drawing leaves out the edges that consume nothing:
///
///     a|bé     ┌─ a ───────────► end
///     start ───┤
///              └─ b ─► o ─ é ──► end
struct PatternNFA {
  struct State {
    /// The index of the set of scalars that lead to `target`, or -1 if no scalar does.
    var set: Int32 = -1
    var target: Int32 = -1
    /// The states that this state reaches without consuming a scalar.
    var silent: [Int32] = []
    /// The state that this state reaches at a word boundary without consuming a scalar, or -1 if
    /// there is none.
    ///
    /// If `isNegated` is true, this state reaches that state everywhere except at a word boundary.
    var boundary: Int32 = -1
    var isNegated = false
  }

  /// The maximum number of states; if a pattern needs more, the construction fails with an error.
  static let stateLimit = 100_000

  private(set) var states: [State] = []
  /// The distinct sets of scalars on the edges.
  private(set) var sets: [ScalarSet] = []
  var start: Int32 = 0
  let accepting: Int32

  private var indexOfSet: [ScalarSet: Int32] = [:]
  private let budget: PatternBudget

  /// The meaning of `^` and `$` while the automaton of a syntax tree is built.
  private struct Anchors {
    /// Whether `^` matches here; if it doesn't, `^` leads to a dead end.
    var startHolds: Bool
    /// The state to which `$` leads, or nil if `$` leads to whatever follows the `$` in the
    /// pattern.
    var end: Int32?
  }

  /// Creates an automaton that accepts the texts that a pattern matches from beginning to end.
  init(wholeTextsOf root: PatternNode, within budget: PatternBudget) throws(PatternError) {
    self.budget = budget
    accepting = 0
    states = [State()]
    start = try build(root, to: accepting, Anchors(startHolds: true, end: nil))
    try resolveBoundaries()
  }

  // MARK: - Building

  mutating func add(_ state: State) throws(PatternError) -> Int32 {
    guard states.count < Self.stateLimit else {
      throw PatternError(
        at: nil, "the pattern is too large: it needs more than \(Self.stateLimit) states",
        allowed: "use smaller counts in `{m,n}`")
    }
    try budget.spend(4 + state.silent.count)
    states.append(state)
    return Int32(states.count - 1)
  }

  mutating func replaceStates(with new: [State]) { states = new }

  /// Sets the states that a state reaches without consuming a scalar.
  mutating func setSilent(_ silent: [Int32], of state: Int32) { states[Int(state)].silent = silent }

  mutating func index(of set: ScalarSet) throws(PatternError) -> Int32 {
    // Looking up a set reads all its ranges.
    try budget.spend(set.ranges.count)
    if let known = indexOfSet[set] { return known }
    let new = Int32(sets.count)
    indexOfSet[set] = new
    sets.append(set)
    return new
  }

  private mutating func build(
    _ node: PatternNode, to next: Int32, _ anchors: Anchors
  ) throws(PatternError) -> Int32 {
    switch node {
    case .empty: return next
    case .startOfText: return anchors.startHolds ? next : try add(State())
    case .endOfText: return anchors.end ?? next
    case .wordBoundary(let isNegated):
      return try add(State(boundary: next, isNegated: isNegated))
    case .scalar(let set): return try add(State(set: try index(of: set), target: next))
    case .sequence(let parts):
      var target = next
      for part in parts.reversed() { target = try build(part, to: target, anchors) }
      return target
    case .choice(let branches):
      var silent: [Int32] = []
      for branch in branches { silent.append(try build(branch, to: next, anchors)) }
      return try add(State(silent: silent))
    case .repetition(let inner, let min, let max):
      return try build(inner, min, max, to: next, anchors)
    }
  }

  private mutating func build(
    _ inner: PatternNode, _ min: Int, _ max: Int?, to next: Int32, _ anchors: Anchors
  ) throws(PatternError) -> Int32 {
    var target = next
    var copies = min
    if let max {
      for _ in min..<Swift.max(min, max) {
        let body = try build(inner, to: target, anchors)
        target = try add(State(silent: [body, next]))
      }
    } else {
      let loop = try add(State())
      let body = try build(inner, to: loop, anchors)
      states[Int(loop)].silent = [body, next]
      target = min == 0 ? loop : body
      copies = Swift.max(0, min - 1)
    }
    for _ in 0..<copies { target = try build(inner, to: target, anchors) }
    return target
  }

  /// Inserts a state and all states that it reaches without consuming a scalar.
  func insert(_ state: Int32, into set: inout StateSet) {
    // The silent edges of the members from this index on have not been followed yet.
    var next = set.members.count
    _ = set.insert(state)
    while next < set.members.count {
      for target in states[Int(set.members[next])].silent { _ = set.insert(target) }
      next += 1
    }
  }

  /// Returns, for each state, whether it can reach the accepting state.
  func liveStates() -> [Bool] {
    var sources = [[Int32]](repeating: [], count: states.count)
    for (index, state) in states.enumerated() {
      for target in state.silent { sources[Int(target)].append(Int32(index)) }
      if state.set >= 0 { sources[Int(state.target)].append(Int32(index)) }
    }
    var isLive = [Bool](repeating: false, count: states.count)
    var waiting = [accepting]
    isLive[Int(accepting)] = true
    while let state = waiting.popLast() {
      for source in sources[Int(state)] where !isLive[Int(source)] {
        isLive[Int(source)] = true
        waiting.append(source)
      }
    }
    return isLive
  }
}
