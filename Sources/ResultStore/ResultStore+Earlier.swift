public import EvalRecords
import StructuredText

/// An earlier run's attempt whose request is the same as the suite's current request.
public struct EarlierAttempt: Sendable, Hashable {
  /// The run.
  public var run: Int
  /// The test case.
  public var caseID: String
  /// The request fingerprint: a digest of everything that determines the answer except the seed
  /// and the repeat.
  public var fingerprint: String
  /// The seed.
  public var seed: UInt64
  /// The outcome.
  public var outcome: Outcome
  /// The SHA-256 of the output, in hexadecimal.
  public var outputDigest: String
  /// Whether the answer came from the cache.
  public var isCached: Bool
}

/// The attempts from earlier runs whose requests are the same as the suite's current requests.
public struct EarlierAttempts: Sendable, Hashable {
  /// The attempts, oldest run first.
  public var attempts: [EarlierAttempt] = []
  /// The runs of the suite that were examined, oldest first.
  public var runs: [Int] = []
  /// The examined runs without a matching attempt, usually because their guides, models, engines or
  /// options differ.
  public var otherRuns: [Int] = []
  /// The examined runs with matching attempts whose test cases then had other assertions, expected
  /// branches, variables or thresholds.
  public var otherwiseJudged: [Int] = []
  /// The examined runs with only a part of the suite's test cases or attempts.
  public var parts: [Int] = []
}

extension ResultStore {
  /// The maximum number of runs to examine, and the maximum number of attempts in these runs.
  private static let earlierLimit = (runs: 100, attempts: 200_000)

  /// Returns the attempts from earlier complete runs of a suite that have the same request
  /// fingerprints and were judged in the same way.
  ///
  /// Backend errors are left out, because they say nothing about the model.
  ///
  /// - Parameters:
  ///   - suite: The suite as it is judged now.
  ///   - fingerprints: The request fingerprints, keyed by test case id.
  ///   - run: The run before which to search, or `nil` for all runs.
  ///   - known: A run to leave out, because its attempts are already known.
  ///   - isFirst: Whether to leave out the runs that began before the known run too.
  /// - Complexity: Linear in the number of attempts in the newest 100 runs of the suite, at most
  ///   200,000 attempts.
  public func earlierAttempts(
    like suite: SuiteRecord, _ fingerprints: [String: String], before run: Int?,
    except known: RunRecord? = nil, isFirst: Bool = false
  ) throws -> EarlierAttempts {
    try withState { state in
      try state.connection.reading {
        try Self.earlier(
          suite, fingerprints, before: run, except: known, isFirst: isFirst, state)
      }
    }
  }

  private static func earlier(
    _ suite: SuiteRecord, _ fingerprints: [String: String], before run: Int?,
    except known: RunRecord?, isFirst: Bool, _ state: State
  ) throws -> EarlierAttempts {
    let connection = state.connection
    let wanted = try RecordText.text(of: Set(fingerprints.values).sorted(), path: connection.path)
    let backendErrors = try RecordText.text(
      of: AttemptFailure.Kind.allCases.filter(\.saysNothing).map(\.rawValue),
      path: connection.path)
    let judged = try judgedCases(suite, path: connection.path)
    let newest = try ids(
      RunFilter(suite: suite.id, status: .complete, before: run), state
    )
    var found = EarlierAttempts()
    var byRun: [[EarlierAttempt]] = []
    var count: Int64 = 0
    for id in newest.suffix(earlierLimit.runs).reversed() {
      let start = try connection.query(
        "SELECT started_at FROM run WHERE id = ?", [SQLValue(id)]
      ) { $0.text("started_at") }.first
      if let known, let start {
        if known.isRun(id, begunAt: start) { continue }
        if isFirst, (start, id) < (known.startedAt, known.id) { continue }
      }
      // A run that judges stored answers anew has no draws of its own.
      guard try isOrigin(id, connection) else { continue }
      guard try isWhole(id, suite.id, connection) else {
        found.parts.insert(id, at: 0)
        continue
      }
      if try isAcknowledged(id, suite.id, connection) { continue }
      count +=
        try connection.integer(
          "SELECT count(*) FROM attempt WHERE run_id = ? AND suite_id = ?",
          [SQLValue(id), SQLValue(suite.id)]) ?? 0
      if count > earlierLimit.attempts { break }
      let attempts = try connection.query(
        """
        SELECT case_id, details ->> 'fingerprint' AS fingerprint, seed, outcome,
          coalesce(details ->> 'isCached', 0) AS is_cached, t.digest AS output_digest
        FROM attempt JOIN text t ON t.id = output_text
        WHERE run_id = ? AND suite_id = ? AND outcome <> 'skipped'
          AND NOT (outcome = 'error'
            AND coalesce(failure_kind, 'backend') IN (SELECT value FROM json_each(?)))
          AND fingerprint IN (SELECT value FROM json_each(?))
        ORDER BY attempt.id
        """, [SQLValue(id), SQLValue(suite.id), SQLValue(backendErrors), SQLValue(wanted)]
      ) { row in
        EarlierAttempt(
          run: id, caseID: row.text("case_id"), fingerprint: row.text("fingerprint"),
          seed: row.seed("seed"),
          outcome: try RecordText.member(
            Outcome.self, row.text("outcome"), path: connection.path),
          outputDigest: row.text("output_digest"), isCached: row.bool("is_cached"))
      }.filter { fingerprints[$0.caseID] == $0.fingerprint }
      found.runs.insert(id, at: 0)
      if attempts.isEmpty {
        found.otherRuns.insert(id, at: 0)
        continue
      }
      let then = try judgedCases(ofRun: id, suite.id, connection)
      let alike = attempts.filter { judged[$0.caseID] == then[$0.caseID] }
      if alike.count < attempts.count { found.otherwiseJudged.insert(id, at: 0) }
      byRun.insert(alike, at: 0)
    }
    found.attempts = byRun.flatMap(\.self)
    return found
  }

  /// Returns whether a run has all test cases of a suite, and all their attempts.
  private static func isWhole(
    _ id: Int, _ suite: String, _ connection: Connection
  ) throws -> Bool {
    let details = try connection.query("SELECT details FROM run WHERE id = ?", [SQLValue(id)]) {
      row -> RunDetails in
      try RecordText.details(row.optionalText("details"), path: connection.path)
    }
    return details.first?.isWhole(suite) ?? true
  }

  /// Returns whether acknowledgements judged a suite of a run: such a run isn't good history.
  private static func isAcknowledged(
    _ id: Int, _ suite: String, _ connection: Connection
  ) throws -> Bool {
    try connection.integer(
      """
      SELECT count(*) FROM run r, json_each(r.details, '$.acknowledgements') x
      WHERE r.id = ? AND x.value ->> 'suite' = ?
      """, [SQLValue(id), SQLValue(suite)]) ?? 0 > 0
  }

  /// Returns whether a run made its own attempts.
  private static func isOrigin(_ id: Int, _ connection: Connection) throws -> Bool {
    try connection.integer(
      "SELECT count(*) FROM run WHERE id = ? AND details ->> 'recheckOf' IS NULL",
      [SQLValue(id)]) == 1
  }

  /// Everything that determines how a test case's attempts are judged, as stored in the database.
  private struct JudgedCase: Equatable {
    var assertions: String
    /// The digests of the assertions; empty in runs of version 0.1.
    var digests: [String]
    var expectedBranches: String
    var variables: String
    var threshold: Double?
    /// The guardrails, which decide outcomes only beside a threshold; otherwise empty.
    var guardrails: Set<String>

    init(
      _ caseID: String, assertions: String, expectedBranches: String, variables: String,
      _ details: SuiteDetails, _ gate: GateRecord
    ) {
      self.assertions = assertions
      digests = details.assertions?.assertions(of: caseID).map(\.digest) ?? []
      self.expectedBranches = expectedBranches
      self.variables = variables
      threshold = details.cases?[caseID]?.threshold
      guardrails = threshold == nil ? [] : Set(gate.guardrails)
    }

    static func == (left: JudgedCase, right: JudgedCase) -> Bool {
      let areSame =
        left.digests.isEmpty || right.digests.isEmpty
        ? left.assertions == right.assertions : left.digests == right.digests
      return areSame && left.expectedBranches == right.expectedBranches
        && left.variables == right.variables && left.threshold == right.threshold
        && left.guardrails == right.guardrails
    }
  }

  private static func judgedCases(
    _ suite: SuiteRecord, path: String
  ) throws -> [String: JudgedCase] {
    var cases: [String: JudgedCase] = [:]
    for record in suite.cases {
      cases[record.id] = JudgedCase(
        record.id, assertions: try RecordText.text(of: record.assertions, path: path),
        expectedBranches: try RecordText.text(of: record.expectedBranches, path: path),
        variables: record.variables.compactText, suite.details, suite.gate)
    }
    return cases
  }

  /// Returns the judged test cases of a stored run, keyed by id.
  ///
  /// This function reads only the texts to compare, which is much faster than reading the records.
  private static func judgedCases(
    ofRun id: Int, _ suite: String, _ connection: Connection
  ) throws -> [String: JudgedCase] {
    let key = [SQLValue(id), SQLValue(suite)]
    let suites = try connection.query(
      "SELECT details, gate FROM suite WHERE run_id = ? AND id = ?", key
    ) { row -> (details: SuiteDetails, gate: GateRecord) in
      (
        try RecordText.details(row.optionalText("details"), path: connection.path),
        try RecordText.value(GateRecord.self, from: row.text("gate"), path: connection.path)
      )
    }
    let (details, gate) = suites.first ?? (SuiteDetails(), GateRecord())
    let rows = try connection.query(
      """
      SELECT c.id, c.assertions, c.expected_branches, t.body AS variables
      FROM eval_case c JOIN text t ON t.id = c.variables_text
      WHERE c.run_id = ? AND c.suite_id = ?
      """, key
    ) { row in
      (
        row.text("id"),
        JudgedCase(
          row.text("id"), assertions: row.text("assertions"),
          expectedBranches: row.text("expected_branches"), variables: row.text("variables"),
          details, gate)
      )
    }
    return Dictionary(rows, uniquingKeysWith: { first, _ in first })
  }
}

extension RunRecord {
  /// Returns whether a run in a database is this run, which may come from elsewhere, such as from
  /// an accepted baseline, so that its id alone doesn't identify it.
  fileprivate func isRun(_ id: Int, begunAt start: String) -> Bool {
    (id, start) == (self.id, startedAt) || (id, start) == (origin.run, origin.startedAt)
  }
}
