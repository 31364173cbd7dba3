/// A trie of byte strings, flattened in depth-first order, so that a walk can skip a subtree with
/// one addition.
///
/// ```
/// a, ab, b      position  byte  depth  subtree  value
///                  0       –      0       4       –
///                  1       a      1       2       a
///                  2       b      2       1       ab
///                  3       b      1       1       b
/// ```
///
/// The *value* of a string is a number that the trie's creator assigns to the string, such as the
/// number of a token. Equal strings share a node. The node holds the first of their values, and
/// `nextEqual` leads from each value to the next one.
///
/// A node with many children also has a *fan*: the set of the children's bytes, and the children's
/// positions in byte order. With a fan, a walk finds the children that fit without visiting the
/// others.
final class TokenTrie: @unchecked Sendable {
  struct Node {
    /// The first value whose string ends here, or -1 if there is none.
    var value: Int32
    /// The number of nodes in the subtree, including this one.
    var subtree: UInt32
    var depth: UInt16
    var byte: UInt8
  }

  /// The children of a node that has many of them.
  struct Fan {
    var bytes: ByteSet
    /// The index in `fanChildren` at which the children's positions begin.
    var first: UInt32
  }

  // These buffers are written only during `init`, so any number of workers may read them. Indexing
  // stays in bounds, because every position comes from the trie itself: from `roots`, `child` or a
  // walk inside a node's subtree.
  let nodes: UnsafeMutableBufferPointer<Node>
  /// For each node, one more than the index of its fan, or 0 if it has no fan.
  private let fanNumbers: UnsafeMutableBufferPointer<UInt16>
  private let fans: UnsafeMutableBufferPointer<Fan>
  private let fanChildren: UnsafeMutableBufferPointer<UInt32>
  /// For each value, the next value with the same string, or -1 at the end; empty if no
  /// two strings are equal.
  let nextEqual: [Int32]
  /// The length of the longest string.
  let maximumDepth: Int
  /// For each byte, the root's child, or 0 if there is none.
  let roots: [UInt32]
  /// The bytes for which the subtree of the root's child has more than an eighth of all nodes.
  let wideRoots: ByteSet

  /// Creates a trie.
  ///
  /// - Parameters:
  ///   - strings: The byte strings, indexed by value; an empty string ends at the root.
  ///   - values: The values to include.
  init(_ strings: [ArraySlice<UInt8>], values: [Int32]) {
    let sorted = Self.sorted(strings, values)
    var built: [Node] = [Node(value: -1, subtree: 0, depth: 0, byte: 0)]
    built.reserveCapacity(sorted.count * 2)
    var equal: [Int32] = []
    // The positions of the nodes on the path from the root to the last inserted string.
    var spine = [0]
    // The bytes of the last inserted string.
    var previous: [UInt8] = []
    var previousValue: Int32 = 0
    var longest = 0
    for value in sorted {
      strings[Int(value)].withUnsafeBufferPointer { bytes in
        // Node depths are 16 bits wide. No text token is longer than `longestToken`, so this cuts
        // nothing.
        let count = min(bytes.count, TokenBytes.longestToken)
        let most = min(previous.count, count)
        var shared = 0
        while shared < most, previous[shared] == bytes[shared] { shared += 1 }
        while spine.count > shared + 1 { Self.close(spine.removeLast(), &built) }
        previous.removeSubrange(shared...)
        for place in shared..<count {
          spine.append(built.count)
          built.append(Node(value: -1, subtree: 0, depth: UInt16(place + 1), byte: bytes[place]))
          previous.append(bytes[place])
        }
      }
      let last = spine[spine.count - 1]
      if built[last].value < 0 {
        built[last].value = value
      } else {
        if equal.isEmpty { equal = [Int32](repeating: -1, count: strings.count) }
        // Equal strings are adjacent, so the previous value has the same string.
        equal[Int(previousValue)] = value
      }
      previousValue = value
      longest = max(longest, previous.count)
    }
    while let node = spine.popLast() { Self.close(node, &built) }
    nodes = .allocate(capacity: built.count)
    _ = nodes.initialize(from: built)
    nextEqual = equal
    maximumDepth = longest
    var roots = [UInt32](repeating: 0, count: 256)
    var wideRoots = ByteSet()
    var child = 1
    while child < built.count {
      roots[Int(built[child].byte)] = UInt32(child)
      if Int(built[child].subtree) > built.count / 8 { wideRoots.insert(built[child].byte) }
      child += Int(built[child].subtree)
    }
    self.roots = roots
    self.wideRoots = wideRoots
    (fanNumbers, fans, fanChildren) = Self.makeFans(built)
  }

  /// The minimum number of children for a fan.
  private static let leastFan = 8

  private static func makeFans(
    _ nodes: [Node]
  ) -> (
    UnsafeMutableBufferPointer<UInt16>, UnsafeMutableBufferPointer<Fan>,
    UnsafeMutableBufferPointer<UInt32>
  ) {
    var childCounts = [UInt16](repeating: 0, count: nodes.count)
    var spine: [Int] = []
    for (position, node) in nodes.enumerated() {
      spine.removeSubrange(Int(node.depth)...)
      if let parent = spine.last { childCounts[parent] += 1 }
      spine.append(position)
    }
    let numbers = UnsafeMutableBufferPointer<UInt16>.allocate(capacity: nodes.count)
    numbers.initialize(repeating: 0)
    var fans: [Fan] = []
    var children: [UInt32] = []
    for (parent, count) in childCounts.enumerated() where Int(count) >= leastFan {
      // The indices are 16 bits wide, so the remaining nodes get no fan.
      if fans.count == Int(UInt16.max) { break }
      var fan = Fan(bytes: ByteSet(), first: UInt32(children.count))
      var child = parent + 1
      for _ in 0..<count {
        fan.bytes.insert(nodes[child].byte)
        children.append(UInt32(child))
        child += Int(nodes[child].subtree)
      }
      fans.append(fan)
      numbers[parent] = UInt16(fans.count)
    }
    let fanWords = UnsafeMutableBufferPointer<Fan>.allocate(capacity: fans.count)
    _ = fanWords.initialize(from: fans)
    let childWords = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: children.count)
    _ = childWords.initialize(from: children)
    return (numbers, fanWords, childWords)
  }

  /// Returns the fan of a node, or nil if it has none.
  @inline(__always)
  func fan(of node: Int) -> Fan? {
    let number = Int(fanNumbers[node])
    return number == 0 ? nil : fans[number - 1]
  }

  /// Returns the child for one of a fan's bytes; the caller has checked that the byte is in the
  /// fan.
  @inline(__always)
  func child(of fan: Fan, _ byte: UInt8) -> Int {
    Int(fanChildren[Int(fan.first) + fan.bytes.rank(of: byte)])
  }

  /// Records the size of a finished subtree.
  private static func close(_ node: Int, _ built: inout [Node]) {
    built[node].subtree = UInt32(built.count - node)
  }

  /// Sorts values by string, then by number.
  ///
  /// The first eight bytes of a string, as one number, decide nearly every comparison.
  private static func sorted(_ strings: [ArraySlice<UInt8>], _ values: [Int32]) -> [Int32] {
    var keyed = values.map { value in
      var key: UInt64 = 0
      var count = 0
      for byte in strings[Int(value)].prefix(8) {
        key = key << 8 | UInt64(byte)
        count += 1
      }
      // Shift the key, so that shorter strings come first among those with the same beginning. The
      // comparison below distinguishes strings that differ only in trailing zero bytes.
      return (key: count == 0 ? 0 : key << UInt64(64 - 8 * count), value: value)
    }
    keyed.sort { left, right in
      if left.key != right.key { return left.key < right.key }
      let (a, b) = (strings[Int(left.value)], strings[Int(right.value)])
      if a.lexicographicallyPrecedes(b) { return true }
      return a == b && left.value < right.value
    }
    return keyed.map(\.value)
  }

  deinit {
    nodes.deallocate()
    fanNumbers.deallocate()
    fans.deallocate()
    fanChildren.deallocate()
  }

  /// Calls a closure for the values of a node: one, or several with equal strings.
  @inline(__always)
  func forEachValue(_ first: Int32, _ body: (Int32) -> Void) {
    guard first >= 0 else { return }
    body(first)
    if nextEqual.isEmpty { return }
    var value = nextEqual[Int(first)]
    while value >= 0 {
      body(value)
      value = nextEqual[Int(value)]
    }
  }

  /// Returns the child of a node for a byte, or nil if there is none.
  ///
  /// The method takes constant time for the root and for a node with a fan.
  func child(of node: Int, _ byte: UInt8) -> Int? {
    if node == 0 {
      let child = Int(roots[Int(byte)])
      return child == 0 ? nil : child
    }
    if let fan = fan(of: node) {
      return fan.bytes.contains(byte) ? self.child(of: fan, byte) : nil
    }
    var child = node + 1
    let end = node + Int(nodes[node].subtree)
    while child < end {
      if nodes[child].byte == byte { return child }
      if nodes[child].byte > byte { return nil }
      child += Int(nodes[child].subtree)
    }
    return nil
  }

  /// Returns the node that spells the given bytes, or nil if no string begins with them.
  func find(_ bytes: some Sequence<UInt8>) -> Int? {
    var node = 0
    for byte in bytes {
      guard let next = child(of: node, byte) else { return nil }
      node = next
    }
    return node
  }
}
