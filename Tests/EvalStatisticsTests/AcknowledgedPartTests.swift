import EvalRecords
import Testing

@testable import EvalStatistics

@Suite("Acknowledged findings of runs with fewer test cases")
struct AcknowledgedPartTests {
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
}
