import EvalRecords
import EvalRunner
import EvalSuites
import StructuredText
import SystemBasics

/// A run of recorded answers.
///
/// Suites judge the answers. Without suites, the run only checks that each prompt has an answer,
/// and that the answer fits the recorded schema, if there is one.
package struct RecordedRun {
  /// The recorded answers.
  package let recordings: [Recording]
  /// The run's label.
  package let label: String
  /// The time of the import.
  package let time: String
  /// The model and the system that gave the answers.
  package let identity: RecordedIdentity

  /// Creates a run of recorded answers.
  ///
  /// - Parameters:
  ///   - recordings: The recorded answers.
  ///   - label: The run's label.
  ///   - time: The time of the import, ISO 8601 in UTC.
  ///   - identity: The model and the system that gave the answers.
  package init(
    recordings: [Recording], label: String, time: String,
    identity: RecordedIdentity = RecordedIdentity()
  ) {
    self.recordings = recordings
    self.label = label
    self.time = time
    self.identity = identity
  }

  /// The run and its attempts, ready to be stored; the run's id is still 0.
  package struct Outcome {
    /// The run, which is not complete if test cases lack an answer.
    package var run: RunRecord
    /// The attempts of the run; a test case without an answer has one skipped attempt.
    package var attempts: [AttemptRecord]
    /// The test cases without an answer, as `suite/case`.
    package var missingCases: [String] = []
    /// The recordings whose prompt or input matches no test case.
    package var unknown: [Recording] = []
    /// The values in the log that contradict the values that a test case expects.
    package var contradictions: [LogContradiction] = []
  }

  private func run(_ suites: [SuiteRecord]) -> RunRecord {
    RunRecord(
      id: 0, label: label, startedAt: time, finishedAt: time, status: .complete,
      toolVersion: ToolVersion.current, backends: [identity.record], suites: suites)
  }

  // MARK: With suites

  /// Judges the answers by the assertions of the test cases with the same prompts or inputs.
  ///
  /// - Parameters:
  ///   - suites: The suites, with all their variants. The run has the variants that have answers.
  ///   - allowsMissing: Whether test cases may lack an answer. If they may not, the run isn't
  ///     complete, and a suite with such a test case misses its gate.
  ///   - clock: The clock of the runner.
  package func judged(
    by suites: [Suite], allowsMissing: Bool = false, clock: any Clock<Duration>
  ) async -> Outcome {
    var answers: [RecordedFacts.Place: [Recording]] = [:]
    var unknown: [Recording] = []
    var contradictions: [LogContradiction] = []
    let places = RecordedPlaces(suites)
    for recording in recordings {
      if let place = places.place(of: recording) {
        answers[place, default: []].append(recording)
        contradictions += LogContradiction.all(
          in: recording, at: "\(place.suite)/\(place.caseID)", of: suites)
      } else {
        unknown.append(recording)
      }
    }
    let asked = suites.compactMap { Self.asked($0, answers, allowsMissing: allowsMissing) }
    var plan = RunPlan(suites: asked, backends: [RecordedBackend.id])
    plan.jobs = plan.jobs.map { job in
      var job = job
      let place = RecordedFacts.Place(
        suite: job.request.suite, variant: job.request.variant, caseID: job.request.caseID)
      // The attempts keep the seeds with which the answers were recorded.
      job.repeats = zip(job.repeats, answers[place] ?? []).map { planned, recording in
        RepeatSeed(
          repeatIndex: planned.repeatIndex, seed: recording.facts.seed ?? planned.seed)
      }
      return job
    }
    let missing = plan.jobs.filter(\.repeats.isEmpty)
    plan.jobs.removeAll(where: \.repeats.isEmpty)
    let attempts = await PlanExecution(runner: Runner(jobs: 1), clock: clock)
      .attempts(of: plan, on: [RecordedBackend(identity, recordings: answers)])
    var outcome = Outcome(
      run: run(plan.suites),
      attempts: attempts
        + missing.map { Self.skipped($0, because: .noAnswer(isPermitted: allowsMissing)) },
      unknown: unknown, contradictions: contradictions)
    let isOfVariants = asked.contains { $0.variants.count > 1 }
    outcome.missingCases = missing.map { job in
      let variant = isOfVariants ? ":\(job.request.variant)" : ""
      return "\(job.request.suite)\(variant)/\(job.request.caseID)"
    }
    outcome.run.details.variants = Self.chosenVariants(asked, of: suites)
    if !missing.isEmpty, !allowsMissing {
      outcome.run.status = .interrupted
      outcome.run.details.ending =
        missing.count == 1
        ? "1 test case has no recorded answer"
        : "\(missing.count) test cases have no recorded answer"
    }
    return outcome
  }

  /// Returns a suite with the variants that have answers, and with as many repeats as there are
  /// answers, or `nil` if there are none.
  private static func asked(
    _ loaded: Suite, _ answers: [RecordedFacts.Place: [Recording]], allowsMissing: Bool
  ) -> Suite? {
    func count(_ caseID: String, _ variant: SuiteVariant) -> Int {
      let place = RecordedFacts.Place(suite: loaded.id, variant: variant.id, caseID: caseID)
      return answers[place]?.count ?? 0
    }
    var suite = loaded
    suite.variants = loaded.variants.filter { variant in
      loaded.cases.contains { count($0.id, variant) > 0 }
    }
    let variants = suite.variants
    func most(_ caseID: String) -> Int { variants.map { count(caseID, $0) }.max() ?? 0 }
    let whole = loaded.cases.map { most($0.id) }.max() ?? 0
    guard whole > 0 else { return nil }
    suite.repeats = whole
    // A log may have more answers to one test case than to another.
    suite.setOwnRepeats { caseID in
      let own = most(caseID)
      // A test case without an answer lacks one attempt, unless the import permits that.
      return own == whole ? nil : allowsMissing ? own : max(1, own)
    }
    return suite
  }

  /// Returns the ids of the variants in a run, or `nil` if they are the first ones of their suites.
  private static func chosenVariants(_ asked: [Suite], of suites: [Suite]) -> [String]? {
    let areFirst = asked.allSatisfy { suite in
      suite.variants.map(\.id) == suites.first { $0.id == suite.id }?.variants.prefix(1).map(\.id)
    }
    if areFirst { return nil }
    return Set(asked.flatMap { $0.variants.map(\.id) }).sorted()
  }

  /// Returns a skipped attempt for a test case whose prompt or input was not recorded, so that the
  /// report counts the test case.
  private static func skipped(_ job: RunPlan.Job, because reason: SkipReason) -> AttemptRecord {
    let key = AttemptKey(
      suite: job.request.suite, variant: job.request.variant, backend: job.backend,
      caseID: job.request.caseID, repeatIndex: 0)
    var attempt = AttemptRecord(key: key, seed: 0, outcome: .skipped, stopReason: .failed)
    attempt.details.skipReason = reason
    return attempt
  }

  // MARK: Without suites

  /// Returns a run that no suite judges, with a test case for each prompt and a suite for each
  /// schema.
  package func unjudged() -> Outcome {
    var suites: [SuiteRecord] = []
    var counts: [AttemptKey: Int] = [:]
    var attempts: [AttemptRecord] = []
    for recording in recordings {
      let name = recording.schemaName ?? "text"
      let suite = suites.firstIndex { $0.schemaName == name } ?? suites.count
      if suite == suites.count { suites.append(Self.suite(name, of: recording)) }
      let id = "prompt-" + SHA256.hexDigest(of: recording.prompt).prefix(8)
      if !suites[suite].cases.contains(where: { $0.id == id }) {
        suites[suite].cases.append(
          CaseRecord(
            id: id, title: String(recording.prompt.prefix(60)), tags: [],
            variables: .object(["input": .string(recording.prompt)]), expectedBranches: [],
            assertions: [Self.assertion]))
      }
      var key = AttemptKey(
        suite: suites[suite].id, variant: "recorded", backend: RecordedBackend.id, caseID: id,
        repeatIndex: 0)
      let count = counts[key, default: 0]
      counts[key] = count + 1
      key.repeatIndex = count
      suites[suite].repeats = max(suites[suite].repeats, count + 1)
      attempts.append(Self.attempt(recording, key, isStructured: recording.schemaName != nil))
    }
    // A log may have more answers to one prompt than to another.
    for (key, count) in counts {
      guard let suite = suites.firstIndex(where: { $0.id == key.suite }),
        count < suites[suite].repeats
      else { continue }
      suites[suite].details.cases = suites[suite].details.cases ?? [:]
      suites[suite].details.cases?[key.caseID, default: CaseSettings()].repeats = count
    }
    return Outcome(run: run(suites), attempts: attempts)
  }

  private static let assertion = "an answer is there"

  private static func suite(_ name: String, of recording: Recording) -> SuiteRecord {
    SuiteRecord(
      id: "recorded-"
        + name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" },
      title: "Recorded answers: \(name)", guards: "", file: "", schemaName: name,
      variants: [
        VariantRecord(
          id: "recorded", title: "as recorded", schema: recording.schema ?? "{}",
          instructions: recording.instructions, promptTemplate: "{{input}}", edits: [])
      ], cases: [], repeats: 1, seed: 0, options: GenerationSettings(),
      gate: GateRecord(passRate: 0))
  }

  private static func failure(of output: String, schema: String) -> AttemptFailure? {
    if let reason = AnswerReader.obstacle(to: schema) {
      return AttemptFailure(
        kind: .unsupportedGenerationGuide,
        message: "the answer can't be judged by its schema: \(reason)")
    }
    return AnswerReader(schema: schema).read(output).failure
  }

  private static func attempt(
    _ recording: Recording, _ key: AttemptKey, isStructured: Bool
  ) -> AttemptRecord {
    let output = recording.output ?? ""
    let facts = recording.facts
    var attempt = AttemptRecord(
      key: key, seed: facts.seed ?? 0, outcome: .fail,
      stopReason: StopReason(recorded: recording.failure), renderedPrompt: recording.prompt,
      output: output, promptTokens: facts.promptTokens ?? 0,
      outputTokens: facts.outputTokens ?? 0, duration: facts.seconds ?? 0)
    attempt.failure =
      recording.failure
      ?? (isStructured ? failure(of: output, schema: recording.schema ?? "") : nil)
    if let failure = attempt.failure {
      if failure.kind.saysNothing { attempt.outcome = .error }
      return attempt
    }
    attempt.outcome = output.isEmpty ? .fail : .pass
    attempt.verdicts = [
      VerdictRecord(
        assertion: assertion, type: "present", path: "$",
        verdict: output.isEmpty ? .fail : .pass, expected: "an answer",
        actual: output.isEmpty ? "nothing" : "an answer")
    ]
    return attempt
  }
}
