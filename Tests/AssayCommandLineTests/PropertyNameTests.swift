import AssayCommandLine
import CSQLite
import EvalRecords
import EvalStatistics
import ResultStore
import StructuredText
import Testing

@testable import EvalFindings
@testable import EvalReports

/// Tests that the names of a schema's properties don't matter.
@Suite("Names of properties")
struct PropertyNameTests {
  /// Names that need quotes, escapes, or neither.
  private static let hostileNames = [
    "größe", "it's", "2nd", "Prep time", "say \"hi\"", "back\\slash", "$", ".", "[*]", "", "😀",
    "a.b", "]", "['x']", "end", "line\nbreak", "\\u0041", "e\u{301}",
  ]

  /// Suites in which all of these names occur.
  private static let suites = stride(from: 0, to: hostileNames.count, by: 6).map { start in
    Array(hostileNames[start..<start + 6])
  }

  /// Runs a suite, and returns the run with its attempts.
  private func run(
    _ suite: RenamedSuite, in lab: CommandLab
  ) async throws -> (RunRecord, [AttemptRecord]) {
    try suite.write(to: lab)
    let words = suite.usesStub ? ["-b", "stub"] : ["-m", Checkout.model]
    let ending = await lab.run(
      [
        "run", lab.path("names"), "--variant", "all", "--reports", lab.reports, "--baseline",
        "none",
      ]
        + words)
    #expect(ending.status == .passed, "\(ending.output) \(ending.notes)")
    let store = try ResultStore(path: lab.database, access: .reading)
    return (try store.run(1), try store.attempts(run: 1))
  }

  @Test("a suite gives the same results whatever its properties are called", arguments: suites)
  func checkResults(names: [String]) async throws {
    var texts: [[String: [String]]] = []
    for names in [RenamedSuite.plainNames, names] {
      let (lab, suite) = (try CommandLab(), RenamedSuite(names: names))
      let (run, attempts) = try await run(suite, in: lab)
      let document = ReportDocument(run: run, attempts: attempts)
      var results = Self.facts(document.summary)
      results["attempts"] = document.summary.attempts.map { attempt in
        // Some facts are sorted by the real names.
        Self.facts(attempt).map(suite.plain).sorted().joined(separator: "; ")
      }
      results["rates"] = document.rates.map {
        "\($0.name) \($0.now.counts) \($0.now.low) \($0.now.high)"
      }
      results["bounds"] = run.suites.flatMap {
        $0.arrayMinimums.map { "\($0.key) \($0.value)" }
          + ($0.details.arrayMaximums ?? [:]).map { "\($0.key) \($0.value)" }
      }.sorted()
      results["effects"] = Self.effects(run, attempts)
      for view in ["branch_confusion", "array_lengths", "assertion_verdicts"] {
        results[view] = try Self.rows("SELECT * FROM \(view)", in: lab.database)
      }
      texts.append(results.mapValues { $0.map(suite.plain) })
    }
    #expect(texts[0]["branch_confusion"]?.contains { $0.contains("$.mood | calm | angry") } == true)
    #expect(texts[0]["array_lengths"]?.contains { $0.hasSuffix("$.days[*].meals | 1") } == true)
    for (key, plain) in texts[0] {
      #expect(!plain.isEmpty, "\(key)")
      // Some lists are sorted by the real names.
      let isSorted = key.contains("_") || ["bounds", "effects"].contains(key)
      let (found, expected) =
        isSorted
        ? (texts[1][key]?.sorted() ?? [], plain.sorted()) : (texts[1][key] ?? [], plain)
      #expect(found.count == expected.count, "\(key)")
      for (line, other) in zip(found, expected) { #expect(line == other, "\(key)") }
    }
  }

  @Test("Assay measures the same decisions whatever the properties are called", arguments: suites)
  func checkDecisions(names: [String]) async throws {
    var texts: [[String: Set<String>]] = []
    for names in [RenamedSuite.plainNames, names] {
      let (lab, suite) = (try CommandLab(), RenamedSuite(names: names, usesStub: false))
      let (run, attempts) = try await run(suite, in: lab)
      let summary = ReportDocument(run: run, attempts: attempts).summary
      // The model's answers depend on the names, so compare only the decisions of every answer.
      let isAlways = { (path: String) in suite.plain(path) != "$.note" }
      let rows = summary.decisions.flatMap(\.rows).filter {
        $0.index == 0 && ($0.kind == .optional || isAlways($0.path))
      }
      let view = "SELECT kind, path, option FROM decision_probability WHERE element_index = 0"
      let results: [String: [String]] = [
        "decisions": rows.map {
          "\($0.kind) \($0.path) \($0.option.name) expected \($0.expected ?? "–"), "
            + "\($0.cases) cases"
        },
        "effects": Self.effects(run, attempts, isMeasured: true),
        "verdicts": attempts.flatMap(\.verdicts).map { "\($0.assertion) \($0.path) \($0.verdict)" },
        "view": try Self.rows(view, in: lab.database).map { $0.replacing("[1]", with: "[0]") },
      ]
      texts.append(results.mapValues { Set($0.map(suite.plain)) })
    }
    for (key, plain) in texts[0] {
      #expect(!plain.isEmpty, "\(key)")
      #expect(texts[1][key] == plain, "\(key)")
    }
    #expect(texts[0]["decisions"]?.contains { $0.contains("$.mood calm expected angry") } == true)
  }

  // MARK: Facts as texts

  private static func facts(_ attempt: AttemptRecord) -> [String] {
    let shape = attempt.details.shape
    let lengths = (shape?.lengths ?? [:]).map { "\($0.key) \($0.value)" }
    let branches = (shape?.branches ?? [:]).map { "\($0.key) \($0.value)" }
    let verdicts = attempt.verdicts.map {
      "\($0.assertion), \($0.type), \($0.path), \($0.verdict), \($0.expected), \($0.actual)"
    }
    let counts = (attempt.details.counts ?? [:]).map { "\($0.key) \($0.value)" }
    return [
      "\(attempt.key) \(attempt.outcome) \(attempt.failure?.message ?? "")",
      "shape \(shape == nil), cut \(attempt.details.cut?.path ?? "–")",
    ] + lengths + branches + verdicts + counts
  }

  private static func facts(_ summary: RunSummary) -> [String: [String]] {
    [
      "lengths": summary.lengths.map {
        "\($0.sliceName) \($0.path) \($0.minimum ?? -1) \($0.maximum ?? -1) \($0.counts)"
      },
      "confusions": summary.confusions.map {
        "\($0.sliceName) \($0.path) \($0.branches) \($0.counts)"
      },
      "clusters": summary.clusters.map {
        "\($0.title) \($0.kind) \($0.type) \($0.path) \($0.assertion) \($0.expected) "
          + "\($0.actual) \($0.attempts)"
      },
      "attempt columns": summary.attempts.indices.map {
        "\(summary.lengthOfAttempt[$0]) \(summary.branchOfAttempt[$0])"
      } + summary.branchPairs,
    ]
  }

  /// Returns the effects of a comparison of both variants.
  private static func effects(
    _ run: RunRecord, _ attempts: [AttemptRecord], isMeasured: Bool = false
  ) -> [String] {
    func side(_ variant: String) -> ComparisonSide {
      ComparisonSide(
        run: run, attempts: attempts, selection: .init(suite: "names", variant: variant))
    }
    let comparison = Comparison.compare(baseline: side("default"), candidate: side("worse"))
    #expect(comparison.effects.count > 2, "\(comparison.verdict) \(comparison.differences)")
    if isMeasured {
      return comparison.effects.filter { $0.evidence == .measured }.map { words($0.quantity) }
    }
    return comparison.effects.map {
      "\(words($0.quantity)) \($0.baseline) \($0.candidate) \($0.change) \($0.pValue ?? -1) "
        + "\($0.verdict)"
    }.sorted()
  }

  private static func words(_ quantity: Quantity) -> String {
    switch quantity {
    case .missedBranch(let name, let path): "missed \(name) \(path)"
    case .failedAssertion(let name, let path): "failed \(name) \(path)"
    case .shortArray(let minimum, let path): "fewer than \(minimum) \(path)"
    case .emptyArray(let path): "empty \(path)"
    case .missingArray(let path): "missing \(path)"
    case .wrongBranch(let path): "wrong \(path)"
    default: "\(quantity)"
    }
  }

  private static func rows(_ sql: String, in path: String) throws -> [String] {
    var handle: OpaquePointer?
    try #require(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
    defer { sqlite3_close_v2(handle) }
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    try #require(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
    defer { sqlite3_finalize(statement) }
    var rows: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "null"
        }.joined(separator: " | "))
    }
    return rows
  }
}
