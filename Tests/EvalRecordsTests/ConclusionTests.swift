import EvalRecords
import Testing

@Suite("Conclusions")
struct ConclusionTests {
  /// A run of a suite whose gate and baselines are for another model than the one the user named.
  private static func run(isForeign: Bool = false) -> RunRecord {
    var run = RunRecord(
      id: 4, label: "", startedAt: "2026-11-20T01:00:00Z", status: .complete, toolVersion: "",
      backends: [BackendRecord(id: "local", model: "m", engine: "e", isDeterministic: true)],
      suites: [
        SuiteRecord(
          id: "quiz", title: "", guards: "", file: "", schemaName: "", variants: [], cases: [],
          repeats: 1, seed: 1, options: GenerationSettings(),
          gate: GateRecord(model: "other", passRate: 0.9))
      ])
    if isForeign {
      run.details.selectedModels = ["local": SelectedModel(names: ["mine"], isNamed: true)]
    }
    return run
  }

  private static let attempt = AttemptRecord(
    key: AttemptKey(
      suite: "quiz", variant: "v", backend: "local", caseID: "c", repeatIndex: 0), seed: 1,
    outcome: .pass, stopReason: .complete)

  @Test(
    "a run on another model is not judged, unless a comparison that the user asked for judges it",
    arguments: [
      ([], Conclusion.notJudged), ([.ok], .passed), ([.improved], .passed),
      ([.inconclusive], .inconclusive), ([.regressed], .failed),
    ] as [([ComparisonVerdict], Conclusion)])
  func checkForeign(_ verdicts: [ComparisonVerdict], _ conclusion: Conclusion) {
    let found = Conclusion(
      Self.run(isForeign: true), [Self.attempt], gates: [], verdicts: verdicts)
    #expect(found == conclusion)
    #expect(Judging().isSuccess(found) == (conclusion != .failed))
  }

  @Test(
    "a comparison ran nothing if the backend failed in every attempt",
    arguments: [
      ([.backend, .backend], .nothingRan), ([.backend, .timeout], .failed),
      ([.backend, nil], .failed), ([], .failed),
    ] as [([AttemptFailure.Kind?], Conclusion)])
  func allErrors(_ kinds: [AttemptFailure.Kind?], _ conclusion: Conclusion) {
    let attempts = kinds.map { kind in
      var attempt = Self.attempt
      if let kind {
        attempt.outcome = .error
        attempt.failure = AttemptFailure(kind: kind, message: "no answer")
      }
      return attempt
    }
    #expect(Conclusion(Self.run(), attempts, gates: [], verdicts: [.broken]) == conclusion)
  }

  @Test("a run on another model is judged if a suite without a model has a gate")
  func otherSuite() {
    let gate = GateResultRecord(
      suite: "plain", variant: "v", backend: "local", attempts: 1, passed: 1, errors: 0,
      neededRate: 0.5, isPassed: true)
    var served = gate
    served.backend = "server"
    func conclusion(_ gates: [GateResultRecord]) -> Conclusion {
      Conclusion(Self.run(isForeign: true), [Self.attempt], gates: gates, verdicts: [])
    }
    #expect(conclusion([gate]) == .passed)
    #expect(conclusion([served]) == .notJudged, "the user named no model of the server")
    served.isPassed = false
    #expect(conclusion([served]) == .failed)
  }

  // MARK: Acknowledged findings

  private static let slice = SliceKey(suite: "quiz", variant: "v", backend: "local")

  private static func comparison(
    value: Double, _ facts: [ComparisonDifference.Fact] = []
  ) -> ComparisonRecord {
    let place = ComparedPlace(baseline: slice, candidate: slice, hasVariants: false)
    let estimate = EstimateRecord(value: value, count: 40, low: 0, high: 1)
    return ComparisonRecord(
      baseline: SideRecord(run: 1), candidate: SideRecord(run: 4), verdict: .regressed,
      differences: facts.map { ComparisonDifference(place: place, fact: $0) },
      effects: [
        EffectRecord(
          place: place, quantity: .passRate, baseline: estimate, candidate: estimate, change: 0,
          changeLow: 0, changeHigh: 0, method: EffectMethod(interval: .newcombe),
          verdict: .regressed)
      ], alpha: 0.05)
  }

  private static func acknowledged(_ comparisons: [ComparisonRecord]) -> AcknowledgedFindings {
    var run = run()
    run.details.acknowledgements = [
      Acknowledgement(
        suite: "quiz", quantity: "pass rate", limit: 0.5, reason: "known", since: "2026-11-01",
        until: "2026-12-01")
    ]
    return AcknowledgedFindings(
      run, gates: [],
      comparisons: comparisons.map { record in
        (
          record,
          { effect in
            RedFinding(
              slice: effect.place.candidate, name: "pass rate", value: effect.candidate.value,
              isWorseHigher: false, limit: 0.5)
          }
        )
      })
  }

  @Test("an entry that covers a quantity in one comparison, but not in another, covers nothing")
  func coveredOnce() {
    let both = Self.acknowledged([Self.comparison(value: 0.6), Self.comparison(value: 0.4)])
    #expect(both.covered.isEmpty && both.grown.count == 1)
    #expect(both.verdicts == [.ok, .regressed])
    let fine = Self.acknowledged([Self.comparison(value: 0.6), Self.comparison(value: 0.55)])
    #expect(fine.covered.count == 1 && fine.grown.isEmpty && fine.verdicts == [.ok, .ok])
  }

  @Test(
    "an entry about a renamed test case still covers what its gate missed",
    arguments: [("old", true), ("new", true), ("other", false)])
  func renamed(named: String, isCovered: Bool) {
    var run = Self.run()
    run.suites[0].cases = [CaseRecord(id: "new")]
    var settings = CaseSettings()
    settings.aliases = ["old"]
    run.suites[0].details.cases = ["new": settings]
    run.details.acknowledgements = [
      Acknowledgement(
        suite: "quiz", quantity: "gate: test case \(named)", limit: 0.5, reason: "known",
        since: "2026-11-01", until: "2026-12-01")
    ]
    let gate = GateResultRecord(
      suite: "quiz", variant: "v", backend: "local", attempts: 5, passed: 3, errors: 0,
      neededRate: 0.9, isPassed: false)
    let finding = RedFinding(
      slice: Self.slice, name: "gate: test case new", value: 0.6, isWorseHigher: false, limit: 0.5)
    let found = AcknowledgedFindings(run, gates: [(gate, [finding])], comparisons: [])
    #expect(found.missedGates.isEmpty == isCovered && found.covered.isEmpty != isCovered)
  }

  @Test(
    "without its acknowledged regression, a comparison has the verdict that its data allows",
    arguments: [
      ([], .ok), ([.errors(side: .candidate, errors: 4, attempts: 40)], .broken),
      ([.changedModel(side: .candidate, models: ["a", "b"])], .notComparable),
      ([.interrupted(side: .candidate)], .notComparable),
      (
        [
          .changedModel(side: .candidate, models: ["a", "b"]),
          .errors(side: .candidate, errors: 4, attempts: 40),
        ], .broken
      ),
    ] as [([ComparisonDifference.Fact], ComparisonVerdict)])
  func checkRest(_ facts: [ComparisonDifference.Fact], _ verdict: ComparisonVerdict) {
    #expect(Self.acknowledged([Self.comparison(value: 0.6, facts)]).verdicts == [verdict])
  }
}
