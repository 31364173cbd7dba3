import Tokenization

/// Walks a trie of byte strings and an automaton in step, to find the strings that fit.
///
/// The *first bytes* of a configuration are the bytes that can come next. The *fan* of a node is
/// the set of its children's bytes (`TokenTrie`).
///
/// ```
/// text so far {      must follow "title":
///
///   fan of the trie's node for "            " a b c … t … z
///   first bytes of the configuration        t
///   in both                                 t       one lookup, not one for each child
/// ```
///
/// Normally, the walk visits only children whose byte some thread accepts. If many bytes fit, as in
/// free text, intersecting the two sets takes more time than it saves. In that case, the walk scans
/// the trie from front to back, and skips subtrees that don't fit.
extension TokenAutomaton {
  /// A node on the path to the current node, with the children that the walk must still visit.
  struct WalkFrame {
    var configuration: Configuration
    /// For a node with a fan, the bytes of the fan that fit and that the walk has yet to visit.
    ///
    /// For other nodes, all bytes that fit.
    var bytes: ByteSet
    /// For a node without a fan, the next child and the end of the subtree; otherwise, both are 0.
    var next: UInt32
    var end: UInt32
    /// For a node with a fan, the node's number.
    var node: UInt32
  }

  /// If at least this many bytes can come first, the walk scans the trie from front to back.
  private static var manyBytes: Int { 28 }
  /// If a subtree has more nodes than this, the walk may scan the subtree from front to back too.
  private static var manyNodes: UInt32 { 64 }

  /// Calls a closure with the value of every nonempty string in a trie that fits after a
  /// configuration.
  ///
  /// - Parameter excluded: The first bytes that the walk skips.
  @inline(__always)
  func walk(
    _ trie: TokenTrie, from start: Configuration, without excluded: ByteSet = ByteSet(),
    _ emit: (Int32) -> Void
  ) {
    if start == Self.dead { return }
    let bytes = firstBytes(start).subtracting(excluded)
    if bytes.count >= Self.manyBytes {
      walkWidely(trie, from: start, bytes, emit)
    } else {
      walkNarrowly(trie, from: start, bytes, emit)
    }
  }

  /// Walks a trie from a configuration with few first bytes.
  ///
  /// Accesses stay in bounds, because a frame's index is its node's depth, which is at most the
  /// length of the longest string. `frames` has room for the longest token, and every string of a
  /// trie is a token or the end of a token. The positions of children come from the trie itself.
  @inline(__always)
  private func walkNarrowly(
    _ trie: TokenTrie, from start: Configuration, _ bytes: ByteSet, _ emit: (Int32) -> Void
  ) {
    let nodes = trie.nodes
    let frames = self.frames
    frames[0] = frame(trie, node: 0, start, bytes)
    var depth = 0
    while depth >= 0 {
      let child: Int
      if frames[depth].end == 0 {
        guard let byte = frames[depth].bytes.popFirst() else {
          depth -= 1
          continue
        }
        guard let fan = trie.fan(of: Int(frames[depth].node)) else { return }
        child = trie.child(of: fan, byte)
      } else {
        child = Int(frames[depth].next)
        if child >= Int(frames[depth].end) {
          depth -= 1
          continue
        }
        frames[depth].next += nodes[child].subtree
        if !frames[depth].bytes.contains(nodes[child].byte) { continue }
      }
      let node = nodes[child]
      let next = successor(frames[depth].configuration, node.byte)
      if next == Self.dead { continue }
      if node.value >= 0 { trie.forEachValue(node.value, emit) }
      if node.subtree == 1 { continue }
      let bytes = firstBytes(next)
      if node.subtree > Self.manyNodes, bytes.count >= Self.manyBytes {
        walkBelow(trie, child, next, without: ByteSet(), emit)
        continue
      }
      depth += 1
      frames[depth] = frame(trie, node: child, next, bytes)
    }
  }

  @inline(__always)
  private func frame(
    _ trie: TokenTrie, node: Int, _ configuration: Configuration, _ bytes: ByteSet
  ) -> WalkFrame {
    if let fan = trie.fan(of: node) {
      return WalkFrame(
        configuration: configuration, bytes: bytes.intersection(fan.bytes), next: 0, end: 0,
        node: UInt32(truncatingIfNeeded: node))
    }
    return WalkFrame(
      configuration: configuration, bytes: bytes, next: UInt32(truncatingIfNeeded: node + 1),
      end: UInt32(truncatingIfNeeded: node) + trie.nodes[node].subtree, node: 0)
  }

  /// Walks a trie from a configuration with many first bytes.
  @inline(__always)
  private func walkWidely(
    _ trie: TokenTrie, from start: Configuration, _ bytes: ByteSet, _ emit: (Int32) -> Void
  ) {
    bytes.forEach { byte in
      let root = Int(trie.roots[Int(byte)])
      if root == 0 { return }
      let first = successor(start, byte)
      if first == Self.dead { return }
      trie.forEachValue(trie.nodes[root].value, emit)
      walkBelow(trie, root, first, without: ByteSet(), emit)
    }
  }

  /// Scans a subtree from front to back.
  ///
  /// The trie is stored in depth-first order. `depthStack` holds the configurations on the path to
  /// the current node, one per depth. So the scan finds the configuration of a node's parent in
  /// constant time. If a node doesn't fit, the scan skips its whole subtree.
  ///
  /// Accesses stay in bounds for the same reasons as in `walkNarrowly`, with `depthStack` in place
  /// of `frames`; the nodes of a subtree are inside the trie.
  ///
  /// - Parameter excluded: The bytes of the children of `top` that the walk skips.
  @inline(__always)
  func walkBelow(
    _ trie: TokenTrie, _ top: Int, _ configuration: Configuration, without excluded: ByteSet,
    _ emit: (Int32) -> Void
  ) {
    let nodes = trie.nodes
    let stack = depthStack
    stack[Int(nodes[top].depth)] = configuration
    let below = nodes[top].depth + 1
    var position = top + 1
    let end = top + Int(nodes[top].subtree)
    while position < end {
      let node = nodes[position]
      let next =
        node.depth == below && excluded.contains(node.byte)
        ? Self.dead : successor(stack[Int(node.depth) - 1], node.byte)
      if next == Self.dead {
        position += Int(node.subtree)
        continue
      }
      stack[Int(node.depth)] = next
      if node.value >= 0 { trie.forEachValue(node.value, emit) }
      position += 1
    }
  }

  // MARK: First bytes

  /// Returns the only byte that can follow, or nil if the text may end or several bytes can follow.
  package func forcedByte(at configuration: Configuration) -> UInt8? {
    if isComplete(configuration) { return nil }
    var only: UInt8?
    var count = 0
    firstBytes(configuration).forEach { byte in
      if count < 2, successor(configuration, byte) != Self.dead {
        only = byte
        count += 1
      }
    }
    return count == 1 ? only : nil
  }

  /// Returns the bytes that some thread accepts; they're computed once and cached.
  ///
  /// The method ignores the length bounds of strings, which `successor` checks.
  @inline(__always)
  func firstBytes(_ configuration: Configuration) -> ByteSet {
    let known = configurations.firstByteSets[Int(configuration)]
    return known.isEmpty ? computeFirstBytes(configuration) : known
  }

  @inline(never)
  private func computeFirstBytes(_ configuration: Configuration) -> ByteSet {
    var result = ByteSet()
    let header = headers[Int(configuration)]
    for index in Int(header.firstThread)..<Int(header.firstThread + header.threadCount) {
      let thread = threads[index]
      switch thread.kind {
      case Thread.states:
        grammar.states.forEachEdge(of: thread.state) { result.insert($0.low...$0.high) }
      case Thread.indentation: result.insert(thread.state & 1 == 1 ? 0x20 : 0x0A)
      default: result.formUnion(grammar.strings.firstBytes[Int(thread.stringState)])
      }
    }
    configurations.remember(result, of: configuration)
    return result
  }
}
