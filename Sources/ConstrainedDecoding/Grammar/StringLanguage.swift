import Patterns

/// The strings that match every pattern of one list, match no pattern of another list, and are not
/// in a list of names.
///
/// The language is a product of automata. Each state of the product gets its number when a step
/// first reaches it.
///
/// Bytes that the automata and the names treat alike form one class. The language caches the steps
/// of a state, because with a length bound, `PatternStringBuilder` visits the state again for each
/// number of characters.
final class StringLanguage {
  /// Adjacent bytes that lead to the same state; either all of them begin a character, or all of
  /// them continue one.
  struct Step {
    var bytes: ClosedRange<UInt8>
    var target: Int32
  }

  private let included: [ByteAutomaton]
  private let excluded: [ByteAutomaton]
  private let names: NameTrie
  /// Runs of adjacent bytes of the same class, in ascending order.
  private let runs: [(bytes: ClosedRange<UInt8>, class: Int)]
  /// One byte of each class.
  private let bytes: [UInt8]
  /// For each state of the language, the states of the automata and of the trie of names.
  ///
  /// An excluded automaton, or the trie, has the state -1 if it can't match any more.
  private var states: [[Int32]] = []
  private var numbers: [[Int32]: Int32] = [:]
  private var stepsOfState: [Int32: [Step]] = [:]

  /// Creates a language.
  ///
  /// - Parameters:
  ///   - included: The automata that accept every string of the language; at least one.
  ///   - excluded: The automata that accept no string of the language.
  ///   - names: The excluded strings in UTF-8.
  init(included: [ByteAutomaton], excluded: [ByteAutomaton], names: [[UInt8]]) {
    self.included = included
    self.excluded = excluded
    self.names = NameTrie(names)
    (runs, bytes) = Self.classes(included + excluded, named: Set(names.joined()))
    start = 0
    start = number(included.map(\.start) + excluded.map(\.start) + [names.isEmpty ? -1 : 0])
  }

  private(set) var start: Int32

  private static func classes(
    _ automata: [ByteAutomaton], named: Set<UInt8>
  ) -> (runs: [(bytes: ClosedRange<UInt8>, class: Int)], bytes: [UInt8]) {
    // Start with the names' classes, and split them by the classes of one automaton at a time.
    var classes = (UInt8.min...UInt8.max).map { byte in
      named.contains(byte) ? 2 + Int(byte) : byte & 0xC0 == 0x80 ? 1 : 0
    }
    for automaton in automata {
      for byte in classes.indices {
        classes[byte] = classes[byte] << 8 | Int(automaton.classOfByte[byte])
      }
      Self.renumber(&classes)
    }
    var runs: [(bytes: ClosedRange<UInt8>, class: Int)] = []
    var bytes: [UInt8] = []
    for byte in UInt8.min...UInt8.max {
      let number = classes[Int(byte)]
      if number == bytes.count { bytes.append(byte) }
      if let last = runs.last, last.class == number, byte != 0x80, byte != 0xC0 {
        runs[runs.count - 1].bytes = last.bytes.lowerBound...byte
      } else {
        runs.append((byte...byte, number))
      }
    }
    return (runs, bytes)
  }

  /// Gives equal values equal numbers, from 0 in the order in which they come first.
  private static func renumber(_ values: inout [Int]) {
    var numbers: [Int: Int] = [:]
    var last: (value: Int, number: Int)?
    for (index, value) in values.enumerated() {
      // Adjacent bytes mostly have the same value.
      let number = last?.value == value ? last?.number : numbers[value]
      values[index] = number ?? numbers.count
      last = (value, values[index])
      if number == nil { numbers[value] = values[index] }
    }
  }

  private func number(_ state: [Int32]) -> Int32 {
    if let known = numbers[state] { return known }
    let number = Int32(states.count)
    states.append(state)
    numbers[state] = number
    return number
  }

  /// Returns the bytes that can come next in a state, in ascending order, each with the state to
  /// which it leads.
  func steps(from state: Int32) -> [Step] {
    if let known = stepsOfState[state] { return known }
    let targets = bytes.map { next(state, $0) }
    var steps: [Step] = []
    for run in runs {
      guard let target = targets[run.class] else { continue }
      steps.append(Step(bytes: run.bytes, target: target))
    }
    stepsOfState[state] = steps
    return steps
  }

  /// Returns the state after a byte, or nil if no string of the language has this byte here.
  private func next(_ state: Int32, _ byte: UInt8) -> Int32? {
    var next = states[Int(state)]
    for (index, automaton) in included.enumerated() {
      next[index] = automaton.next(next[index], byte)
      if next[index] == ByteAutomaton.none { return nil }
    }
    for (offset, automaton) in excluded.enumerated() {
      let index = included.count + offset
      if next[index] != ByteAutomaton.none { next[index] = automaton.next(next[index], byte) }
    }
    let last = next.count - 1
    if next[last] >= 0 { next[last] = names.next(next[last], byte) }
    return number(next)
  }

  /// Returns whether a string may end in a state.
  func isAccepting(_ state: Int32) -> Bool {
    let parts = states[Int(state)]
    for (index, automaton) in included.enumerated()
    where !automaton.isAccepting[Int(parts[index])] { return false }
    for (offset, automaton) in excluded.enumerated() {
      let part = parts[included.count + offset]
      if part != ByteAutomaton.none, automaton.isAccepting[Int(part)] { return false }
    }
    return !names.isName(parts[parts.count - 1])
  }
}

/// A set of byte strings as a trie.
private struct NameTrie {
  /// The children of a node are a linked list, because few nodes have more than one.
  private struct Node {
    var byte: UInt8
    var sibling: Int32 = -1
    var child: Int32 = -1
    var isEnd = false
  }

  private var nodes = [Node(byte: 0)]

  init(_ names: [[UInt8]]) {
    for name in names {
      var node: Int32 = 0
      for byte in name {
        let parent = Int(node)
        node = next(node, byte)
        if node < 0 {
          node = Int32(nodes.count)
          nodes.append(Node(byte: byte, sibling: nodes[parent].child))
          nodes[parent].child = node
        }
      }
      nodes[Int(node)].isEnd = true
    }
  }

  func next(_ node: Int32, _ byte: UInt8) -> Int32 {
    var child = nodes[Int(node)].child
    while child >= 0, nodes[Int(child)].byte != byte { child = nodes[Int(child)].sibling }
    return child
  }

  func isName(_ node: Int32) -> Bool { node >= 0 && nodes[Int(node)].isEnd }
}
