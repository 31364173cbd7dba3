import EvalRecords
import StructuredText

extension ResultStore {
  /// Inserts a run with its backends, suites, variants and test cases.
  ///
  /// Call this function inside a transaction.
  ///
  /// - Parameters:
  ///   - run: The run, whose `id` is ignored.
  ///   - id: The id under which to store the run, or `nil` to choose a new id.
  ///   - state: The database.
  /// - Returns: The id.
  static func insert(
    _ run: RunRecord, id: Int? = nil, into state: inout State
  ) throws -> Int {
    let connection = state.connection
    try connection.insert(
      into: "run",
      [
        "id": SQLValue(id),
        "label": SQLValue(run.label),
        "started_at": SQLValue(run.startedAt),
        "finished_at": SQLValue(run.finishedAt),
        "status": SQLValue(run.status.rawValue),
        "tool_version": SQLValue(run.toolVersion),
        "commit_id": SQLValue(run.commit),
        "comparison": SQLValue(
          try run.comparison.map { try RecordText.text(of: $0, path: connection.path) }),
        "details": try RecordText.details(run.details, path: connection.path),
      ])
    let id = Int(connection.lastInsertedID)
    for (position, backend) in run.backends.enumerated() {
      try connection.insert(
        into: "backend",
        [
          "run_id": SQLValue(id),
          "id": SQLValue(backend.id),
          "position": SQLValue(position),
          "model": SQLValue(backend.model),
          "model_digest": SQLValue(backend.modelDigest),
          "parameter_count": SQLValue(backend.parameterCount),
          "is_toy": SQLValue(backend.isToy),
          "engine": SQLValue(backend.engine),
          "is_deterministic": SQLValue(backend.isDeterministic),
        ])
    }
    for (position, suite) in run.suites.enumerated() {
      try insert(suite, at: position, of: id, into: &state)
    }
    return id
  }

  private static func insert(
    _ suite: SuiteRecord, at position: Int, of run: Int, into state: inout State
  ) throws {
    let connection = state.connection
    func json(_ value: some Encodable) throws -> SQLValue {
      SQLValue(try RecordText.text(of: value, path: connection.path))
    }
    try connection.insert(
      into: "suite",
      [
        "run_id": SQLValue(run),
        "id": SQLValue(suite.id),
        "position": SQLValue(position),
        "title": SQLValue(suite.title),
        "guards": SQLValue(suite.guards),
        "file": SQLValue(suite.file),
        "schema_name": SQLValue(suite.schemaName),
        "repeats": SQLValue(suite.repeats),
        "seed": SQLValue(suite.seed),
        "tags": json(suite.tags),
        "options": json(suite.options),
        "gate": json(suite.gate),
        "array_minimums": json(suite.arrayMinimums),
        "details": try RecordText.details(suite.details, path: connection.path),
      ])
    for (position, variant) in suite.variants.enumerated() {
      let instructions: SQLValue =
        if let text = variant.instructions { .integer(try state.textID(text)) } else { .null }
      try connection.insert(
        into: "variant",
        [
          "run_id": SQLValue(run),
          "suite_id": SQLValue(suite.id),
          "id": SQLValue(variant.id),
          "position": SQLValue(position),
          "title": SQLValue(variant.title),
          "schema_text": .integer(try state.textID(variant.schema)),
          "instructions_text": instructions,
          "prompt_text": .integer(try state.textID(variant.promptTemplate)),
          "edits": json(variant.edits),
        ])
    }
    for (position, record) in suite.cases.enumerated() {
      try connection.insert(
        into: "eval_case",
        [
          "run_id": SQLValue(run),
          "suite_id": SQLValue(suite.id),
          "id": SQLValue(record.id),
          "position": SQLValue(position),
          "title": SQLValue(record.title),
          "tags": json(record.tags),
          "expected_branches": json(record.expectedBranches),
          "assertions": json(record.assertions),
          "variables_text": .integer(try state.textID(record.variables.compactText)),
        ])
    }
  }

  /// The parts of suites that are stored in separate tables.
  struct SuiteParts: OptionSet {
    let rawValue: Int

    /// The schemas, instructions and prompts of variants.
    static let texts = SuiteParts(rawValue: 1)
    static let cases = SuiteParts(rawValue: 2)
    static let all: SuiteParts = [.texts, .cases]
  }

  /// Returns the suites of a run, with their variants and test cases.
  static func loadSuites(
    of run: Int, _ connection: Connection, parts: SuiteParts = .all
  ) throws -> [SuiteRecord] {
    let path = connection.path
    let hasTexts = parts.contains(.texts)
    let texts = """
      JOIN text s ON s.id = v.schema_text
      JOIN text p ON p.id = v.prompt_text
      LEFT JOIN text i ON i.id = v.instructions_text
      """
    let bodies = "s.body AS schema, i.body AS instructions, p.body AS prompt"
    let variants = try connection.query(
      """
      SELECT v.suite_id, v.id, v.title,
        \(hasTexts ? bodies : "'{}' AS schema, NULL AS instructions, '' AS prompt"), v.edits
      FROM variant v \(hasTexts ? texts : "")
      WHERE v.run_id = ? ORDER BY v.position
      """, [SQLValue(run)]
    ) { row in
      (
        row.text("suite_id"),
        VariantRecord(
          id: row.text("id"), title: row.text("title"), schema: row.text("schema"),
          instructions: row.optionalText("instructions"), promptTemplate: row.text("prompt"),
          edits: try RecordText.list(row.text("edits"), path: path))
      )
    }
    let cases: [(suite: String, record: CaseRecord)] =
      parts.contains(.cases) ? try loadCases(of: run, connection) : []
    let variantsBySuite = Dictionary(grouping: variants, by: \.0)
    let casesBySuite = Dictionary(grouping: cases, by: \.suite)
    return try connection.query(
      """
      SELECT id, title, guards, file, schema_name, repeats, seed, tags, options, gate,
        array_minimums, details
      FROM suite WHERE run_id = ? ORDER BY position
      """, [SQLValue(run)]
    ) { row in
      let id = row.text("id")
      return SuiteRecord(
        id: id, title: row.text("title"), guards: row.text("guards"), file: row.text("file"),
        schemaName: row.text("schema_name"),
        tags: try RecordText.list(row.text("tags"), path: path),
        variants: (variantsBySuite[id] ?? []).map(\.1),
        cases: (casesBySuite[id] ?? []).map(\.record), repeats: row.integer("repeats"),
        seed: row.seed("seed"),
        options: try RecordText.value(
          GenerationSettings.self, from: row.text("options"), path: path),
        gate: try RecordText.value(GateRecord.self, from: row.text("gate"), path: path),
        arrayMinimums: try RecordText.value(
          [String: Int].self, from: row.text("array_minimums"), path: path),
        details: try RecordText.details(row.optionalText("details"), path: path))
    }
  }

  /// Returns the test cases of a run in order, with their suites' ids.
  static func loadCases(
    of run: Int, where condition: String = "", values: [SQLValue] = [], _ connection: Connection
  ) throws -> [(suite: String, record: CaseRecord)] {
    try connection.query(
      """
      SELECT c.suite_id, c.id, c.title, c.tags, c.expected_branches, c.assertions,
        t.body AS variables
      FROM eval_case c JOIN text t ON t.id = c.variables_text
      WHERE c.run_id = ?1 \(condition) ORDER BY c.position
      """, [SQLValue(run)] + values
    ) { row in (row.text("suite_id"), try caseRecord(row, path: connection.path)) }
  }

  private static func caseRecord(_ row: Row, path: String) throws -> CaseRecord {
    let branches = row.text("expected_branches")
    let variables: JSONValue
    do {
      variables = try JSONValue(parsing: row.text("variables"))
    } catch {
      throw StoreError(.unreadableRecord, path: path, reason: "\(error)")
    }
    return CaseRecord(
      id: row.text("id"), title: row.text("title"),
      tags: try RecordText.list(row.text("tags"), path: path), variables: variables,
      expectedBranches: branches == "[]"
        ? [] : try RecordText.value([ExpectedBranch].self, from: branches, path: path),
      assertions: try RecordText.list(row.text("assertions"), path: path))
  }
}
