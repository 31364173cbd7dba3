import EvalRecords

extension CommonPart {
  /// Re-judges both sides with the assertions that they share, and with the candidate's thresholds,
  /// weights and guardrails.
  ///
  /// If the baseline's thresholds, weights and guardrails would find other changes, the facts say
  /// so.
  mutating func judgeAlike() {
    let (left, right) = (baseline.casesByID, candidate.casesByID)
    let changes = JudgingChanges(baseline.suite, candidate.suite)
    let ids = baseline.suite.cases.map(\.id).filter { id in
      guard let before = left[id], let after = right[id] else { return false }
      return changes.concern(before, after)
    }
    guard !ids.isEmpty else { return }
    let wanted = Set(ids)
    let attempts = (baseline.attemptsByCase(wanted), candidate.attemptsByCase(wanted))
    var rules: [String: (Rejudging, Rejudging)] = [:]
    var unjudgeable: [String] = []
    var otherScoring: [String] = []
    var (assertions, guardrails) = (AssertionChanges(), AssertionChanges())
    for id in ids {
      guard let before = left[id], let after = right[id] else { continue }
      let (one, other) = (attempts.0[id] ?? [], attempts.1[id] ?? [])
      let sides = changes.sides(before, after, one, other)
      let matched = MatchedAssertions(sides.0, sides.1)
      let isJudgeable =
        matched.areSame
        || !matched.common.isEmpty && (sides.0.isNamed || one.allSatisfy { $0.outcome == .error })
          && (sides.1.isNamed || other.allSatisfy { $0.outcome == .error })
      let weights = (AttemptRecord.weights(of: one), AttemptRecord.weights(of: other))
      assertions.add(
        matched,
        weights: (
          weights.0.filter { !baseline.suite.gate.guardrails.contains($0.key) },
          weights.1.filter { !candidate.suite.gate.guardrails.contains($0.key) }
        ))
      if !isJudgeable { lose([id]) }
      guard isJudgeable else {
        isRejudged = true
        unjudgeable.append(id)
        continue
      }
      let scoring = CaseScoring(id, baseline.suite, candidate.suite, matched, weights: weights)
      for name in scoring.guardrails.gone { guardrails.insert(name, .removed) }
      for name in scoring.guardrails.new { guardrails.insert(name, .added) }
      if !matched.areSame || scoring.isEdited { isRejudged = true }
      rules[id] = scoring.rules(.candidate)
      if scoring.isEdited, !scoring.findsSameChanges(one, other) { otherScoring.append(id) }
    }
    facts += assertions.byChange.map { .assertions(change: $0.change, names: $0.names) }
    facts += guardrails.byChange.map { .guardrails(change: $0.change, names: $0.names) }
    if !otherScoring.isEmpty { facts.append(.scoring(cases: otherScoring)) }
    note(.assertions, unjudgeable)
    baseline.judge { rules[$0]?.0 }
    candidate.judge { rules[$0]?.1 }
    let out = Set(unjudgeable)
    if !out.isEmpty { keep { !out.contains($0) } }
  }
}

extension AttemptRecord {
  /// Returns the weights that differ from 1 in the attempts at one test case.
  fileprivate static func weights(of attempts: [AttemptRecord]) -> [String: Double] {
    attempts.reduce(into: [:]) { weights, attempt in
      weights.merge(attempt.details.weights ?? [:]) { first, _ in first }
    }
  }
}

/// What decides how the two sides judge their test cases.
struct JudgingChanges {
  private let baseline: SuiteRecord
  private let candidate: SuiteRecord
  private let haveSameDigests: Bool
  private let haveSameGuardrails: Bool

  init(_ baseline: SuiteRecord, _ candidate: SuiteRecord) {
    self.baseline = baseline
    self.candidate = candidate
    // Comparing the digests of whole suites takes too long to repeat it for every test case.
    haveSameDigests = baseline.details.assertions == candidate.details.assertions
    haveSameGuardrails = Set(baseline.gate.guardrails) == Set(candidate.gate.guardrails)
  }

  /// Returns whether the two sides judge a test case in two ways, or may name its assertions
  /// differently.
  func concern(_ before: CaseRecord, _ after: CaseRecord) -> Bool {
    let id = before.id
    if !haveSameGuardrails
      || baseline.details.cases?[id]?.threshold != candidate.details.cases?[id]?.threshold
    {
      return true
    }
    return concernAssertions(before, after)
  }

  /// Returns whether variables that the assertions of a test case may read were edited.
  func hasOtherVariables(_ before: CaseRecord, _ after: CaseRecord) -> Bool {
    !baseline.keepsVariables(before, candidate, after)
  }

  /// Returns whether a test case may have different assertions on the two sides.
  func concernAssertions(_ before: CaseRecord, _ after: CaseRecord) -> Bool {
    if hasOtherVariables(before, after) { return true }
    let identities = identities(before.id, after.id)
    guard isByDigest(before, after, identities) else {
      return before.assertions != after.assertions
    }
    return !haveSameDigests && identities.0 != identities.1
  }

  /// Returns the assertions of a test case on both sides.
  ///
  /// If its variables differ, the assertions whose texts show other values differ too. If no text
  /// does, any of them may read the variables, so all of them differ.
  func sides(
    _ before: CaseRecord, _ after: CaseRecord, _ one: [AttemptRecord], _ other: [AttemptRecord]
  ) -> (CaseAssertions, CaseAssertions) {
    let identities = identities(before.id, after.id)
    let isByDigest = isByDigest(before, after, identities)
    var left = CaseAssertions(before, identities.0, one, isByDigest: isByDigest)
    let right = CaseAssertions(after, identities.1, other, isByDigest: isByDigest)
    if hasOtherVariables(before, after) {
      let texts = Set(after.assertions)
      let changed = before.assertions.indices.filter { !texts.contains(before.assertions[$0]) }
      left.markEdited(changed.isEmpty ? Array(before.assertions.indices) : changed)
    }
    return (left, right)
  }

  /// Returns the identities of a test case's assertions on both sides; empty for a side without
  /// digests.
  private func identities(
    _ before: String, _ after: String
  ) -> ([AssertionIdentity], [AssertionIdentity]) {
    (
      baseline.details.assertions?.assertions(of: before) ?? [],
      candidate.details.assertions?.assertions(of: after) ?? []
    )
  }

  /// Returns whether digests identify the assertions of a test case; otherwise, their texts do.
  private func isByDigest(
    _ before: CaseRecord, _ after: CaseRecord,
    _ identities: ([AssertionIdentity], [AssertionIdentity])
  ) -> Bool {
    identities.0.count == before.assertions.count && identities.1.count == after.assertions.count
  }
}
