import EvalRecords
import EvalStatistics

/// One `testsuite`: a suite in one variant on one backend.
struct JUnitSuite {
  let slice: SliceSummary
  private(set) var cases: [JUnitCase]
  private let document: ReportDocument

  init(slice: SliceSummary, document: ReportDocument) {
    self.slice = slice
    self.document = document
    let className = Self.className(slice.key, in: document)
    let finding = document.sliceFindings[slice.key]
    let isWorse = finding.map { [.regressed, .broken].contains($0.verdict) } ?? false
    // A failed attempt is a failure only where it counts against the run.
    let ruling: JUnitCase.Ruling =
      !document.isSuccess && (isWorse || document.isMissed(slice)) ? .none : .passes
    var names: Set<String> = []
    cases = slice.cases.enumerated().map { position, summary in
      // Compare names as they are written, with hidden characters made visible.
      var name = VisibleText.line(summary.id)
      if !names.insert(name).inserted {
        name += " (\(position + 1))"
        names.insert(name)
      }
      return JUnitCase(
        name: name, className: className, summary: summary,
        attempts: document.summary.attempts[summary.range], ruling: ruling)
    }
    if let gate = slice.gate, document.isMissed(slice) {
      let reasons =
        gate.guardrailHits.map { "guardrail \($0.assertion) failed \($0.count) ×" }
        + gate.misses.map(\.words)
      let words =
        "\(Share(gate.passed, of: gate.attempts).passing("attempt")), needed: "
        + ([gate.neededWords] + reasons).joined(separator: "; ")
      // An acknowledged miss fails nothing.
      add(entry: "gate", words, fails: !document.isSuccess)
    }
    if let finding { add(comparison: finding) }
  }

  /// Adds an entry that fails because the run as a whole does.
  mutating func addRun() { add(entry: "run", document.headline.text, fails: true) }

  /// Adds an entry for a comparison.
  ///
  /// The entry fails if something regressed, or if the comparison is broken, impossible or
  /// inconclusive and the exit status is about that.
  private mutating func add(comparison finding: SliceFinding) {
    let worse = finding.effects.filter { $0.isGating && $0.verdict == finding.verdict }
    let words = worse.prefix(3).map {
      "\($0.title): \(NumberText.percent($0.baseline.value)) → "
        + NumberText.percent($0.candidate.value)
    }
    let fails = [.regressed, .broken, .notComparable].contains(finding.verdict)
    add(
      entry: "comparison", ([finding.verdict.word] + words).joined(separator: "; "),
      fails: fails && !document.isSuccess)
  }

  /// Adds an entry about the suite as a whole.
  private mutating func add(entry name: String, _ words: String, fails: Bool) {
    let end = document.summary.attempts.endIndex
    cases.append(
      JUnitCase(
        name: "[\(name)]", className: Self.className(slice.key, in: document),
        summary: CaseSummary(id: "", record: nil, range: end..<end, tally: Tally(), draws: 0),
        attempts: [], ruling: .entry(name, VisibleText.line(words), fails: fails)))
  }

  /// A copy of the suite with only the given test cases.
  func part(_ cases: [JUnitCase]) -> JUnitSuite {
    var part = self
    part.cases = cases
    return part
  }

  var failures: Int { cases.count { $0.result == .failure } }
  var errors: Int { cases.count { $0.result == .error } }
  var skipped: Int { cases.count { $0.result == .skipped } }
  var time: Double { cases.reduce(0) { $0 + $1.time } }

  /// The class name of the test cases: `evals.<suite>[.variant][.backend]`.
  ///
  /// The name includes the variant only if the suite has several variants, and the backend only if
  /// the run has several backends.
  static func className(_ key: SliceKey, in document: ReportDocument) -> String {
    let slices = document.summary.slices
    var name = "evals." + key.suite
    if Set(slices.filter { $0.key.suite == key.suite }.map(\.key.variant)).count > 1 {
      name += "." + key.variant
    }
    if Set(slices.map(\.key.backend)).count > 1 { name += "." + key.backend }
    return VisibleText.line(name)
  }

  /// Writes the suite.
  ///
  /// - Parameters:
  ///   - dialect: The dialect to write.
  ///   - number: The suite's number within the file, starting at 0.
  ///   - writer: The writer to append to.
  func write(_ dialect: JUnitReport.Dialect, number: Int, to writer: inout XMLWriter) {
    let name = Self.className(slice.key, in: document)
    let isAnt = dialect == .ant
    var attributes: [(name: StaticString, value: String)] = [("name", name)]
    if isAnt {
      attributes += [("package", "evals"), ("id", "\(number)"), ("hostname", "localhost")]
    }
    attributes += [
      ("tests", "\(cases.count)"), ("failures", "\(failures)"), ("errors", "\(errors)"),
      ("skipped", "\(skipped)"), ("time", JUnitReport.seconds(time)),
    ]
    let start = timestamp
    attributes += isAnt && start.isEmpty ? [("timestamp", "1970-01-01T00:00:00")] : start
    writer.element("testsuite", attributes) { writer in
      writer.element("properties", []) { writer in
        // Some readers collect the properties of all suites and refuse duplicate names.
        let slices = document.summary.slices
        let isShared = slices.count { Self.className($0.key, in: document) == name } > 1
        let prefix = slices.count < 2 ? "" : name + (isShared ? "#\(number + 1)/" : "/")
        for (name, value) in properties {
          writer.element("property", [("name", prefix + name), ("value", value)])
        }
      }
      for testCase in cases {
        let place = document.place(ofSuite: slice.key.suite, caseID: testCase.summary.id)
        testCase.write(dialect, file: place?.file ?? "", to: &writer)
      }
      if isAnt {
        writer.element("system-out", [], text: JUnitReport.clipped(document.headline.text))
        writer.element("system-err", [], text: "")
      }
    }
  }

  /// The attribute for the run's start time, or an empty array if the recorded start isn't an ISO
  /// 8601 time.
  ///
  /// The time has no time zone, so that it is valid under the schemas of Jenkins and Surefire.
  private var timestamp: [(name: StaticString, value: String)] {
    let start = String(document.run.startedAt.prefix(19))
    let shape = String(
      start.map { character -> Character in character.isASCIIDigit ? "0" : character })
    guard shape == "0000-00-00T00:00:00" else { return [] }
    return [(name: "timestamp", value: start)]
  }

  /// The maximum number of causes of failures in the properties; the report page lists all causes.
  private static let maximumCauses = 4

  /// The causes of the suite's failures, the most frequent first.
  private var causes: [FailureCause] { document.summary.tree.causes(in: slice.key) }

  private var properties: [(String, String)] {
    let share = slice.share
    var properties: [(String, String)] = [
      // Surefire's schema has no place for text about a suite, so the verdict is a property.
      ("verdict", JUnitReport.clipped(document.headline.text)), ("run", "\(document.run.id)"),
      ("suite", slice.key.suite), ("variant", slice.key.variant),
      ("backend", slice.key.backend), ("repeats", "\(slice.suite?.repeats ?? 0)"),
      ("attempts", "\(share.count)"), ("attempts.passed", "\(share.hits)"),
      ("attempts.errors", "\(slice.tally.errors)"), ("pass.rate", NumberText.plain(share.value, 4)),
      ("pass.rate.low", NumberText.plain(share.low, 4)),
      ("pass.rate.high", NumberText.plain(share.high, 4)),
    ]
    let cached = document.summary.attempts.count {
      $0.key.slice == slice.key && $0.details.isCached == true
    }
    if cached > 0 { properties.append(("attempts.cached", "\(cached)")) }
    if let step = document.runStep {
      let command = step.command.map { ": \($0)" } ?? ""
      properties.append(("next", JUnitReport.clipped(step.words + command, limit: 400)))
    }
    if let suite = slice.suite { properties.append(("seed", "\(suite.seed)")) }
    if let backend = document.run.backends.first(where: { $0.id == slice.key.backend }) {
      properties.append(("model", backend.model))
      properties.append(("model.toy", "\(backend.isToy)"))
      if let count = backend.parameterCount {
        properties.append(("model.parameters", "\(count)"))
      }
      if let digest = backend.modelDigest { properties.append(("model.sha256", digest)) }
    }
    for (number, cause) in causes.prefix(Self.maximumCauses).enumerated() {
      let words = cause.clause(of: slice.tally.attempts)
      let step = "Fix: " + document.nextStep(for: cause).words
      properties.append(
        ("cause.\(number + 1)", JUnitReport.clipped("\(words). \(step)", limit: 400)))
    }
    if let gate = slice.gate {
      properties.append(("gate", gate.isPassed ? "passed" : "missed"))
      properties.append(("gate.needed", NumberText.plain(gate.neededRate, 4)))
      for (number, hit) in gate.guardrailHits.enumerated() {
        let name = "gate.guardrail" + (number == 0 ? "" : ".\(number + 1)")
        properties.append((name, "\(hit.assertion): failed \(hit.count)"))
      }
    }
    return properties
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
