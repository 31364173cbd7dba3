/// The continuations of an automaton, interned: equal lists are one number.
struct ContinuationTable {
  private(set) var continuations: [Continuation] = []
  /// In how many arrays and objects of the value each of them stands.
  private var nestings: [UInt32] = []
  private var index = InternTable()
  /// What continuations add to a configuration, as far as they were asked for.
  var expansions: [UInt32: Expansion] = [:]

  /// Roughly the bytes of one continuation.
  static let bytes = 48

  /// A continuation by its number.
  subscript(number: UInt32) -> Continuation { continuations[Int(number)] }

  /// The number of continuations.
  var count: Int { continuations.count }

  /// In how many arrays and objects a continuation stands.
  func nesting(of number: UInt32) -> Int { Int(nestings[Int(number)]) }

  /// The number of a continuation, a new one where it is not known yet.
  mutating func intern(_ new: Continuation) -> UInt32 {
    let hash = new.hashed()
    if let known = index.find(hash, isEqual: { continuations[Int($0)] == new }) { return known }
    let outer = continuations.isEmpty ? 0 : nestings[Int(new.next)]
    nestings.append(new.isContainer ? outer + 1 : outer)
    continuations.append(new)
    return index.insert(hash)
  }
}
