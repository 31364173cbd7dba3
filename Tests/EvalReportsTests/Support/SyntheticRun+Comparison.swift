import EvalFindings
import EvalRecords
import EvalReports

extension SyntheticRun {
  /// A comparison of two guides of one suite; its verdicts are regressed, ok and inconclusive.
  static var comparison: ReportDocument { SyntheticRun().comparison }

  /// The comparison with the run's names.
  var comparison: ReportDocument {
    var run = self
    run.casesPerSuite = 20
    run.repeats = 3
    run.variants = ["bounded", "naive"]
    run.hasFullGuide = true
    var record = run.record
    record.suites.removeLast(4)
    let attempts = run.attempts.filter { $0.key.suite == "flashcards" }
    func estimate(_ hits: Int, _ count: Int, _ low: Double, _ high: Double) -> EstimateRecord {
      EstimateRecord(
        value: Double(hits) / Double(count), hits: hits, count: count, low: low, high: high)
    }
    func slice(_ variant: String) -> SliceKey {
      SliceKey(suite: "flashcards", variant: variant, backend: "local")
    }
    let place = ComparedPlace(
      baseline: slice("bounded"), candidate: slice("naive"), hasVariants: true)
    let paired = EffectMethod(
      test: .mcNemar, direction: .worse, interval: .newcombePaired, adjustment: .holm(tests: 4))
    let overCases = EffectMethod(
      test: .signFlip(cases: 20, draws: nil, margin: 0.01), direction: .worse,
      interval: .invertedPermutation, adjustment: .holm(tests: 4))
    let effects = [
      EffectRecord(
        place: place, quantity: .passRate,
        baseline: estimate(55, 60, 0.819, 0.964), candidate: estimate(36, 60, 0.474, 0.714),
        change: -0.317, changeLow: -0.447, changeHigh: -0.162, pValue: 0.00002, adjustedP: 0.00012,
        method: paired, verdict: .regressed,
        notes: [.flips(toWorse: 20, toBetter: 1, pairs: 60)]),
      EffectRecord(
        place: place, quantity: .emptyArray(path: cardsPlace), isGating: false,
        baseline: estimate(0, 60, 0, 0.06), candidate: estimate(12, 60, 0.118, 0.318),
        change: 0.2, changeLow: 0.096, changeHigh: 0.318, pValue: 0.0005, adjustedP: 0.002,
        method: paired, verdict: .regressed),
      EffectRecord(
        place: place, quantity: .emptyArray(path: cardsPlace), evidence: .measured,
        baseline: EstimateRecord(value: 0.004, count: 20, low: 0.001, high: 0.009),
        candidate: EstimateRecord(value: 0.187, count: 20, low: 0.11, high: 0.27),
        change: 0.183, changeLow: 0.104, changeHigh: 0.268, pValue: 0.0001, adjustedP: 0.0004,
        method: overCases, verdict: .regressed),
      EffectRecord(
        place: place,
        quantity: .failedAssertion(
          name: "every card has an answer" + mark, path: cardsPlace + "[*].answer"),
        isGating: false,
        baseline: estimate(0, 60, 0, 0.06), candidate: estimate(0, 60, 0, 0.06), change: 0,
        changeLow: -0.06, changeHigh: 0.06, pValue: 1, adjustedP: 1,
        method: paired, verdict: .ok),
      EffectRecord(
        place: place, quantity: .shortArray(minimum: 3, path: cardsPlace), evidence: .measured,
        baseline: EstimateRecord(value: 0.08, count: 20, low: 0.02, high: 0.15),
        candidate: EstimateRecord(value: 0.13, count: 20, low: 0.04, high: 0.24), change: 0.05,
        changeLow: -0.03, changeHigh: 0.14, pValue: 0.21, adjustedP: 0.42,
        method: overCases, verdict: .inconclusive,
        notes: [.undecided(until: .cases(more: 9))]),
    ]
    let comparison = ComparisonRecord(
      baseline: SideRecord(suite: "flashcards", variant: "bounded", run: record.id),
      candidate: SideRecord(suite: "flashcards", variant: "naive", run: record.id),
      verdict: .regressed, effects: effects, alpha: 0.05)
    return ReportDocument(
      run: record, attempts: attempts, gates: run.gates.filter { $0.suite == "flashcards" },
      comparisons: [
        ReportComparison(
          comparison, baselineVariant: record.suites[0].variants[0],
          candidateVariant: record.suites[0].variants[1])
      ])
  }
}

extension HostileRun {
  /// A comparison in which every text is hostile and most numbers make no sense.
  static var comparison: ComparisonRecord {
    let sides = [3, 9].map { number in
      SideRecord(
        suite: texts(number), variant: texts(number + 1), backend: texts(number + 2), run: number,
        origin: texts(number + 3))
    }
    return ComparisonRecord(
      baseline: sides[0], candidate: sides[1], verdict: .notComparable,
      differences: HostileTexts.all.enumerated().map { number, text in
        let facts: [ComparisonDifference.Fact] = [
          .setting(name: .model, before: .text(text), after: .number(.nan), cases: [text]),
          .cases(change: .removed, ids: [text]),
          .unmatched(side: .candidate, part: .suite, id: text),
        ]
        return ComparisonDifference(
          place: place(text, number), fact: facts[number % facts.count])
      },
      effects: HostileTexts.all.enumerated().map { number, text in
        let quantities: [Quantity] = [
          .passRate, .emptyArray(path: text), .shortArray(minimum: .max, path: text),
          .wrongBranch(path: text), .missedBranch(text, path: text),
          .failedAssertion(name: text, path: text),
        ]
        return EffectRecord(
          place: place(text, number), quantity: quantities[number % quantities.count],
          evidence: number.isMultiple(of: 2) ? .counted : .measured,
          baseline: EstimateRecord(value: .nan, hits: -1, count: 0, low: .nan, high: .infinity),
          candidate: EstimateRecord(value: -5, hits: nil, count: .max, low: 2, high: -2),
          change: .nan, changeLow: -.infinity, changeHigh: .infinity, pValue: .nan,
          adjustedP: -1,
          method: EffectMethod(
            test: .signFlip(cases: .max, draws: -1, margin: .nan), interval: .newcombe),
          verdict: ComparisonVerdict.allCases[number % ComparisonVerdict.allCases.count],
          notes: [.largestShift(caseID: text, before: .nan, after: .infinity)])
      }, alpha: .nan)
  }

  private static func place(_ text: String, _ number: Int) -> ComparedPlace {
    ComparedPlace(
      baseline: SliceKey(suite: text, variant: text, backend: text),
      candidate: SliceKey(
        suite: texts(number + 5), variant: text, backend: texts(number + 6)),
      hasVariants: number.isMultiple(of: 2))
  }
}
