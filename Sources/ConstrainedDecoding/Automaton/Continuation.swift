/// What is still to come after the part that is being spelled: a linked list, in which equal
/// tails are one.
///
/// ```
/// inside the question of the second card of {"cards":[{…},{"question":"…
///
///   object 1, next member 1 ──► array, 2 elements ──► object 0, next member 1 ──► end
/// ```
struct Continuation: Hashable {
  enum Kind: UInt8 {
    /// The value is complete.
    case end
    /// A node is to be generated; `argument` is its number.
    case node
    /// Bytes are to be spelled; `argument` is their first state.
    case states
    /// A line end and an indentation; `depth` says how deep.
    case indentation
    /// Another element or the end of an array; `argument` is its node, `count` the elements so
    /// far, as long as something depends on it:
    ///
    /// ```
    /// array 2...     0, 1, 2, 2, 2 …     no upper bound: only the lower one asks for the number
    /// array 0...     0, 1, 1, 1 …        the first element has no comma before it
    /// array 0...9    0, 1, 2 … 9
    /// ```
    case array
    /// Another member or the end of an object; `argument` is its node, `count` twice the number
    /// of the next member, plus one where a member was generated:
    ///
    /// ```
    /// 0    before member 0, none so far
    /// 2    before member 1, none so far: member 0 is optional and absent
    /// 3    before member 1, one so far: a comma comes first
    /// ```
    case object
    /// A free string; `argument` is the number of its bounds.
    case string
    /// Any value; `argument` is the depth that it may have.
    case anyValue
    /// Another element or the end of an array of anything; `argument` is the depth that its
    /// elements may have, `count` is 1 where there is one already.
    case anyArray
    /// The same for an object of anything.
    case anyObject
    /// Another element or the end of an array with a prefix; `argument` is its node, `count` the
    /// elements so far, as long as something depends on it.
    case tuple
    /// Another element or the end of an array without repetition; `argument` is its node, `count`
    /// has a bit for each value that it has.
    case set
    /// Another member or the end of an object with unnamed keys; `argument` is its node, `count` a
    /// number that `TokenAutomaton.place(_:in:)` reads.
    case openObject
  }

  var kind: Kind
  /// The nesting of the value, counted only where white space depends on it.
  var depth: UInt16
  var argument: UInt32
  var count: UInt32
  /// The rest of the list, by its number in `TokenAutomaton.continuations`.
  var next: UInt32

  /// Whether it is the rest of an array or object.
  var isContainer: Bool {
    switch kind {
    case .array, .object, .anyArray, .anyObject, .tuple, .set, .openObject: true
    default: false
    }
  }

  func hashed() -> UInt64 {
    var hash = UInt64(kind.rawValue) | UInt64(depth) << 8 | UInt64(argument) << 24
    hash = (hash ^ hash >> 32) &* 0x9E37_79B9_7F4A_7C15
    hash = (hash ^ UInt64(count) ^ UInt64(next) << 32) &* 0xC2B2_AE3D_27D4_EB4F
    return hash ^ hash >> 29
  }
}

/// One way in which the text so far can be going on: a place in something that is being spelled,
/// and what comes after it.
///
/// The word is that of regular-expression engines, where the threads of Thompson's simulation step
/// side by side. A thread of the system is called a *worker* here.
struct Thread: Hashable, Comparable {
  /// What is being spelled: 0 for byte states, 1 for an indentation, and from 2 on strings with
  /// the bounds number `kind - 2`.
  var kind: UInt32
  /// The byte state; for an indentation twice the number of spaces left, plus one after its line
  /// end; for a string its state, and above those bits the number of its characters.
  var state: UInt32
  /// What comes after it: a list's number in `TokenAutomaton.continuations`.
  var next: UInt32

  static let states: UInt32 = 0
  static let indentation: UInt32 = 1
  static let firstString: UInt32 = 2

  static func < (left: Thread, right: Thread) -> Bool {
    if left.kind != right.kind { return left.kind < right.kind }
    if left.state != right.state { return left.state < right.state }
    return left.next < right.next
  }

  /// The state within a string.
  var stringState: StringAutomaton.State {
    StringAutomaton.State(truncatingIfNeeded: state & (1 << StringAutomaton.stateBits - 1))
  }

  /// The characters that a string has so far.
  var stringLength: UInt32 { state >> StringAutomaton.stateBits }
}
