/// A nondeterministic automaton over bytes, built from a pattern from its end to its start.
///
/// Thompson's construction; a set of scalars becomes the smallest acyclic automaton of its UTF-8:
///
///     a|é     ┌─ 61 ──────────────► end
///     start ──┤
///             └─ C3 ──► o ── A9 ──► end
struct ByteNFA {
  struct Edge: Hashable {
    var bytes: ClosedRange<UInt8>
    var target: Int32
  }

  struct State {
    var edges: [Edge] = []
    /// States that are reached without a byte.
    var silent: [Int32] = []
  }

  /// The number of states at which building ends with an error.
  static let stateLimit = 100_000

  private(set) var states: [State] = []
  private(set) var start: Int32 = 0
  let accepting: Int32

  /// What anchors are while a tree is built.
  private struct Anchors {
    /// Whether `^` holds; where it does not, nothing follows it.
    var startHolds: Bool
    /// Where `$` leads, nil for on to what follows.
    var end: Int32?
  }

  /// Makes the automaton of the texts that a pattern matches as a whole.
  init(wholeTextsOf root: PatternNode) throws(PatternError) {
    accepting = 0
    states = [State()]
    start = try build(root, to: accepting, Anchors(startHolds: true, end: nil))
  }

  /// Makes the automaton of the texts of which a pattern matches some part.
  ///
  ///     any*  pattern (where `^` fails)   any*
  ///           pattern (where `^` holds)   any*          `$` skips the second any*
  init(textsContaining root: PatternNode) throws(PatternError) {
    accepting = 0
    states = [State()]
    let anything = PatternNode.repetition(.scalar(of: .all), min: 0, max: nil)
    let none = Anchors(startHolds: false, end: nil)
    let rest = try build(anything, to: accepting, none)
    let later = try build(root, to: rest, Anchors(startHolds: false, end: accepting))
    start = try build(anything, to: later, none)
    if root.hasStartOfText {
      let first = try build(root, to: rest, Anchors(startHolds: true, end: accepting))
      start = try add(State(silent: [first, start]))
    }
  }

  // MARK: - Building

  private mutating func add(_ state: State) throws(PatternError) -> Int32 {
    guard states.count < Self.stateLimit else {
      throw PatternError(
        at: nil, "the pattern is too large: it needs more than \(Self.stateLimit) states",
        allowed: "smaller counts in `{m,n}` make it smaller")
    }
    states.append(state)
    return Int32(states.count - 1)
  }

  private mutating func build(
    _ node: PatternNode, to next: Int32, _ anchors: Anchors
  ) throws(PatternError) -> Int32 {
    switch node {
    case .empty: return next
    case .startOfText: return anchors.startHolds ? next : try add(State())
    case .endOfText: return anchors.end ?? next
    case .scalar(let set):
      let sequences = UTF8Sequences.sequences(of: set)
      var known: [[Edge]: Int32] = [:]
      return try build(sequences[...], from: 0, to: next, &known)
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

  /// Builds sorted sequences that share their bytes before an index; equal states are built once.
  private mutating func build(
    _ sequences: ArraySlice<[ClosedRange<UInt8>]>, from index: Int, to next: Int32,
    _ known: inout [[Edge]: Int32]
  ) throws(PatternError) -> Int32 {
    var edges: [Edge] = []
    var rest = sequences
    while let bytes = rest.first?[index] {
      let same = rest.prefix { $0[index] == bytes }
      rest = rest.dropFirst(same.count)
      let isLast = (same.first?.count ?? 0) == index + 1
      let target = isLast ? next : try build(same, from: index + 1, to: next, &known)
      edges.append(Edge(bytes: bytes, target: target))
    }
    if let state = known[edges] { return state }
    let state = try add(State(edges: edges))
    known[edges] = state
    return state
  }

  // MARK: - Running

  /// Whether the automaton accepts a text, by following all its states at once.
  func accepts(_ text: String.UTF8View) -> Bool {
    var reached = StateSet(capacity: states.count)
    var next = StateSet(capacity: states.count)
    insert(start, into: &reached)
    for byte in text {
      next.removeAll()
      for state in reached.members {
        for edge in states[Int(state)].edges where edge.bytes.contains(byte) {
          insert(edge.target, into: &next)
        }
      }
      if next.members.isEmpty { return false }
      swap(&reached, &next)
    }
    return reached.contains(accepting)
  }

  /// Adds a state and all that are reached from it without a byte.
  func insert(_ state: Int32, into set: inout StateSet) {
    guard set.insert(state) else { return }
    var waiting = states[Int(state)].silent
    while let next = waiting.popLast() {
      if set.insert(next) { waiting.append(contentsOf: states[Int(next)].silent) }
    }
  }
}

/// A set of states with constant-time insertion and emptying.
struct StateSet {
  private(set) var members: [Int32] = []
  private var stamps: [UInt32]
  private var stamp: UInt32 = 1

  init(capacity: Int) { stamps = [UInt32](repeating: 0, count: capacity) }

  func contains(_ state: Int32) -> Bool { stamps[Int(state)] == stamp }

  /// Adds a state; false where it is there already.
  mutating func insert(_ state: Int32) -> Bool {
    if stamps[Int(state)] == stamp { return false }
    stamps[Int(state)] = stamp
    members.append(state)
    return true
  }

  mutating func removeAll() {
    members.removeAll(keepingCapacity: true)
    stamp &+= 1
    if stamp == 0 {
      stamps = [UInt32](repeating: 0, count: stamps.count)
      stamp = 1
    }
  }
}
