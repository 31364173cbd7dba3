/// The facts about a baseline that a reviewer needs: when and why it was accepted, its models, its
/// guides, and how many attempts passed in each test case.
package struct BaselineSummary: Sendable, Equatable, Codable {
  /// The attempts at a test case, and how many of them passed.
  package struct CaseCount: Sendable, Equatable, Codable {
    package var id: String
    package var passed: Int
    package var made: Int
  }

  /// The run's id.
  package var run: Int
  /// The time of acceptance, ISO 8601 in UTC.
  package var acceptedAt: String
  /// The reason for accepting the run.
  package var reason: String
  /// The models, each with the id of its backend.
  package var models: [String]
  /// The measurement protocol of the run.
  package var measurementProtocol: Int
  /// The first variant, with its schema, instructions and prompt.
  package var variant: VariantRecord?
  /// The counts of the first variant, in the order of the suite's test cases.
  package var cases: [CaseCount]

  /// The attempts that passed.
  package var passed: Int { cases.reduce(0) { $0 + $1.passed } }
  /// The attempts that were made.
  package var made: Int { cases.reduce(0) { $0 + $1.made } }

  /// Creates a summary of a baseline.
  ///
  /// - Parameters:
  ///   - run: The accepted run, with only the suite of the baseline.
  ///   - attempts: The attempts at the suite.
  ///   - reason: The reason for accepting the run.
  ///   - acceptedAt: The time of acceptance.
  package init(_ run: RunRecord, _ attempts: [AttemptRecord], reason: String, acceptedAt: String) {
    self.run = run.id
    self.acceptedAt = acceptedAt
    self.reason = reason
    models = run.backends.map { $0.id == $0.model ? $0.id : "\($0.id) (\($0.model))" }
    measurementProtocol = run.measurementProtocol
    let suite = run.suites.first
    let variant = suite?.variants.first
    self.variant = variant
    let made = attempts.filter { $0.key.variant == variant?.id && $0.outcome != .skipped }
    let byCase = Dictionary(grouping: made, by: \.key.caseID)
    cases = (suite?.cases ?? []).map { record in
      let own = byCase[record.id] ?? []
      return CaseCount(
        id: record.id, passed: own.count { $0.outcome == .pass }, made: own.count)
    }
  }
}

/// The differences between a new baseline and the one that it replaces.
package struct BaselineChange: Sendable, Equatable {
  /// A test case whose counts differ.
  package struct CaseChange: Sendable, Equatable {
    package var before: BaselineSummary.CaseCount
    package var after: BaselineSummary.CaseCount
  }

  /// The baseline that is replaced.
  package let before: BaselineSummary
  /// The new baseline.
  package let after: BaselineSummary
  /// The test cases that pass less often, in the order of the suite.
  package let worse: [CaseChange]
  /// The test cases that pass more often.
  package let better: [CaseChange]
  /// The ids of the test cases that only the new baseline has.
  package let added: [String]
  /// The ids of the test cases that only the replaced baseline has.
  package let removed: [String]

  /// Compares two baselines of a suite.
  package init(from before: BaselineSummary, to after: BaselineSummary) {
    self.before = before
    self.after = after
    let old = Dictionary(before.cases.map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
    let new = Set(after.cases.map(\.id))
    var (worse, better): ([CaseChange], [CaseChange]) = ([], [])
    for count in after.cases {
      guard let earlier = old[count.id], earlier.made > 0, count.made > 0 else { continue }
      // Compare passed ÷ made without dividing.
      let (left, right) = (earlier.passed * count.made, count.passed * earlier.made)
      if right < left { worse.append(CaseChange(before: earlier, after: count)) }
      if right > left { better.append(CaseChange(before: earlier, after: count)) }
    }
    self.worse = worse
    self.better = better
    added = after.cases.map(\.id).filter { old[$0] == nil }
    removed = before.cases.map(\.id).filter { !new.contains($0) }
  }
}
