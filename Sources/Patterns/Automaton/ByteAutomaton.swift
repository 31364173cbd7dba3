/// A deterministic automaton over bytes: the smallest one of its language.
///
/// Bytes that no state tells apart share a class, so that a row has one entry per class. From every
/// state an accepting one can be reached; where no accepting state could follow, there is no
/// transition.
package struct ByteAutomaton: Sendable, Hashable {
  /// The entry of a transition that does not exist.
  package static let none: Int32 = -1

  /// The state before the first byte.
  package var start: Int32 { 0 }
  /// The class of every byte, 256 entries.
  package let classOfByte: [UInt8]
  /// The number of classes, at least 1.
  package let classCount: Int
  /// The next state at `state * classCount + class`, or ``none``.
  package let transitions: [Int32]
  /// Whether a text may end in a state, one entry per state.
  package let isAccepting: [Bool]

  /// The number of states.
  package var stateCount: Int { isAccepting.count }

  /// The state after a byte, or ``none``.
  ///
  /// - Parameters:
  ///   - state: A state of this automaton.
  ///   - byte: The byte that follows.
  package func next(_ state: Int32, _ byte: UInt8) -> Int32 {
    transitions[Int(state) * classCount + Int(classOfByte[Int(byte)])]
  }

  /// Whether the automaton accepts bytes as a whole.
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

  /// The transitions without classes: the next state at `state * 256 + byte`, or ``none``.
  package func byteTable() -> [Int32] {
    var table: [Int32] = []
    table.reserveCapacity(stateCount * 256)
    for state in 0..<stateCount {
      for byte in classOfByte { table.append(transitions[state * classCount + Int(byte)]) }
    }
    return table
  }
}
