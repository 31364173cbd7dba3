import EvalRecords
import EvalStatistics
import StructuredText
import Testing

@testable import EvalFindings
@testable import EvalReports

@Suite("The next step after a run")
struct RunStepTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var verdict: ComparisonVerdict
    /// The number of texts that differ: 1 for the instructions, 2 for the instructions and the
    /// prompt.
    var editCount: Int
    /// Whether both sides are variants of the same run.
    var isOneRun = true
    var words: String
    var command: String?

    var testDescription: String { "\(verdict), \(editCount) edits: \(words)" }
  }

  static let rows = [
    Row(
      verdict: .regressed, editCount: 1,
      words: "undo or reword the edit of `instructions`, which changed “You turn a passage "
        + "into study cards” to “Answer twice”"),
    Row(
      verdict: .regressed, editCount: 2, words: "find which of the 2 edits causes it",
      command: "assay lab flashcards:before flashcards:after --suites "),
    Row(
      verdict: .regressed, editCount: 2, isOneRun: false,
      words: "undo the edits one at a time, and run again: `instructions`, `prompt`"),
    Row(
      verdict: .regressed, editCount: 0, words: "no guide changed, so look at an answer",
      command: "assay show flashcards/"),
    Row(verdict: .improved, editCount: 1, words: "keep the edit of `instructions`"),
    Row(
      verdict: .improved, editCount: 1, isOneRun: false,
      words: "if this is what you want, accept this run as the new baseline",
      command: "assay baseline accept 214 --reports r"),
    Row(
      verdict: .inconclusive, editCount: 1,
      words: "find out how many repeats or test cases would settle it", command: "assay power "),
    Row(
      verdict: .ok, editCount: 1, words: "keep either variant, because nothing clearly changed"),
    Row(
      verdict: .ok, editCount: 0, isOneRun: false,
      words: "nothing is urgent, because no suite got worse"),
  ]

  private func document(_ row: Row) -> ReportDocument {
    var synthetic = SyntheticRun(casesPerSuite: 4, repeats: 3)
    synthetic.variants = ["before", "after"]
    var run = synthetic.record
    run.suites.removeLast(4)
    var variants = run.suites[0].variants
    if row.editCount > 0 { variants[1].instructions = "Answer twice." }
    if row.editCount > 1 { variants[1].promptTemplate += " Now." }
    run.suites[0].variants = variants
    func estimate(_ hits: Int) -> EstimateRecord {
      EstimateRecord(value: Double(hits) / 60, hits: hits, count: 60, low: 0, high: 1)
    }
    func slice(_ variant: String) -> SliceKey {
      SliceKey(suite: "flashcards", variant: variant, backend: "local")
    }
    let effect = EffectRecord(
      place: ComparedPlace(
        baseline: slice("before"), candidate: slice("after"), hasVariants: true),
      quantity: .passRate, baseline: estimate(50), candidate: estimate(20), change: -0.5,
      changeLow: -0.6, changeHigh: -0.4, pValue: 0.001, adjustedP: 0.001,
      method: EffectMethod(interval: .newcombe), verdict: row.verdict)
    let record = ComparisonRecord(
      baseline: SideRecord(suite: "flashcards", variant: "before", run: row.isOneRun ? run.id : 1),
      candidate: SideRecord(suite: "flashcards", variant: "after", run: run.id),
      verdict: row.verdict, effects: [effect], alpha: 0.05)
    let attempts = synthetic.attempts.filter { $0.key.suite == "flashcards" }
    var document = ReportDocument(
      run: run, attempts: attempts,
      comparisons: [
        ReportComparison(record, baselineVariant: variants[0], candidateVariant: variants[1])
      ])
    document.placeOptions = ["--reports", "r"]
    return document
  }

  @Test(
    "the next step fits the verdict and the number of edits, and the reports show that step",
    arguments: rows)
  func checkStep(_ row: Row) {
    let document = document(row)
    let step = document.runStep
    #expect(step?.words ?? "" == row.words)
    #expect((step?.command == nil) == (row.command == nil))
    if let command = row.command {
      #expect(step?.command?.hasPrefix(command) == true, "\(step?.command ?? "none")")
    }
    guard let step else { return }
    #expect(TerminalReport.render(document, color: false).contains("do next: \(step.words)"))
    let beginning = step.words.prefix { $0 != "`" }
    #expect(MarkdownReport.render(document).contains("Do next: "))
    let page = HTMLReport.render(document)
    #expect(page.contains("Do next: </b>\(beginning)"))
  }

  @Test(
    "advised commands repeat the options of the run, and no lab is advised on the stub",
    arguments: [
      (
        ComparisonVerdict.regressed, [:],
        "assay lab flashcards:before flashcards:after --suites evals/flashcards/suite.yaml "
          + "--reports r"
      ),
      (
        .regressed,
        ["model": ["my model.gguf"], "repeats": ["3"], "tag": ["x", "y"], "allow-commands": [""]],
        "assay lab flashcards:before flashcards:after --suites evals/flashcards/suite.yaml "
          + "--model 'my model.gguf' --allow-commands --repeats 3 --tag x --tag y --reports r"
      ),
      (
        .inconclusive, ["backend": ["ollama:llama3.2"], "model": ["m.gguf"], "repeats": ["3"]],
        "assay power evals/flashcards/suite.yaml --backend ollama:llama3.2 --repeats 3 --reports r"
      ),
      (.regressed, ["backend": ["stub"]], nil),
    ] as [(ComparisonVerdict, [String: [String]], String?)])
  func checkOptions(
    verdict: ComparisonVerdict, options: [String: [String]], command: String?
  ) {
    let row = Row(verdict: verdict, editCount: 2, words: "")
    let original = document(row)
    var run = original.run
    run.details.options = options.isEmpty ? nil : options
    if options == ["backend": ["stub"]] { run.backends = [.stub(id: "local")] }
    run.details.sources = [
      "flashcards": SuiteSource(file: "evals/flashcards/suite.yaml", lines: [:])
    ]
    var document = ReportDocument(
      run: run, attempts: original.summary.attempts, comparisons: original.comparisons)
    document.placeOptions = ["--reports", "r"]
    #expect(document.runStep?.command == command)
  }

  @Test("if a first run passed, the next step is to accept it as the baseline")
  func firstRun() throws {
    var run = SyntheticRun(casesPerSuite: 3, repeats: 2, keepsTraces: false)
    (run.label, run.emptyShare, run.confusedShare) = ("first", 0, 0)
    let gates = run.gates.map { gate in
      var gate = gate
      gate.isPassed = true
      return gate
    }
    func document(_ references: ReportReferences?) -> ReportDocument {
      ReportDocument(
        run: run.record, attempts: run.attempts, gates: gates, references: references)
    }
    let first = document(ReportReferences(isMissingEverywhere: true))
    #expect(first.runStep == .acceptFirst(command: "assay baseline accept 214"))
    #expect(HTMLReport.render(first).contains("Do next: </b>if these answers are good enough"))
    #expect(document(ReportReferences(missing: ["menu"])).runStep == nil)
    #expect(document(nil).runStep == nil)
  }

  @Test("placeholder inputs must be replaced before a run can become the baseline")
  func placeholders() throws {
    var synthetic = SyntheticRun(casesPerSuite: 3, repeats: 2, keepsTraces: false)
    (synthetic.label, synthetic.emptyShare, synthetic.confusedShare) = ("first", 0, 0)
    var run = synthetic.record
    run.suites[0].cases[1].variables = ["input": "Write an input here for which x is y."]
    let gates = synthetic.gates.map { gate in
      var gate = gate
      gate.isPassed = true
      return gate
    }
    let document = ReportDocument(
      run: run, attempts: synthetic.attempts, gates: gates,
      references: ReportReferences(isMissingEverywhere: true))
    let name = "\(run.suites[0].id)/\(run.suites[0].cases[1].id)"
    for text in [TerminalReport.render(document, color: false), MarkdownReport.render(document)] {
      #expect(!text.contains("baseline accept"))
    }
    #expect(document.runStep == .runModel(placeholders: [name]))
  }

  @Test(
    "if a first run passed despite failures, accepting it is only the second suggestion")
  func firstRunWithFailures() throws {
    var run = SyntheticRun(casesPerSuite: 9, repeats: 10, keepsTraces: false)
    run.emptyShare = 0.2
    let gates = run.gates.map { gate in
      var gate = gate
      (gate.isPassed, gate.neededRate) = (true, 0)
      return gate
    }
    let document = ReportDocument(
      run: run.record, attempts: run.attempts, gates: gates,
      references: ReportReferences(isMissingEverywhere: true))
    #expect(document.headline.state == .notJudged && document.runStep == nil)
    #expect(document.alternativeStep == .acceptFirst(command: "assay baseline accept 214"))
    let page = ParsedHTML(HTMLReport.render(document)).text
    #expect(page.split(separator: "Do next: ").count == 2 && page.contains("Then: "))
    #expect(page.contains("Or: if these answers are good enough"))
    #expect(MarkdownReport.render(document).contains("\nOr: if these answers are good enough"))
    let lines = TerminalReport.render(document, color: false)
    #expect(lines.contains("do next: ") && lines.contains("\nor: if these answers are good enough"))
  }

  @Test(
    "if a run can't be compared with its baseline, the next step is another run or another baseline"
  )
  func notComparable() throws {
    let run = SyntheticRun(casesPerSuite: 3, repeats: 2, keepsTraces: false)
    var record = ComparisonRecord(
      baseline: SideRecord(suite: "menu", run: 1), candidate: SideRecord(suite: "menu", run: 214),
      verdict: .notComparable, effects: [], alpha: 0.05)
    func check(
      _ fact: ComparisonDifference.Fact, _ hasOtherRequests: Bool, _ words: String
    ) throws {
      record.differences = [.init(fact: fact)]
      let document = ReportDocument(
        run: run.record, attempts: run.attempts, comparisons: [ReportComparison(record)])
      #expect(document.headline.state == .notComparable)
      let step = try #require(document.runStep)
      #expect(
        step
          == .replaceBaseline(
            hasOtherRequests: hasOtherRequests, command: "assay baseline accept 214"))
      #expect(step.words.hasPrefix(words), "\(step.words)")
    }
    try check(.interrupted(side: .baseline), false, "undo what differs from the baseline or")
    try check(.cases(change: .input, ids: ["a"]), false, "undo what differs from the baseline or")
    try check(
      .setting(name: .option(.temperature), before: .number(0), after: .number(1)), true,
      "run again with the baseline’s model and options or")
  }

  @Test(
    "the next step after a lab depends on the lab's question and on the verdict",
    arguments: [
      (.survivors, .ok, "add a test case or an assertion that notices it"),
      (.survivors, .regressed, nil),
      (.culprit, .ok, "keep either wording, because this suite notices no difference"),
      (.culprit, .inconclusive, "find out how many repeats or test cases would settle it"),
    ] as [(LabResult.Question, ComparisonVerdict, String?)])
  func lab(question: LabResult.Question, verdict: ComparisonVerdict, words: String?) {
    let run = SyntheticRun(casesPerSuite: 3, repeats: 2, keepsTraces: false)
    let finding = LabResult.Finding(
      variant: "v",
      ComparisonRecord(
        baseline: SideRecord(run: 1), candidate: SideRecord(variant: "v", run: 1),
        verdict: verdict, effects: [], alpha: 0.05))
    let result = LabResult(
      question: question, base: "menu:default", together: question == .culprit ? finding : nil,
      trials: [LabResult.Trial(title: "without the guide", alone: finding, without: finding)],
      margin: 0.01, alpha: 0.05)
    let document = ReportDocument(run: run.record, attempts: run.attempts, lab: result)
    #expect(document.runStep?.words.hasPrefix(words ?? "") ?? false == (words != nil))
    if let words { #expect(HTMLReport.render(document).contains("Do next: </b>\(words)")) }
    #expect(!document.headline.detailText.contains("Do next"))
  }

  @Test("after a regression, the cause that grew most in the regressed suite comes first")
  func order() throws {
    let document = SyntheticRun.comparison
    let causes = document.shownCauses(4).causes
    #expect(causes.first?.kind == .emptyArray)
    let row = Self.rows[3]
    let other = self.document(row)
    let first = try #require(other.shownCauses(4).causes.first)
    let all = other.summary.tree.causes
    #expect(all.contains { $0.identity == first.identity })
    #expect(other.shownCauses(1).causes.count + other.shownCauses(1).rest.count == all.count)
  }

  @Test("a place that contains a backtick is still quoted as one name")
  func backtick() {
    let step = RunStep.reviseEdit(place: "a`b\nc", change: "added “`\n”")
    #expect(step.words.count { $0 == "`" } == 2)
    #expect(!step.words.contains("\n"))
  }
}
