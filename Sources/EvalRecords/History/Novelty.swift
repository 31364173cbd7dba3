/// Which findings of a run are new, which are known from earlier runs, and which are gone.
///
/// A finding is a quantity of a suite that regressed, a condition of its gate that the suite
/// missed, or a test case that newly fails. It is known if the previous complete run of the suite
/// had it as well. A known finding fails the run like a new one.
///
/// Lines of older versions say only whether a suite regressed, and whether it missed its gate. Such
/// a finding stands for every regressed quantity, or for every missed condition. So the first run
/// after an update doesn't report old findings as new.
package struct Novelty: Sendable {
  /// Something that is wrong with a suite.
  package struct Finding: Sendable, Hashable {
    package enum Kind: Sendable, Hashable, CaseIterable { case regression, gate, newlyFailing }

    package let kind: Kind
    /// The quantity that regressed, the condition that was missed or the test case that newly
    /// fails, or `nil` if an older version of Assay wrote the line.
    package let criterion: Criterion?
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
  /// The suites with a known finding about their pass rate in which none of the test cases that
  /// fail failed in the previous run.
  package private(set) var moved: [SliceKey] = []
  /// The ids of the test cases that always passed in the previous run and always fail in this one,
  /// although no new finding is about them; only suites that have some.
  package private(set) var broken: [(slice: SliceKey, cases: [String])] = []
  /// The index in the history of the previous run of the suites, or `nil` if there is none.
  package private(set) var previous: Int?
  /// Whether something is wrong of which nobody knows whether it is new, or a comparison is broken
  /// that wasn't broken before.
  private var hasUnclear = false

  /// Compares the newest run of a history with the runs before it.
  ///
  /// A run whose line doesn't say whether the suite had the finding ends the search, because an
  /// older version of Assay wrote it. A run that isn't complete judges nothing, because its
  /// attempts are only some of the planned ones.
  ///
  /// - Complexity: O(n) in the number of runs, for each finding.
  package init(_ history: RunHistory) {
    guard let newest = history.entries.last, newest.status == .complete else { return }
    var unplaced: [Finding] = []
    for slice in newest.slices {
      let found = newest.findings(slice.key)
      let earlier = history.entries.indices.dropLast().reversed().filter {
        history.entries[$0].status == .complete
          && history.entries[$0].has(slice.key, onModelOf: newest)
      }
      guard let last = earlier.first else {
        unplaced += found
        continue
      }
      let before = history.entries[last]
      // A suite can have thousands of test cases, so the test cases of each run are collected once.
      var failing: [Int: Set<String>] = [:]
      func has(_ entry: Int, _ finding: Finding) -> Bool? {
        guard case .newlyFailing(let id) = finding.criterion else {
          return history.entries[entry].has(finding)
        }
        if failing[entry] == nil {
          failing[entry] = history.entries[entry].slice(slice.key)?.newlyFailingCases ?? []
        }
        return failing[entry]?.contains(id)
      }
      for finding in found {
        switch has(last, finding) {
        case true?:
          let run = earlier.prefix { has($0, finding) == true }
          known.append(Known(finding: finding, first: run.last ?? last, runs: run.count + 1))
        case false?: new.append(finding)
        case nil: hasUnclear = true
        }
      }
      let passing = slice.casesThatPass
      fixed += before.findings(slice.key).filter { finding in
        if case .newlyFailing(let id) = finding.criterion { return passing.contains(id) }
        return newest.shows(finding, isGoneFrom: before)
      }
      if found.contains(where: { before.has($0) == true && $0.criterion?.isAboutPassing != false }),
        slice.failsElsewhere(than: before.slice(slice.key))
      {
        moved.append(slice.key)
      }
      if let earlier = before.slice(slice.key) {
        let cases = slice.brokenCases(since: earlier)
        if !cases.isEmpty { broken.append((slice.key, cases)) }
      }
      if slice.verdict == .broken, before.slice(slice.key)?.verdict != .broken { hasUnclear = true }
      let isJudged = Finding.Kind.allCases.contains {
        before.has(Finding(kind: $0, criterion: nil, slice: slice.key)) != nil
      }
      if isJudged { previous = max(previous ?? last, last) }
    }
    // A suite that ran for the first time had no findings before.
    new += unplaced
    // A test case that newly fails is a part of another finding about the answers of its suite.
    func suites(of all: [Finding]) -> Set<SliceKey> {
      Set(
        all.filter { $0.kind == .regression || $0.criterion?.isAboutPassing == true }
          .map(\.slice))
    }
    let (named, worse) = (Set(new), suites(of: new))
    broken = broken.compactMap { slice, cases in
      let cases = cases.filter {
        !named.contains(
          Finding(kind: .newlyFailing, criterion: .newlyFailing($0), slice: slice))
      }
      return cases.isEmpty || moved.contains(slice) || worse.contains(slice) ? nil : (slice, cases)
    }
    new.removeAll { $0.kind == .newlyFailing && worse.contains($0.slice) }
    let old = suites(of: known.map(\.finding))
    known.removeAll { $0.finding.kind == .newlyFailing && old.contains($0.finding.slice) }
    let gone = suites(of: fixed)
    fixed.removeAll { $0.kind == .newlyFailing && gone.contains($0.slice) }
    known.sort { $0.first < $1.first }
  }

  /// Whether nothing is new, known or fixed.
  package var isEmpty: Bool { new.isEmpty && known.isEmpty && fixed.isEmpty }

  /// Whether everything that is wrong was wrong in the previous run as well.
  package var isOld: Bool { new.isEmpty && moved.isEmpty && !hasUnclear && !known.isEmpty }

  /// Returns whether something is wrong with a suite that wasn't wrong in the previous run.
  package func hasNews(of slice: SliceKey) -> Bool {
    hasUnclear || moved.contains(slice) || new.contains { $0.slice == slice }
  }
}

extension HistoryEntry {
  /// The findings about a slice.
  fileprivate func findings(_ key: SliceKey) -> [Novelty.Finding] {
    Novelty.Finding.Kind.allCases.flatMap { kind -> [Novelty.Finding] in
      let coarse = Novelty.Finding(kind: kind, criterion: nil, slice: key)
      guard has(coarse) == true else { return [] }
      let missed = slice(key)?.results.map { $0.filter { !$0.isGood && $0.kind == kind } } ?? []
      return missed.isEmpty
        ? [coarse]
        : missed.map { Novelty.Finding(kind: kind, criterion: $0.criterion, slice: key) }
    }
  }

  /// Returns whether a slice has a finding, or `nil` if the line doesn't say.
  ///
  /// A suite that nothing was compared with, or that no gate judged, doesn't have the finding.
  fileprivate func has(_ finding: Novelty.Finding) -> Bool? {
    guard let slice = slice(finding.slice) else { return nil }
    if let criterion = finding.criterion, let results = slice.results {
      let missed = results.filter { !$0.isGood && $0.kind == finding.kind }
      if !missed.isEmpty { return missed.contains { $0.criterion == criterion } }
    }
    let found =
      switch finding.kind {
      case .regression: slice.verdict.map { $0 == .regressed }
      case .gate: slice.isReached.map { !$0 }
      case .newlyFailing: slice.results.map { $0.contains { $0.kind == .newlyFailing } }
      }
    return found ?? (state == nil ? nil : false)
  }

  /// Returns whether the line shows that a finding of an earlier line is gone.
  ///
  /// A comparison that is broken, impossible or inconclusive doesn't show that a regression is
  /// gone. Neither does one with other results, which somebody accepted in between, or a gate that
  /// somebody lowered or removed. If a run stopped early, only the pass rate of its gate is
  /// certain.
  fileprivate func shows(_ finding: Novelty.Finding, isGoneFrom earlier: HistoryEntry) -> Bool {
    guard has(finding) == false, let now = slice(finding.slice),
      let before = earlier.slice(finding.slice), !now.isPart || finding.criterion == .gateRate
    else { return false }
    if finding.kind == .regression {
      let hasSameReference =
        now.reference == before.reference || now.reference == nil || before.reference == nil
      guard hasSameReference else { return false }
    }
    if let criterion = finding.criterion, let results = now.results,
      let old = before.results?.first(where: { $0.criterion == criterion })
    {
      return results.contains {
        $0.criterion == criterion && $0.isGood && $0.isAsStrict(as: old)
      }
    }
    switch finding.kind {
    case .regression: return [.ok, .improved].contains(now.verdict)
    case .gate: return now.isReached == true && now.needed ?? 0 >= before.needed ?? 0
    case .newlyFailing: return false
    }
  }
}

extension HistoryEntry.Slice {
  /// Returns whether attempts fail here and failed in an earlier slice, but in no test case of
  /// both.
  fileprivate func failsElsewhere(than earlier: HistoryEntry.Slice?) -> Bool {
    guard let earlier, !isPart, !earlier.isPart else { return false }
    let before = earlier.failingCases
    return !before.isEmpty && !failingCases.isEmpty && before.isDisjoint(with: failingCases)
  }

  /// The ids of the test cases in which all attempts passed; none if the run stopped early.
  fileprivate var casesThatPass: Set<String> {
    isPart ? [] : Set(cases.filter { $0.made > 0 && $0.passed == $0.made }.map(\.id))
  }

  /// The ids of the test cases in which all attempts failed, and none because of the backend.
  private var casesThatFail: [String] {
    errors ?? 0 > 0 ? [] : cases.filter { $0.made > 0 && $0.passed == 0 }.map(\.id)
  }

  /// The ids of the test cases that newly fail.
  ///
  /// Only the counts show that a test case failed in a run that wasn't compared.
  fileprivate var newlyFailingCases: Set<String> {
    Set(casesThatFail).union(
      (results ?? []).compactMap {
        if case .newlyFailing(let id) = $0.criterion { id } else { nil }
      })
  }

  /// Returns the ids of the test cases that always fail here and always passed in an earlier slice.
  fileprivate func brokenCases(since earlier: HistoryEntry.Slice) -> [String] {
    let passing = earlier.casesThatPass
    return isPart ? [] : casesThatFail.filter { passing.contains($0) }
  }

  /// The ids of the test cases in which at least one attempt didn't pass.
  package var failingCases: Set<String> { Set(cases.filter { $0.passed < $0.made }.map(\.id)) }
}

extension CriterionResult {
  fileprivate var kind: Novelty.Finding.Kind {
    if case .newlyFailing = criterion {
      .newlyFailing
    } else {
      criterion.isOfGate ? .gate : .regression
    }
  }
}
