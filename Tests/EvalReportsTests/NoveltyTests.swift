import EvalRecords
import Testing

@testable import EvalFindings
@testable import EvalReports

@Suite("New, known and fixed findings")
struct NoveltyTests {
  /// The state of one suite on one night: what the comparison found, and whether the gate passed.
  private struct Night {
    var verdict: ComparisonVerdict?
    var isReached: Bool?
    /// How many of ten attempts of the reference passed.
    var reference: Int?
    var needed: Double?
    init(_ verdict: ComparisonVerdict?, _ isReached: Bool? = true) {
      (self.verdict, self.isReached) = (verdict, isReached)
    }
  }

  private func view(
    _ suites: [String: [Night?]], statuses: [Int: RunRecord.Status] = [:]
  ) -> NightView {
    let count = suites.values.map(\.count).max() ?? 0
    let entries = (0..<count).map { night in
      var run = SyntheticRun(casesPerSuite: 1, repeats: 1).record
      run.id = night + 1
      run.startedAt = "2026-11-0\(night + 1)T02:00:00Z"
      run.status = statuses[night] ?? .complete
      var entry = HistoryEntry(ReportDocument(run: run, attempts: []), exitStatus: 0)
      entry.slices = suites.sorted { $0.key < $1.key }.compactMap { suite, nights in
        nights[night].map { state in
          HistoryEntry.Slice(
            key: SliceKey(suite: suite, variant: "default", backend: "local"), schemaName: "",
            needed: state.needed, guides: "",
            cases: [HistoryEntry.CaseCount(id: "a", passed: 1, made: 1)],
            measures: [], medianSeconds: 0, p95Seconds: 0, medianTokens: 0, medianPromptTokens: 0,
            verdict: state.verdict, isReached: state.isReached,
            reference: state.reference.map { HistoryEntry.Total(passed: $0, made: 10) })
        }
      }
      return entry
    }
    return NightView(RunHistory(entries))
  }

  private func check(
    _ suites: [String: [Night?]], statuses: [Int: RunRecord.Status] = [:], _ expected: String?
  ) {
    let view = view(suites, statuses: statuses)
    // Dates contain spaces that don't break.
    let words = Novelty(view.history).words(in: view)?.replacing("\u{A0}", with: " ")
    #expect(words == expected)
  }

  @Test("a regression that the previous run didn't have is new")
  func new() {
    check(["a": [Night(.ok), Night(.regressed)]], "New since run 1 (1 Nov): a.")
  }

  @Test("a regression is known since the first of the runs in a row that had it")
  func known() {
    check(
      ["a": [Night(.regressed), Night(.ok), Night(.regressed), Night(.regressed)]],
      "Nothing is new since run 3 (3 Nov). Known since run 3 (3 Nov), for 2 runs: a.")
  }

  @Test("a new regression, a known gate and a fixed suite are three sentences")
  func all() {
    check(
      [
        "a": [Night(.ok), Night(.ok), Night(.regressed)],
        "b": [Night(nil, false), Night(nil, false), Night(nil, false)],
        "c": [Night(.regressed), Night(.regressed), Night(.ok)],
      ],
      "New since run 2 (2 Nov): a. Known since run 1 (1 Nov), for 3 runs: the gate of b. "
        + "Fixed since run 2 (2 Nov): c.")
  }

  @Test("nothing is fixed by accepting other results, or by lowering or removing a gate")
  func notFixed() {
    var (worse, same, accepted) = (Night(.regressed), Night(.ok), Night(.ok))
    (worse.reference, same.reference, accepted.reference) = (9, 9, 3)
    check(["a": [worse, same]], "Fixed since run 1 (1 Nov): a.")
    check(["a": [worse, accepted]], nil)
    var (missed, reached, lowered) = (Night(nil, false), Night(nil), Night(nil))
    (missed.needed, reached.needed, lowered.needed) = (0.9, 0.9, 0.5)
    check(["a": [missed, reached]], "Fixed since run 1 (1 Nov): the gate of a.")
    check(["a": [missed, lowered]], nil)
    check(["a": [missed, Night(nil, nil)]], nil)
  }

  @Test(
    "nothing is said without a finding, an earlier run, or an earlier comparison",
    arguments: [
      ["a": [Night(.ok), Night(.ok)]], ["a": [Night(.regressed)]],
      ["a": [nil, Night(.regressed)]],
    ] as [[String: [Night?]]])
  private func nothing(_ suites: [String: [Night?]]) { check(suites, nil) }

  @Test("a suite that had nothing to compare with had no regression")
  func firstComparison() {
    check(["a": [Night(nil), Night(.regressed)]], "New since run 1 (1 Nov): a.")
  }

  @Test("a suite that regressed and missed its gate is named once")
  func both() {
    check(["a": [Night(.ok), Night(.regressed, false)]], "New since run 1 (1 Nov): a.")
  }

  @Test(
    "a regression is fixed only if a comparison shows it",
    arguments: [
      (.ok, true), (.improved, true), (.inconclusive, false), (.notComparable, false),
      (.broken, false), (nil, false),
    ] as [(ComparisonVerdict?, Bool)])
  func checkFixed(verdict: ComparisonVerdict?, isFixed: Bool) {
    check(
      ["a": [Night(.regressed), Night(verdict)]], isFixed ? "Fixed since run 1 (1 Nov): a." : nil)
  }

  @Test("an interrupted run is no previous run")
  func interrupted() {
    check(
      ["a": [Night(.regressed), Night(.ok), Night(.regressed)]], statuses: [1: .interrupted],
      "Nothing is new since run 1 (1 Nov). Known since run 1 (1 Nov), for 2 runs: a.")
  }
}
