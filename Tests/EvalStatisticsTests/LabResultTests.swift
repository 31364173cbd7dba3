import EvalRecords
import EvalStatistics
import Testing

@Suite("Conclusions from a lab's trials")
struct LabResultTests {
  private func finding(
    _ verdict: ComparisonVerdict?, change: Double = 0, of quantity: Quantity = .passRate
  ) -> LabResult.Finding? {
    guard let verdict else { return nil }
    func estimate(_ value: Double) -> EstimateRecord {
      EstimateRecord(value: value, count: 20, low: 0, high: 1)
    }
    let effect = EffectRecord(
      place: ComparedPlace(SliceKey(suite: "s", variant: "v", backend: "local")),
      quantity: quantity, baseline: estimate(0.9), candidate: estimate(0.9 + change),
      change: change, changeLow: change - 0.1, changeHigh: change + 0.1,
      method: EffectMethod(interval: .newcombe), verdict: verdict)
    return LabResult.Finding(
      variant: "v",
      ComparisonRecord(
        baseline: SideRecord(variant: "a", run: 1), candidate: SideRecord(variant: "b", run: 1),
        verdict: verdict, effects: [effect], alpha: 0.05))
  }

  /// Returns a finding with the change that usually goes with its verdict.
  private func usual(_ verdict: ComparisonVerdict?) -> LabResult.Finding? {
    finding(verdict, change: verdict == .regressed ? -0.4 : verdict == .improved ? 0.4 : 0)
  }

  @Test(
    "an edit is necessary only if the change clearly differs without it",
    arguments: [
      (0.0, ComparisonVerdict.ok, true), (-0.1, .inconclusive, true),
      (-0.25, .inconclusive, false), (-0.35, .inconclusive, false), (-0.4, .regressed, false),
      (0, .broken, false), (0, .notComparable, false),
    ])
  func necessity(change: Double, verdict: ComparisonVerdict, isNecessary: Bool) {
    let result = LabResult(
      question: .culprit, base: "s:a", together: finding(.regressed, change: -0.4),
      trials: [
        LabResult.Trial(
          title: "edit", alone: finding(.ok), without: finding(verdict, change: change))
      ], margin: 0.01, alpha: 0.05)
    #expect(result.answers.map(\.title) == (isNecessary ? ["edit"] : []))
  }

  typealias Row = (alone: ComparisonVerdict?, without: ComparisonVerdict?)

  /// Each row has the verdict on all edits together, two verdicts for each edit, and the culprits.
  ///
  /// The first verdict is on the edit alone; the second is on all other edits together.
  @Test(
    "an edit is a culprit if it causes the change alone, or if the change disappears without it",
    arguments: [
      (.regressed, [(.regressed, .ok), (.ok, .regressed)], [0]),
      (.regressed, [(.regressed, .regressed), (.regressed, .regressed)], [0, 1]),
      (.regressed, [(.ok, .ok), (.inconclusive, .ok), (.ok, .regressed)], [0, 1]),
      (.improved, [(.ok, .improved), (.improved, .ok)], [1]),
      (.ok, [(.regressed, .ok)], []),
      (.inconclusive, [(.ok, .ok)], []),
      (.regressed, [(nil, .ok), (.ok, .regressed)], [0]),
    ] as [(ComparisonVerdict, [Row], [Int])])
  func checkCulprits(together: ComparisonVerdict, rows: [Row], culprits: [Int]) {
    let result = LabResult(
      question: .culprit, base: "s:a", together: usual(together),
      trials: rows.enumerated().map { index, row in
        LabResult.Trial(title: "\(index)", alone: usual(row.alone), without: usual(row.without))
      }, margin: 0.01, alpha: 0.05)
    #expect(result.answers.map(\.title) == culprits.map(String.init))
  }

  @Test("an edit is not a culprit if it changes another quantity than all edits together do")
  func otherQuantity() {
    func worse(_ path: String) -> LabResult.Finding? {
      finding(.regressed, change: 0.4, of: .wrongBranch(path: path))
    }
    let result = LabResult(
      question: .culprit, base: "s:a", together: worse("$.kind"),
      trials: [
        LabResult.Trial(title: "other", alone: worse("$.mood"), without: worse("$.kind")),
        LabResult.Trial(title: "same", alone: worse("$.kind"), without: worse("$.mood")),
      ], margin: 0.01, alpha: 0.05)
    #expect(result.answers.map(\.title) == ["same"])
  }

  @Test(
    "a mutation survives if no more attempts fail than before, and is undecided if a few more fail")
  func survivors() {
    let rows: [(String, ComparisonVerdict, Double)] = [
      ("noticed", .regressed, -0.4), ("same", .ok, 0), ("better", .improved, 0.2),
      ("no flips", .inconclusive, 0), ("a few flips", .inconclusive, -0.1), ("errors", .broken, 0),
    ]
    let result = LabResult(
      question: .survivors, base: "s:a",
      trials: rows.map {
        LabResult.Trial(title: $0.0, alone: finding($0.1, change: $0.2))
      } + [LabResult.Trial(title: "impossible", obstacle: "no schema")], margin: 0.01, alpha: 0.05)
    #expect(result.answers.map(\.title) == ["same", "better", "no flips"])
    #expect(result.undecided.map(\.title) == ["a few flips", "errors"])
  }
}
