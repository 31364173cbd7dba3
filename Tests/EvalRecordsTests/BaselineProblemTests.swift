import EvalRecords
import Foundation
import Testing

@Suite("Problems of a run as a baseline")
struct BaselineProblemTests {
  private static func run(_ change: (inout RunRecord) -> Void = { _ in }) -> RunRecord {
    var run = RunRecord(
      id: 4, label: "", startedAt: "", status: .complete, toolVersion: "",
      backends: [BackendRecord(id: "local", model: "m", engine: "e", isDeterministic: true)],
      suites: [])
    change(&run)
    return run
  }

  private static func attempt(
    _ suite: String = "quiz", _ outcome: Outcome = .pass, _ failure: AttemptFailure? = nil,
    skipped: SkipReason? = nil
  ) -> AttemptRecord {
    var attempt = AttemptRecord(
      key: AttemptKey(
        suite: suite, variant: "v", backend: "local", caseID: "c", repeatIndex: 0), seed: 1,
      outcome: outcome, stopReason: .complete)
    attempt.failure = failure
    attempt.details.skipReason = skipped
    return attempt
  }

  private static func comparison(_ suite: String, _ verdict: ComparisonVerdict) -> ComparisonRecord
  {
    ComparisonRecord(
      baseline: SideRecord(suite: suite, run: 1), candidate: SideRecord(suite: suite, run: 4),
      verdict: verdict, effects: [], alpha: 0.05)
  }

  private func check(
    _ expected: [BaselineProblem], run: RunRecord = run(),
    attempts: [AttemptRecord] = [attempt()], gates: [GateResultRecord] = [],
    comparisons: [ComparisonRecord] = [], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      BaselineProblem.problems(
        of: run, attempts, suites: ["quiz"], gates: gates, comparisons: comparisons) == expected,
      sourceLocation: sourceLocation)
  }

  @Test("a lab, a comparison of variants and a second look are never a reference")
  func finalProblems() {
    let trials = VariantComparison(baseline: "a", candidates: ["b"], margin: 0.01, alpha: 0.05)
    check([.comparesVariants], run: Self.run { $0.comparison = trials })
    check([.comparesVariants], run: Self.run { $0.details.secondLookOf = 3 })
    #expect(BaselineProblem.comparesVariants.isFinal)
    #expect(!BaselineProblem.backendErrors(count: 1).isFinal)
    check([])
  }

  @Test("a part of the suite, missing answers and backend errors are problems")
  func parts() {
    check(
      [.part(options: ["--shard 1/4", "--tag short"])],
      run: Self.run {
        $0.details.shard = "1/4"
        $0.details.selection = ["--tag short"]
      })
    check(
      [.missingAnswers(cases: ["quiz/c"])],
      attempts: [
        Self.attempt(), Self.attempt("quiz", .skipped, skipped: .noAnswer(isPermitted: true)),
      ])
    let down = AttemptFailure(kind: .backend, message: "down")
    check([.backendErrors(count: 1)], attempts: [Self.attempt("quiz", .error, down)])
    // Problems of other suites don't matter.
    check([], attempts: [Self.attempt("other", .error, down)])
    check([], attempts: [Self.attempt("quiz", .skipped, skipped: .text("allowed"))])
  }

  @Test("a missed gate and a regression are problems, an improvement isn't")
  func judged() {
    func gate(_ isPassed: Bool, _ suite: String = "quiz") -> GateResultRecord {
      GateResultRecord(
        suite: suite, variant: "v", backend: "local", attempts: 1, passed: 0, errors: 0,
        neededRate: 1, isPassed: isPassed)
    }
    check([.missedGate(gate(false))], gates: [gate(false)])
    check([], gates: [gate(true), gate(false, "other")])
    for (verdict, isProblem) in [
      (ComparisonVerdict.regressed, true), (.broken, true), (.improved, false), (.ok, false),
      (.inconclusive, false), (.notComparable, false),
    ] {
      check(
        isProblem ? [.worse(suite: "quiz", verdict: verdict)] : [],
        comparisons: [Self.comparison("quiz", verdict)])
    }
    check([], comparisons: [Self.comparison("other", .regressed)])
  }

  @Test(
    "the kind of a run's answers",
    arguments: [
      (["local"], ["m"], BaselineKind.model), (["stub"], ["stub"], .stub),
      (["recorded"], ["recorded"], .recorded), (["stub", "local"], ["stub", "m"], .model),
      ([], [], .model),
    ])
  func checkKind(ids: [String], models: [String], kind: BaselineKind) {
    let run = Self.run {
      $0.backends = zip(ids, models).map {
        $1 == "stub"
          ? .stub(id: $0)
          : BackendRecord(
            id: $0, model: $1, engine: $1 == "recorded" ? $1 : "e", isDeterministic: true)
      }
    }
    #expect(BaselineKind(of: run) == kind)
  }

  @Test("the stored form of a skipped test case without an answer is version 0.1's description")
  func storedReason() throws {
    let text = "no transcript has the prompt of the test case"
    for isPermitted in [false, true] {
      #expect(
        try Self.coded(.noAnswer(isPermitted: isPermitted)) == .noAnswer(isPermitted: isPermitted))
    }
    #expect(try Self.coded(.text("other")) == .text("other"))
    #expect(try Self.coded(.text(text)) == .noAnswer(isPermitted: false))
  }

  private static func coded(_ reason: SkipReason) throws -> SkipReason {
    try JSONDecoder().decode([SkipReason].self, from: JSONEncoder().encode([reason]))[0]
  }

  @Test("a run in which several models answered on one backend is no reference")
  func changedModel() {
    func run(_ models: [String: Int]) -> RunRecord {
      Self.run {
        var use = ServedUse(address: "a")
        use.models = models
        $0.details.served = ["far": use]
      }
    }
    check(
      [.changedModel(backend: "far", models: ["m1", "m2"])], run: run(["m2": 1, "m1": 3]))
    check([], run: run(["m1": 4]))
    check([], run: run([:]))
  }
}
