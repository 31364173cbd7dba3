import EvalFindings
import EvalRecords
import EvalStatistics

/// One `testsuite` element: a suite in one variant on one backend.
struct JUnitSuite {
  let name: String
  /// The run's start, or an empty string.
  var timestamp = ""
  var properties: [(name: String, value: String)] = []
  /// The beginning of the properties' names in a suite with the given number, because some readers
  /// collect the properties of all suites and refuse duplicate names.
  var prefix: (Int) -> String = { _ in "" }
  var cases: [JUnitCase]
  /// The text that Ant's schema requires as the output of the suite.
  var output = ""

  var failures: Int { cases.count(where: \.isFailure) }
  var errors: Int { cases.count(where: \.isError) }
  var time: Double { cases.reduce(0) { $0 + $1.time } }

  /// The counts that consumers show, for a suite or a file.
  static func counts(_ suites: [JUnitSuite]) -> [(name: StaticString, value: String)] {
    func sum(_ count: (JUnitSuite) -> Int) -> String { "\(suites.reduce(0) { $0 + count($1) })" }
    return [
      ("tests", sum { $0.cases.count }), ("failures", sum { $0.failures }),
      ("errors", sum { $0.errors }),
    ]
  }

  /// A copy of the suite with only the given test cases.
  func part(_ cases: [JUnitCase]) -> JUnitSuite {
    var part = self
    part.cases = cases
    return part
  }

  /// Adds an entry about the suite as a whole.
  mutating func add(entry kind: String, _ words: String, fails: Bool) {
    let words = VisibleText.line(words)
    cases.append(
      JUnitCase(
        name: "[\(kind)]", className: name,
        result: fails
          ? .failure(
            .init(
              type: kind, message: JUnitReport.clipped(words, limit: 400),
              text: JUnitReport.clipped(words)))
          : .pass))
  }

  /// Writes the suite with its number within the file, starting at 0.
  func write(_ dialect: JUnitReport.Dialect, number: Int, to writer: inout XMLWriter) {
    let isAnt = dialect == .ant
    var attributes: [(name: StaticString, value: String)] = [("name", name)]
    if isAnt {
      attributes += [("package", "evals"), ("id", "\(number)"), ("hostname", "localhost")]
    }
    attributes += Self.counts([self])
    attributes += [
      ("skipped", "\(cases.count(where: \.isSkipped))"), ("time", JUnitReport.seconds(time)),
    ]
    if isAnt || !timestamp.isEmpty {
      attributes.append(("timestamp", timestamp.isEmpty ? "1970-01-01T00:00:00" : timestamp))
    }
    writer.element("testsuite", attributes) { writer in
      if !properties.isEmpty {
        writer.element("properties", []) { writer in
          for (name, value) in properties {
            writer.element("property", [("name", prefix(number) + name), ("value", value)])
          }
        }
      }
      for testCase in cases { testCase.write(dialect, to: &writer) }
      if isAnt {
        writer.element("system-out", [], text: output)
        writer.element("system-err", [], text: "")
      }
    }
  }
}

extension JUnitSuite {
  /// A suite of a run.
  init(slice: SliceSummary, document: ReportDocument) {
    let slices = document.summary.slices
    let className = Self.className(slice.key, in: document)
    let finding = document.sliceFindings[slice.key]
    // A failed attempt is a failure only where it counts against the run.
    let passes = !document.failsRun(slice, finding)
    var names: Set<String> = []
    let cases = slice.cases.enumerated().map { position, summary in
      // Compare names as they are written, with hidden characters made visible.
      var name = VisibleText.line(summary.id)
      if !names.insert(name).inserted {
        name += " (\(position + 1))"
        names.insert(name)
      }
      let attempts = document.summary.attempts[summary.range]
      return JUnitCase(
        name: name, className: className,
        time: attempts.reduce(0) { $0 + max(0, $1.duration) },
        file: document.place(ofSuite: slice.key.suite, caseID: summary.id)?.file ?? "",
        result: JUnitCase.result(of: summary, attempts, passes: passes))
    }
    let isShared = slices.count { Self.className($0.key, in: document) == className } > 1
    self.init(
      name: className, timestamp: Self.timestamp(document),
      properties: Self.properties(slice, document),
      prefix: { slices.count < 2 ? "" : className + (isShared ? "#\($0 + 1)/" : "/") },
      cases: cases,
      output: JUnitReport.clipped(document.headline.text))
    if let gate = slice.gate, document.isMissed(slice) {
      let words =
        "\(Share(gate.passed, of: gate.attempts).passing("attempt")), needed: "
        + ([gate.neededWords, gate.missedScore(by: slice.suite?.gate.reducer)].compactMap(\.self)
        + gate.reasons).joined(separator: "; ")
      // An acknowledged miss fails nothing.
      add(entry: "gate", words, fails: !document.isSuccess)
    }
    if let finding { add(comparison: finding, document) }
  }

  /// Adds an entry for a comparison.
  ///
  /// The entry fails if something regressed, or if the comparison is broken, impossible or
  /// inconclusive and the exit status is about that.
  private mutating func add(comparison finding: SliceFinding, _ document: ReportDocument) {
    let worse = finding.effects.filter { $0.isGating && $0.verdict == finding.verdict }
    let words = worse.prefix(3).map { "\($0.title): \($0.sidesWords)" }
    let fails = [.regressed, .broken, .notComparable].contains(finding.verdict)
    add(
      entry: "comparison", ([finding.verdict.word] + words).joined(separator: "; "),
      fails: fails && !document.isSuccess)
  }

  /// The class name of the test cases: `evals.<suite>[.variant][.backend]`.
  private static func className(_ key: SliceKey, in document: ReportDocument) -> String {
    let parts = document.summary.names.parts(key)
    return VisibleText.line(
      (["evals", key.suite] + [parts.variant, parts.backend].compactMap(\.self))
        .joined(separator: "."))
  }

  /// The run's start, or an empty string if the recorded start isn't an ISO 8601 time.
  ///
  /// The time has no time zone, so that it is valid under the schemas of Jenkins and Surefire.
  private static func timestamp(_ document: ReportDocument) -> String {
    let start = String(document.run.startedAt.prefix(19))
    let shape = String(
      start.map { character -> Character in character.isASCIIDigit ? "0" : character })
    return shape == "0000-00-00T00:00:00" ? start : ""
  }

  /// The maximum number of causes of failures in the properties; the report page lists all causes.
  private static let maximumCauses = 4

  private static func properties(
    _ slice: SliceSummary, _ document: ReportDocument
  ) -> [(name: String, value: String)] {
    let share = slice.share
    var properties: [(name: String, value: String)] = [
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
    for (number, cause) in document.summary.tree.causes(in: slice.key)
      .prefix(maximumCauses).enumerated()
    {
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
