/// All byte automata of a grammar (literals, enums, numbers, patterns), whose states are numbered
/// together.
///
/// A state is a list of edges sorted by byte; an edge is a range of bytes and a target. Every state
/// can reach an accepting state. So if a state has an edge for a byte, the text can still be
/// completed after that byte.
///
/// ```
/// ,"a":      0 ─,─► 1 ─"─► 2 ─a─► 3 ─"─► 4 ─:─► (5)
/// true|null  6 ─t─► 7 ─r─► …      6 ─n─► …
/// ```
struct ByteStates: Sendable {
  struct Edge: Sendable {
    var low: UInt8
    var high: UInt8
    var target: UInt32
  }

  private(set) var firstEdge: [UInt32] = [0]
  private(set) var edges: [Edge] = []
  private(set) var accepting: [Bool] = []

  var count: Int { accepting.count }

  /// Appends a state; its edges may point to states that are appended later.
  @discardableResult
  mutating func append(_ outgoing: [Edge], accepting accepts: Bool) -> UInt32 {
    edges += outgoing
    firstEdge.append(UInt32(edges.count))
    accepting.append(accepts)
    return UInt32(accepting.count - 1)
  }

  func edges(of state: UInt32) -> ArraySlice<Edge> {
    edges[Int(firstEdge[Int(state)])..<Int(firstEdge[Int(state) + 1])]
  }

  @inline(__always)
  func forEachEdge(of state: UInt32, _ body: (Edge) -> Void) {
    for index in Int(firstEdge[Int(state)])..<Int(firstEdge[Int(state) + 1]) { body(edges[index]) }
  }

  /// Returns whether any byte can follow a state within the state's automaton.
  func hasEdges(_ state: UInt32) -> Bool {
    firstEdge[Int(state)] != firstEdge[Int(state) + 1]
  }

  /// Returns the state after a byte, or nil if there is none.
  ///
  /// The running time is proportional to the number of the state's edges.
  func step(_ state: UInt32, _ byte: UInt8) -> UInt32? {
    var position = Int(firstEdge[Int(state)])
    let end = Int(firstEdge[Int(state) + 1])
    while position < end {
      let edge = edges[position]
      if byte < edge.low { return nil }
      if byte <= edge.high { return edge.target }
      position += 1
    }
    return nil
  }

  /// Returns the state after a byte, and narrows a range of bytes to those that lead to the same
  /// state.
  func step(_ state: UInt32, _ byte: UInt8, within range: inout ByteRange) -> UInt32? {
    var position = Int(firstEdge[Int(state)])
    let end = Int(firstEdge[Int(state) + 1])
    while position < end {
      let edge = edges[position]
      if byte < edge.low {
        range.high = min(range.high, edge.low - 1)
        return nil
      }
      if byte <= edge.high {
        range.low = max(range.low, edge.low)
        range.high = min(range.high, edge.high)
        return edge.target
      }
      range.low = max(range.low, edge.high + 1)
      position += 1
    }
    return nil
  }

  /// Appends a chain that spells bytes and ends in `tail`, or in a new accepting state.
  ///
  /// - Returns: The chain's first state.
  mutating func appendChain(_ bytes: some Collection<UInt8>, tail: UInt32? = nil) -> UInt32 {
    let start = UInt32(count)
    var left = bytes.count
    for byte in bytes {
      left -= 1
      let target = left == 0 ? tail ?? UInt32(count + 1) : UInt32(count + 1)
      append([Edge(low: byte, high: byte, target: target)], accepting: false)
    }
    if tail == nil || bytes.isEmpty { append([], accepting: true) }
    return start
  }

  /// Appends a draft's states, except those from which no accepting state can be reached.
  ///
  /// - Returns: The number of the draft's start state, or nil if the draft accepts nothing.
  mutating func append(_ draft: ByteAutomatonDraft) -> UInt32? {
    let useful = draft.coaccessible()
    guard useful[draft.start] else { return nil }
    var numbers = [UInt32](repeating: 0, count: useful.count)
    var next = UInt32(count)
    for state in useful.indices where useful[state] {
      numbers[state] = next
      next += 1
    }
    var kept: [Edge] = []
    for state in useful.indices where useful[state] {
      // Adjacent bytes with the same target become one edge.
      kept.removeAll(keepingCapacity: true)
      for edge in draft.edges[state].sorted(by: { $0.low < $1.low }) where useful[edge.target] {
        let target = numbers[edge.target]
        if let last = kept.last, last.target == target, Int(last.high) + 1 == Int(edge.low) {
          kept[kept.count - 1].high = edge.high
        } else {
          kept.append(Edge(low: edge.low, high: edge.high, target: target))
        }
      }
      append(kept, accepting: draft.accepting[state])
    }
    return numbers[draft.start]
  }
}

/// A range of bytes; by default, all bytes.
struct ByteRange {
  var low = UInt8.min
  var high = UInt8.max
}

/// A deterministic byte automaton under construction.
struct ByteAutomatonDraft {
  struct Edge {
    var low: UInt8
    var high: UInt8
    var target: Int
  }

  var edges: [[Edge]] = []
  var accepting: [Bool] = []
  var start = 0

  /// Adds a state without edges.
  mutating func addState(accepting accepts: Bool = false) -> Int {
    edges.append([])
    accepting.append(accepts)
    return edges.count - 1
  }

  /// Adds an edge; the ranges of one state must not overlap.
  mutating func addEdge(_ state: Int, _ low: UInt8, _ high: UInt8, _ target: Int) {
    edges[state].append(Edge(low: low, high: high, target: target))
  }

  /// Returns, for each state, whether an accepting state can be reached from it.
  ///
  /// The running time is proportional to the number of states and edges.
  func coaccessible() -> [Bool] {
    // The sources of state s are sources[first[s]..<first[s + 1]], because an array for each state
    // would take longer to make than everything else here.
    var first = [Int](repeating: 0, count: edges.count + 2)
    for outgoing in edges { for edge in outgoing { first[edge.target + 2] += 1 } }
    for state in edges.indices { first[state + 2] += first[state + 1] }
    var sources = [Int](repeating: 0, count: first[edges.count + 1])
    for (state, outgoing) in edges.enumerated() {
      for edge in outgoing {
        sources[first[edge.target + 1]] = state
        first[edge.target + 1] += 1
      }
    }
    var useful = accepting
    var open = accepting.indices.filter { accepting[$0] }
    while let state = open.popLast() {
      for place in first[state]..<first[state + 1] where !useful[sources[place]] {
        useful[sources[place]] = true
        open.append(sources[place])
      }
    }
    return useful
  }
}
