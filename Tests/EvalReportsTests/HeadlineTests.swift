import EvalRecords
import EvalStatistics
import StructuredText
import Testing

@testable import EvalFindings
@testable import EvalReports

@Suite("Headline")
struct HeadlineTests {
  private static func effect(
    _ quantity: Quantity, _ evidence: Evidence = .counted,
    reference: ComparisonReference = .baseline, hits: (Int, Int)? = (60, 40), of count: Int = 60,
    verdict: ComparisonVerdict = .regressed, suite: String = "flashcards",
    backend: String = "local"
  ) -> EffectRecord {
    func estimate(_ hits: Int?, _ value: Double) -> EstimateRecord {
      EstimateRecord(
        value: hits.map { Double($0) / Double(count) } ?? value, hits: hits, count: count, low: 0,
        high: 1)
    }
    return EffectRecord(
      place: ComparedPlace(
        SliceKey(suite: suite, variant: "default", backend: backend)),
      quantity: quantity, evidence: evidence, reference: reference,
      baseline: estimate(evidence == .measured ? nil : hits?.0, 0.004),
      candidate: estimate(evidence == .measured ? nil : hits?.1, 0.187), change: -0.333,
      changeLow: -0.459, changeHigh: -0.211, pValue: 0.0001, adjustedP: 0.0002,
      method: EffectMethod(interval: .newcombe), verdict: verdict)
  }

  private static let empty = Quantity.emptyArray(path: "$.cards")
  private static let short = Quantity.shortArray(minimum: 3, path: "$.cards")

  private func part(_ effects: [EffectRecord]) -> (lead: String, rest: String) {
    let part = HeadlinePart.effects(of: [
      ComparisonRecord(
        baseline: SideRecord(variant: "a", run: 1), candidate: SideRecord(variant: "b", run: 1),
        verdict: .regressed, effects: effects, alpha: 0.05)
    ])
    return (plain(part.lead), plain(part.rest))
  }

  private func plain(_ sentence: Sentence) -> String {
    sentence.phrases.map { phrase in
      switch phrase {
      case .text(let text), .code(let text), .finding(let text, _, _): text
      }
    }.joined().replacing("\u{A0}", with: " ")
  }

  @Test("of two comparisons of one quantity, the one with more attempts is in the headline")
  func evidence() {
    for (effects, words) in [
      (
        [
          Self.effect(.passRate, reference: .pooledHistory, hits: (8, 0), of: 8),
          Self.effect(.passRate),
        ], "40 of 60 attempts pass (baseline 60 of 60)."
      ),
      (
        [
          Self.effect(.passRate, hits: (8, 0), of: 8),
          Self.effect(.passRate, reference: .pooledHistory),
        ],
        "40 of 60 attempts pass (baseline and earlier runs 60 of 60)."
      ),
    ] {
      for order in [effects, effects.reversed()] {
        #expect(part(order).lead == "In flashcards, " + words)
      }
    }
  }

  @Test("a defect of Assay is the first thing that a report says, whatever the gates say")
  func defects() {
    let run = SyntheticRun(casesPerSuite: 2, repeats: 1)
    var attempts = run.attempts
    attempts[0].outcome = .error
    attempts[0].failure = AttemptFailure(kind: .defect, message: "$: nothing can follow")
    let document = ReportDocument(run: run.record, attempts: attempts, gates: run.gates)
    #expect(Conclusion(run.record, attempts, gates: run.gates, verdicts: []) == .defect)
    #expect(
      document.headline.sentence.replacing("\u{A0}", with: " ").hasPrefix(
        "Assay itself failed in 1 attempt, so the run judges nothing; this is a defect of Assay, "
          + "please report it."))
    #expect(attempts[0].isBackendError, "the attempt says nothing about the model")
  }

  @Test("an inconclusive run says so first, whatever the comparison said of what is acknowledged")
  func inconclusive() {
    let run = SyntheticRun(casesPerSuite: 2, repeats: 1)
    for verdict in ComparisonVerdict.allCases {
      let record = ComparisonRecord(
        baseline: SideRecord(variant: "a", run: 1), candidate: SideRecord(variant: "b", run: 1),
        verdict: verdict, effects: [], alpha: 0.05)
      let document = ReportDocument(
        run: run.record, attempts: run.attempts, gates: run.gates,
        comparisons: [ReportComparison(record)], conclusion: .inconclusive)
      #expect(document.headline.state == .inconclusive, "\(verdict)")
    }
  }

  @Test(
    "each kind of effect has a sentence that says what changed, how often and where",
    arguments: [
      (
        effect(.passRate), "In flashcards, 40 of 60 attempts pass (baseline 60 of 60)."
      ),
      (
        effect(.passRate, reference: .pooledHistory),
        "In flashcards, 40 of 60 attempts pass (baseline and earlier runs 60 of 60)."
      ),
      (
        effect(empty, hits: (0, 4)),
        "In flashcards, arrays were empty in 4 of 60 attempts (6.7 %; baseline 0 of 60)."
      ),
      (
        effect(empty, hits: (0, 1)),
        "In flashcards, arrays were empty in 1 of 60 attempts (1.7 %; baseline 0 of 60)."
      ),
      (
        effect(.missingArray(path: "$.cards"), hits: (0, 12)),
        "In flashcards, $.cards was missing in 12 of 60 attempts (20.0 %; baseline 0 of 60)."
      ),
      (
        effect(.wrongBranch(path: "$"), hits: (2, 11)),
        "In flashcards, the wrong branch was taken 11 of 60 times (baseline 2 of 60)."
      ),
      (
        effect(.missedBranch("unclear", path: "$"), hits: (1, 12)),
        "In flashcards, unclear was missed 12 of 60 times (baseline 1 of 60)."
      ),
      (
        effect(.failedAssertion(name: "short answers", path: "$"), hits: (0, 20)),
        "In flashcards, “short answers” failed 20 of 60 times (baseline 0 of 60)."
      ),
      (
        effect(empty, .measured),
        "In flashcards, the chance of an empty array at $.cards rose from 0.4 % to 18.7 % "
          + "(P(empty) at $.cards, mean of 60 test cases)."
      ),
    ])
  func kinds(effect: EffectRecord, expected: String) { #expect(part([effect]).lead == expected) }

  @Test("after its first sentence, the headline gives the effect's numbers and the other effects")
  func details() {
    let quiet = Self.effect(.wrongBranch(path: "$"), verdict: .ok)
    #expect(
      part([Self.effect(.passRate), quiet]).rest
        == "A drop of 33.3 points (95 % CI 21.1–45.9, p < 0.001). No other quantity clearly "
        + "changed.")
    let second = Self.effect(Self.short, .measured)
    #expect(
      part([second, Self.effect(.passRate)]).rest
        == "A drop of 33.3 points (95 % CI 21.1–45.9, p < 0.001). P(fewer than 3) at $.cards rose "
        + "from 0.4 % to 18.7 % (−33.3 points, p < 0.001).")
    #expect(part([quiet]).lead == "Nothing clearly changed." && part([quiet]).rest == "")
    let unknown = Self.effect(.passRate, verdict: .inconclusive)
    #expect(part([unknown, quiet]).lead == "1 quantity has too little data to judge.")
  }

  @Test("counted effects come first, beginning with empty arrays; measured effects follow")
  func order() {
    let measured = Self.effect(Self.empty, .measured)
    let rate = Self.effect(.passRate)
    let empty = Self.effect(Self.empty, hits: (0, 4))
    #expect(part([measured, rate]).lead.hasPrefix("In flashcards, 40 of 60 attempts pass"))
    #expect(part([measured, rate]).rest.contains(" P(empty) at $.cards rose from "))
    #expect(part([measured, rate, empty]).lead.hasPrefix("In flashcards, arrays were empty"))
    #expect(part([measured]).lead.contains("the chance of an empty array at $.cards rose from "))
  }

  @Test("only an improvement is marked as good")
  func marks() {
    let effects = [
      Self.effect(.passRate), Self.effect(Self.empty, .measured, verdict: .improved),
    ]
    let part = HeadlinePart.effects(of: [
      ComparisonRecord(
        baseline: SideRecord(variant: "a", run: 1), candidate: SideRecord(variant: "b", run: 1),
        verdict: .regressed, effects: effects, alpha: 0.05)
    ])
    let marks = (part.lead.phrases + part.rest.phrases).compactMap { phrase -> Bool? in
      if case .finding(_, _, let isGood) = phrase { isGood } else { nil }
    }
    #expect(marks == [false, true])
  }

  @Test("if one suite of several has test cases that newly fail, the sentence names it once")
  func flippedSuite() {
    func place(_ suite: String) -> ComparedPlace {
      ComparedPlace(SliceKey(suite: suite, variant: "default", backend: "local"))
    }
    func record(_ suite: String, _ failing: [String]) -> ComparisonRecord {
      var effect = Self.effect(.passRate, verdict: .ok)
      effect.place = place(suite)
      return ComparisonRecord(
        baseline: SideRecord(run: 1), candidate: SideRecord(run: 2), verdict: .ok,
        effects: [effect], alpha: 0.05,
        flips: failing.isEmpty
          ? []
          : [
            FlippedCases(
              place: place(suite), newlyFailing: failing, newlyPassing: [], count: 9)
          ])
    }
    func text(_ records: [ComparisonRecord]) -> String {
      plain(HeadlinePart.flips(of: records))
    }
    #expect(
      text([record("quiz", ["a"])]) == "1 of 9 test cases newly fails since the baseline (a).")
    #expect(
      text([record("quiz", ["a"]), record("menu", [])])
        == "1 of 9 test cases of quiz newly fails since the baseline (a).")
    #expect(
      text([record("quiz", ["a"]), record("menu", ["b"])])
        == "2 of 18 test cases of 2 suites newly fail since the baseline (quiz a, menu b).")
  }

  @Test("if the interval of an inconclusive effect excludes zero, the effect's note says so")
  func excludedZero() {
    var effect = Self.effect(.passRate, verdict: .inconclusive)
    #expect(effect.note.contains("the interval excludes zero"))
    effect.changeHigh = 0.1
    #expect(!effect.note.contains("excludes zero"))
    #expect(!Self.effect(.passRate).note.contains("excludes zero"))
  }

  @Test(
    "the limit of a worsening is that of the pass rate, and of a quantity that may be worse",
    arguments: [
      (0.32, "the pass rate fell by at most 11.9 points, and empty $.cards rose by at most 32.0"),
      (0.05, "the pass rate fell by at most 11.9"),
    ] as [(Double, String)])
  func checkExcluded(worsening: Double, words: String) {
    var rate = Self.effect(.passRate, hits: (60, 60), verdict: .ok)
    rate.notes = [.excluded(worsening: 0.119)]
    var empty = Self.effect(Self.empty, hits: (0, 9), verdict: .ok)
    empty.notes = [.excluded(worsening: worsening)]
    #expect(part([rate, empty]).lead.contains(" confidence, \(words) points."))
  }

  @Test("the headline names the backend if there are several, and counts the suites that it omits")
  func places() {
    let three = ["a", "b", "c"].map { Self.effect(.passRate, suite: $0) }
    #expect(
      part(three).lead
        == "In a, 40 of 60 attempts pass (baseline 60 of 60), and 2 more suites got worse.")
    #expect(part(three).rest.contains(" In b, pass rate fell from 100.0 % to 66.7 %"))
    let two = ["local", "stub"].map { Self.effect(.passRate, suite: "a", backend: $0) }
    #expect(part(two).lead.hasPrefix("In a on local, 40 of 60 attempts pass"))
  }

  @Test(
    "what decides the headline's state comes first: a regression, or else a broken comparison",
    arguments: [
      ([.regressed, .notComparable], "In s0, 40 of 60 attempts pass"),
      ([.notComparable, .regressed], "In s1, 40 of 60 attempts pass"),
      ([.notComparable, .ok], "s0 in run 1 "), ([.notComparable, .broken, .ok], "s1 in run 1 "),
    ] as [([ComparisonVerdict], String)])
  func checkFirst(verdicts: [ComparisonVerdict], words: String) {
    let run = SyntheticRun(casesPerSuite: 3, repeats: 2, keepsTraces: false)
    let comparisons = verdicts.enumerated().map { number, verdict in
      var record = ComparisonRecord(
        baseline: SideRecord(suite: "s\(number)", run: 1),
        candidate: SideRecord(suite: "s\(number)", run: 214), verdict: verdict, effects: [],
        alpha: 0.05)
      if verdict == .regressed { record.effects = [Self.effect(.passRate, suite: "s\(number)")] }
      if verdict == .notComparable || verdict == .broken {
        record.differences = [.init(fact: .interrupted(side: .baseline))]
      }
      return ReportComparison(record)
    }
    let headline = ReportDocument(
      run: run.record, attempts: run.attempts, comparisons: comparisons
    ).headline
    #expect(headline.sentence.hasPrefix(words), "\(headline.text)")
    #expect(headline.sentence.contains("interrupted"), "\(headline.text)")
  }

  @Test("the headline of a missed gate states the rate, the requirement and the main failure")
  func missedGate() throws {
    // Each suite has 90 attempts: ten repeats of nine test cases.
    var run = SyntheticRun(casesPerSuite: 9, repeats: 10, keepsTraces: false)
    run.emptyShare = 0.2
    let headline = run.document.headline
    let cards = run.attempts.filter { $0.key.suite == "flashcards" }
    let passed = cards.count { $0.outcome == .pass }
    let empty = cards.count { $0.output == "{\"cards\":[]}" }
    let sentence = headline.sentence.replacing("\u{A0}", with: " ")
    let share = NumberText.fixed(Double(passed) / 0.9, 1)
    #expect(headline.state == .gateMissed)
    #expect(
      sentence.hasPrefix(
        "flashcards: \(passed) of 90 attempts passed (\(share) %, 95 % interval "), "\(sentence)")
    #expect(
      sentence.contains(
        "); the gate requires 90 %; $.cards was empty in \(empty) of 90 attempts"), "\(sentence)")
    #expect(sentence.hasSuffix("."))
    #expect(headline.text == "✗ Gate missed. \(headline.sentence)")
    // Only the cause of the failures has a step, which is the step of the facts and of the history.
    let step = try #require(run.document.firstStep)
    #expect(run.document.runStep == nil)
    #expect(run.document.facts(tables: [])["step"]?["words"]?.string == step.words)
  }

  @Test("if all gates are reached, the headline says how many require no pass rate")
  func reachedGates() {
    // Each of the five suites has 90 attempts: ten repeats of nine test cases.
    var run = SyntheticRun(casesPerSuite: 9, repeats: 10, keepsTraces: false)
    run.emptyShare = 0.01
    let passed = run.gates.reduce(0) { $0 + $1.passed }
    for (lenient, words) in [
      (0, "✓ Passed. All 5 gates passed: "),
      (5, "• Not judged. None of the 5 gates requires a pass rate: "),
    ] {
      let gates = run.gates.enumerated().map { number, gate in
        var gate = gate
        gate.isPassed = true
        if number < lenient { gate.neededRate = 0 }
        return gate
      }
      let headline = ReportDocument(run: run.record, attempts: run.attempts, gates: gates).headline
      let rate = NumberText.rate(passed, of: 450).replacing("\u{A0}", with: " ")
      let text = headline.text.replacing("\u{A0}", with: " ")
      #expect(text.hasPrefix("\(words)\(passed) of 450 attempts (\(rate), 95 % interval "))
      #expect(text.contains(") succeeded."))
    }
    for (lenient, words, others) in [
      (
        1, "✓ Passed. The 4 gates that require a pass rate passed: ",
        " The other gate requires none: "
      ),
      (4, "• Not judged. 4 of 5 gates require no pass rate: ", " The other gate passed: "),
    ] {
      let gates = run.gates.enumerated().map { number, gate in
        var gate = gate
        gate.isPassed = true
        if number < lenient { gate.neededRate = 0 }
        return gate
      }
      let document = ReportDocument(run: run.record, attempts: run.attempts, gates: gates)
      let text = document.headline.text.replacing("\u{A0}", with: " ")
      let open = gates.prefix(lenient).reduce(0) { $0 + $1.passed }
      let parts = [
        "\(passed - open) of \(90 * (5 - lenient)) attempts (",
        "\(open) of \(90 * lenient) attempts (",
      ]
      let isPassed = lenient == 1
      #expect(text.hasPrefix(words + parts[isPassed ? 0 : 1]), "\(text)")
      #expect(text.contains(others + parts[isPassed ? 1 : 0]), "\(text)")
    }
  }

  @Test("the headline counts the attempts of the first variants, and then those of all variants")
  func severalVariants() {
    var run = SyntheticRun(casesPerSuite: 3, repeats: 2, keepsTraces: false)
    run.variants = ["before", "after"]
    let gates = run.gates.map { gate in
      var gate = gate
      gate.isPassed = true
      return gate
    }
    let attempts = run.attempts
    let text = ReportDocument(run: run.record, attempts: attempts, gates: gates).headline.sentence
    let all = attempts.count { $0.outcome == .pass }
    let first = gates.reduce(0) { $0 + $1.passed }
    let judged = gates.reduce(0) { $0 + $1.attempts }
    #expect(judged < attempts.count)
    let rate = NumberText.rate(all, of: attempts.count)
    #expect(text.contains("\(first) of \(judged) attempts of the first variants ("), "\(text)")
    let whole = "With all variants, \(all) of \(attempts.count) attempts (\(rate)) succeeded."
    #expect(text.contains(whole), "\(text)")
    // The rate of all variants is given once, even if there are two kinds of gates.
    var mixed = gates
    mixed[0].neededRate = 0
    let other = ReportDocument(run: run.record, attempts: attempts, gates: mixed).headline.sentence
    #expect(other.split(separator: "With all variants").count == 2, "\(other)")
  }

  @Test("the headline gives the cause of a missed gate unless the gate's suite also regressed")
  func causeOfOtherSuite() {
    var run = SyntheticRun(casesPerSuite: 9, repeats: 10, keepsTraces: false)
    run.emptyShare = 0.2
    for (suite, isNamed) in [("flashcards", false), ("menu", true)] {
      let record = ComparisonRecord(
        baseline: SideRecord(suite: suite, run: 1), candidate: SideRecord(suite: suite, run: 214),
        verdict: .regressed, effects: [Self.effect(.passRate, suite: suite)], alpha: 0.05)
      let headline = ReportDocument(
        run: run.record, attempts: run.attempts, gates: run.gates,
        comparisons: [ReportComparison(record)]
      ).headline
      #expect(headline.state == .regressed)
      #expect(headline.detailText.contains("flashcards: "), "\(headline.detailText)")
      #expect(headline.detailText.contains("$.cards was empty in") == isNamed, "\(suite)")
    }
  }

  @Test(
    "a missed gate is called broken if the backend failed in more than 1 % of the attempts",
    arguments: [(0, false), (2, false), (3, true), (20, true)])
  func broken(errors: Int, isBroken: Bool) {
    let run = SyntheticRun(casesPerSuite: 20, repeats: 2, keepsTraces: false)
    var attempts = run.attempts
    #expect(attempts.count == 200)
    for index in attempts.indices {
      attempts[index].outcome = index < errors ? .error : .fail
      attempts[index].failure =
        index < errors ? AttemptFailure(kind: .timeout, message: "30 s") : nil
    }
    var gates = run.gates
    gates[0].isPassed = false
    let document = ReportDocument(run: run.record, attempts: attempts, gates: gates)
    #expect(document.headline.state == (isBroken ? .broken : .gateMissed))
    let words = "The backend failed in \(errors) of 200 attempts (\(errors) × timed out). Above"
    #expect(document.headline.sentence.hasPrefix(words) == isBroken)
  }

  @Test("if only one suite has a baseline, the pooled pass rate leaves out the other suites")
  func pooledSuites() throws {
    let run = SyntheticRun(casesPerSuite: 4, repeats: 2, keepsTraces: false)
    let suite = try #require(run.record.suites.first?.id)
    func row(_ suites: Set<String>) throws -> RateRow {
      let baseline = run.attempts.filter { suites.contains($0.key.suite) }
      let document = ReportDocument(
        run: run.record, attempts: run.attempts, gates: run.gates,
        baseline: (run.record, baseline))
      return try #require(document.rates.first { !$0.slices.isEmpty })
    }
    let one = try row([suite])
    #expect(one.scope == "1 of 5 on local")
    #expect(one.slices.map(\.suite) == [suite])
    #expect([one.now.count, one.before?.count] == [8, 8])
    let none = try row([])
    #expect(none.scope == "all on local")
    #expect([none.now.count, none.before?.count] == [40, nil])
    let all = try row(Set(run.record.suites.map(\.id)))
    #expect([all.now.count, all.before?.count] == [40, 40])
  }

  @Test("the headline of a run that stopped says why, if it is known")
  func interruption() {
    let whole = SyntheticRun(casesPerSuite: 3, repeats: 2, keepsTraces: false)
    for (ending, finishedAt, words) in [
      (
        "the budget of 4 calls is used up", "2026-11-20T02:11:00Z",
        ", because the budget of 4 calls"
      ),
      (nil, nil, ", because its process ended"),
      // The budget stopped the run, the run was resumed, and then its process ended.
      ("the budget of 4 calls is used up", nil, ", because its process ended"),
      (nil, "2026-11-20T02:11:00Z", "attempts. Its"),
    ] as [(String?, String?, String)] {
      var record = whole.record
      record.status = .interrupted
      (record.details.ending, record.finishedAt) = (ending, finishedAt)
      let document = ReportDocument(run: record, attempts: Array(whole.attempts.prefix(4)))
      #expect(document.headline.sentence.contains(words), "\(document.headline.sentence)")
    }
  }

  @Test("with several backends, the headline gives a rate for each backend, not one rate for all")
  func severalBackends() {
    let run = SyntheticRun(casesPerSuite: 9, repeats: 10, keepsTraces: false)
    var gates = run.gates.map { gate in
      var gate = gate
      gate.isPassed = true
      return gate
    }
    (gates[0].backend, gates[0].passed, gates[0].attempts) = ("stub", 90, 90)
    let passed = gates.dropFirst().reduce(0) { $0 + $1.passed }
    var record = run.record
    record.backends.append(.stub(id: "stub"))
    let attempts = run.attempts.map { attempt in
      var attempt = attempt
      if attempt.key.suite == gates[0].suite {
        (attempt.key.backend, attempt.outcome) = ("stub", .pass)
      }
      return attempt
    }
    let headline = ReportDocument(run: record, attempts: attempts, gates: gates).headline
    let text = headline.text.replacing("\u{A0}", with: " ")
    #expect(text.contains("90 of 90 attempts on stub and \(passed) of 360 on local succeeded."))
    #expect(headline.detailText.isEmpty)
  }

  @Test("the headline of a run that stopped, or made no attempt, says how to continue")
  func continuation() {
    let whole = SyntheticRun(casesPerSuite: 3, repeats: 2, keepsTraces: false)
    var record = whole.record
    record.status = .interrupted
    var interrupted = ReportDocument(run: record, attempts: Array(whole.attempts.prefix(4)))
    interrupted.placeOptions = ["--reports", "r"]
    #expect(interrupted.headline.state == .interrupted)
    let resume = "assay run --resume \(record.id) --reports r"
    #expect(interrupted.runStep == .resume(command: resume))
    #expect(
      ReportDocument(run: record, attempts: []).runStep?.command?.hasPrefix("assay run ") == true)
    let empty = ReportDocument(run: whole.record, attempts: [])
    #expect(empty.headline.state == .empty)
    #expect(empty.runStep == .checkSelection)
    for (document, words) in [(interrupted, resume), (empty, "check the selected suites")] {
      let page = ParsedHTML(HTMLReport.render(document)).text
      #expect(page.contains("Do next: ") && page.contains(words))
      #expect(MarkdownReport.render(document).contains("Do next: "))
      #expect(TerminalReport.render(document, color: false).contains("do next: "))
    }
  }

  @Test("if a run was interrupted, a gate without attempts counts as open, not as missed")
  func openGates() {
    let whole = SyntheticRun(casesPerSuite: 3, repeats: 2, keepsTraces: false)
    var record = whole.record
    record.status = .interrupted
    let gates = whole.gates.enumerated().map { number, gate in
      var gate = gate
      (gate.passed, gate.attempts) = number == 0 ? (0, 0) : (6, 6)
      gate.isPassed = number > 0
      return gate
    }
    let attempts = whole.attempts.filter { $0.key.suite != gates[0].suite }
    let document = ReportDocument(run: record, attempts: attempts, gates: gates)
    let details = document.headline.detailText.replacing("\u{A0}", with: " ")
    #expect(details.hasSuffix("1 of 5 gates has no attempts yet."), "\(details)")
    #expect(!details.contains("0 of 0"))
    let page = HTMLReport.render(document)
    #expect(page.contains("1 of 5 without attempts"))
    #expect(!page.contains("✗ needs") && !page.contains("gate missed"))
    #expect(!MarkdownReport.render(document).contains("✗ needs"))
    #expect(!TerminalReport.render(document, color: false).contains("✗ needs"))
  }

  @Test("if a quantity other than the pass rate got worse, the headline also gives the pass rate")
  func risingPassRate() {
    let branch = Self.effect(.wrongBranch(path: "$"), .measured)
    let rate = Self.effect(.passRate, hits: (40, 50), verdict: .improved)
    #expect(
      part([branch, rate]).rest.contains(
        "The pass rate went from 66.7 % to 83.3 % (better), but a suite is worse if any of its "
          + "quantities is."))
    let worse = Self.effect(.passRate)
    #expect(!part([branch, worse]).rest.contains("but a suite is worse"))
  }

  @Test("if a comparison covers only some of the attempts, the headline counts only those")
  func comparedAttempts() {
    let run = SyntheticRun(casesPerSuite: 9, repeats: 10, keepsTraces: false)
    var worse = run
    worse.emptyShare = 0.2
    let record = ComparisonRecord(
      baseline: SideRecord(suite: "flashcards", run: 1),
      candidate: SideRecord(suite: "flashcards", run: 214), verdict: .regressed,
      effects: [Self.effect(Self.empty, hits: (0, 4)), Self.effect(.passRate)], alpha: 0.05)
    let after = worse.document.summary
    let part = HeadlinePart.effects(of: [record], summary: after)
    #expect(
      plain(part.lead)
        == "In flashcards, arrays were empty in 4 of 60 compared attempts (6.7 %; baseline 0 of "
        + "60).")
    #expect(plain(part.rest).hasPrefix("A drop of 33.3 points"), "\(plain(part.rest))")
    #expect(
      plain(part.rest).contains(
        "The comparison includes 60 of the 90 attempts: those that the baseline has too."))
    #expect(plain(part.rest).contains("pass rate fell from"), "\(plain(part.rest))")
    // A quantity that counts only some attempts doesn't make the comparison smaller.
    var whole = record
    whole.effects = [
      Self.effect(.missedBranch("unclear", path: "$"), hits: (2, 12), of: 12),
      Self.effect(.passRate, hits: (90, 80), of: 90),
    ]
    let other = HeadlinePart.effects(of: [whole], summary: after)
    #expect(plain(other.lead).contains("was missed 12 of 12 times (baseline 2 of 12)"))
    #expect(!plain(other.rest).contains("The comparison includes"), "\(plain(other.rest))")
  }

  @Test("a quantity that doesn't decide the verdict is in the details, not in the first line")
  func informativeChange() {
    var assertion = Self.effect(.failedAssertion(name: "is ok", path: "$.x"), hits: (0, 20))
    assertion.isGating = false
    let rate = Self.effect(.passRate, hits: (50, 50), verdict: .ok)
    let (lead, rest) = part([assertion, rate])
    #expect(lead.hasPrefix("No quantity that decides the verdict clearly changed."), "\(lead)")
    #expect(rest.contains("failures of is ok rose from"), "\(rest)")
    #expect(rest.contains("doesn’t decide the verdict"), "\(rest)")
    #expect(!(lead + rest).contains("but a suite is worse"))
    // A regression that decides comes first, whatever else changed.
    #expect(part([assertion, Self.effect(.passRate)]).lead.hasPrefix("In flashcards, 40 of 60"))
  }

  @Test("the headline omits impossible numbers, and puts an effect that has such numbers last")
  func impossibleNumbers() {
    var effect = Self.effect(Self.empty, .measured)
    effect.candidate.value = -5
    #expect(
      part([effect]).lead
        == "In flashcards, P(empty) at $.cards got worse, but its recorded numbers are impossible.")
    #expect(part([effect, Self.effect(.passRate)]).lead.hasPrefix("In flashcards, 40 of 60"))
    #expect(NumberText.percent(-5) == "–" && NumberText.percent(2) == "–")
    #expect(NumberText.rate(3, of: 2) == "–" && NumberText.rate(-1, of: 2) == "–")
  }

  @Test("the headline cuts long names and reasons")
  func longNames() {
    let name = String(repeating: "<x>", count: 200)
    var effect = Self.effect(.passRate, suite: name)
    effect.quantity = .failedAssertion(name: name, path: "$")
    #expect(part([effect]).lead.count < 400)
    var record = ComparisonRecord(
      baseline: SideRecord(suite: name, run: 1), candidate: SideRecord(suite: name, run: 2),
      verdict: .notComparable, effects: [], alpha: 0.05)
    record.differences = [.init(fact: .unmatched(side: .candidate, part: .suite, id: name))]
    #expect(plain(HeadlinePart.obstacles(of: [record, record, record])).count < 900)
    #expect(plain(HeadlinePart.leftOut(of: [record])).count < 300)
  }

  @Test(
    "the headline shows the previous run of each changed suite, or one rate if no suite changed"
  )
  func lastRuns() {
    func entry(_ run: Int) -> HistoryEntry {
      var synthetic = SyntheticRun(id: run, casesPerSuite: 3, repeats: 2, keepsTraces: false)
      synthetic.emptyShare = 0
      return HistoryEntry(synthetic.document, exitStatus: 0)
    }
    let suites = ["flashcards", "menu", "cocktail"]
    let references = ReportReferences(remarks: suites.map { .lastRun(suite: $0, entry(58)) })
    let changed = references.remarkWords(about: ["menu"])
    #expect(
      changed.count == 1 && changed[0].hasPrefix("The previous complete run of menu: run 58, "))
    let quiet = references.remarkWords(about: [])
    #expect(quiet.count == 1 && quiet[0].contains("run 58, "))
    #expect(quiet[0].contains(" of 18\u{A0}attempts pass"))
    let few = ReportReferences(remarks: [.lastRun(suite: "menu", entry(58))])
    #expect(few.remarkWords(about: []).count == 1)
  }

  @Test(
    "the headline names at most three incomparable suites, and three parts that only one side has")
  func manyObstacles() {
    func record(_ suite: Int) -> ComparisonRecord {
      var record = ComparisonRecord(
        baseline: SideRecord(suite: "s\(suite)", run: 1),
        candidate: SideRecord(suite: "s\(suite)", run: 2), verdict: .notComparable, effects: [],
        alpha: 0.05)
      record.differences = [.init(fact: .interrupted(side: .candidate))]
      if suite == 0 {
        record.differences += (0..<9).map {
          .init(fact: .unmatched(side: .candidate, part: .suite, id: "new-\($0)"))
        }
      }
      return record
    }
    let obstacles = plain(HeadlinePart.obstacles(of: (0..<7).map(record)))
    #expect(obstacles.contains("s2") && !obstacles.contains("s3"))
    #expect(obstacles.hasSuffix(" 4 other suites can't be compared either."))
    let all = plain(HeadlinePart.leftOut(of: [record(1), record(0)]))
    #expect(all.hasPrefix("Left out: the suite new-0 of the candidate, "), "\(all)")
    #expect(!all.contains(" in s0"), "no comparison of a suite left the suite out")
    let words = plain(HeadlinePart.leftOut(of: [record(0)]))
    #expect(
      words.contains("the suite new-2 of the candidate, 6 other parts that only one side has"))
    #expect(!words.contains("new-3"))
  }
}
