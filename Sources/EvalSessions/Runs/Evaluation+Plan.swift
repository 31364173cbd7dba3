import EvalRecords
import EvalRunner
import EvalSuites

extension EvaluationContext {
  /// Loads suites: files, folders, and those that the program adds.
  ///
  /// - Parameter names: Suite files, folders of suites, or ids of the program's own suites; none for
  ///   the folder `evals`, if there is one, and all of the program's own.
  /// - Throws: `SessionFailure` with every problem of every file.
  package func suites(at names: [String]) throws(SessionFailure) -> [Suite] {
    let loaded = registered.load(names, environment: environment)
    guard loaded.problems.isEmpty else {
      throw SessionFailure(.usage, loaded.problems.map(\.description))
    }
    return loaded.suites
  }
}

extension Evaluation {
  /// Plans the attempts.
  ///
  /// - Parameter isGated: Whether gates judge the run; then a share of it may have no case.
  /// - Throws: `SessionFailure` if there are none, or if a suite runs programs and may not.
  func plan(of suites: [Suite], isGated: Bool) throws(SessionFailure) -> RunPlan {
    let plan = RunPlan(
      suites: suites, backends: settings.backends.ids, repeats: settings.repeats,
      seed: settings.seed,
      fresh: settings.fresh(at: try settings.beginning(at: context.timestamp)))
    let isEmptyShare = isGated && settings.shard != nil && suites.allSatisfy(\.cases.isEmpty)
    guard plan.attemptCount > 0 || isEmptyShare else {
      throw SessionFailure(.nothingSelected, "no case is selected, so nothing ran")
    }
    if !settings.allowsCommands, let suite = suites.first(where: \.usesCommands) {
      throw SessionFailure(
        .usage,
        "\(suite.path): the suite runs external programs; --allow-commands permits it")
    }
    return plan
  }

  /// Checks that each backend can honour the settings of its requests.
  ///
  /// - Throws: `SessionFailure` with the first suite, variant and backend that don't go together.
  func checkSettings(
    _ plan: RunPlan, _ backends: [any EvalBackend]
  ) throws(SessionFailure) {
    for job in plan.jobs {
      let backend = backends.first { $0.record.id == job.backend }
      guard let obstacle = backend?.obstacle(to: job.request.settings) else { continue }
      throw SessionFailure(
        .usage,
        "\(job.request.suite):\(job.request.variant): the backend `\(job.backend)` \(obstacle); "
          + "leave the variant out, or choose another backend")
    }
  }

  /// Reports the suites whose gates can't be settled early.
  ///
  /// - Throws: `SessionFailure` if that is all of them.
  func checkEarlyStopping(_ plan: RunPlan) throws(SessionFailure) {
    guard settings.earlyStoppingAlpha != nil else { return }
    let suites = plan.suites.compactMap { suite in
      suite.reasonToRunAll.map {
        EvaluationEvent.UnstoppableSuite(suite: suite.id, reason: $0)
      }
    }
    guard suites.count < plan.suites.count else {
      throw SessionFailure(
        .usage,
        "--stop-early can settle no gate early: "
          + suites.map { "\($0.suite) (\($0.reason))" }.joined(separator: ", ")
          + "; gates of attempts, and of cases that pass or don't, are allowed")
    }
    if !suites.isEmpty { onEvent(.cannotStopEarly(suites)) }
  }
}
