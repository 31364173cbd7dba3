import EvalRecords

/// The test cases of a suite that its two records judge by different assertions.
///
/// Renamed assertions and assertions with another weight are no such difference: their verdicts
/// stay the same.
package struct JudgementEdits: Sendable {
  /// A test case with different assertions.
  package struct EditedCase: Sendable {
    /// The id in the older record.
    package var id: String
    /// The id in the newer record.
    package var newID: String
    /// Whether an assertion was edited or removed, and not only added.
    package var isLoosened: Bool
    /// Whether assertions that belong to this test case only were edited or removed.
    package var hasOtherExpectations: Bool
    /// Whether variables that no prompt uses were edited.
    fileprivate var hasOtherVariables: Bool
    fileprivate var matched: MatchedAssertions
  }

  /// The test cases, in the order of the older record.
  package private(set) var cases: [EditedCase] = []
  /// The new names of the assertions that both records have and of the edited ones, keyed by the
  /// old id of the test case and the old name; only of test cases in which anything differs.
  package private(set) var names: [String: [String: String]] = [:]

  /// The older assertions of these test cases, except those with other variables, or `nil` if the
  /// older record has no digests.
  private var former: AssertionIdentities?

  /// Creates the edits from an older to a newer record of a suite.
  ///
  /// Test cases with other inputs are left out, because no comparison uses them.
  ///
  /// - Parameters:
  ///   - before: The older record.
  ///   - attempts: Its attempts, from which the names of the assertions of version 0.1 come.
  ///   - after: The newer record.
  package init(from before: SuiteRecord, _ attempts: [AttemptRecord], to after: SuiteRecord) {
    let changes = JudgingChanges(before, after)
    var renamed: [String: String] = [:]
    for record in after.cases {
      for alias in after.details.cases?[record.id]?.aliases ?? [] { renamed[alias] = record.id }
    }
    let shared = before.cases.dropFirst().reduce(Set(before.cases.first?.assertions ?? [])) {
      $0.intersection($1.assertions)
    }
    let haveSameInput = before.comparesInputs(with: after)
    var attemptsByCase: [String: [AttemptRecord]]?
    let new = Dictionary(after.cases.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for old in before.cases {
      guard let record = new[old.id] ?? renamed[old.id].flatMap({ new[$0] }),
        haveSameInput(old, record)
      else { continue }
      guard changes.concernAssertions(old, record) else { continue }
      let byCase = attemptsByCase ?? Dictionary(grouping: attempts, by: \.key.caseID)
      attemptsByCase = byCase
      let sides = changes.sides(old, record, byCase[old.id] ?? [], [])
      let matched = MatchedAssertions(sides.0, sides.1)
      names[old.id] = matched.names.merging(
        matched.edited.map { ($0.baseline, $0.candidate) }, uniquingKeysWith: { one, _ in one })
      if matched.areSame { continue }
      let isLoosened = !matched.edited.isEmpty || !matched.gone.isEmpty
      let hasOtherVariables = changes.hasOtherVariables(old, record)
      let hasOtherExpectations: Bool
      if hasOtherVariables {
        hasOtherExpectations = true
      } else if let left = before.details.assertions, let right = after.details.assertions {
        hasOtherExpectations = !Set(left.own(of: old.id).map(\.verdictDigest))
          .isSubset(of: right.own(of: record.id).map(\.verdictDigest))
      } else {
        hasOtherExpectations = !Set(old.assertions).subtracting(shared)
          .isSubset(of: record.assertions)
      }
      cases.append(
        EditedCase(
          id: old.id, newID: record.id, isLoosened: isLoosened,
          hasOtherExpectations: hasOtherExpectations, hasOtherVariables: hasOtherVariables,
          matched: matched))
    }
    guard let assertions = before.details.assertions else { return }
    former = AssertionIdentities(
      shared: [],
      own: cases.filter { !$0.hasOtherVariables }.map { ($0.id, assertions.assertions(of: $0.id)) })
  }

  /// Returns the record of a new judgement of some of the test cases.
  ///
  /// - Parameter isJudged: Returns whether the test case with this old id was judged anew.
  package func rejudgement(_ isJudged: (String) -> Bool) -> Rejudgement {
    let judged = cases.filter { isJudged($0.id) }
    var changes = AssertionChanges()
    for edited in judged { changes.add(edited.matched) }
    var rejudgement = Rejudgement(
      cases: judged.map(\.id), loosened: judged.filter(\.isLoosened).map(\.id),
      otherExpectations: judged.filter(\.hasOtherExpectations).map(\.id))
    rejudgement.former = former
    for (change, names) in changes.byChange {
      switch change {
      case .changed: rejudgement.edited = names
      case .removed: rejudgement.removed = names
      case .added: rejudgement.added = names
      case .reweighted, .uncounted: break
      }
    }
    return rejudgement
  }
}
