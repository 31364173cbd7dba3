/// Merges states that accept the same texts.
///
/// The algorithm is that of A. Valmari, "Fast brief practical DFA minimization" (Information
/// Processing Letters 112, 2012). It alternately refines a partition of the states (into *blocks*)
/// and a partition of the transitions (into *cords*), in O(*m* log *n*) for *m* transitions and *n*
/// states.
struct Minimization {
  private let tails: [Int32]
  private let heads: [Int32]
  private let labels: [Int32]
  private let stateCount: Int

  /// Returns the minimal automaton that accepts the same texts as the given one.
  ///
  /// In the given automaton, the start must reach every state, and every state must reach an
  /// accepting one.
  static func smallest(_ automaton: SparseAutomaton, letterCount: Int) -> SparseAutomaton {
    let blockOfState = Minimization(automaton, letterCount: letterCount)
      .blocks(automaton.isAccepting)
    return rebuilt(automaton, blockOfState)
  }

  /// Creates a minimization, and sorts the transitions by label so that those with the same label
  /// are adjacent, as the partition into cords requires.
  private init(_ automaton: SparseAutomaton, letterCount: Int) {
    var cursors = [Int](repeating: 0, count: letterCount + 1)
    for edge in automaton.edges.joined() { cursors[Int(edge.letter) + 1] += 1 }
    for letter in 0..<letterCount { cursors[letter + 1] += cursors[letter] }
    var tails = [Int32](repeating: 0, count: cursors[letterCount])
    var heads = tails
    var labels = tails
    for (state, edges) in automaton.edges.enumerated() {
      for edge in edges {
        let place = cursors[Int(edge.letter)]
        cursors[Int(edge.letter)] += 1
        tails[place] = Int32(state)
        heads[place] = edge.target
        labels[place] = edge.letter
      }
    }
    self.tails = tails
    self.heads = heads
    self.labels = labels
    stateCount = automaton.edges.count
  }

  /// Returns the block of each state; states in one block accept the same texts.
  private func blocks(_ isAccepting: [Bool]) -> [Int32] {
    var blocks = Partition(count: stateCount)
    for state in 0..<stateCount where isAccepting[state] { blocks.mark(state) }
    blocks.split()
    var cords = Partition(count: tails.count, groupedBy: labels)
    let (offsets, incoming) = transitionsByHead()
    var nextBlock = 1
    var nextCord = 0
    while nextCord < cords.setCount {
      for index in cords.range(of: nextCord) { blocks.mark(Int(tails[cords.element(at: index)])) }
      blocks.split()
      nextCord += 1
      while nextBlock < blocks.setCount {
        for index in blocks.range(of: nextBlock) {
          let state = blocks.element(at: index)
          for position in offsets[state]..<offsets[state + 1] {
            cords.mark(Int(incoming[Int(position)]))
          }
        }
        cords.split()
        nextBlock += 1
      }
    }
    return (0..<stateCount).map { Int32(blocks.set(of: $0)) }
  }

  /// Returns the transitions into each state: for state s, the entries of `incoming` from
  /// `offsets[s]` up to `offsets[s + 1]`.
  private func transitionsByHead() -> (offsets: [Int32], incoming: [Int32]) {
    var offsets = [Int32](repeating: 0, count: stateCount + 1)
    for head in heads { offsets[Int(head) + 1] += 1 }
    for state in 0..<stateCount { offsets[state + 1] += offsets[state] }
    var cursors = offsets
    var incoming = [Int32](repeating: 0, count: heads.count)
    for (transition, head) in heads.enumerated() {
      incoming[Int(cursors[Int(head)])] = Int32(transition)
      cursors[Int(head)] += 1
    }
    return (offsets, incoming)
  }

  /// Builds the automaton whose states are the blocks, numbered in the order in which a
  /// breadth-first search from the start reaches them.
  private static func rebuilt(
    _ automaton: SparseAutomaton, _ blockOfState: [Int32]
  ) -> SparseAutomaton {
    var newOfBlock: [Int32: Int32] = [blockOfState[0]: 0]
    var representatives = [0]
    var result = SparseAutomaton()
    while result.edges.count < representatives.count {
      let state = representatives[result.edges.count]
      let edges = automaton.edges[state].map { edge in
        let block = blockOfState[Int(edge.target)]
        if let known = newOfBlock[block] {
          return SparseAutomaton.Edge(letter: edge.letter, target: known)
        }
        let new = Int32(representatives.count)
        newOfBlock[block] = new
        representatives.append(Int(edge.target))
        return SparseAutomaton.Edge(letter: edge.letter, target: new)
      }
      result.edges.append(edges)
      result.isAccepting.append(automaton.isAccepting[state])
    }
    return result
  }
}

/// A partition of elements into sets; to refine it, mark elements and then split the sets.
private struct Partition {
  private(set) var setCount: Int
  private var elements: [Int32]
  private var positions: [Int32]
  private var sets: [Int32]
  private var firsts: [Int32]
  private var ends: [Int32]
  private var markedCounts: [Int32]
  private var touched: [Int32] = []

  /// Creates a partition with one set that holds all elements.
  init(count: Int) { self.init(count: count, groupedBy: [Int32](repeating: 0, count: count)) }

  /// Creates a partition with one set per group; the elements of a group must be adjacent.
  init(count: Int, groupedBy groups: [Int32]) {
    elements = (0..<count).map { Int32($0) }
    positions = elements
    sets = []
    firsts = []
    ends = []
    for element in 0..<count {
      if element == 0 || groups[element] != groups[element - 1] {
        if element > 0 { ends.append(Int32(element)) }
        firsts.append(Int32(element))
      }
      sets.append(Int32(firsts.count - 1))
    }
    if count > 0 { ends.append(Int32(count)) }
    setCount = firsts.count
    markedCounts = [Int32](repeating: 0, count: setCount)
  }

  func range(of set: Int) -> Range<Int> { Int(firsts[set])..<Int(ends[set]) }

  func element(at index: Int) -> Int { Int(elements[index]) }

  func set(of element: Int) -> Int { Int(sets[element]) }

  /// Marks an element; callers mark each element at most once before a split.
  mutating func mark(_ element: Int) {
    let set = Int(sets[element])
    let from = positions[element]
    let to = firsts[set] + markedCounts[set]
    let other = elements[Int(to)]
    elements[Int(from)] = other
    positions[Int(other)] = from
    elements[Int(to)] = Int32(element)
    positions[element] = to
    if markedCounts[set] == 0 { touched.append(Int32(set)) }
    markedCounts[set] += 1
  }

  /// Splits every set that has both marked and unmarked elements, and removes all marks.
  ///
  /// The smaller part, marked or unmarked, becomes a new set.
  mutating func split() {
    while let set = touched.popLast().map(Int.init) {
      let middle = firsts[set] + markedCounts[set]
      let markedCount = markedCounts[set]
      markedCounts[set] = 0
      if middle == ends[set] { continue }
      let new = Int32(setCount)
      if markedCount <= ends[set] - middle {
        firsts.append(firsts[set])
        ends.append(middle)
        firsts[set] = middle
      } else {
        firsts.append(middle)
        ends.append(ends[set])
        ends[set] = middle
      }
      setCount += 1
      markedCounts.append(0)
      for index in firsts[Int(new)]..<ends[Int(new)] { sets[Int(elements[Int(index)])] = new }
    }
  }
}
