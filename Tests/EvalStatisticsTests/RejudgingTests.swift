import EvalRecords
import Testing

@testable import EvalStatistics

@Suite("Judging stored attempts by the assertions that both runs have")
struct RejudgingTests {
  private func attempt(
    _ outcome: Outcome, _ verdicts: [String: Verdict], failure: AttemptFailure? = nil
  ) -> AttemptRecord {
    var attempt = AttemptRecord(
      key: AttemptKey(suite: "s", variant: "v", backend: "b", caseID: "c", repeatIndex: 0),
      seed: 1, outcome: outcome, stopReason: failure == nil ? .complete : .tokenLimit, output: "{}",
      verdicts: verdicts.sorted { $0.key < $1.key }.map {
        VerdictRecord(
          assertion: $0.key, type: "equals", path: "$", verdict: $0.value, expected: "", actual: "")
      })
    attempt.failure = failure
    return attempt
  }

  private func judged(
    _ attempt: AttemptRecord, _ names: Set<String>, _ threshold: Double? = nil
  ) -> Outcome {
    Rejudging(
      names: Dictionary(uniqueKeysWithValues: names.map { ($0, $0) }), threshold: threshold,
      guardrails: []
    ).judged(attempt).outcome
  }

  @Test("an assertion that only one run has doesn't affect the outcome")
  func fewerAssertions() {
    let attempt = attempt(.fail, ["a": .pass, "b": .fail])
    #expect(judged(attempt, ["a"]) == .pass)
    #expect(judged(attempt, ["a", "b"]) == .fail)
    #expect(judged(attempt, ["b"]) == .fail)
  }

  @Test("a failed attempt whose answer was cut off stays a failure, whatever its verdicts are")
  func cutOff() {
    let cut = AttemptFailure(kind: .truncated, message: "cut off")
    #expect(judged(attempt(.fail, ["a": .pass, "b": .fail], failure: cut), ["a"]) == .fail)
    #expect(judged(attempt(.fail, ["a": .pass, "b": .unknown], failure: cut), ["a"], 0.5) == .fail)
    // This attempt passed because its test case expects the answer to be cut off.
    #expect(judged(attempt(.pass, ["a": .pass, "b": .pass], failure: cut), ["a"]) == .pass)
  }

  @Test("in the score, an unknown verdict counts as not passed, and a vacuous one doesn't count")
  func unknownInScore() {
    let attempt = attempt(.pass, ["a": .pass, "b": .unknown, "c": .vacuous])
    #expect(judged(attempt, ["a", "b", "c"], 0.5) == .pass)
    #expect(judged(attempt, ["a", "b", "c"], 0.6) == .fail)
  }

  @Test("an error stays an error")
  func error() { #expect(judged(attempt(.error, ["a": .pass]), ["a"]) == .error) }
}

@Suite("The number of test cases that a clear verdict would need")
struct NeededCasesTests {
  @Test(
    "the needed number of test cases hardly depends on the number of repeats",
    arguments: [1, 10])
  func factor(repeats: Int) throws {
    let table = PairTable(both: 17, firstOnly: 2, secondOnly: 1, neither: 0)
    // Each pair is a test case.
    let cases = (0..<20).map { index in
      CountedTest.Case(
        id: "\(index)", baseline: CaseCount(hits: index < 18 && index != 0 ? 1 : 0, count: 1),
        candidate: CaseCount(hits: index < 17 || index > 17 ? 1 : 0, count: 1))
    }
    let data = DataNeed(
      test: CountedTest(cases, flips: .init(toWorse: 3, toBetter: 1), margin: 0.01),
      table: table, isPaired: true, rules: ComparisonRules(), familySize: 1, addsCases: true)
    let need = data.note(repeats: repeats)
    guard case .timesCases(let factor) = need else {
      Issue.record("\(need)")
      return
    }
    let once = data.note(repeats: 1)
    #expect(need == once || repeats > 1)
    #expect((2...200).contains(factor), "\(factor)")
    if case .timesCases(let single) = once { #expect(abs(factor - single) <= 1) }
  }
}
