import EvalRecords

extension ResultStore {
  /// Inserts an attempt with its verdicts, decisions and trace.
  ///
  /// Call this function inside a transaction.
  static func insert(
    _ attempt: AttemptRecord, of run: Int, into state: inout State
  ) throws {
    let connection = state.connection
    let key = attempt.key
    let measures = attempt.measures
    let censored = attempt.decisions.indices.filter { attempt.decisions[$0].chosen == nil }
    var details = attempt.details
    details.censored = censored.isEmpty ? nil : censored
    let row: KeyValuePairs<String, SQLValue> = [
      "run_id": SQLValue(run),
      "suite_id": SQLValue(key.suite),
      "variant_id": SQLValue(key.variant),
      "backend_id": SQLValue(key.backend),
      "case_id": SQLValue(key.caseID),
      "repeat_index": SQLValue(key.repeatIndex),
      "seed": SQLValue(attempt.seed),
      "outcome": SQLValue(attempt.outcome.rawValue),
      "stop_reason": SQLValue(attempt.stopReason.rawValue),
      "failure_kind": SQLValue(attempt.failure?.kind.rawValue),
      "failure_message": SQLValue(attempt.failure?.message),
      "prompt_text": .integer(try state.textID(attempt.renderedPrompt)),
      "output_text": .integer(try state.textID(attempt.output)),
      "prompt_tokens": SQLValue(attempt.promptTokens),
      "output_tokens": SQLValue(attempt.outputTokens),
      "forced_tokens": SQLValue(attempt.forcedTokens),
      "duration": SQLValue(measures.seconds),
      "constraint_pressure": SQLValue(measures.pressure),
      "details": try RecordText.details(details, path: connection.path),
    ]
    do {
      try connection.insert(into: "attempt", row)
    } catch let error as StoreError where error.problem == .duplicateAttempt {
      try connection.run(
        """
        DELETE FROM attempt WHERE run_id = ? AND suite_id = ? AND variant_id = ?
          AND backend_id = ? AND case_id = ? AND repeat_index = ? AND outcome = 'skipped'
        """,
        [
          SQLValue(run), SQLValue(key.suite), SQLValue(key.variant), SQLValue(key.backend),
          SQLValue(key.caseID), SQLValue(key.repeatIndex),
        ])
      guard connection.changeCount == 1 else { throw error }
      try connection.insert(into: "attempt", row)
    }
    let id = SQLValue.integer(connection.lastInsertedID)
    for (position, verdict) in attempt.verdicts.enumerated() {
      try connection.insert(
        into: "verdict",
        [
          "attempt_id": id,
          "position": SQLValue(position),
          "assertion": SQLValue(verdict.assertion),
          "type": SQLValue(verdict.type),
          "path": SQLValue(verdict.path),
          "verdict": SQLValue(verdict.verdict.rawValue),
          "expected": SQLValue(verdict.expected),
          "actual": SQLValue(verdict.actual),
        ])
    }
    for (position, decision) in attempt.decisions.enumerated() {
      try connection.insert(
        into: "decision",
        [
          "attempt_id": id,
          "position": SQLValue(position),
          "kind": SQLValue(decision.kind.rawValue),
          "path": SQLValue(decision.path),
          "element_index": SQLValue(decision.index),
          "chosen": SQLValue(decision.chosen?.name ?? ""),
          "step": SQLValue(decision.step),
          "unresolved": SQLValue(decision.unresolved),
        ])
      for (place, option) in decision.options.enumerated() {
        try connection.insert(
          into: "decision_option",
          [
            "attempt_id": id,
            "decision_position": SQLValue(position),
            "position": SQLValue(place),
            "name": SQLValue(option.option.name),
            "raw": SQLValue(option.raw),
            "masked": SQLValue(option.masked),
            "sampled": SQLValue(option.sampled),
          ])
      }
    }
    if !attempt.trace.isEmpty {
      try connection.insert(
        into: "trace",
        ["attempt_id": id, "steps": SQLValue(TraceText.text(of: attempt.trace))])
    }
  }

  /// Reads the attempts of a run.
  static func loadAttempts(
    of run: Int, _ filter: AttemptFilter, _ connection: Connection
  ) throws -> [AttemptRecord] {
    let condition = """
      a.run_id = ?1 AND (?2 IS NULL OR a.suite_id = ?2) AND (?3 IS NULL OR a.variant_id = ?3)
        AND (?4 IS NULL OR a.backend_id = ?4) AND (?5 IS NULL OR a.case_id = ?5)
        AND (?6 IS NULL OR a.outcome = ?6)
      """
    let values = [
      SQLValue(run), SQLValue(filter.suite), SQLValue(filter.variant), SQLValue(filter.backend),
      SQLValue(filter.caseID), SQLValue(filter.outcome?.rawValue),
    ]
    let attempts = try loadAttempts(
      where: condition, values, filter.includesTraces ? .all : .withoutTraces, connection)
    guard attempts.contains(where: \.lacksFacts) else { return attempts }
    let expected = try expectedBranches(of: run, connection)
    return attempts.withFacts { expected[[$0.suite, $0.caseID]] ?? [] }
  }

  /// Returns the branches that the test cases of a run expect, keyed by suite and test case.
  private static func expectedBranches(
    of run: Int, _ connection: Connection
  ) throws -> [[String]: [ExpectedBranch]] {
    let rows = try connection.query(
      """
      SELECT suite_id, id, expected_branches FROM eval_case
      WHERE run_id = ? AND expected_branches <> '[]'
      """, [SQLValue(run)]
    ) { row in
      (
        [row.text("suite_id"), row.text("id")],
        try RecordText.value(
          [ExpectedBranch].self, from: row.text("expected_branches"), path: connection.path)
      )
    }
    return Dictionary(uniqueKeysWithValues: rows)
  }

  /// The parts of attempts that are stored in separate tables.
  struct AttemptParts: OptionSet {
    let rawValue: Int

    static let texts = AttemptParts(rawValue: 1)
    static let verdicts = AttemptParts(rawValue: 2)
    static let decisions = AttemptParts(rawValue: 4)
    static let traces = AttemptParts(rawValue: 8)
    static let withoutTraces: AttemptParts = [.texts, .verdicts, .decisions]
    static let all: AttemptParts = [.withoutTraces, .traces]
  }

  /// Reads attempts with one query per table, and combines the results.
  ///
  /// - Parameters:
  ///   - condition: A condition on the table `attempt`, which has the alias `a`.
  ///   - values: The condition's parameters.
  ///   - parts: The parts to read in addition to the table `attempt`.
  ///   - connection: The database.
  static func loadAttempts(
    where condition: String, _ values: [SQLValue], _ parts: AttemptParts, _ connection: Connection
  ) throws -> [AttemptRecord] {
    let path = connection.path
    let hasTexts = parts.contains(.texts)
    var places: [Int: Int] = [:]
    // Many attempts have equal details, so parse each text only once.
    var known: [String: AttemptDetails] = [:]
    let texts = "JOIN text p ON p.id = a.prompt_text JOIN text o ON o.id = a.output_text"
    var attempts = try connection.query(
      """
      SELECT a.id, a.suite_id, a.variant_id, a.backend_id, a.case_id, a.repeat_index, a.seed,
        a.outcome, a.stop_reason, a.failure_kind, a.failure_message,
        \(hasTexts ? "p.body AS prompt, o.body AS output" : "'' AS prompt, '' AS output"),
        a.prompt_tokens, a.output_tokens, a.forced_tokens, a.duration, a.constraint_pressure,
        a.details
      FROM attempt a \(hasTexts ? texts : "")
      WHERE \(condition) ORDER BY a.id
      """, values
    ) { row in
      places[row.integer("id")] = places.count
      var attempt = try attempt(row, path: path)
      if let text = row.optionalText("details") {
        let details = try known[text] ?? RecordText.details(text, path: path)
        known[text] = details
        attempt.details = details
      }
      // Null stands for an unknown number, which a record has as 0 (see `AttemptMeasures`), and for
      // a number that isn't one.
      if attempt.key.backend == BackendRecord.recordedID, row.isNull("duration") {
        attempt.duration = 0
      }
      if attempt.details.pressure == nil, row.isNull("constraint_pressure") {
        attempt.constraintPressure = 0
      }
      return attempt
    }
    func place(_ row: Row) throws -> Int {
      guard let place = places[row.integer("attempt_id")] else {
        throw StoreError(.damaged, path: path, reason: "an attempt is missing")
      }
      return place
    }
    if parts.contains(.verdicts) {
      _ = try connection.query(
        """
        SELECT v.attempt_id, v.assertion, v.type, v.path, v.verdict, v.expected, v.actual
        FROM attempt a JOIN verdict v ON v.attempt_id = a.id
        WHERE \(condition) ORDER BY v.attempt_id, v.position
        """, values
      ) { row in
        attempts[try place(row)].verdicts.append(
          VerdictRecord(
            assertion: row.text("assertion"), type: row.text("type"), path: row.text("path"),
            verdict: try RecordText.member(Verdict.self, row.text("verdict"), path: path),
            expected: row.text("expected"), actual: row.text("actual")))
      }
    }
    if parts.contains(.decisions) {
      _ = try connection.query(
        """
        SELECT d.attempt_id, d.kind, d.path, d.element_index, d.chosen, d.step, d.unresolved
        FROM attempt a JOIN decision d ON d.attempt_id = a.id
        WHERE \(condition) ORDER BY d.attempt_id, d.position
        """, values
      ) { row in
        let kind = try RecordText.member(
          DecisionRecord.Kind.self, row.text("kind"), path: path)
        attempts[try place(row)].decisions.append(
          DecisionRecord(
            kind: kind, path: row.text("path"), index: row.integer("element_index"), options: [],
            chosen: DecisionOption(name: row.text("chosen"), in: kind), step: row.integer("step"),
            unresolved: row.double("unresolved")))
      }
      for index in attempts.indices {
        for position in attempts[index].details.censored ?? []
        where attempts[index].decisions.indices.contains(position) {
          attempts[index].decisions[position].chosen = nil
        }
        attempts[index].details.censored = nil
      }
      _ = try connection.query(
        """
        SELECT o.attempt_id, o.decision_position, o.name, o.raw, o.masked, o.sampled
        FROM attempt a JOIN decision_option o ON o.attempt_id = a.id
        WHERE \(condition) ORDER BY o.attempt_id, o.decision_position, o.position
        """, values
      ) { row in
        let position = row.integer("decision_position")
        let place = try place(row)
        guard attempts[place].decisions.indices.contains(position) else {
          throw StoreError(.damaged, path: path, reason: "a decision is missing")
        }
        let kind = attempts[place].decisions[position].kind
        attempts[place].decisions[position].options.append(
          OptionProbability(
            DecisionOption(name: row.text("name"), in: kind), raw: row.double("raw"),
            masked: row.double("masked"),
            sampled: row.double("sampled")))
      }
    }
    guard parts.contains(.traces) else { return attempts }
    _ = try connection.query(
      """
      SELECT t.attempt_id, t.steps FROM attempt a JOIN trace t ON t.attempt_id = a.id
      WHERE \(condition)
      """, values
    ) { row in
      attempts[try place(row)].trace = try TraceText.steps(from: row.text("steps"), path: path)
    }
    return attempts
  }

  private static func attempt(_ row: Row, path: String) throws -> AttemptRecord {
    var failure: AttemptFailure?
    if let kind = row.optionalText("failure_kind") {
      failure = AttemptFailure(
        kind: try RecordText.member(AttemptFailure.Kind.self, kind, path: path),
        message: row.text("failure_message"))
    }
    return AttemptRecord(
      key: AttemptKey(
        suite: row.text("suite_id"), variant: row.text("variant_id"),
        backend: row.text("backend_id"), caseID: row.text("case_id"),
        repeatIndex: row.integer("repeat_index")),
      seed: row.seed("seed"),
      outcome: try RecordText.member(Outcome.self, row.text("outcome"), path: path),
      stopReason: try RecordText.member(StopReason.self, row.text("stop_reason"), path: path),
      failure: failure, renderedPrompt: row.text("prompt"), output: row.text("output"),
      promptTokens: row.integer("prompt_tokens"), outputTokens: row.integer("output_tokens"),
      forcedTokens: row.integer("forced_tokens"), duration: row.double("duration"),
      constraintPressure: row.double("constraint_pressure"))
  }
}
