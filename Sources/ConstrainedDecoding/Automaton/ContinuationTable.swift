/// The interned continuations of an automaton: equal lists have the same number.
struct ContinuationTable {
  private(set) var continuations: [Continuation] = []
  /// For each continuation, the number of arrays and objects that it still has to close.
  private var nestings: [UInt32] = []
  private var index = InternTable()
  /// The cached expansions, keyed by continuation number.
  var expansions: [UInt32: Expansion] = [:]

  /// The approximate size of one continuation in bytes.
  static let bytes = 48

  subscript(number: UInt32) -> Continuation { continuations[Int(number)] }

  var count: Int { continuations.count }

  /// Returns the number of arrays and objects that a continuation still has to close.
  func nesting(of number: UInt32) -> Int { Int(nestings[Int(number)]) }

  /// Returns the number of a continuation, adding the continuation to the table if necessary.
  mutating func intern(_ new: Continuation) -> UInt32 {
    let hash = new.hashed()
    if let known = index.find(hash, isEqual: { continuations[Int($0)] == new }) { return known }
    nestings.append(
      continuations.isEmpty ? 0 : nestings[Int(new.next)] + (new.isContainer ? 1 : 0))
    continuations.append(new)
    return index.insert(hash)
  }
}
