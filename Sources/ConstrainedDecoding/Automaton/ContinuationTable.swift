/// The interned continuations of an automaton: equal lists have the same number.
struct ContinuationTable {
  private(set) var continuations: [Continuation] = []
  /// For each continuation, the number of arrays and objects that it still has to close.
  private var nestings: [UInt32] = []
  /// For each continuation, whether one of the arrays and objects that it still has to close is
  /// inside two others of the same type.
  private var repetitions: [Bool] = []
  private var index = InternTable()
  /// The cached expansions, keyed by continuation number.
  var expansions: [UInt32: Expansion] = [:]

  /// The approximate size of one continuation in bytes.
  static let bytes = 48

  subscript(number: UInt32) -> Continuation { continuations[Int(number)] }

  var count: Int { continuations.count }

  /// Returns the number of arrays and objects that a continuation still has to close.
  func nesting(of number: UInt32) -> Int { Int(nestings[Int(number)]) }

  /// Returns whether one of the arrays and objects that a continuation still has to close is inside
  /// two others of the same type.
  func isRepeating(_ number: UInt32) -> Bool { repetitions[Int(number)] }

  /// Returns the same as `isRepeating(_:)` for the remainder of an array or object.
  func isRepeating(_ container: Continuation) -> Bool {
    if nesting(of: container.next) == 0 || isRepeating(container.next) {
      return isRepeating(container.next)
    }
    var outer = container.next
    var count = 0
    while nesting(of: outer) > 0 {
      let other = continuations[Int(outer)]
      if other.isContainer, other.kind == container.kind, other.argument == container.argument {
        count += 1
        if count == 2 { return true }
      }
      outer = other.next
    }
    return false
  }

  /// Returns the number of a continuation, adding the continuation to the table if necessary.
  mutating func intern(_ new: Continuation) -> UInt32 {
    let hash = new.hashed()
    if let known = index.find(hash, isEqual: { continuations[Int($0)] == new }) { return known }
    if continuations.isEmpty {
      nestings.append(0)
      repetitions.append(false)
    } else {
      nestings.append(nestings[Int(new.next)] + (new.isContainer ? 1 : 0))
      repetitions.append(new.isContainer ? isRepeating(new) : isRepeating(new.next))
    }
    continuations.append(new)
    return index.insert(hash)
  }
}
