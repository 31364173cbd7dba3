import EvalRecords

/// The nights of one slice, counted over the test cases that all of them have.
///
/// Without this restriction, an easy test case that is added would look like an improvement, and a
/// hard one like a fall.
///
/// ```
/// night        1   2   3   4
/// test cases   ab  ab  b   abc      counted: a and b on nights 1, 2 and 4; night 3 has only a
///                                   part of them, so it is left out
/// ```
package struct CommonNights {
  /// The positions of the nights in the history, and the counts of each night.
  package private(set) var nights: [(index: Int, share: Share)] = []
  /// The ids of the counted test cases.
  package private(set) var cases: Set<String> = []

  /// The share of the newest night's test cases that all nights must have.
  ///
  /// Nights with fewer of them are left out, so that one test case that outlived all others doesn't
  /// decide the trend alone.
  private static let leastShare = 0.2

  /// Creates the nights of a slice in a history.
  package init(_ key: SliceKey, in history: RunHistory) {
    var made: [(index: Int, slice: HistoryEntry.Slice)] = []
    var least = 1
    for (index, entry) in history.entries.enumerated().reversed() where entry.isMeasured {
      guard let slice = entry.slice(key), !slice.isPart, slice.made > 0 else { continue }
      let ids = Set(slice.cases.lazy.filter { $0.made > 0 }.map(\.id))
      if made.isEmpty {
        cases = ids
        least = max(1, Int((Double(ids.count) * Self.leastShare).rounded(.up)))
      }
      let common = cases.intersection(ids)
      guard common.count >= least else { continue }
      cases = common
      made.append((index, slice))
    }
    nights = made.reversed().map { ($0.index, $0.slice.share(of: cases)) }
  }
}

extension HistoryEntry.Slice {
  /// The share of the attempts at some test cases that passed.
  package func share(of cases: Set<String>) -> Share {
    Share(caseCounts.filter { cases.contains($0.key.caseID) })
  }
}
