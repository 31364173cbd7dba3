import EvalRecords
import EvalReports
import EvalRunner
import EvalSessions
import EvalSuites
import Foundation
import ResultStore

/// `assay baseline`: accepts a run as the reference for later runs, and lists and renews baselines.
struct BaselineCommand: Command {
  let specification = CommandSpecification(
    name: "baseline",
    summary: "Accepts a run as the baseline of its suites; lists and renews baselines.",
    positionals: "accept [RUN] | list | renew [SUITE …]", positionalCount: 1...10_000,
    verbs: ["accept", "list", "renew"],
    options: [Options.suite, Self.reason, Self.allowFailing, Self.byModel] + Self.renewing + [
      Options.reports, Options.database,
    ],
    details: """
      `accept` takes the run with the number RUN, or the last complete run, and writes
      REPORTS/baselines/SUITE.jsonl, which belongs in git. From then on, `assay run` compares each
      run with this baseline. `renew` is for baselines that are no longer comparable because Assay's
      defaults have changed: it runs their stored requests (schema, guides, prompts, inputs, seeds)
      under the current defaults, and accepts the result. Without SUITE, it renews all baselines.
      """,
    examples: [
      .init(
        "baseline accept --reason \"shorter guides\"",
        "Accepts the last complete run as the baseline of its suites."),
      .init(
        "baseline renew flashcards -m model.gguf",
        "Runs the stored requests of a baseline again on the same model, and accepts the result."),
    ])

  /// The options that only `renew` has.
  private static let renewing: [any DeclaredOption] = [
    Options.suites, Options.models, Options.chatFormat, Options.jobs, Options.memory,
    Options.timeout,
    Options.allowCommands,
  ]

  private static let allowFailing = OptionKey<Bool>.flag(
    "allow-failing", .command,
    "accept a run that failed a gate or had backend errors")

  private static let byModel = OptionKey<Bool>.flag(
    "by-model", .command,
    "accept: use the baseline only for this run's model and measurement protocol")
  private static let reason = OptionKey<String?>.text(
    "reason", "TEXT", default: "accepted without a reason", .command,
    "the reason for accepting the run, kept with the baseline")

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    let reports = arguments.reports
    switch arguments.positionals[0] {
    case "accept":
      try arguments.refuse(Self.renewing, "only applies to `assay baseline renew`")
      guard arguments.positionals.count <= 2 else {
        throw UsageError("`assay baseline accept` takes one run")
      }
      return try accept(arguments, reports, in: context)
    case "renew": return try await renew(arguments, reports, in: context)
    case "list":
      try arguments.refuse(
        [Options.suite, Self.reason, Self.allowFailing, Self.byModel, Options.database]
          + Self.renewing,
        "doesn't apply to `assay baseline list`")
      guard arguments.positionals.count == 1 else {
        throw UsageError("`assay baseline list` takes no run")
      }
      return try list(reports, in: context)
    case let verb:
      throw UsageError("there is no `assay baseline \(verb)`; use accept, list or renew")
    }
  }

  private func accept(
    _ arguments: ParsedArguments, _ reports: String, in context: ProgramContext
  ) throws -> ExitStatus {
    let store = try openStore(arguments.database)
    let run = try Self.run(arguments, of: store)
    let known = run.suites.map(\.id)
    let wanted = try arguments[Options.suite].isEmpty ? known : arguments[Options.suite]
    for suite in wanted where !known.contains(suite) {
      throw SessionFailure(
        .nothingSelected,
        "run \(run.id) has no suite `\(suite)`; it has \(known.joined(separator: ", "))")
    }
    let key = arguments.has(Self.byModel) ? BaselineFile.modelKey(of: run) : nil
    if arguments.has(Self.byModel), key == nil {
      throw SessionFailure(
        .usage, "run \(run.id) has no model file, or several; --by-model needs exactly one")
    }
    let reason = try arguments[Self.reason] ?? "accepted without a reason"
    let attempts = try perform { try store.attempts(run: run.id) }
    if !arguments.has(Self.allowFailing) {
      let problems = Self.problems(of: run, attempts, wanted)
      guard problems.isEmpty else {
        throw SessionFailure(
          .usage,
          "run \(run.id) is not a good reference: "
            + "\(problems.map(\.words).joined(separator: "; ")). Later runs "
            + "would be compared with it; --allow-failing accepts it anyway")
      }
    }
    _ = try perform {
      try store.acceptBaseline(
        run: run.id, suites: wanted, reason: reason, at: context.timestamp)
    }
    for suite in wanted {
      try Self.write(
        BaselineFile(
          suite: suite, run: run, attempts: attempts, reason: reason,
          acceptedAt: context.timestamp),
        to: key.map { BaselineFile.path(ofSuite: suite, forModel: $0, in: reports) }
          ?? BaselineFile.path(ofSuite: suite, in: reports), reports, in: context)
    }
    return .passed
  }

  /// Returns the problems that make a run a poor reference.
  private static func problems(
    of run: RunRecord, _ attempts: [AttemptRecord], _ suites: [String]
  ) -> [BaselineProblem] {
    let gates = GateResultRecord.results(
      suites: run.suites.filter { suites.contains($0.id) }, backends: run.backends.map(\.id),
      attempts: attempts.filter { suites.contains($0.key.suite) })
    return BaselineProblem.problems(of: run, attempts, suites: suites, gates: gates)
  }

  private static func write(
    _ file: BaselineFile, to path: String, _ reports: String, in context: ProgramContext
  ) throws(SessionFailure) {
    do throws(OutputFolder.Failure) {
      try OutputFolder(path: "\(reports)/baselines").replace(path, with: file.text)
    } catch {
      throw SessionFailure(.cannotRun, error.description)
    }
    context.console.output(
      "\(path): run \(file.run.id), \(file.attempts.count.counted("attempt")); "
        + "commit the file to keep it\n")
  }

  // MARK: Renew

  private func renew(
    _ arguments: ParsedArguments, _ reports: String, in context: ProgramContext
  ) async throws -> ExitStatus {
    try arguments.refuse(
      [Options.suite, Self.byModel],
      "doesn't apply to `assay baseline renew`: name the suites as arguments; renewing doesn't "
        + "change whether a baseline is for one model only")
    let names = arguments.positionals.dropFirst()
    let all = try BaselineFile.all(in: reports)
    let known = all.compactMap { $0.run.suites.first?.id }
    for name in names where !known.contains(name) {
      throw SessionFailure(
        .nothingSelected,
        "there is no baseline of `\(name)` in \(reports)/baselines; "
          + (known.isEmpty
            ? "the folder has no baselines"
            : "there are baselines of \(known.joined(separator: ", "))"))
    }
    let chosen = all.filter { names.isEmpty || names.contains($0.run.suites.first?.id ?? "") }
    guard !chosen.isEmpty else {
      throw SessionFailure(.nothingSelected, "there are no baselines in \(reports)/baselines")
    }
    let suites = try context.evaluation.suites(at: arguments[Options.suites])
    // Create all renewals first, to report a problem with any of them before anything runs.
    let renewals = try chosen.map { try BaselineRenewal($0, suites: suites) }
    let reason = try arguments[Self.reason]
    for renewal in renewals {
      let options = try renewal.options(arguments, in: context)
      let outcome = try await options.run([renewal.suite], in: context)
      guard outcome.run.status == .complete else {
        context.console.tell(
          warning: "run \(outcome.run.id) is not complete, so the baseline of "
            + "\(renewal.suite.id) was not replaced")
        return .interrupted
      }
      guard !outcome.attempts.allSatisfy({ $0.outcome == .error && $0.failure?.kind == .backend })
      else {
        throw SessionFailure(
          .cannotRun, "\(renewal.suite.id): no attempt could run, so its baseline was not replaced")
      }
      let file = renewal.renewed(by: outcome, reason: reason, at: context.timestamp)
      let store = try openStore(arguments.database)
      _ = try perform {
        try store.acceptBaseline(
          run: outcome.run.id, suites: [renewal.suite.id], reason: file.reason,
          at: context.timestamp)
      }
      try Self.write(
        file, to: BaselineFile.path(renewing: renewal.baseline, as: file, in: reports), reports,
        in: context)
    }
    return .passed
  }

  private static func run(
    _ arguments: ParsedArguments, of store: ResultStore
  ) throws -> RunRecord {
    if arguments.positionals.count > 1 {
      let text = arguments.positionals[1]
      guard let id = Int(text) else {
        throw UsageError("`assay baseline accept \(text)`: expected the number of a run")
      }
      let run = try perform { try store.run(id) }
      guard run.status == .complete else {
        throw SessionFailure(.usage, "run \(id) is not complete, so it can't be a baseline")
      }
      return run
    }
    let suite = try arguments[Options.suite].first
    guard
      let run = try perform({
        try store.latestRun(matching: RunFilter(suite: suite, status: .complete))
      })
    else {
      throw SessionFailure(.nothingSelected, "there is no complete run to accept")
    }
    return run
  }

  private func list(_ reports: String, in context: ProgramContext) throws -> ExitStatus {
    let files = try BaselineFile.all(in: reports)
    guard !files.isEmpty else {
      context.console.output("there are no baselines in \(reports)/baselines\n")
      return .passed
    }
    for file in files {
      let models = file.run.backends.map { "\($0.id) (\($0.model))" }.joined(separator: ", ")
      context.console.output(
        "\(file.run.suites.first?.id ?? "")  run \(file.run.id), "
          + "\(file.attempts.count.counted("attempt")) on \(models), "
          + "accepted \(file.acceptedAt): \(VisibleText.line(file.reason))\n")
    }
    return .passed
  }
}

extension BaselineRenewal {
  /// Returns the options for the run that renews the baseline.
  ///
  /// The options have the stored run's backends and the command line's model files.
  fileprivate func options(
    _ arguments: ParsedArguments, in context: ProgramContext
  ) throws(UsageError) -> RunOptions {
    var options = try RunOptions(arguments, in: context)
    let local = backends.filter { $0 != "stub" && context.evaluation.registered.backend($0) == nil }
    let isNamed = !local.isEmpty || arguments.has(Options.models)
    let paths = isNamed ? try arguments[Options.models] : []
    guard paths.isEmpty || paths.count == local.count else {
      throw UsageError(
        "the baseline of \(suite.id) has \(local.count.counted("local backend")) "
          + "(\(local.joined(separator: ", "))); give one --model FILE for each, in this order")
    }
    options.settings.backends.ids = backends
    options.settings.backends.models = Dictionary(uniqueKeysWithValues: zip(local, paths))
    options.settings.label = "renewed baseline"
    return options
  }
}
