import EvalRecords
import EvalReports

extension SyntheticRun {
  /// A comparison of two guides of one suite, with one effect of every verdict.
  static var comparison: ReportDocument {
    var run = SyntheticRun()
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
    let scope = "flashcards on local"
    let effects = [
      EffectRecord(
        kind: .passRate, scope: scope, title: "attempts passing",
        baseline: estimate(55, 60, 0.819, 0.964), candidate: estimate(36, 60, 0.474, 0.714),
        change: -0.317, changeLow: -0.447, changeHigh: -0.162, pValue: 0.00002, adjustedP: 0.00012,
        method: "McNemar’s exact test, paired seeds", verdict: .regressed,
        note: "flips: 20 worse, 1 better"),
      EffectRecord(
        kind: .emptyArrays, scope: scope, title: "empty arrays at $.cards",
        baseline: estimate(0, 60, 0, 0.06), candidate: estimate(12, 60, 0.118, 0.318),
        change: 0.2, changeLow: 0.096, changeHigh: 0.318, pValue: 0.0005, adjustedP: 0.002,
        method: "McNemar’s exact test, paired seeds", verdict: .regressed),
      EffectRecord(
        kind: .probabilityEmpty, scope: scope, title: "P(empty) at $.cards",
        baseline: EstimateRecord(value: 0.004, count: 20, low: 0.001, high: 0.009),
        candidate: EstimateRecord(value: 0.187, count: 20, low: 0.11, high: 0.27),
        change: 0.183, changeLow: 0.104, changeHigh: 0.268, pValue: 0.0001, adjustedP: 0.0004,
        method: "sign-flip test over cases", verdict: .regressed),
      EffectRecord(
        kind: .assertionFailures, scope: scope, title: "every card has an answer",
        baseline: estimate(0, 60, 0, 0.06), candidate: estimate(0, 60, 0, 0.06), change: 0,
        changeLow: -0.06, changeHigh: 0.06, pValue: 1, adjustedP: 1,
        method: "McNemar’s exact test, paired seeds", verdict: .ok),
      EffectRecord(
        kind: .probabilityBelow, scope: scope, title: "P(count < 3) at $.cards",
        baseline: EstimateRecord(value: 0.08, count: 20, low: 0.02, high: 0.15),
        candidate: EstimateRecord(value: 0.13, count: 20, low: 0.04, high: 0.24), change: 0.05,
        changeLow: -0.03, changeHigh: 0.14, pValue: 0.21, adjustedP: 0.42,
        method: "sign-flip test over cases", verdict: .inconclusive,
        note: "needs at least 9 more repeats"),
    ]
    let comparison = ComparisonRecord(
      baseline: "flashcards:bounded", candidate: "flashcards:naive", verdict: .regressed,
      differences: [], effects: effects, alpha: 0.05)
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
  /// A comparison in which every text is hostile and every number senseless.
  static var comparison: ComparisonRecord {
    ComparisonRecord(
      baseline: texts(3), candidate: texts(9), verdict: .notComparable,
      differences: HostileTexts.all,
      effects: HostileTexts.all.enumerated().map { number, text in
        EffectRecord(
          kind: EffectRecord.Kind.allCases[number % EffectRecord.Kind.allCases.count],
          scope: text, title: texts(number + 5),
          baseline: EstimateRecord(value: .nan, hits: -1, count: 0, low: .nan, high: .infinity),
          candidate: EstimateRecord(value: -5, hits: nil, count: .max, low: 2, high: -2),
          change: .nan, changeLow: -.infinity, changeHigh: .infinity, pValue: .nan,
          adjustedP: -1, method: text,
          verdict: ComparisonVerdict.allCases[number % ComparisonVerdict.allCases.count],
          note: text)
      }, alpha: .nan)
  }
}
