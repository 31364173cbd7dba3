/// The minimal deterministic automaton that reads the texts of a language byte by byte.
///
/// Bytes that every state treats alike share a class, so the table of transitions has one entry per
/// state and class. Every state can reach an accepting state, except the start state of an empty
/// language. Transitions that can't lead to an accepting state don't exist.
package struct ByteAutomaton: Sendable, Hashable {
  /// The table's entry for a transition that does not exist.
  package static let none: Int32 = -1

  /// The start state.
  package var start: Int32 { 0 }
  /// The class of each of the 256 bytes.
  package let classOfByte: [UInt8]
  /// The number of classes, at least 1.
  package let classCount: Int
  /// `transitions[state * classCount + class]` is the next state, or ``none``.
  package let transitions: [Int32]
  /// For each state, whether a text may end in it.
  package let isAccepting: [Bool]

  /// The number of states.
  package var stateCount: Int { isAccepting.count }

  /// Returns the state after a byte, or ``none`` if there is no such transition.
  ///
  /// - Parameters:
  ///   - state: A state of this automaton.
  ///   - byte: The byte that follows.
  package func next(_ state: Int32, _ byte: UInt8) -> Int32 {
    transitions[Int(state) * classCount + Int(classOfByte[Int(byte)])]
  }

  /// Returns whether the automaton accepts the whole byte sequence.
  ///
  /// - Complexity: O(*n*).
  package func accepts(_ bytes: some Sequence<UInt8>) -> Bool {
    var state = start
    for byte in bytes {
      state = next(state, byte)
      if state == Self.none { return false }
    }
    return isAccepting[Int(state)]
  }
}
