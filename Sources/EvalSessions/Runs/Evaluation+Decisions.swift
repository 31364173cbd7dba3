import Backends
import EvalRecords
import EvalRunner
import EvalSuites

extension Evaluation {
  /// Makes attempts that stop after the last decision whose probability a comparison uses.
  ///
  /// Nothing is stored, because such attempts have no outcome: their answers are incomplete.
  ///
  /// - Parameters:
  ///   - suites: The suite with the selected variants and test cases.
  ///   - comparison: The variants to compare.
  /// - Returns: The run, which is in no database, and its attempts.
  /// - Throws: `SessionFailure` if a backend isn't a local model, if there is nothing to measure,
  ///   or if the task was cancelled.
  package func decisions(
    of suites: [Suite], comparing comparison: VariantComparison
  ) async throws(SessionFailure) -> Outcome {
    let drafts = AnswerDrafts()
    let backends = try backends(for: suites, drafts: drafts)
    for backend in backends where !(backend is LocalBackend) {
      throw SessionFailure(
        .usage,
        "--decisions-only needs a local model, because `\(backend.record.id)` can't stop in the "
          + "middle of an answer")
    }
    var plan = try plan(of: suites, isGated: false)
    try checkSettings(plan, backends)
    try plan.stopAfterDecisions(suites)
    var run = RunRecord(
      id: 0, label: "decisions only", startedAt: context.timestamp, status: .complete,
      toolVersion: ToolVersion.current, backends: backends.map(\.record), suites: plan.suites,
      comparison: comparison)
    run.details.measurementProtocol = MeasurementProtocol.current
    onEvent(
      .expects(
        RunForecast(
          plan, threads: settings.jobs, atOnce: backends.compactMap(\.attemptsInWork).max())))
    onEvent(.began(run, plan: plan, done: [], jobs: settings.jobs))
    let elapsed = context.clock.stopwatch()
    let attempts = await execution(nil, WorkQueue("assay.decisions"), of: run).attempts(
      of: plan, on: backends, onEvent: onEvent)
    onEvent(.ended)
    for backend in backends {
      if let use = backend.evaluations, use.evaluatedTokens > 0 {
        onEvent(.used(use, backend: backend.record.id))
      }
    }
    guard attempts.count == plan.attemptCount else {
      throw SessionFailure(
        .interrupted, "the comparison was stopped; --decisions-only keeps no attempts")
    }
    return Outcome(run: run, attempts: attempts, references: References(), duration: elapsed())
  }
}

extension RunPlan {
  /// Lets every answer stop after the last decision that a comparison uses.
  ///
  /// - Parameter suites: The suites of the plan.
  /// - Throws: `SessionFailure` if no answer has such a decision.
  fileprivate mutating func stopAfterDecisions(_ suites: [Suite]) throws(SessionFailure) {
    var hasNeeds = false
    for index in jobs.indices {
      let request = jobs[index].request
      guard let suite = suites.first(where: { $0.id == request.suite }),
        let variant = suite.variants.first(where: { $0.id == request.variant })
      else { continue }
      let minimums = self.suites.first { $0.id == suite.id }?.arrayMinimums ?? [:]
      let needs = variant.generationSchema.neededDecisions(
        minimums: minimums, branches: jobs[index].suiteCase.expectedBranches.map(\.path))
      jobs[index].request.needs = needs
      hasNeeds = hasNeeds || needs?.isEmpty != true
    }
    guard hasNeeds else {
      throw SessionFailure(
        .usage,
        "--decisions-only: the suite has neither an array nor a test case that expects a branch, so "
          + "there is no probability to compare; leave the option out")
    }
  }
}
