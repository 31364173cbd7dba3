import EvalFindings
import EvalRecords
import EvalReports
import TestSupport
import Testing

@Suite("JUnit report")
struct JUnitReportTests {
  private func parse(_ document: ReportDocument) throws -> ParsedXML.Element {
    let parsed = ParsedXML(JUnitReport.render(document))
    #expect(parsed.error == nil)
    return try #require(parsed.root)
  }

  private func checkCounts(_ root: ParsedXML.Element) throws {
    #expect(root.name == "testsuites")
    for suite in root.children {
      #expect(suite.name == "testsuite")
      let cases = suite.children.filter { $0.name == "testcase" }
      #expect(suite.attributes["tests"] == "\(cases.count)")
      #expect(suite.attributes["failures"] == "\(cases.flatMap { $0.all("failure") }.count)")
      #expect(suite.attributes["errors"] == "\(cases.flatMap { $0.all("error") }.count)")
      #expect(suite.attributes["skipped"] == "\(cases.flatMap { $0.all("skipped") }.count)")
      #expect(suite.all("testsuite").count == 1, "suites are never nested")
    }
    let cases = root.all("testcase")
    #expect(root.attributes["tests"] == "\(cases.count)")
    #expect(root.attributes["failures"] == "\(root.all("failure").count)")
    #expect(root.attributes["errors"] == "\(root.all("error").count)")
    let names = cases.map { [$0.attributes["classname"], $0.attributes["name"]] }
    #expect(Set(names).count == names.count, "consumers merge test cases with the same name")
  }

  /// Returns a document in which every slice missed its gate.
  private func missed(_ run: RunRecord, _ attempts: [AttemptRecord]) -> ReportDocument {
    let slices = Set(attempts.map(\.key.slice)).sorted { $0.suite < $1.suite }
    return ReportDocument(
      run: run, attempts: attempts,
      gates: slices.map { slice in
        let own = attempts.filter { $0.key.slice == slice && $0.outcome != .skipped }
        return GateResultRecord(
          suite: slice.suite, variant: slice.variant, backend: slice.backend, attempts: own.count,
          passed: own.count { $0.outcome == .pass }, errors: own.count { $0.outcome == .error },
          neededRate: 1, isPassed: false)
      })
  }

  /// Returns the names of the entries that are failures or errors.
  private func red(_ root: ParsedXML.Element) -> [String] {
    root.all("testcase").filter { !$0.all("failure").isEmpty || !$0.all("error").isEmpty }
      .compactMap { $0.attributes["name"] }
  }

  @Test("one JUnit test case represents all repeats of a test case, and the counts agree")
  func countsAgree() throws {
    let run = SyntheticRun(casesPerSuite: 12, repeats: 5)
    let root = try parse(missed(run.record, run.attempts))
    try checkCounts(root)
    #expect(root.all("testcase").count == 5 * 12 + 5, "each suite has an entry for its gate")
    let failing = Set(run.attempts.filter { $0.outcome != .pass }.map { $0.key.caseID })
    #expect(root.all("failure").count + root.all("error").count == failing.count + 5)
  }

  @Test("the file has failures if and only if the command doesn't end with exit status 0")
  func conclusions() throws {
    let run = SyntheticRun(casesPerSuite: 2, repeats: 1)
    func check(
      _ conclusion: Conclusion, _ expected: [String], _ judging: Judging = Judging(),
      gates: [GateResultRecord] = [], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let root = try parse(
        ReportDocument(
          run: run.record, attempts: run.attempts, gates: gates, conclusion: conclusion,
          judging: judging))
      try checkCounts(root)
      #expect(red(root) == expected, sourceLocation: sourceLocation)
    }
    try check(.passed, [])
    try check(.inconclusive, [])
    try check(.inconclusive, ["[run]"], Judging(failsInconclusive: true))
    try check(.notComparable, ["[run]"])
    try check(.notComparable, [], Judging(allowsNotComparable: true))
    try check(.interrupted, ["[run]"])
    try check(.nothingRan, ["[run]"])
    // A missed metric shows although every attempt passed.
    let first = try #require(run.attempts.first).key.slice
    let gate = GateResultRecord(
      suite: first.suite, variant: first.variant, backend: first.backend, attempts: 2, passed: 2,
      errors: 0, neededRate: 0,
      misses: [.metricWithoutData(metric: "length", attempts: 2)], isPassed: false)
    let passing = run.attempts.filter { $0.key.slice == first && $0.outcome == .pass }
    let root = try parse(ReportDocument(run: run.record, attempts: passing, gates: [gate]))
    #expect(red(root) == ["[gate]"])
    #expect(root.all("failure")[0].text.contains("metric `length` has no data"))
  }

  @Test("hostile texts remain text, and no character is illegal in XML")
  func hostileTexts() throws {
    let document = missed(HostileRun.record, HostileRun.attempts)
    let root = try parse(document)
    try checkCounts(root)
    let allowed: Set<String> = [
      "testsuites", "testsuite", "properties", "property", "testcase", "failure", "error",
      "skipped", "system-out",
    ]
    func names(_ element: ParsedXML.Element) -> Set<String> {
      element.children.reduce([element.name]) { $0.union(names($1)) }
    }
    #expect(names(root).isSubset(of: allowed))
    #expect(root.all("failure").contains { $0.text.contains("<script>alert(1)</script>") })
    #expect(root.all("failure").contains { $0.text.contains("\\u{202E}drowssap") })
    #expect(!JUnitReport.render(document).unicodeScalars.contains { $0.value == 0x202E })
  }

  @Test("a failure has its message in an attribute and again at the beginning of its text")
  func messageInBody() throws {
    let root = try parse(SyntheticRun(casesPerSuite: 6, repeats: 10).document)
    for failure in root.all("failure") {
      let message = try #require(failure.attributes["message"])
      #expect(!message.isEmpty)
      #expect(failure.text.hasPrefix(message))
      #expect(failure.attributes["type"]?.isEmpty == false)
    }
  }

  @Test("times have three decimals and no exponent")
  func times() throws {
    var attempt = AttemptRecord(
      key: AttemptKey(suite: "s", variant: "v", backend: "b", caseID: "c", repeatIndex: 0),
      seed: 1, outcome: .pass, stopReason: .complete)
    for (duration, text) in [(1e-7, "0.000"), (1234.5, "1234.500"), (.nan, "0.000"), (-3, "0.000")]
    {
      attempt.duration = duration
      let run = SyntheticRun(casesPerSuite: 0).record
      let root = try parse(ReportDocument(run: run, attempts: [attempt]))
      #expect(root.all("testcase").map { $0.attributes["time"] } == [text])
    }
  }

  @Test("a test case with only errors is an error, and a test case that did not run is skipped")
  func errorsAndSkips() throws {
    func attempt(_ id: String, _ outcome: Outcome) -> AttemptRecord {
      AttemptRecord(
        key: AttemptKey(suite: "s", variant: "v", backend: "b", caseID: id, repeatIndex: 0),
        seed: 1, outcome: outcome, stopReason: .failed,
        failure: outcome == .error ? AttemptFailure(kind: .timeout, message: "30 s") : nil)
    }
    let run = SyntheticRun(casesPerSuite: 0).record
    let root = try parse(
      missed(run, [attempt("a", .error), attempt("b", .skipped), attempt("c", .fail)]))
    #expect(root.all("error").map { $0.attributes["type"] } == ["timeout"])
    #expect(root.all("skipped").count == 1)
    #expect(root.all("failure").map { $0.attributes["type"] } == ["vacuous", "gate"])
  }

  @Test("the first failed attempt represents a test case, even if an error came before it")
  func failureBeforeError() throws {
    func attempt(_ repeatIndex: Int, _ outcome: Outcome, _ type: String) -> AttemptRecord {
      AttemptRecord(
        key: AttemptKey(
          suite: "s", variant: "v", backend: "b", caseID: "a", repeatIndex: repeatIndex),
        seed: 1, outcome: outcome, stopReason: .complete,
        failure: outcome == .error ? AttemptFailure(kind: .timeout, message: "30 s") : nil,
        verdicts: outcome == .error
          ? []
          : [
            VerdictRecord(
              assertion: type, type: type, path: "$", verdict: .fail, expected: "", actual: "")
          ])
    }
    let attempts = [
      attempt(0, .error, ""), attempt(1, .fail, "words"), attempt(2, .fail, "count"),
    ]
    let root = try parse(missed(SyntheticRun(casesPerSuite: 0).record, attempts))
    #expect(root.all("failure").map { $0.attributes["type"] } == ["words", "gate"])
  }

  @Test("the report cuts an output of a megabyte, and states its length")
  func longTexts() throws {
    let attempt = AttemptRecord(
      key: AttemptKey(suite: "s", variant: "v", backend: "b", caseID: "c", repeatIndex: 0),
      seed: 1, outcome: .fail, stopReason: .complete,
      output: String(repeating: "é", count: 500_000))
    let text = JUnitReport.render(missed(SyntheticRun(casesPerSuite: 0).record, [attempt]))
    #expect(text.utf8.count < 40_000)
    #expect(text.contains("1,000,000 bytes"))
    #expect(ParsedXML(text).error == nil)
  }

  @Test("the order of the attempts doesn't change a byte of the report")
  func determinism() {
    let run = SyntheticRun(casesPerSuite: 8, repeats: 3)
    var numbers = SeededGenerator(seed: 7)
    let shuffled = run.attempts.shuffled(using: &numbers)
    let document = ReportDocument(run: run.record, attempts: shuffled, gates: run.gates)
    #expect(JUnitReport.render(document) == JUnitReport.render(run.document))
  }

  /// Checks the conditions that the library xunitparser checks when it reads a report.
  ///
  /// The library merges the properties of all suites, and counts each test case by its last result.
  private func checkXunitparser(_ text: String, _ comment: Comment) throws {
    let parsed = ParsedXML(text)
    let root = try #require(parsed.root, comment)
    #expect(root.children.allSatisfy { $0.name == "testsuite" }, comment)
    let names = root.all("property").compactMap { $0.attributes["name"] }
    #expect(Set(names).count == names.count, comment)
    #expect(root.all("property").allSatisfy { $0.attributes["value"] != nil }, comment)
    var (failures, errors) = (0, 0)
    for testCase in root.all("testcase") {
      #expect(testCase.attributes["name"] != nil, comment)
      #expect(Double(testCase.attributes["time"] ?? "") != nil, comment)
      let results = testCase.children.map(\.name).filter {
        ["failure", "error", "skipped"].contains($0)
      }
      #expect(results.count <= 1, comment)
      if results.last == "failure" { failures += 1 }
      if results.last == "error" { errors += 1 }
    }
    #expect(root.attributes["tests"] == "\(root.all("testcase").count)", comment)
    #expect(root.attributes["failures"] == "\(failures)", comment)
    #expect(root.attributes["errors"] == "\(errors)", comment)
  }

  @Test(
    "every report satisfies xunitparser: properties are unique, and totals agree with the results")
  func xunitparser() throws {
    var several = SyntheticRun(casesPerSuite: 4, repeats: 2, keepsTraces: false)
    several.variants = ["bounded", "naive"]
    several.backends = [SyntheticRun.toy, SyntheticRun.stub]
    // Variant `b` of suite `a` would have the same class name as suite `a.b`.
    var alike = SyntheticRun(casesPerSuite: 2, repeats: 1, keepsTraces: false)
    alike.variants = ["default", "b"]
    var record = alike.record
    record.suites = Array(record.suites.prefix(2))
    record.suites[0].id = "a"
    record.suites[1].id = "a.b"
    record.suites[1].variants.removeLast()
    let attempts = record.suites.flatMap { suite in
      suite.variants.map { variant in
        AttemptRecord(
          key: AttemptKey(
            suite: suite.id, variant: variant.id, backend: "local", caseID: suite.cases[0].id,
            repeatIndex: 0),
          seed: 1, outcome: .pass, stopReason: .complete)
      }
    }
    let documents: [(Comment, ReportDocument)] = [
      ("five suites", SyntheticRun(casesPerSuite: 6, repeats: 3).document),
      ("variants and backends", several.document),
      ("hostile", ReportDocument(run: HostileRun.record, attempts: HostileRun.attempts)),
      ("a comparison", SyntheticRun.comparison),
      ("equal names", ReportDocument(run: record, attempts: attempts)),
    ]
    for (comment, document) in documents {
      for file in JUnitReport.files(document, caseLimit: 7) {
        try checkXunitparser(file.text, comment)
      }
    }
  }
}
