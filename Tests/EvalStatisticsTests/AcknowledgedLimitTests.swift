import EvalRecords
import Testing

@testable import EvalStatistics

@Suite("Limits of acknowledged findings")
struct AcknowledgedLimitTests {
  @Test(
    "removed test cases count as good for the limit of an entry, but unselected ones say nothing",
    arguments: [false, true])
  func checkLost(isPart: Bool) throws {
    // Of the 20 test cases, 11 are left. Five of these pass: 45.5 %, or 70 % with the other nine.
    var builder = RunBuilder(id: 2, cases: 11)
    builder.answer = { index, _ in RunBuilder.Answer(outcome: index < 6 ? .fail : .pass) }
    var side = builder.side()
    if isPart { side.run.details.selection = ["--case cards/c0"] }
    side.run.details.acknowledgements = [
      Acknowledgement(
        suite: "cards", quantity: "pass rate", limit: 0.5, reason: "known", since: "2026-11-01",
        until: "2026-12-01")
    ]
    let record = Comparison.compare(baseline: RunBuilder().side(), candidate: side)
    #expect(record.verdict == .regressed)
    let found = AcknowledgedFindings(side.run, side.attempts, gates: [], comparisons: [record])
    #expect(found.covered.count == (isPart ? 0 : 1) && found.grown.count == (isPart ? 1 : 0))
  }

  @Test(
    "the limit of a sampled rate leaves room for the noise of distinct draws, not of copies",
    arguments: [
      // 0.5 less 2.33 · √(0.5 / draws) and 0.01, rounded down.
      (true, 0.121), (false, 0.305),
    ])
  func checkCopies(areCopies: Bool, limit: Double) throws {
    let builder = RunBuilder(cases: 20, repeats: 4)
    var attempts = builder.attempts
    if areCopies { for index in attempts.indices { attempts[index].seed = 7 } }
    let slice = SliceKey(suite: "cards", variant: "default", backend: "local")
    let place = ComparedPlace(baseline: slice, candidate: slice, hasVariants: false)
    let estimate = EstimateRecord(value: 0.5, hits: 40, count: 80, low: 0.4, high: 0.6)
    let record = ComparisonRecord(
      baseline: SideRecord(run: 1), candidate: SideRecord(run: 2), verdict: .regressed,
      differences: [],
      effects: [
        EffectRecord(
          place: place, quantity: .passRate, baseline: estimate, candidate: estimate, change: 0,
          changeLow: 0, changeHigh: 0, method: EffectMethod(interval: .newcombe),
          verdict: .regressed)
      ], alpha: 0.05)
    let findings = AcknowledgedFindings.findings(
      of: builder.record, attempts, gates: [], comparisons: [record])
    #expect(findings.map(\.limit) == [limit])
  }
}
