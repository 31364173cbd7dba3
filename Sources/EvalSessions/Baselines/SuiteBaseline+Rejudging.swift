import EvalRecords
import EvalRunner
import EvalStatistics

extension SuiteBaseline {
  /// Returns the baseline with its stored answers judged anew by a run's suite, in all test cases
  /// whose assertions differ.
  ///
  /// Test cases that can't be judged anew keep their verdicts, and the comparison says that their
  /// assertions differ. Thresholds, weights and guardrails need no new verdicts: the comparison
  /// itself applies those of both sides.
  ///
  /// - Parameters:
  ///   - run: The run that is compared with the baseline.
  ///   - judge: Judges answers by the suites at hand.
  package func judgedAnew(for run: RunRecord, by judge: StoredAnswerJudge) -> SuiteBaseline {
    guard let index = self.run.suites.firstIndex(where: { $0.id == suite }),
      let after = run.suites.first(where: { $0.id == suite }),
      let loaded = judge.suites.first(where: { $0.id == suite })
    else { return self }
    var before = self.run.suites[index]
    guard before.details.store != .digests else { return self }
    let edits = JudgementEdits(
      from: before, self.attempts.filter { $0.key.suite == suite }, to: after)
    guard !edits.cases.isEmpty else { return self }
    let schemas = before.answerSchemas
    let places = Dictionary(
      grouping: self.attempts.indices.filter { self.attempts[$0].key.suite == suite },
      by: { self.attempts[$0].key.caseID })
    var attempts = attempts
    var identities: [String: [AssertionIdentity]] = [:]
    var counts = (verdicts: 0, outcomes: 0)
    for edited in edits.cases {
      let now = after.details.assertions?.assertions(of: edited.newID) ?? []
      // The suite at hand may not be the suite of the run.
      guard !now.isEmpty, now == loaded.details.assertions?.assertions(of: edited.newID)
      else { continue }
      let own = places[edited.id] ?? []
      guard
        let judged = try? judge.judged(
          own.map { attempts[$0] }, schemas: schemas, suite: suite, caseID: edited.newID)
      else { continue }
      for (place, var attempt) in zip(own, judged) {
        attempt.details.formerOutcome = attempts[place].outcome
        attempt.details.formerWeights = attempts[place].details.weights
        counts.verdicts += attempt.changedVerdicts(
          from: attempts[place], names: edits.names[edited.id]
        )
        .count { $0.before != nil && $0.after != nil }
        if attempt.outcome != attempts[place].outcome { counts.outcomes += 1 }
        attempts[place] = attempt
      }
      identities[edited.id] = now
    }
    guard !identities.isEmpty else { return self }
    before.takeOverAssertions(identities, edits, from: after)
    var rejudgement = edits.rejudgement { identities[$0] != nil }
    rejudgement.changedVerdicts = counts.verdicts
    rejudgement.changedOutcomes = counts.outcomes
    before.details.rejudgement = rejudgement
    var record = self.run
    record.suites[index] = before
    var baseline = SuiteBaseline(
      suite: suite, run: record, attempts: attempts, acceptedAt: acceptedAt, reason: reason)
    baseline.modelKey = modelKey
    baseline.variant = variant
    baseline.origin = origin
    return baseline
  }
}

extension SuiteRecord {
  /// Replaces the assertions of the test cases that were judged anew, and the variables that they
  /// read, by those of a newer record.
  fileprivate mutating func takeOverAssertions(
    _ identities: [String: [AssertionIdentity]], _ edits: JudgementEdits, from after: SuiteRecord
  ) {
    let newIDs = Dictionary(
      edits.cases.map { ($0.id, $0.newID) }, uniquingKeysWith: { first, _ in first })
    let records = Dictionary(
      after.cases.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for index in cases.indices where identities[cases[index].id] != nil {
      guard let record = newIDs[cases[index].id].flatMap({ records[$0] }) else { continue }
      if after.details.store != .digests { cases[index].variables = record.variables }
      cases[index].assertions = record.assertions
      cases[index].expectedBranches = record.expectedBranches
    }
    let old = details.assertions
    details.assertions = AssertionIdentities(
      shared: [],
      own: cases.map { ($0.id, identities[$0.id] ?? old?.assertions(of: $0.id) ?? []) })
    arrayMinimums = after.arrayMinimums
    details.arrayMaximums = after.details.arrayMaximums
    let names = edits.names.values.reduce(into: [String: String]()) { names, own in
      names.merge(own) { first, _ in first }
    }
    gate.guardrails = gate.guardrails.map { names[$0] ?? $0 }
  }
}

/// A verdict of an attempt that was judged anew.
package struct ChangedVerdict: Sendable, Hashable {
  /// The assertion's name.
  package var assertion: String
  /// The verdict before, or `nil` if the assertion is new.
  package var before: Verdict?
  /// The verdict now, or `nil` if the assertion is gone.
  package var after: Verdict?
}

extension AttemptRecord {
  /// Returns the verdicts that changed since an earlier judgement of the same answer, including
  /// verdicts other than *pass* of new assertions and of assertions that are gone.
  ///
  /// - Parameters:
  ///   - former: The attempt as it was judged before.
  ///   - names: The new names of assertions, keyed by their old names, or `nil` if no name changed.
  ///     Assertions without a new name are gone.
  package func changedVerdicts(
    from former: AttemptRecord, names: [String: String]?
  ) -> [ChangedVerdict] {
    var before: [String: Verdict] = [:]
    var gone: [ChangedVerdict] = []
    for verdict in former.verdicts {
      if let name = names.map({ $0[verdict.assertion] }) ?? verdict.assertion {
        before[name] = verdict.verdict
      } else if verdict.verdict != .pass {
        gone.append(ChangedVerdict(assertion: verdict.assertion, before: verdict.verdict))
      }
    }
    return verdicts.compactMap { verdict in
      let old = before[verdict.assertion]
      guard old != verdict.verdict, old != nil || verdict.verdict != .pass else { return nil }
      return ChangedVerdict(assertion: verdict.assertion, before: old, after: verdict.verdict)
    } + gone
  }
}
