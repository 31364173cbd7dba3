import EvalRecords
import EvalSuites
import StructuredText
import Testing

@testable import EvalRunner

@Suite("Gates on test cases and metrics")
struct CaseGateTests {
  /// Returns the result of a gate on a suite whose test cases passed as often as `passes` says.
  private func gate(
    _ passes: [(id: String, passed: Int, of: Int)], _ gate: GateRecord,
    _ details: SuiteDetails = SuiteDetails(), metric: [Double?] = []
  ) -> GateResultRecord {
    let suite = SuiteRecord(
      id: "s", title: "s", guards: "", file: "s", schemaName: "S",
      variants: [
        VariantRecord(
          id: "v", title: "v", schema: "{}", instructions: nil, promptTemplate: "", edits: [])
      ],
      cases: passes.map {
        CaseRecord(
          id: $0.id, title: $0.id, tags: [], variables: .null, expectedBranches: [],
          assertions: [])
      }, repeats: 1, seed: 1, options: GenerationSettings(), gate: gate, details: details)
    var attempts = passes.flatMap { entry in
      (0..<entry.of).map { index in
        AttemptRecord(
          key: AttemptKey(
            suite: "s", variant: "v", backend: "b", caseID: entry.id, repeatIndex: index),
          seed: 0, outcome: index < entry.passed ? .pass : .fail, stopReason: .complete)
      }
    }
    for (index, value) in metric.enumerated() {
      if let value { attempts[index].details.metrics = ["m": value] }
    }
    return GateResultRecord.results(suites: [suite], backends: ["b"], attempts: attempts)[0]
  }

  /// Each row has a reducer, the required rate, the score of a suite whose two test cases passed 2
  /// of 2 and 1 of 3 times, and whether the gate passes.
  private static let reducerTable: [(CaseReducer?, Double, Double, Bool)] = [
    (nil, 0.6, 0.6, true), (.all, 0.5, 0.5, true), (.all, 0.51, 0.5, false),
    (.mean, 2.0 / 3.0, 2.0 / 3.0, true), (.atLeast(1), 1.0, 1.0, true),
    (.atLeast(2), 0.5, 0.5, true), (.passAt(2), 1.0, 5.0 / 6.0, false),
    (.passAll(1), 2.0 / 3.0, 2.0 / 3.0, true),
  ]

  @Test(
    "a reducer scores each test case, and the mean score decides the gate", arguments: reducerTable)
  func reducers(reducer: CaseReducer?, needed: Double, score: Double, passes: Bool) throws {
    let result = gate(
      [("a", 2, 2), ("b", 1, 3)], GateRecord(passRate: needed, reducer: reducer))
    #expect(result.isPassed == passes)
    #expect(abs(try #require(result.score) - score) < 1e-12)
    #expect(result.misses == [])
    #expect((result.attempts, result.passed) == (5, 3))
  }

  @Test(
    "a test case with too few repeats for its reducer misses the gate, and the reason is recorded")
  func tooFew() {
    let result = gate([("a", 1, 1)], GateRecord(passRate: 0, reducer: .passAt(3)))
    #expect(!result.isPassed)
    #expect(
      result.misses == [.tooFewRepeats(caseID: "a", attempts: 1, reducer: .passAt(3))])
  }

  @Test("a test case with its own gate is judged by that gate, and left out of the suite's rate")
  func ownGate() {
    var details = SuiteDetails()
    var own = CaseSettings()
    own.passRate = 1
    own.reducer = .atLeast(1)
    details.cases = ["hard": own]
    let fine = gate([("a", 2, 2), ("hard", 1, 3)], GateRecord(), details)
    #expect(fine.isPassed)
    #expect(fine.score == 1)
    let missed = gate([("a", 2, 2), ("hard", 0, 3)], GateRecord(), details)
    #expect(!missed.isPassed)
    #expect(
      missed.misses == [
        .caseScore(
          caseID: "hard", passed: 0, attempts: 3, score: 0, needed: 1, reducer: .atLeast(1))
      ])
    #expect(gate([("hard", 1, 3)], GateRecord(), details).isPassed)
  }

  @Test(
    "a test case with its own rate has the suite's reducer, unless it has a reducer of its own",
    arguments: [(nil, true), (.all, false)] as [(CaseReducer?, Bool)])
  func ownRate(reducer: CaseReducer?, passes: Bool) {
    var details = SuiteDetails()
    var own = CaseSettings()
    (own.passRate, own.reducer) = (1, reducer)
    details.cases = ["hard": own]
    let result = gate(
      [("a", 2, 2), ("hard", 1, 3)], GateRecord(passRate: 1, reducer: .atLeast(1)), details)
    #expect(result.isPassed == passes)
    #expect(result.score == 1, "the test case is left out of the suite's score")
  }

  @Test("a metric of a test case that isn't selected is not judged")
  func unselectedMetric() {
    for caseID in ["a", "gone"] {
      var details = SuiteDetails()
      details.metrics = [
        MetricRecord(name: "x", words: "", caseID: caseID, minimum: 2, formula: "$.m / 2")
      ]
      let result = gate([("a", 1, 1)], GateRecord(), details)
      #expect(result.isPassed == (caseID == "gone"), "\(caseID): \(result.misses)")
    }
  }

  @Test("a metric can be a formula, which is computed once from the means of other metrics")
  func derived() {
    var details = SuiteDetails()
    details.metrics = [
      MetricRecord(name: "m", words: "m"),
      MetricRecord(name: "half", words: "", minimum: 2, formula: "$.m / 2"),
      MetricRecord(name: "none", words: "", formula: "1 / ($.m - 2)"),
    ]
    let result = gate([("a", 2, 2)], GateRecord(), details, metric: [1, 3])
    #expect(result.derivedMetrics == ["half": 1])
    #expect(
      result.misses == [
        .metricOutOfBounds(
          metric: "half", value: 1, values: nil, isShare: false, bound: .atLeast(2)),
        .metricWithoutValue(metric: "none", reason: "the right side of `/` is zero (character 3)"),
      ])
  }

  /// Each row has the values of the metric, its two bounds, and why the gate is missed, if it is.
  private static let meanTable: [([Double?], Double?, Double?, GateMiss?)] = [
    ([1, 3], nil, 2, nil), ([1, 3], nil, 1.9, mean(2, .atMost(1.9))),
    ([1, 3], 2.5, nil, mean(2, .atLeast(2.5))), ([1, nil], nil, 1, nil),
    ([nil, nil], nil, nil, .metricWithoutData(metric: "m", attempts: 2)),
  ]

  private static func mean(_ value: Double, _ bound: MetricBound) -> GateMiss {
    .metricOutOfBounds(metric: "m", value: value, values: 2, isShare: false, bound: bound)
  }

  @Test(
    "a metric's mean must be within its bounds, and a metric without data misses the gate",
    arguments: meanTable)
  func metrics(
    values: [Double?], minimum: Double?, maximum: Double?, miss: GateMiss?
  ) {
    var details = SuiteDetails()
    details.metrics = [
      MetricRecord(name: "m", words: "m", minimum: minimum, maximum: maximum)
    ]
    let result = gate([("a", 2, 2)], GateRecord(), details, metric: values)
    #expect(result.isPassed == (miss == nil))
    #expect(result.misses == [miss].compactMap(\.self))
  }
}
