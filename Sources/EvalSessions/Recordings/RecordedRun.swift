import EvalRecords
import EvalRunner
import EvalSuites
import Foundation
import StructuredText

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

  /// Creates a run of recorded answers.
  ///
  /// - Parameters:
  ///   - recordings: The recorded answers.
  ///   - label: The run's label.
  ///   - time: The time of the import, ISO 8601 in UTC.
  package init(recordings: [Recording], label: String, time: String) {
    self.recordings = recordings
    self.label = label
    self.time = time
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
      toolVersion: ToolVersion.current, backends: [RecordedBackend(recordings: [:]).record],
      suites: suites)
  }

  // MARK: With suites

  /// Judges the answers by the assertions of the test cases with the same prompts or inputs.
  ///
  /// - Parameters:
  ///   - suites: The suites, each with one variant.
  ///   - allowsMissing: Whether test cases may lack an answer. If they may not, the run isn't
  ///     complete, and a suite with such a test case misses its gate.
  ///   - clock: The clock of the runner.
  package func judged(
    by suites: [Suite], allowsMissing: Bool = false, clock: any Clock<Duration>
  ) async -> Outcome {
    var answers: [String: [Recording]] = [:]
    var unknown: [Recording] = []
    var contradictions: [LogContradiction] = []
    let places = Self.places(of: suites)
    let inputs = InputIndex(suites)
    for recording in recordings {
      let place =
        recording.variables.map { inputs.place(of: $0, beside: recording.others) }
        ?? places[Self.trimmed(recording.prompt)]
      if let place {
        answers[place, default: []].append(recording)
        contradictions += LogContradiction.all(in: recording, at: place, of: suites)
      } else {
        unknown.append(recording)
      }
    }
    let asked = suites.compactMap { loaded -> Suite? in
      func count(_ suiteCase: SuiteCase) -> Int {
        answers["\(loaded.id)/\(suiteCase.id)"]?.count ?? 0
      }
      let most = loaded.cases.map(count).max() ?? 0
      var suite = loaded
      suite.repeats = most
      // A log may have more answers to one test case than to another.
      suite.setOwnRepeats { suiteCase in
        let own = count(suiteCase)
        // A test case without an answer lacks one attempt, unless the import permits that.
        return own == most ? nil : allowsMissing ? own : max(1, own)
      }
      return most == 0 ? nil : suite
    }
    var plan = RunPlan(suites: asked, backends: [RecordedBackend.id])
    plan.jobs = plan.jobs.map { job in
      var job = job
      let count = answers["\(job.request.suite)/\(job.request.caseID)"]?.count ?? 0
      job.repeats = Array(job.repeats.prefix(count))
      return job
    }
    let missing = plan.jobs.filter(\.repeats.isEmpty)
    plan.jobs.removeAll(where: \.repeats.isEmpty)
    let attempts = await PlanExecution(runner: Runner(jobs: 1), clock: clock)
      .attempts(of: plan, on: [RecordedBackend(recordings: answers)])
    var outcome = Outcome(
      run: run(plan.suites),
      attempts: attempts
        + missing.map { Self.skipped($0, because: .noAnswer(isPermitted: allowsMissing)) },
      unknown: unknown, contradictions: contradictions)
    outcome.missingCases = missing.map { "\($0.request.suite)/\($0.request.caseID)" }
    if !missing.isEmpty, !allowsMissing {
      outcome.run.status = .interrupted
      outcome.run.details.ending =
        missing.count == 1
        ? "1 test case has no recorded answer"
        : "\(missing.count) test cases have no recorded answer"
    }
    return outcome
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

  /// Returns the test cases, keyed by their trimmed prompts; if several test cases have the same
  /// prompt, the first test case wins.
  private static func places(of suites: [Suite]) -> [String: String] {
    var places: [String: String] = [:]
    for suite in suites {
      guard let variant = suite.variants.first else { continue }
      for suiteCase in suite.cases {
        let prompt = trimmed(suite.request(suiteCase, variant).prompt)
        if places[prompt] == nil { places[prompt] = "\(suite.id)/\(suiteCase.id)" }
      }
    }
    return places
  }

  private static func trimmed(_ text: String) -> String {
    text.trimmingCharacters(in: .whitespacesAndNewlines)
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

  private static func attempt(
    _ recording: Recording, _ key: AttemptKey, isStructured: Bool
  ) -> AttemptRecord {
    let output = recording.output ?? ""
    var attempt = AttemptRecord(
      key: key, seed: 0, outcome: .fail, stopReason: .complete,
      renderedPrompt: recording.prompt, output: output)
    attempt.failure =
      recording.output == nil
      ? RecordedBackend.noAnswer
      : isStructured ? AnswerReader(schema: recording.schema ?? "").read(output).failure : nil
    if attempt.failure != nil {
      if recording.output == nil { attempt.stopReason = .failed }
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
