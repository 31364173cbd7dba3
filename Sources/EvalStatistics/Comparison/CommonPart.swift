import EvalRecords

/// The comparable part of two slices: the test cases, draws and assertions that both slices have.
///
/// ```
/// baseline    a  b  c  d          compared          left out
/// candidate   a  b     d  e   ─►  a, d              1 new case, 1 gone,
///                ↑ another input                    1 with another input
/// ```
/// A renamed test case counts as one removed and one added, unless one side lists the other side's
/// id as an alias.
struct CommonPart {
  /// The baseline's part, in which the test cases have the candidate's ids.
  var baseline: ComparisonSlice
  /// The candidate's part.
  var candidate: ComparisonSlice
  /// The facts about data that is left out or missing.
  var facts: [ComparisonDifference.Fact] = []
  /// The ids of the baseline's test cases that are gone, or have other requests or expectations.
  private var lostCases: Set<String> = []
  /// The number of test cases on each side before any was left out.
  private let caseCounts: (baseline: Int, candidate: Int)
  /// Whether attempts were re-judged; if so, earlier runs can't be pooled.
  var isRejudged = false
  /// Whether no test cases are left.
  var isEmpty: Bool { candidate.suite.cases.isEmpty }

  /// Creates the common part of two slices.
  init(_ baseline: ComparisonSlice, _ candidate: ComparisonSlice) {
    self.baseline = baseline
    self.candidate = candidate
    caseCounts = (baseline.suite.cases.count, candidate.suite.cases.count)
    facts += Self.missing(baseline, candidate)
    takeOverNames()
    leaveOutCases()
    useCommonBranches()
    judgeAlike()
    noteSmallPart()
  }

  // MARK: Names

  /// Renames the baseline's test cases to the candidate's ids.
  private mutating func takeOverNames() {
    let left = Set(baseline.suite.cases.map(\.id))
    let right = Set(candidate.suite.cases.map(\.id))
    var names: [String: String] = [:]
    for id in candidate.suite.cases.map(\.id) where !left.contains(id) {
      let aliases = candidate.suite.details.cases?[id]?.aliases ?? []
      if let alias = aliases.last(where: { left.contains($0) && !right.contains($0) }) {
        names[alias] = id
      }
    }
    for id in left where !right.contains(id) && names[id] == nil {
      let aliases = baseline.suite.details.cases?[id]?.aliases ?? []
      let taken = Set(names.values)
      if let alias = aliases.last(where: {
        right.contains($0) && !left.contains($0) && !taken.contains($0)
      }) {
        names[id] = alias
      }
    }
    guard !names.isEmpty else { return }
    for index in baseline.suite.cases.indices {
      let id = baseline.suite.cases[index].id
      baseline.suite.cases[index].id = names[id] ?? id
    }
    if let settings = baseline.suite.details.cases {
      baseline.suite.details.cases = Dictionary(
        settings.map { (names[$0.key] ?? $0.key, $0.value) },
        uniquingKeysWith: { first, _ in first })
    }
    baseline.suite.details.effectiveSettings?.renameCases(names)
    baseline.suite.details.assertions?.renameCases(names)
    baseline.suite.details.rejudgement?.renameCases(names)
    func renamed(_ attempts: [AttemptRecord]) -> [AttemptRecord] {
      attempts.map {
        var attempt = $0
        attempt.key.caseID = names[attempt.key.caseID] ?? attempt.key.caseID
        return attempt
      }
    }
    baseline.attempts = renamed(baseline.attempts)
    baseline.fresh = renamed(baseline.fresh)
  }

  // MARK: Test cases

  private mutating func leaveOutCases() {
    let (left, right) = (baseline.casesByID, candidate.casesByID)
    let common = baseline.suite.cases.map(\.id).filter { right[$0] != nil }
    let gone = baseline.suite.cases.map(\.id).filter { right[$0] == nil }
    note(.removed, gone)
    note(.added, candidate.suite.cases.map(\.id).filter { left[$0] == nil })
    let haveSameInput = baseline.suite.comparesInputs(with: candidate.suite)
    let otherInput = common.filter { id in
      guard let before = left[id], let after = right[id] else { return false }
      return !haveSameInput(before, after)
    }
    note(.input, otherInput)
    let settings = SettingChanges(baseline, candidate).own(of: common)
    facts += settings.facts
    var out = settings.cases.union(otherInput)
    let failing = newlyFailing(in: common.filter(out.contains))
    if !failing.isEmpty { facts.append(.leftOutFailing(cases: failing, of: out.count)) }
    out.formUnion(gone)
    lostCases = out
    keep { left[$0] != nil && right[$0] != nil && !out.contains($0) }
  }

  /// Returns the test cases in which all attempts of the baseline pass and all attempts of the
  /// candidate fail.
  private func newlyFailing(in ids: [String]) -> [String] {
    let attempts = (baseline.attemptsByCase(Set(ids)), candidate.attemptsByCase(Set(ids)))
    return ids.filter { id in
      let before = (attempts.0[id] ?? []).filter { !$0.isBackendError }
      let after = (attempts.1[id] ?? []).filter { !$0.isBackendError }
      return !before.isEmpty && before.allSatisfy { $0.outcome == .pass }
        && !after.isEmpty && after.allSatisfy { $0.outcome != .pass }
    }
  }

  /// Marks test cases whose expectations were edited.
  mutating func lose(_ ids: some Sequence<String>) { lostCases.formUnion(ids) }

  /// Notes that the common part is too small to stand for the suite.
  ///
  /// A run that selects test cases on purpose compares those that it has.
  private mutating func noteSmallPart() {
    guard !isEmpty, !candidate.run.details.isPart else { return }
    let lost = lostCases.count
    if lost > 0, 2 * lost >= caseCounts.baseline {
      facts.append(.mostCasesGone(gone: lost, of: caseCounts.baseline))
    }
    let added = facts.reduce(0) { count, fact in
      if case .cases(.added, let ids) = fact { count + ids.count } else { count }
    }
    if 2 * added > caseCounts.candidate {
      facts.append(.mostCasesNew(new: added, of: caseCounts.candidate))
    }
  }

  mutating func note(_ change: ComparisonDifference.CaseChange, _ ids: [String]) {
    if !ids.isEmpty { facts.append(.cases(change: change, ids: ids)) }
  }

  mutating func keep(_ isKept: (String) -> Bool) {
    func part(_ slice: ComparisonSlice) -> ComparisonSlice {
      guard !slice.suite.cases.allSatisfy({ isKept($0.id) }) else { return slice }
      var slice = slice
      slice.suite.cases.removeAll { !isKept($0.id) }
      slice.attempts.removeAll { !isKept($0.key.caseID) }
      slice.fresh.removeAll { !isKept($0.key.caseID) }
      return slice
    }
    baseline = part(baseline)
    candidate = part(candidate)
  }

  // MARK: Branches

  /// Removes the branches that only one side expects.
  private mutating func useCommonBranches() {
    let (left, right) = (baseline.casesByID, candidate.casesByID)
    let others = baseline.suite.cases.map(\.id).filter {
      left[$0]?.expectedBranches != right[$0]?.expectedBranches
    }
    guard !others.isEmpty else { return }
    note(.branches, others)
    // A test case that expects a branch for the first time has no edited expectation.
    lose(
      others.filter { id in
        let after = right[id]?.expectedBranches ?? []
        return left[id]?.expectedBranches.contains { !after.contains($0) } ?? false
      })
    func part(_ suite: inout SuiteRecord) {
      for index in suite.cases.indices {
        let id = suite.cases[index].id
        let common = Set(left[id]?.expectedBranches ?? []).intersection(
          right[id]?.expectedBranches ?? [])
        suite.cases[index].expectedBranches.removeAll { !common.contains($0) }
      }
    }
    part(&baseline.suite)
    part(&candidate.suite)
  }

  // MARK: Missing attempts

  private static func missing(
    _ baseline: ComparisonSlice, _ candidate: ComparisonSlice
  ) -> [ComparisonDifference.Fact] {
    var facts: [ComparisonDifference.Fact] = []
    for (side, slice) in [(ComparedRole.baseline, baseline), (.candidate, candidate)] {
      let suite = slice.suite
      let planned = suite.cases.reduce(0) { $0 + suite.plannedRepeats(of: $1.id) }
      let made = slice.attempts.count { !suite.isFresh(repeatIndex: $0.key.repeatIndex) }
      guard made < planned else { continue }
      facts.append(
        slice.hasStoppedEarly
          ? .stoppedEarly(
            side: side, run: slice.run.id, attempts: planned - made, planned: planned)
          : .notMade(side: side, attempts: planned - made, planned: planned))
    }
    if baseline.run.status == .interrupted, baseline.run.id != candidate.run.id {
      facts.append(.interrupted(side: .baseline))
    }
    return facts
  }
}

extension ComparisonSlice {
  /// Whether the run stopped making attempts because the gate of the slice was already decided.
  fileprivate var hasStoppedEarly: Bool {
    variant == suite.variants.first?.id
      && run.details.earlyStops?.contains { $0.suite == suite.id && $0.backend == backend.id }
        == true
  }

  /// The records of the test cases, keyed by id.
  var casesByID: [String: CaseRecord] {
    Dictionary(suite.cases.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the attempts at the given test cases, keyed by the test case's id.
  func attemptsByCase(_ ids: Set<String>) -> [String: [AttemptRecord]] {
    Dictionary(
      grouping: attempts.filter { ids.contains($0.key.caseID) }, by: \.key.caseID)
  }

  /// Re-judges the attempts of each test case for which `rule` returns a rule.
  mutating func judge(_ rule: (String) -> Rejudging?) {
    for index in attempts.indices {
      if let rule = rule(attempts[index].key.caseID) {
        attempts[index] = rule.judged(attempts[index])
      }
    }
    for index in fresh.indices {
      if let rule = rule(fresh[index].key.caseID) { fresh[index] = rule.judged(fresh[index]) }
    }
  }
}
