/// The part of the value that still has to come, as a linked list in which equal tails are shared.
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
    /// A node to generate; `argument` is its number.
    case node
    /// Bytes to spell; `argument` is their first state.
    case states
    /// A line end and an indentation of depth `depth`.
    case indentation
    /// Another element or the end of an array.
    ///
    /// `argument` is the array's node, and `count` is the number of elements so far; it stops
    /// growing when more elements make no difference:
    ///
    /// ```
    /// array 2...     0, 1, 2, 2, 2 …     no upper bound: only the lower bound needs the number
    /// array 0...     0, 1, 1, 1 …        the first element has no comma before it
    /// array 0...9    0, 1, 2 … 9
    /// ```
    case array
    /// Another member or the end of an object.
    ///
    /// `argument` is the object's node, and `count` is twice the number of the next member, plus
    /// one if the object already has a member:
    ///
    /// ```
    /// 0    before member 0, none so far
    /// 2    before member 1, none so far: member 0 is optional and absent
    /// 3    before member 1, one so far: a comma comes first
    /// ```
    case object
    /// A free string; `argument` is the index of its bounds.
    case string
    /// Any value; `argument` is its maximum depth.
    case anyValue
    /// Another element or the end of an array of anything.
    ///
    /// `argument` is the maximum depth of its elements, and `count` is 1 if the array already has
    /// an element.
    case anyArray
    /// Another member or the end of an object of anything; `argument` and `count` are as for
    /// `anyArray`.
    case anyObject
    /// Another element or the end of an array with a prefix.
    ///
    /// `argument` is the array's node, and `count` is the number of elements so far; it stops
    /// growing when more elements make no difference.
    case tuple
    /// Another element or the end of an array with unique elements.
    ///
    /// `argument` is the array's node. Each bit of `count` stands for a possible value, and is set
    /// if the array already contains that value.
    case set
    /// Another member or the end of an object with unnamed keys or with bounds on the number of
    /// members.
    ///
    /// `argument` is the object's node, and `TokenAutomaton.place(_:in:)` decodes `count`.
    case openObject
  }

  var kind: Kind
  /// The nesting depth of the value, counted only if white space depends on it.
  var depth: UInt16
  var argument: UInt32
  var count: UInt32
  /// The rest of the list, as a number in `TokenAutomaton.continuations`.
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

/// One way in which the text so far can continue: a position in the part that is being spelled, and
/// the continuation after that part.
///
/// The word *thread* comes from regular-expression engines, in which the threads of Thompson's
/// simulation advance in parallel. It has nothing to do with operating-system threads.
struct Thread: Hashable, Comparable {
  /// The kind of part: 0 for byte states, 1 for an indentation, and 2 or more for a string whose
  /// bounds have the index `kind - 2`.
  var kind: UInt32
  /// The position in the part.
  ///
  /// For byte states, the position is the number of the state. For an indentation, it is twice the
  /// number of spaces left, plus one after the line end. For a string, it is the string's state,
  /// with the number of characters in the higher bits.
  var state: UInt32
  /// The continuation, as a number in `TokenAutomaton.continuations`.
  var next: UInt32

  static let states: UInt32 = 0
  static let indentation: UInt32 = 1
  static let firstString: UInt32 = 2

  static func < (left: Thread, right: Thread) -> Bool {
    if left.kind != right.kind { return left.kind < right.kind }
    if left.state != right.state { return left.state < right.state }
    return left.next < right.next
  }

  /// The state inside a string.
  var stringState: StringAutomaton.State {
    StringAutomaton.State(truncatingIfNeeded: state & (1 << StringAutomaton.stateBits - 1))
  }

  /// The number of characters in the string so far.
  var stringLength: UInt32 { state >> StringAutomaton.stateBits }
}
