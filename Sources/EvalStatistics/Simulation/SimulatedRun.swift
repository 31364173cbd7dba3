import EvalRecords

/// A simulated run of one suite, in which an attempt fails if its array is empty.
package struct SimulatedRun {
  private let suite: String
  private let cases: Int
  /// The number of repeats of each test case.
  var repeats: Int
  private let seed: UInt64
  private var attempts: [AttemptRecord] = []

  private let isDeterministic: Bool

  /// Creates a run without attempts.
  package init(
    suite: String = "cards", cases: Int, repeats: Int, seed: UInt64, isDeterministic: Bool = true
  ) {
    self.suite = suite
    self.isDeterministic = isDeterministic
    self.cases = cases
    self.repeats = repeats
    self.seed = seed
  }

  /// Adds an attempt.
  ///
  /// - Parameters:
  ///   - index: The index of the test case.
  ///   - repeatIndex: The index of the repeat.
  ///   - probability: The measured P(empty), or `nil` if nothing was measured.
  ///   - isEmpty: Whether the array is empty, so that its assertion fails.
  ///   - fingerprint: The request fingerprint, or `nil` if none was recorded.
  package mutating func add(
    case index: Int, repeat repeatIndex: Int = 0, emptyProbability probability: Double? = nil,
    isEmpty: Bool, fingerprint: String? = nil
  ) {
    let decision = probability.map { probability in
      DecisionRecord(
        kind: .array, path: "$.cards", index: 0,
        options: [
          OptionProbability(.element, raw: 0, masked: 0, sampled: 1 - probability),
          OptionProbability(.end, raw: 0, masked: 0, sampled: probability),
        ], chosen: isEmpty ? .end : .element, step: 0, unresolved: 0)
    }
    var attempt = AttemptRecord(
      key: AttemptKey(
        suite: suite, variant: "default", backend: "local", caseID: "case-\(index)",
        repeatIndex: repeatIndex),
      seed: seed &+ UInt64(repeatIndex), outcome: isEmpty ? .fail : .pass,
      stopReason: .complete,
      // A nonempty array contains the run's seed, so that runs with different seeds have different
      // outputs.
      output: isEmpty ? #"{"cards":[]}"# : #"{"cards":["\#(seed)","b","c"]}"#,
      decisions: decision.map { [$0] } ?? [])
    attempt.details.fingerprint = fingerprint
    attempt.details.shape = AnswerShape(lengths: ["$.cards": [isEmpty ? 0 : 3]])
    attempts.append(attempt)
  }

  /// The run as one side of a comparison.
  package var side: ComparisonSide {
    var details = SuiteDetails()
    // The array is the first value, so the text before it is fixed.
    details.fixedDecisions = FixedDecisionPlaces(["default": ["$.cards"]])
    let suite = SuiteRecord(
      id: suite, title: "", guards: "", file: "", schemaName: "Cards",
      variants: [
        VariantRecord(
          id: "default", title: "", schema: "{}", instructions: nil, promptTemplate: "", edits: [])
      ],
      cases: (0..<cases).map { CaseRecord(id: "case-\($0)") },
      repeats: repeats, seed: seed, options: GenerationSettings(), gate: GateRecord(),
      details: details)
    let run = RunRecord(
      id: 1, label: "", startedAt: "", status: .complete, toolVersion: "",
      backends: [
        BackendRecord(id: "local", model: "", engine: "", isDeterministic: isDeterministic)
      ],
      suites: [suite])
    return ComparisonSide(run: run, attempts: attempts)
  }
}
