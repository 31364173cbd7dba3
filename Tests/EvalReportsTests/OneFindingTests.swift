import EvalRecords
import EvalStatistics
import Foundation
import Testing

@testable import EvalFindings
@testable import EvalReports

/// Checks that the headline, the tables, the Markdown, JUnit and terminal reports and the exit
/// status all agree with one list of findings.
@Suite("Agreement of all reports on the findings")
struct OneFindingTests {
  private static let worse = #"<span class="tag bad">worse"#

  private static let run = SyntheticRun(id: 2, casesPerSuite: 8, repeats: 3, keepsTraces: false)

  private static func effect(
    _ quantity: Quantity, _ evidence: Evidence, _ reference: ComparisonReference,
    _ verdict: ComparisonVerdict, suite: String
  ) -> EffectRecord {
    func estimate(_ value: Double) -> EstimateRecord {
      EstimateRecord(
        value: value, hits: evidence == .counted ? Int(value * 24) : nil, count: 24, low: 0,
        high: 1)
    }
    return EffectRecord(
      place: ComparedPlace(SliceKey(suite: suite, variant: "default", backend: "local")),
      quantity: quantity, evidence: evidence, reference: reference, baseline: estimate(0.25),
      candidate: estimate(0.75), change: 0.5, changeLow: 0.2, changeHigh: 0.7, pValue: 0.001,
      adjustedP: 0.004, method: EffectMethod(interval: .newcombe), verdict: verdict)
  }

  /// Returns the report of a run that is compared with an earlier run.
  ///
  /// The given quantity has the verdict `verdict`, and the pass rate has the verdict `passRate`.
  private static func document(
    _ quantity: Quantity, _ evidence: Evidence = .counted,
    _ reference: ComparisonReference = .baseline, _ verdict: ComparisonVerdict = .regressed,
    passRate: ComparisonVerdict = .inconclusive, suite: String = "flashcards"
  ) -> ReportDocument {
    var effects = [effect(quantity, evidence, reference, verdict, suite: suite)]
    if quantity != .passRate || reference != .baseline {
      effects.append(effect(.passRate, .counted, .baseline, passRate, suite: suite))
    }
    var before = run
    before.id = 1
    before.seed = 7
    return ReportDocument(
      run: run.record, attempts: run.attempts, gates: passing(run.gates),
      comparisons: [
        ReportComparison(
          ComparisonRecord(
            baseline: SideRecord(suite: suite, run: 1),
            candidate: SideRecord(suite: suite, run: 2), verdict: verdict, effects: effects,
            alpha: 0.05))
      ], baseline: (before.record, before.attempts))
  }

  /// Returns the gates with all results changed to passes, so that the comparison alone decides.
  private static func passing(_ gates: [GateResultRecord]) -> [GateResultRecord] {
    gates.map {
      var gate = $0
      gate.neededRate = 0
      gate.isPassed = true
      return gate
    }
  }

  /// Returns the part of a page from the beginning of a section to the next section.
  private func section(_ id: String, of page: String) throws -> Substring {
    let start = try #require(page.firstRange(of: "<section id=\"\(id)\""))
    let rest = page[start.upperBound...]
    return rest[..<(rest.firstRange(of: "<section")?.lowerBound ?? rest.endIndex)]
  }

  private func checkWorse(_ document: ReportDocument, _ comment: Comment) throws {
    #expect(document.headline.state == .regressed, comment)
    let page = HTMLReport.render(document)
    for id in ["scorecard", "suites", "comparison"] {
      #expect(try section(id, of: page).contains(Self.worse), "\(id): \(comment)")
    }
    #expect(MarkdownReport.render(document).contains("▼ worse"), comment)
    #expect(TerminalReport.render(document, color: false).contains("▼ worse"), comment)
    let junit = JUnitReport.render(document)
    #expect(junit.contains("type=\"comparison\""), comment)
    #expect(
      Conclusion(
        document.run, document.summary.attempts, gates: document.gates,
        verdicts: document.comparisons.map(\.record.verdict)) == .failed, comment)
    let slice = HistoryEntry(document, exitStatus: 1).slices.first { $0.verdict == .regressed }
    #expect(slice != nil, comment)
  }

  @Test("a rate that pools all suites has no verdict; the suite's own rate has a row of its own")
  func pooledRate() throws {
    let page = HTMLReport.render(Self.document(.passRate))
    let rows = try section("scorecard", of: page).split(separator: "<tr").dropFirst(2)
    let pooled = try #require(rows.first)
    #expect(pooled.contains("Attempts passing"), "\(pooled)")
    #expect(!pooled.contains(#"class="tag"#) && !pooled.hasPrefix(#" class="worse""#), "\(pooled)")
    #expect(pooled.contains(#"data-l="p (Holm)">–<"#), "\(pooled)")
    let own = try #require(rows.first { $0.contains(Self.worse) })
    #expect(own.contains(">pass rate<") && own.contains("flashcards") && own.contains(">0.004<"))
    #expect(own.contains("25.0") && own.contains("75.0") && own.contains("[+20.0, +70.0]"))
  }

  @Test("no row of a page has a verdict beside figures that nothing tested")
  func verdictsWithTheirNumbers() throws {
    for (quantity, reference) in [
      (Quantity.passRate, ComparisonReference.baseline), (.passRate, .pooledHistory),
      (.wrongBranch(path: "$"), .baseline), (.emptyArray(path: "$.cards"), .baseline),
    ] {
      let suite = quantity.path == "$" ? "session-insight" : "flashcards"
      let document = Self.document(quantity, .counted, reference, passRate: .ok, suite: suite)
      let rates = document.ratesWorstFirst
      let tables = [
        ReportTable.suites(document),
        ReportTable.rates(
          "rates", rates.map { RateChange($0, in: document) },
          document.movedEffects(notIn: rates), limit: 1, nil),
      ]
      for table in tables {
        let p = try #require(
          table.columns.firstIndex { $0.title == EffectMethod.Adjustment.heading })
        let verdict = try #require(table.columns.firstIndex { $0.title == "verdict" })
        var worse = 0
        for row in table.rows {
          let shown = row.cells[p].value.text(on: .page)
          guard case .verdict(let found, _) = row.cells[verdict].value else {
            #expect(shown == "–" || shown.isEmpty, "\(row.cells[0].value)")
            continue
          }
          #expect(shown == "0.004", "\(row.cells[0].value)")
          if found == .regressed { worse += 1 }
        }
        #expect(worse == 1, "\(table.caption), \(quantity), \(reference)")
      }
    }
  }

  @Test("at the head, a suite that got worse by another quantity has a row with its figures")
  func glance() throws {
    let run = Self.run
    var document = Self.document(.emptyArray(path: "$.cards"), .measured, passRate: .ok)
    document = ReportDocument(
      run: document.run, attempts: run.attempts, gates: document.gates,
      comparisons: document.comparisons, baseline: (run.record, run.attempts),
      history: SyntheticHistory(run: run).history)
    let table = try #require(ReportTable.glance(document))
    let rows = table.rows.map { $0.cells.map { $0.value.text(on: .page) } }
    let own = try #require(rows.firstIndex { $0[0] == "flashcards" })
    #expect(rows[own].last == "≈ no change")
    #expect(rows[own + 1][0] == "flashcards: P(empty) at $.cards")
    #expect(rows[own + 1].last == "▼ worse" && table.rows[own + 1].isPart)
    #expect(rows[own + 1][1].hasPrefix("75.0") && rows[own + 1][3].hasPrefix("25.0"))
  }

  @Test(
    "for each quantity, a page that says “Regressed” also says “worse” in a row of its tables",
    arguments: [
      Quantity.passRate, .emptyArray(path: "$.cards"), .shortArray(minimum: 3, path: "$.cards"),
      .wrongBranch(path: "$"), .missedBranch("unclear", path: "$"),
      .emptyArray(path: "$.other[*].deep"),
    ])
  func regressions(quantity: Quantity) throws {
    let suite = quantity.path == "$" ? "session-insight" : "flashcards"
    for evidence in [Evidence.counted, .measured] {
      for reference in ComparisonReference.allCases {
        if quantity == .passRate, evidence == .measured { continue }
        try checkWorse(
          Self.document(quantity, evidence, reference, suite: suite),
          "\(quantity) \(evidence) \(reference)")
      }
    }
  }

  @Test(
    "the pass rate's row shows the verdict on the pass rate, not the verdict on another quantity")
  func rowsOfTheirOwn() throws {
    let document = Self.document(.emptyArray(path: "$.cards"), .measured, passRate: .improved)
    // The suite's own row shows the pass rate with its verdict, and the row below it the finding
    // that decided the verdict on the suite.
    let changes = SuiteChanges(document)
    let key = SliceKey(suite: "flashcards", variant: "default", backend: "local")
    #expect(changes.verdict(key)?.word == "worse")
    #expect(changes.ownVerdict(key) == .improved)
    let suites = try section("suites", of: HTMLReport.render(document))
    let rows = suites.components(separatedBy: "<tr").filter { $0.contains("flashcards") }
    #expect(rows.count == 2)
    #expect(rows[0].contains(#"<span class="tag good">better"#) && !rows[0].contains(Self.worse))
    #expect(rows[1].contains("flashcards: P(empty) at $.cards") && rows[1].contains(Self.worse))
    #expect(rows[1].contains("+50.0") && rows[1].contains("0.004"))
    #expect(rows[1].contains("25.0") && rows[1].contains("75.0"))
  }

  @Test("a row of the suites shows no verdict beside the p-value of another quantity")
  func verdictsBesideTheirNumbers() throws {
    for (rate, verdict) in [
      (ComparisonVerdict.regressed, ComparisonVerdict.regressed), (.ok, .regressed),
      (.inconclusive, .improved), (.ok, .inconclusive),
    ] {
      let document = Self.document(
        .wrongBranch(path: "$"), .measured, .baseline, verdict, passRate: rate,
        suite: "session-insight")
      let table = ReportTable.suites(document)
      let column = try #require(table.columns.firstIndex { $0.title == "verdict" })
      let rows = table.rows.filter {
        $0.cells[0].value.text(on: .page).hasPrefix("session-insight")
      }
      let shown = rows.map { row -> ComparisonVerdict? in
        if case .verdict(let verdict, _) = row.cells[column].value { verdict } else { nil }
      }
      #expect(shown == (rate == verdict ? [rate] : [rate, verdict]), "\(rate) \(verdict)")
      #expect(rows.map(\.isPart) == (rate == verdict ? [false] : [false, true]))
    }
  }

  @Test(
    "without a regression, no row of the scorecard or the suites table says “worse”",
    arguments: [
      ComparisonVerdict.ok, .improved, .inconclusive, .notComparable,
    ])
  func others(verdict: ComparisonVerdict) throws {
    let document = Self.document(.passRate, .counted, .baseline, verdict)
    #expect(document.headline.state != .regressed)
    let page = HTMLReport.render(document)
    for id in ["scorecard", "suites"] {
      #expect(!(try section(id, of: page).contains(Self.worse)), "\(id)")
    }
  }

  @Test("the dashboard says why the newest run failed, and marks the suite")
  func dashboard() throws {
    let document = Self.document(.missedBranch("unclear", path: "$"), suite: "session-insight")
    let earlier = SyntheticHistory(nights: 6).history
    let history = earlier.adding(HistoryEntry(document, exitStatus: 1))
    let line = history.line(adding: HistoryEntry(document, exitStatus: 1))
    let (read, problems) = RunHistory.read(Array(line.utf8), path: "history.jsonl")
    #expect(problems.isEmpty)
    #expect(read.entries.last?.slices.map(\.verdict) == history.entries.last?.slices.map(\.verdict))

    let page = Dashboard.render(history)
    #expect(page.contains("<code>session-insight</code> is worse than its baseline."))
    let suites = try section("suites", of: page)
    let rows = suites.components(separatedBy: "<tr").filter {
      $0.hasPrefix(" class=\"worse\"") && $0.contains(Self.worse)
    }
    #expect(rows.count == 1)
    #expect(rows.first?.contains("session-insight") == true)

    // If the newest run passed, the dashboard doesn't say that a suite is worse.
    let calm = earlier.adding(
      HistoryEntry(
        Self.document(.passRate, .counted, .baseline, .ok, suite: "session-insight"), exitStatus: 0)
    )
    #expect(!Dashboard.render(calm).contains("worse than its baseline"))
  }

  @Test("the dashboard names a suite that missed its gate")
  func dashboardGate() throws {
    var gates = Self.passing(Self.run.gates)
    gates[0].isPassed = false
    gates[0].neededRate = 1
    let document = ReportDocument(
      run: Self.run.record, attempts: Self.run.attempts, gates: gates)
    let history = SyntheticHistory(nights: 6).history
      .adding(HistoryEntry(document, exitStatus: 1))
    #expect(
      Dashboard.render(history).contains("<code>\(gates[0].suite)</code> missed the gate."))
  }

  @Test("if a lab tried all edits together, a row of the reports shows the verdict on that trial")
  func lab() throws {
    func finding(_ verdict: ComparisonVerdict, _ variant: String) -> LabResult.Finding {
      var effect = Self.effect(.passRate, .counted, .baseline, verdict, suite: "flashcards")
      if verdict == .ok { (effect.changeLow, effect.changeHigh) = (-0.05, 0.05) }
      return LabResult.Finding(
        variant: variant,
        ComparisonRecord(
          baseline: SideRecord(run: 2), candidate: SideRecord(variant: variant, run: 2),
          verdict: verdict,
          effects: [effect], alpha: 0.05))
    }
    let result = LabResult(
      question: .culprit, base: "flashcards:default", together: finding(.regressed, "all"),
      trials: [
        LabResult.Trial(
          title: "one edit", alone: finding(.ok, "only-1"), without: finding(.ok, "without-1")),
        LabResult.Trial(
          title: "another", alone: finding(.ok, "only-2"), without: finding(.ok, "without-2")),
      ], margin: 0.01, alpha: 0.05)
    let document = ReportDocument(
      run: Self.run.record, attempts: Self.run.attempts, lab: result)
    let page = HTMLReport.render(document)
    #expect(document.headline.text.contains("It needs the one edit"))
    #expect(document.lab?.words("only-1") == "only the one edit")
    #expect(document.lab?.words("without-2") == "all edits except the another")
    #expect(document.lab?.words("all") == "all edits together")
    #expect(document.lab?.words("default") == nil)
    let section = try section("lab", of: page)
    let rows = section.split(separator: "<tr")
    let row = try #require(rows.first { $0.contains("all edits together") })
    #expect(row.contains("▼ worse"))
    let line = MarkdownReport.render(document).split(separator: "\n").first {
      $0.hasPrefix("| **all edits together** | – |")
    }
    #expect(line?.contains("▼ worse") == true)
  }

  @Test("if one comparison is about a suite, the suite's verdict is that of the comparison")
  func wholeVerdict() {
    // An unclear change from the pooled history decides nothing.
    let document = Self.document(
      .passRate, .counted, .pooledHistory, .inconclusive, passRate: .ok)
    let comparison = document.comparisons[0].record
    let key = SliceKey(suite: "flashcards", variant: "default", backend: "local")
    #expect(document.sliceFindings[key]?.verdict == comparison.verdict)
    var records = [comparison, comparison]
    records[0].verdict = .ok
    // If the comparison has other suites too, the suite's own effects decide in the same way.
    records[1].verdict = .inconclusive
    records[1].effects.append(
      Self.effect(.passRate, .counted, .baseline, .inconclusive, suite: "menu"))
    for record in records {
      let other = ReportDocument(
        run: Self.run.record, attempts: Self.run.attempts, comparisons: [ReportComparison(record)])
      #expect(other.sliceFindings[key]?.verdict == .ok)
    }
  }

  @Test(
    "a lab's step undoes every edit that alone causes the regression",
    arguments: [
      ([(true, true), (true, true)], "undo or reword both of those edits"),
      ([(true, true), (true, true), (true, true)], "undo or reword all 3 of those edits"),
      ([(true, false), (false, true)], "undo or reword that edit"),
      (
        [(true, true), (false, true)],
        "undo or reword that edit; the other edits together also cause the regression, so run the "
          + "lab again without it"
      ),
      ([(false, false), (false, false)], "undo or reword one of those edits"),
    ] as [([(alone: Bool, without: Bool)], String)])
  func labSteps(rows: [(alone: Bool, without: Bool)], step: String) {
    func finding(_ isWorse: Bool) -> LabResult.Finding {
      var effect = Self.effect(
        .passRate, .counted, .baseline, isWorse ? .regressed : .ok, suite: "flashcards")
      if !isWorse { (effect.changeLow, effect.changeHigh) = (-0.05, 0.05) }
      return LabResult.Finding(
        variant: "v",
        ComparisonRecord(
          baseline: SideRecord(run: 2), candidate: SideRecord(variant: "v", run: 2),
          verdict: effect.verdict, effects: [effect], alpha: 0.05))
    }
    let result = LabResult(
      question: .culprit, base: "flashcards:default", together: finding(true),
      trials: rows.enumerated().map { index, row in
        LabResult.Trial(
          title: "\(index)", alone: finding(row.alone), without: finding(row.without))
      }, margin: 0.01, alpha: 0.05)
    #expect(LabWords.step(of: result) == step)
  }

  @Test("the effect that a lab shows never contradicts the verdict next to it")
  func mostTelling() {
    func finding(_ effects: [EffectRecord], _ verdict: ComparisonVerdict) -> EffectRecord? {
      LabResult.Finding(
        variant: "v",
        ComparisonRecord(
          baseline: SideRecord(run: 1), candidate: SideRecord(run: 1), verdict: verdict,
          effects: effects, alpha: 0.05)
      ).mostTelling
    }
    let better = Self.effect(
      .emptyArray(path: "$.cards"), .measured, .baseline, .improved, suite: "s")
    let worse = Self.effect(
      .shortArray(minimum: 3, path: "$.cards"), .measured, .baseline, .regressed, suite: "s")
    let passRate = Self.effect(.passRate, .counted, .baseline, .regressed, suite: "s")
    #expect(finding([better, passRate, worse], .regressed)?.quantity == worse.quantity)
    #expect(finding([better, passRate], .regressed) == nil)
    #expect(finding([better], .improved)?.quantity == better.quantity)
  }

  @Test(
    "the effect that a lab shows is the one that decides the verdict",
    arguments: [
      (ComparisonVerdict.inconclusive, "pass rate 25.0 % → 75.0 %, p = 0.004"),
      (.ok, "pass rate 25.0 % → 75.0 %, p = 0.004"),
      (.regressed, "P(fewer than 3) at $.cards 25.0 % → 75.0 %, p = 0.004"),
    ])
  func decidingEffect(other: ComparisonVerdict, words: String) {
    let short = Self.effect(
      .shortArray(minimum: 3, path: "$.cards"), .measured, .baseline, other, suite: "s")
    let passRate = Self.effect(.passRate, .counted, .baseline, .regressed, suite: "s")
    let finding = LabResult.Finding(
      variant: "v",
      ComparisonRecord(
        baseline: SideRecord(run: 1), candidate: SideRecord(run: 1), verdict: .regressed,
        effects: [short, passRate], alpha: 0.05))
    #expect(LabWords.mostTelling(finding).replacing("\u{A0}", with: " ") == words)
    let result = LabResult(
      question: .culprit, base: "s:a", together: finding,
      trials: [LabResult.Trial(title: "guide", alone: finding)], margin: 0.01, alpha: 0.05)
    #expect(LabWords.details(of: result)?.contains("p = 0.004") == true)
  }

  @Test(
    "a lab asks for more repeats only if they can give other answers",
    arguments: [
      (EffectNote.Need.repeats(more: 2), "More repeats may settle it."),
      (.timesCases(factor: 3), "More test cases may settle it; more repeats would give the same"),
      (.beyondCases(factor: 4_096), "More test cases may settle it; more repeats would"),
    ])
  func undecidedNeed(need: EffectNote.Need, words: String) {
    var effect = Self.effect(.passRate, .counted, .baseline, .inconclusive, suite: "s")
    effect.change = -0.05
    effect.notes = [.undecided(until: need)]
    let finding = LabResult.Finding(
      variant: "v",
      ComparisonRecord(
        baseline: SideRecord(run: 1), candidate: SideRecord(run: 1), verdict: .inconclusive,
        effects: [effect], alpha: 0.05))
    let result = LabResult(
      question: .survivors, base: "s:a", trials: [LabResult.Trial(title: "guide", alone: finding)],
      margin: 0.01, alpha: 0.05)
    #expect(LabWords.conclusion(of: result).contains(words))
  }
}
