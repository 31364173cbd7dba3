/// The list of the *parts* that are still missing before the value is complete.
///
/// A part is a piece of the value that the automaton handles as a unit: a grammar node, a fixed
/// text, white space, or the remainder of an array or object. The list is linked, and continuations
/// share equal tails.
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
    /// A value to generate; `argument` is the number of its grammar node.
    case node
    /// A text to spell with byte states (`ByteStates`); `argument` is the first state.
    case states
    /// A line end and an indentation of depth `depth`.
    case indentation
    /// Either another element or the end of an array.
    ///
    /// `argument` is the array's node. `count` is the number of elements so far, but it stops
    /// growing when more elements make no difference:
    ///
    /// ```
    /// array 2...     0, 1, 2, 2, 2 …     no upper bound: only the lower bound needs the number
    /// array 0...     0, 1, 1, 1 …        the first element has no comma before it
    /// array 0...9    0, 1, 2 … 9
    /// ```
    case array
    /// Either another member or the end of an object.
    ///
    /// `argument` is the object's node. `count` is twice the index of the next member, plus one if
    /// the object already has a member:
    ///
    /// ```
    /// 0    before member 0, none so far
    /// 2    before member 1, none so far: member 0 is optional and absent
    /// 3    before member 1, one so far: a comma comes first
    /// ```
    case object
    /// A free string; `argument` is the index of its bounds.
    case string
    /// Any JSON value; `argument` is its maximum nesting depth.
    case anyValue
    /// Either another element or the end of an array that may contain anything.
    ///
    /// `argument` is the maximum nesting depth of the elements. `count` is 1 if the array already
    /// has an element, and otherwise 0.
    case anyArray
    /// Either another member or the end of an object that may contain anything; `argument` and
    /// `count` are as for `anyArray`.
    case anyObject
    /// Either another element or the end of an array whose first elements have separate schemas
    /// (`Grammar.Tuple`).
    ///
    /// `argument` is the array's node. `count` is the number of elements so far, but it stops
    /// growing when more elements make no difference.
    case tuple
    /// Either another element or the end of an array with unique elements.
    ///
    /// `argument` is the array's node. Each bit of `count` stands for one possible element, and is
    /// set if the array already contains that element.
    case set
    /// Either another member or the end of an open object (`Grammar.OpenObject`).
    ///
    /// `argument` is the object's node, and `TokenAutomaton.place(_:in:)` decodes `count`.
    case openObject
  }

  var kind: Kind
  /// The nesting depth of the value, counted only if white space depends on it.
  var depth: UInt16
  var argument: UInt32
  var count: UInt32
  /// The rest of the list, as the number of a continuation in `TokenAutomaton.continuations`.
  var next: UInt32

  /// Whether the continuation is the remainder of an array or object.
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

/// One way in which the text so far can continue: a position in the current part, and the
/// continuation after that part.
///
/// The word *thread* comes from regular-expression engines, in which the threads of Thompson's
/// simulation advance in parallel. It has nothing to do with operating-system threads.
struct Thread: Hashable, Comparable {
  /// The kind of the current part: 0 for byte states, 1 for an indentation, and 2 or more for a
  /// string, whose bounds then have the index `kind - 2`.
  var kind: UInt32
  /// The position in the current part.
  ///
  /// For byte states, it's the number of the state. For an indentation, it's twice the number of
  /// spaces left, plus one if the line end has been written. For a string, it's the string's state,
  /// with the number of characters so far in the higher bits.
  var state: UInt32
  /// The number of the continuation in `TokenAutomaton.continuations`.
  var next: UInt32

  static let states: UInt32 = 0
  static let indentation: UInt32 = 1
  static let firstString: UInt32 = 2

  static func < (left: Thread, right: Thread) -> Bool {
    if left.kind != right.kind { return left.kind < right.kind }
    if left.state != right.state { return left.state < right.state }
    return left.next < right.next
  }

  /// The string automaton's state, if the current part is a string.
  var stringState: StringAutomaton.State {
    StringAutomaton.State(truncatingIfNeeded: state & (1 << StringAutomaton.stateBits - 1))
  }

  /// The number of characters so far, if the current part is a string.
  var stringLength: UInt32 { state >> StringAutomaton.stateBits }
}
