/// Groups of scalars that a pattern doesn't tell apart, called *letters*: scalars that are in the
/// same sets of the pattern share a letter.
///
///     sets       [a-f]  [d-z]
///     letters    0: a-c    1: d-f    2: g-z         (scalars in no set have no letter)
struct ScalarAlphabet {
  /// Ranges of scalars with their letters, in order.
  private(set) var ranges: [(scalars: ClosedRange<UInt32>, letter: Int32)] = []
  /// The letters of each set.
  private(set) var lettersOfSet: [[Int32]]
  private(set) var count = 0

  /// Creates an alphabet by dividing the scalars of the sets into letters.
  ///
  /// - Throws: An error if the budget is too small. Overlapping sets take many steps, because a set
  ///   may need a letter for every place inside it where another set begins or ends.
  init(of sets: [ScalarSet], within budget: PatternBudget) throws(PatternError) {
    lettersOfSet = [[Int32]](repeating: [], count: sets.count)
    var events: [(at: UInt32, set: Int32, begins: Bool)] = []
    for (index, set) in sets.enumerated() {
      for range in set.ranges {
        events.append((range.lowerBound, Int32(index), true))
        events.append((range.upperBound + 1, Int32(index), false))
      }
    }
    try budget.spend(4 * events.count)
    events.sort { $0.at < $1.at }
    var letterOfSets: [Set<Int32>: Int32] = [:]
    var current: Set<Int32> = []
    var next = 0
    while next < events.count {
      let place = events[next].at
      while next < events.count, events[next].at == place {
        if events[next].begins {
          current.insert(events[next].set)
        } else {
          current.remove(events[next].set)
        }
        next += 1
      }
      guard !current.isEmpty, next < events.count else { continue }
      try budget.spend(current.count)
      let letter: Int32
      if let known = letterOfSets[current] {
        letter = known
      } else {
        letter = Int32(count)
        letterOfSets[current] = letter
        count += 1
        for set in current { lettersOfSet[Int(set)].append(letter) }
      }
      // No set contains surrogates, so this range contains none either.
      ranges.append((place...events[next].at - 1, letter))
    }
  }
}
