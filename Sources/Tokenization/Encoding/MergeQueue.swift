/// Performs the merges of one piece of text, best first, as all pair encoders do.
///
/// Symbols form a doubly linked list, and a heap holds candidate pairs. A candidate is stale if one
/// of its symbols has been merged since. The queue recognizes a stale candidate by the lengths of
/// its symbols, and drops it. A piece of *n* symbols takes O(*n* log *n*) time.
///
/// ```
/// h e l l o      candidates (he) (el) (ll) (lo); the best is (ll)
/// h e ll o       (ll) is now one symbol; (el) and (lo) are stale; new: (e,ll) (ll,o)
/// ```
struct MergeQueue {
  /// A part of the piece.
  struct Symbol {
    /// The symbol's number, whose meaning depends on the encoder.
    var number: Int32
    /// The start of the symbol in the piece, in bytes.
    var start: Int
    /// The symbol's length in bytes; zero if the symbol was merged into its left neighbor.
    var length: Int
    var previous: Int
    var next: Int
  }

  /// Two neighboring symbols that may be merged.
  struct Candidate {
    /// The rank; smaller is better.
    var rank: Float
    /// The index of the left symbol; of two candidates with equal ranks, the one further left comes
    /// first.
    var left: Int
    var right: Int
    /// The length of both symbols together in bytes.
    var length: Int
    /// The number that the merged symbol will have.
    var number: Int32

    func precedes(_ other: Candidate) -> Bool {
      rank < other.rank || (rank == other.rank && left < other.left)
    }
  }

  private(set) var symbols: [Symbol] = []
  private var heap: [Candidate] = []

  /// Adds a symbol at the end.
  mutating func append(_ number: Int32, start: Int, length: Int) {
    let index = symbols.count
    if index > 0 { symbols[index - 1].next = index }
    symbols.append(
      Symbol(number: number, start: start, length: length, previous: index - 1, next: -1))
  }

  /// Merges until no candidate is left.
  ///
  /// - Parameter merge: A closure that returns the rank and the number of the symbol that two
  ///   neighbors form, or nil if they may not be merged.
  mutating func mergeAll(
    _ merge: (_ left: Symbol, _ right: Symbol) -> (rank: Float, number: Int32)?
  ) {
    for index in symbols.indices.dropFirst() { consider(index - 1, index, merge) }
    while let best = pop() {
      let left = symbols[best.left]
      let right = symbols[best.right]
      // Skip a stale candidate, one of whose symbols is gone or has grown.
      guard left.length > 0, right.length > 0, left.next == best.right,
        left.length + right.length == best.length
      else { continue }
      symbols[best.left].number = best.number
      symbols[best.left].length = best.length
      symbols[best.left].next = right.next
      symbols[best.right].length = 0
      if right.next >= 0 { symbols[right.next].previous = best.left }
      if left.previous >= 0 { consider(left.previous, best.left, merge) }
      if right.next >= 0 { consider(best.left, right.next, merge) }
    }
  }

  private mutating func consider(
    _ left: Int, _ right: Int,
    _ merge: (_ left: Symbol, _ right: Symbol) -> (rank: Float, number: Int32)?
  ) {
    guard let (rank, number) = merge(symbols[left], symbols[right]) else { return }
    let length = symbols[left].length + symbols[right].length
    heap.append(
      Candidate(rank: rank, left: left, right: right, length: length, number: number))
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].precedes(heap[parent]) else { break }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func pop() -> Candidate? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    if heap.isEmpty { return first }
    heap[0] = last
    var parent = 0
    while true {
      var best = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[child].precedes(heap[best]) { best = child }
      if best == parent { break }
      heap.swapAt(parent, best)
      parent = best
    }
    return first
  }
}
