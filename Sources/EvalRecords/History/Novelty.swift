/// Which findings of a run are new, which are known from earlier runs, and which are gone.
///
/// A finding is a regressed suite or a missed gate. It is known if the previous complete run of the
/// suite had it as well. A known finding fails the run like a new one.
package struct Novelty: Sendable, Hashable {
  /// A suite that regressed, or whose gate was missed.
  package struct Finding: Sendable, Hashable {
    package enum Kind: Sendable, Hashable, CaseIterable { case regression, gate }

    package let kind: Kind
    package let slice: SliceKey
  }

  /// A finding with the first of the runs in a row that had it.
  package struct Known: Sendable, Hashable {
    package let finding: Finding
    /// The index in the history of the first run.
    package let first: Int
    /// The number of runs in a row, with this one.
    package let runs: Int
  }

  /// The findings that the previous run didn't have.
  package private(set) var new: [Finding] = []
  /// The findings that the previous run had, oldest first.
  package private(set) var known: [Known] = []
  /// The findings of the previous run that this run no longer has.
  package private(set) var fixed: [Finding] = []
  /// The index in the history of the previous run of the suites, or `nil` if there is none.
  package private(set) var previous: Int?

  /// Compares the newest run of a history with the runs before it.
  ///
  /// A run whose line doesn't say whether the suite had the finding ends the search, because an
  /// older version of Assay wrote it.
  ///
  /// - Complexity: O(n) in the number of runs, for each suite.
  package init(_ history: RunHistory) {
    guard let newest = history.entries.last else { return }
    for slice in newest.slices {
      let earlier = history.entries.indices.dropLast().reversed().filter {
        history.entries[$0].status == .complete
          && history.entries[$0].has(slice.key, onModelOf: newest)
      }
      guard let last = earlier.first else { continue }
      for kind in Finding.Kind.allCases {
        func state(_ index: Int) -> Bool? { history.entries[index].has(kind, slice.key) }
        guard let before = state(last) else { continue }
        let finding = Finding(kind: kind, slice: slice.key)
        switch (before, newest.has(kind, slice.key)) {
        case (true, true):
          let run = earlier.prefix { state($0) == true }
          known.append(Known(finding: finding, first: run.last ?? last, runs: run.count + 1))
        case (false, true): new.append(finding)
        case (true, false) where newest.shows(kind, isGoneFrom: history.entries[last], slice.key):
          fixed.append(finding)
        default: continue
        }
        previous = max(previous ?? last, last)
      }
    }
    known.sort { $0.first < $1.first }
  }

  /// Whether nothing is new, known or fixed.
  package var isEmpty: Bool { new.isEmpty && known.isEmpty && fixed.isEmpty }
}

extension HistoryEntry {
  /// Whether a suite had a finding, or `nil` if the line doesn't say.
  ///
  /// A suite that nothing was compared with, or that no gate judged, doesn't have the finding.
  fileprivate func has(_ kind: Novelty.Finding.Kind, _ key: SliceKey) -> Bool? {
    guard let slice = slice(key) else { return nil }
    let found =
      switch kind {
      case .regression: slice.verdict.map { $0 == .regressed }
      case .gate: slice.isReached.map { !$0 }
      }
    return found ?? (state == nil ? nil : false)
  }

  /// Returns whether the line shows that a suite no longer has a finding of an earlier line.
  ///
  /// A comparison that is broken, impossible or inconclusive doesn't show that a regression is
  /// gone. Neither does one with other results, which somebody accepted in between, or a gate that
  /// somebody lowered or removed.
  fileprivate func shows(
    _ kind: Novelty.Finding.Kind, isGoneFrom earlier: HistoryEntry, _ key: SliceKey
  ) -> Bool {
    guard let now = slice(key), let before = earlier.slice(key) else { return false }
    switch kind {
    case .regression:
      let hasSameReference =
        now.reference == before.reference || now.reference == nil || before.reference == nil
      return hasSameReference && [.ok, .improved].contains(now.verdict)
    case .gate: return now.isReached == true && now.needed ?? 0 >= before.needed ?? 0
    }
  }
}
