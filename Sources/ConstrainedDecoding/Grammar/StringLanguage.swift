import Patterns

/// The strings that match several patterns, don't match others, and are none of some names: a
/// product of automata, whose states get numbers as they are met.
final class StringLanguage {
  private let included: [ByteAutomaton]
  private let excluded: [ByteAutomaton]
  private let names: NameTrie
  /// The states of all parts, one after the other; `none` where an excluded one cannot match.
  private var states: [[Int32]] = []
  private var numbers: [[Int32]: Int32] = [:]

  /// Makes a language.
  ///
  /// - Parameters:
  ///   - included: The automata that match; at least one.
  ///   - excluded: The automata that don't match.
  ///   - names: The strings that are left out, as UTF-8.
  init(included: [ByteAutomaton], excluded: [ByteAutomaton], names: [[UInt8]]) {
    self.included = included
    self.excluded = excluded
    self.names = NameTrie(names)
    start = 0
    start = number(included.map(\.start) + excluded.map(\.start) + [names.isEmpty ? -1 : 0])
  }

  /// The state before the first byte.
  private(set) var start: Int32

  private func number(_ state: [Int32]) -> Int32 {
    if let known = numbers[state] { return known }
    let number = Int32(states.count)
    states.append(state)
    numbers[state] = number
    return number
  }

  /// The state after a byte, nil if no string goes on like that.
  func next(_ state: Int32, _ byte: UInt8) -> Int32? {
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

  /// Whether a string may end in a state.
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
  private var children: [[UInt8: Int32]] = [[:]]
  private var ends: Set<Int32> = []

  init(_ names: [[UInt8]]) {
    for name in names {
      var node: Int32 = 0
      for byte in name {
        if let known = children[Int(node)][byte] {
          node = known
        } else {
          let next = Int32(children.count)
          children[Int(node)][byte] = next
          children.append([:])
          node = next
        }
      }
      ends.insert(node)
    }
  }

  func next(_ node: Int32, _ byte: UInt8) -> Int32 { children[Int(node)][byte] ?? -1 }

  func isName(_ node: Int32) -> Bool { node >= 0 && ends.contains(node) }
}
