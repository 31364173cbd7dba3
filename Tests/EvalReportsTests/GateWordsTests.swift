import EvalRecords
import Foundation
import Testing

@testable import EvalFindings
@testable import EvalReports

@Suite("Wording of gates, early stops and baseline problems")
struct GateWordsTests {
  @Test(
    "each reason for missing a gate has its own sentence",
    arguments: [
      (
        .uncheckedGuardrail(assertion: "short", vacuous: 2, unknown: 0),
        "guardrail `short` was never checked: it had nothing to check in 2 attempts"
      ),
      (
        .uncheckedGuardrail(assertion: "short", vacuous: 1, unknown: 1),
        "guardrail `short` was never checked: it had nothing to check in 1 attempt, and 1 answer "
          + "ended too early to tell"
      ),
      (
        .caseScore(
          caseID: "hard", passed: 0, attempts: 3, score: 0, needed: 1, reducer: .atLeast(1)),
        "test case `hard`: 0 of 3 pass, score 0 by `at least 1`, but at least 1 is needed"
      ),
      (
        .caseScore(
          caseID: "hard", passed: 1, attempts: 3, score: 1.0 / 3, needed: 0.5, reducer: nil),
        "test case `hard`: 1 of 3 pass, score 0.333, but at least 0.5 is needed"
      ),
      (
        .tooFewRepeats(caseID: "a", attempts: 1, reducer: .passAt(3)),
        "test case `a`: `pass@3` needs 3 repeats, but there is 1"
      ),
      (
        .metricOutOfBounds(
          metric: "m", value: 2, values: 2, isShare: false, bound: .atMost(1.9)),
        "metric `m`: mean 2 over 2 attempts, but at most 1.9 is allowed"
      ),
      (
        .metricOutOfBounds(
          metric: "m", value: 0.25, values: 8, isShare: true, bound: .atLeast(0.5)),
        "metric `m`: mean 25 % over 8 attempts, but at least 50 % is needed"
      ),
      (
        .metricOutOfBounds(
          metric: "half", value: 1, values: nil, isShare: false, bound: .atLeast(2)),
        "metric `half`: 1, but at least 2 is needed"
      ),
      (
        .metricWithoutData(metric: "m", attempts: 2), "metric `m` has no data in 2 attempts"
      ),
      (
        .metricWithoutValue(metric: "none", reason: "`/` by zero (character 3)"),
        "metric `none` has no value: `/` by zero (character 3)"
      ),
    ] as [(GateMiss, String)])
  func checkMiss(miss: GateMiss, words: String) { #expect(miss.words == words) }

  @Test(
    "a rate that is hardly below the needed one has enough digits to differ from it",
    arguments: [
      (1999, 2000, 0.9996, "99.96 %", "99.95 %"), (2, 3, 0.667, "66.7 %", "66.67 %"),
      (2, 3, 0.6667, "66.67 %", "66.667 %"), (2, 3, 2.0 / 3 + 1e-7, "66.66668 %", "66.66667 %"),
      (9, 10, 0.95, "95 %", nil), (2, 3, 0.6, "60 %", nil), (9, 10, 0.925, "92.5 %", nil),
    ] as [(Int, Int, Double, String, String?)])
  func checkDigits(passed: Int, attempts: Int, needed: Double, words: String, rate: String?) {
    var gate = GateResultRecord(
      suite: "s", variant: "default", backend: "stub", attempts: attempts, passed: passed,
      errors: 0, neededRate: needed, isPassed: false)
    for score in [nil, Double(passed) / Double(attempts)] {
      gate.score = score
      #expect(gate.preciseRate?.replacing("\u{A0}", with: " ") == rate)
    }
    #expect(gate.neededWords.replacing("\u{A0}", with: " ") == words)
  }

  @Test(
    "a gate that judges another score than the pass rate says which score missed it",
    arguments: [
      (.all, 0.75, false, "the mean score by `all` is 75.0 %"),
      (.atLeast(2), 0.5, false, "the mean score by `at least 2` is 50.0 %"),
      (.passAt(3), 0.7996, false, "the mean score by `pass@3` is 79.96 %"),
      (.passAll(2), 0.25, false, "the mean score by `pass^2` is 25.0 %"),
      (.mean, 0.7, false, "the mean score of the test cases is 70.0 %"),
      (nil, 0.7, false, "70.0 % pass without the test cases that have their own gates"),
      // The share that passed is the score, the score is enough, or nothing is missed.
      (nil, 11.0 / 12, false, nil), (.all, 0.9, false, nil), (.all, 0.75, true, nil),
    ] as [(CaseReducer?, Double, Bool, String?)])
  func checkScore(reducer: CaseReducer?, score: Double, isPassed: Bool, words: String?) {
    var gate = GateResultRecord(
      suite: "s", variant: "default", backend: "stub", attempts: 12, passed: 11, errors: 0,
      neededRate: 0.8, isPassed: isPassed)
    gate.score = score
    #expect(gate.missedScore(by: reducer)?.replacing("\u{A0}", with: " ") == words)
  }

  @Test("an early stop says why the suite stopped, and by which rule")
  func earlyStops() {
    var stop = EarlyStopRecord(
      suite: "quiz", backend: "stub", outcome: .missed, alpha: 0.05, count: 9, passed: 1,
      planned: 40)
    #expect(
      stop.words
        == "stopped early: the gate is missed (1 of 9 passed, beta-binomial confidence sequence, "
        + "α = 0.05)")
    stop.reducer = .all
    stop.outcome = .reached
    #expect(stop.words.contains("the gate is reached (1 of 9 test cases passed by `all`"))
    stop.outcome = .guardrail
    #expect(stop.words == "stopped early: a guardrail was hit")
  }

  @Test("a skip reason survives encoding, and Assay still reads the texts of earlier versions")
  func skipReasons() throws {
    let stop = EarlyStopRecord(
      suite: "quiz", backend: "stub", outcome: .missed, alpha: 0.05, count: 9, passed: 1,
      planned: 40)
    for reason in [SkipReason.settled(stop), .text("the budget of 5 calls is used up")] {
      let data = try JSONEncoder().encode([reason])
      #expect(try JSONDecoder().decode([SkipReason].self, from: data) == [reason])
    }
    let old = Data(#"["stopped early: the gate is missed"]"#.utf8)
    #expect(
      try JSONDecoder().decode([SkipReason].self, from: old)
        == [.text("stopped early: the gate is missed")])
  }

  @Test("each kind of problem with a baseline has its own sentence")
  func baselineProblems() {
    let gate = GateResultRecord(
      suite: "quiz", variant: "default", backend: "stub", attempts: 8, passed: 3, errors: 0,
      neededRate: 0.5, isPassed: false)
    let rows: [(BaselineProblem, String)] = [
      (.missedGate(gate), "quiz missed its gate on stub (3 of 8 attempts pass)"),
      (.backendErrors(count: 1), "1 attempt ended in a backend error"),
      (
        .stoppedEarly(suite: "quiz", run: 3),
        "quiz stopped early; to make the missing attempts, run `assay run --resume 3` with the "
          + "options that you gave that run"
      ),
      (
        .comparesVariants,
        "it compares variants or tries edits; run the suite as it stands, and accept that run"
      ),
      (
        .part(options: ["--shard 1/4", "--tag short"]),
        "it is not a run of whole suites as they stand (--shard 1/4, --tag short)"
      ),
      (
        .missingAnswers(cases: (1...7).map { "quiz/c\($0)" }),
        "7 test cases without a recorded answer: quiz/c1, quiz/c2, quiz/c3, quiz/c4, quiz/c5 "
          + "and 2 more"
      ),
      (.worse(suite: "quiz", verdict: .regressed), "quiz got worse than its baseline"),
      (
        .worse(suite: "quiz", verdict: .broken),
        "the comparison of quiz is broken by backend errors"
      ),
      (
        .otherKind(suite: "quiz", replaced: .recorded, by: .model),
        "the baseline of quiz has recorded answers, and this run has the answers of a model"
      ),
    ]
    for (problem, words) in rows { #expect(problem.words == words) }
  }
}
