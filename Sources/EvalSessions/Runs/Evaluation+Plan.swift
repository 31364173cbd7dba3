import EvalRecords
import EvalRunner
import EvalSuites

extension EvaluationContext {
  /// Loads the suites in files and folders, and the suites that the program defines.
  ///
  /// - Parameters:
  ///   - names: Suite files, folders of suites, or ids of the program's own suites; if empty, all
  ///     suites in the folder `evals` and all of the program's own suites. The folder may be
  ///     missing if the program has its own suites.
  ///   - files: The access to files.
  /// - Throws: `SessionFailure` with every problem of every file.
  package func suites(
    at names: [String], files: FileReading = .disk
  ) throws(SessionFailure) -> [Suite] {
    let loaded = registered.load(names, environment: environment, files: files)
    guard loaded.problems.isEmpty else {
      throw SessionFailure(.usage, loaded.problems.map(\.description))
    }
    return loaded.suites
  }
}

extension Evaluation {
  /// Returns a plan of the attempts.
  ///
  /// - Parameter isGated: Whether gates judge the run. Only such a run may have a shard without
  ///   test cases.
  /// - Throws: `SessionFailure` if there are no attempts, or if a suite runs programs without
  ///   permission.
  func plan(of suites: [Suite], isGated: Bool) throws(SessionFailure) -> RunPlan {
    let plan = RunPlan(
      suites: suites, backends: settings.backends.ids, repeats: settings.repeats,
      seed: settings.seed,
      fresh: settings.fresh(at: try settings.beginning(at: context.timestamp)),
      exactBackends: Set(settings.backends.localModels).union(["local"]))
    let isEmptyShare = isGated && settings.shard != nil && suites.allSatisfy(\.cases.isEmpty)
    guard plan.attemptCount > 0 || isEmptyShare else {
      throw SessionFailure(.nothingSelected, "no test case is selected, so nothing ran")
    }
    if !settings.allowsCommands, let suite = suites.first(where: \.usesCommands) {
      throw SessionFailure(
        .usage,
        "\(suite.path): the suite runs external programs; --allow-commands permits it")
    }
    return plan
  }

  /// Checks that answers can be judged by their schemas, and that each backend supports the
  /// settings and the schemas of its requests.
  ///
  /// - Throws: `SessionFailure` with the first incompatible suite, variant and backend.
  func checkSettings(
    _ plan: RunPlan, _ backends: [any EvalBackend]
  ) throws(SessionFailure) {
    struct Question: Hashable {
      let backend, schema: String
      let settings: GenerationSettings
    }
    var asked: Set<Question> = []
    for job in plan.jobs {
      let question = Question(
        backend: job.backend, schema: job.request.schema, settings: job.request.settings)
      guard asked.insert(question).inserted else { continue }
      let place = "\(job.request.suite):\(job.request.variant)"
      if let reason = AnswerReader.obstacle(to: job.request.answerSchema) {
        throw SessionFailure(
          .usage, "\(place): answers can't be judged by the schema: \(reason)")
      }
      let backend = backends.first { $0.record.id == job.backend }
      guard let obstacle = backend?.obstacle(to: job.request) else { continue }
      throw SessionFailure(
        .usage,
        "\(place): the backend `\(job.backend)` \(obstacle); "
          + "leave the variant out, or choose another backend")
    }
  }

  /// Returns the suites that should stop early but can't, because their gates can't be settled
  /// early or because a comparison needs all their attempts.
  ///
  /// - Throws: `SessionFailure` if no gate can be settled early.
  func unstoppableSuites(
    _ plan: RunPlan
  ) throws(SessionFailure) -> [EvaluationEvent.UnstoppableSuite] {
    guard settings.earlyStoppingAlpha != nil else { return [] }
    let suites = plan.suites.compactMap { suite in
      suite.reasonToRunAll.map {
        EvaluationEvent.UnstoppableSuite(suite: suite.id, reason: $0)
      }
    }
    guard suites.count < plan.suites.count else {
      throw SessionFailure(
        .usage,
        "--stop-early can't settle any gate early: "
          + suites.map { "\($0.suite) (\($0.reason))" }.joined(separator: ", ")
          + "; it can settle a gate on the share of attempts or of test cases that passed")
    }
    let compared = plan.suites.map(\.id).filter { id in
      settings.comparedSuites.contains(id) && !suites.contains { $0.suite == id }
    }
    return suites + compared.map { .init(suite: $0, reason: "it is compared with a reference") }
  }
}
