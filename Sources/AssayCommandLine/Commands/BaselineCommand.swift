import EvalFindings
import EvalRecords
import EvalRunner
import EvalSessions
import EvalSuites
import ResultStore
import SystemBasics

/// `assay baseline`: accepts a run as the reference for later runs, and shows and renews baselines.
struct BaselineCommand: Command {
  let specification = CommandSpecification(
    name: "baseline",
    summary: "Accepts a run as the baseline of its suites; shows and renews baselines.",
    positionals: "accept [RUN] | list | show [SUITE …] | renew [SUITE …]",
    positionalCount: 1...10_000,
    verbs: ["accept", "list", "show", "renew"],
    options: [Options.suite, Self.reason, Self.allow, Self.byModel] + Self.renewing + [
      Options.reports, Options.database,
    ],
    details: """
      `accept` takes the run with the number RUN, or the last complete run of whole suites, and
      writes REPORTS/baselines/SUITE.jsonl, which belongs in git. From then on, `assay run` compares
      each run with this baseline. Imported answers have a baseline of their own
      (SUITE@recorded.jsonl). `accept` refuses a run that is not a good reference: a part of a
      suite, a missed gate, a regression, backend errors, missing answers, or a baseline of another
      kind; --allow gives a reason to accept it anyway. `show` prints what the baselines changed.
      `renew` is for baselines that are no longer comparable because Assay's defaults have changed:
      it runs their stored requests (schema, guides, prompts, inputs, seeds) under the current
      defaults, and accepts the result. Without SUITE, `show` and `renew` take all baselines.
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

  private static let allow = OptionKey<String?>.text(
    "allow", "REASON", default: "refuse such a run", .command,
    "accept a run although it is not a good reference; the reason is kept with the baseline")

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
    case "list", "show":
      let verb = arguments.positionals[0]
      try arguments.refuse(
        [Options.suite, Self.reason, Self.allow, Self.byModel, Options.database] + Self.renewing,
        "doesn't apply to `assay baseline \(verb)`")
      if verb == "show" { return try show(arguments, reports, in: context) }
      guard arguments.positionals.count == 1 else {
        throw UsageError("`assay baseline list` takes no run; `assay baseline show` takes suites")
      }
      return try list(reports, in: context)
    case let verb:
      throw UsageError("there is no `assay baseline \(verb)`; use accept, list, show or renew")
    }
  }

  private func accept(
    _ arguments: ParsedArguments, _ reports: String, in context: ProgramContext
  ) throws -> ExitStatus {
    let store = try openStore(arguments.database, access: .reading)
    let run = try Self.run(arguments, of: store)
    let known = run.suites.map(\.id)
    let wanted = try arguments[Options.suite].isEmpty ? known : arguments[Options.suite]
    for suite in wanted where !known.contains(suite) {
      throw SessionFailure(
        .nothingSelected,
        "run \(run.id) has no suite `\(suite)`; it has \(known.joined(separator: ", "))")
    }
    let isOfModel = arguments.has(Self.byModel)
    if isOfModel, BaselineFile.modelKey(of: run) == nil {
      throw SessionFailure(
        .usage, "run \(run.id) has no model file, or several; --by-model needs exactly one")
    }
    let attempts = try perform { try store.attempts(run: run.id) }
    let allowed = try arguments[Self.allow]
    try write(
      try BaselineAcceptance(
        run, attempts, suites: wanted,
        comparisons: try Self.comparisons(of: run, reports, in: store, context),
        paths: Dictionary(
          wanted.map { suite in
            let path = BaselineFile.path(
              ofSuite: suite, acceptedFrom: run, isOfModel: isOfModel, in: reports)
            return (suite, (path, path))
          }, uniquingKeysWith: { first, _ in first }), reason: try arguments[Self.reason],
        allowed: allowed, at: context.timestamp),
      isAllowed: allowed != nil, reports, arguments.database, in: context)
    return .passed
  }

  /// Returns the comparisons of a run with the references that it kept.
  private static func comparisons(
    of run: RunRecord, _ reports: String, in store: ResultStore, _ context: ProgramContext
  ) throws -> [ComparisonRecord] {
    guard run.comparison == nil, run.details.references != nil else { return [] }
    let plan = ReferencePlan(
      rule: nil, choice: try run.choice, loaded: [],
      history: try HistoryFile(reports: reports).read { context.console.tell(warning: $0) },
      judging: Judging())
    return try JudgedRun(stored: run, plan, isOld: false, in: store).comparisons.map(\.record)
  }

  /// Shows what an acceptance changes, and writes its files unless the run has problems.
  private func write(
    _ acceptance: BaselineAcceptance, isAllowed: Bool, _ reports: String, _ database: String,
    in context: ProgramContext
  ) throws(SessionFailure) {
    let refusal = acceptance.refusal(isAllowed: isAllowed, words: { $0.words })
    for (path, replaced, file) in acceptance.files {
      context.console.output(
        BaselineWords.text(
          file.run.suites.first?.id ?? "", file.summary, replaced: file.replaced,
          allowed: file.allowed))
      guard refusal == nil else { continue }
      try Self.write(file, to: path, reports, in: context)
      // The baseline of one model has another name under another protocol.
      if replaced != path { try? FileManager.default.removeItem(atPath: replaced) }
    }
    if let refusal { throw refusal }
    for doubt in acceptance.doubts { context.console.tell(warning: doubt.words) }
    Self.note(acceptance, in: database, context)
  }

  /// Notes the acceptance in the database, so that later runs miss a baseline file that is deleted.
  ///
  /// The baseline is complete without this note, so a database that can't be written is no error.
  private static func note(
    _ acceptance: BaselineAcceptance, in database: String, _ context: ProgramContext
  ) {
    do {
      let store = try openStore(database, waiting: context.lockWait)
      try store.noteAcceptance(
        ofRun: acceptance.run.id, for: acceptance.files.compactMap { $0.file.run.suites.first?.id },
        at: context.timestamp)
    } catch {
      context.console.tell(
        warning: "\(database): the acceptance was not noted, so later runs may not miss a deleted "
          + "baseline file")
    }
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
    let chosen = try Self.chosen(Array(arguments.positionals.dropFirst()), in: reports)
    let suites = try context.evaluation.suites(at: arguments[Options.suites])
    // Create all renewals first, to report a problem with any of them before anything runs.
    let renewals = try chosen.map { try BaselineRenewal($0, suites: suites) }
    let (reason, allowed) = (try arguments[Self.reason], try arguments[Self.allow])
    for renewal in renewals {
      let options = try renewal.options(arguments, in: context)
      let outcome = try await options.run([renewal.suite], isReported: false, in: context)
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
      try write(
        try renewal.acceptance(
          of: outcome, reason: reason, allowed: allowed, in: reports, at: context.timestamp),
        isAllowed: allowed != nil, reports, arguments.database, in: context)
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
        throw SessionFailure(
          .usage,
          "run \(id) is not complete, so it can't be a baseline"
            + (BaselineKind(of: run) == .recorded
              ? "; import the log with --allow-missing, if test cases may lack an answer" : ""))
      }
      return run
    }
    let suite = try arguments[Options.suite].first
    let heads = try perform { try store.runIDs(matching: .init(suite: suite, status: .complete)) }
    var stopped: RunRecord?
    for id in heads.reversed() {
      let run = try perform { try store.run(id) }
      let isWhole = run.isOfWholeSuites
      if isWhole, run.details.earlyStops == nil { return run }
      if isWhole, stopped == nil { stopped = run }
    }
    // The refusal says how to complete the run.
    if let stopped { return stopped }
    throw SessionFailure(
      .nothingSelected,
      heads.isEmpty
        ? "there is no complete run to accept; run `assay run` first"
        : "there is no complete run of whole suites to accept; name a run by its number")
  }

  private func show(
    _ arguments: ParsedArguments, _ reports: String, in context: ProgramContext
  ) throws -> ExitStatus {
    for file in try Self.chosen(Array(arguments.positionals.dropFirst()), in: reports) {
      context.console.output(
        BaselineWords.text(
          file.run.suites.first?.id ?? "", file.summary, replaced: file.replaced,
          allowed: file.allowed))
    }
    return .passed
  }

  /// Returns the baselines of the named suites, or all baselines if no suite is named.
  private static func chosen(
    _ names: [String], in reports: String
  ) throws(SessionFailure) -> [BaselineFile] {
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
    return chosen
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
