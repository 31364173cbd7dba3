import EvalRecords
import Testing

@testable import EvalFindings
@testable import EvalReports

@Suite("Difference between two runs")
struct RunDifferenceTests {
  private func attempt(
    _ suite: String, _ id: String, _ index: Int, _ outcome: Outcome, output: String = "{}"
  ) -> AttemptRecord {
    AttemptRecord(
      key: AttemptKey(
        suite: suite, variant: "default", backend: "stub", caseID: id, repeatIndex: index),
      seed: 1, outcome: outcome, stopReason: .complete, output: output,
      verdicts: outcome == .fail
        ? [
          VerdictRecord(
            assertion: "three pairs", type: "count", path: "$", verdict: .fail, expected: "3",
            actual: "0")
        ] : [])
  }

  private func text(_ before: [AttemptRecord], _ after: [AttemptRecord]) -> String {
    DifferenceLines.render(RunDifference(from: before, to: after), color: false)
      .replacing("\u{A0}", with: " ")
  }

  @Test("a suite's line says how many attempts passed, and each changed test case has a line")
  func cases() {
    let before = [
      attempt("quiz", "a", 0, .pass), attempt("quiz", "a", 1, .pass),
      attempt("quiz", "b", 0, .fail),
      attempt("quiz", "gone", 0, .pass), attempt("other", "x", 0, .pass),
    ]
    let after = [
      attempt("quiz", "b", 0, .pass), attempt("quiz", "a", 0, .pass),
      attempt("quiz", "a", 1, .fail, output: "{ }"), attempt("quiz", "new", 0, .pass),
    ]
    #expect(
      text(before, after) == """
          quiz: 3 of 4 attempts passed, as before; 1 answer changed
            worse    a: 2 of 2 → 1 of 2  three pairs: 0, expected 3
            better   b: 0 of 1 → 1 of 1
            new      new: 1 of 1 passed
            removed  gone

        """)
  }

  @Test("the text says whether a suite is unchanged or new, and leaves out a removed suite")
  func quiet() {
    let run = [attempt("quiz", "a", 0, .pass)]
    #expect(text(run, run) == "  quiz: 1 of 1 attempts passed, as before; no answer changed\n")
    #expect(text([], run) == "  quiz: 1 of 1 attempts passed; new in this run\n")
    #expect(text(run, []) == "")
  }

  @Test("if many test cases changed, the text lists the first ones and counts the others")
  func many() {
    let before = (0..<40).map { attempt("quiz", "case-\($0)", 0, .pass) }
    let after = (0..<40).map { attempt("quiz", "case-\($0)", 0, .fail) }
    // The text lists twelve of the 40 test cases.
    #expect(text(before, after).contains("    and 28 more test cases\n"))
    #expect(text(before, after).contains("quiz: 40 of 40 attempts passed, now 0 of 40;"))
  }
}
