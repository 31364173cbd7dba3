import EvalFindings
import EvalRecords
import EvalRunner
import EvalSessions
import EvalSuites
import SystemBasics

/// The options that `run`, `compare` and `lab` share.
struct RunOptions: Sendable {
  /// The settings of the evaluation.
  var settings: EvaluationSettings
  /// The failures to show while the run is in progress.
  var failures: ProgressReporter.Failures
  /// The options for reports and for standard output.
  var output: OutputOptions

  /// Creates options from the arguments of a command.
  ///
  /// - Parameters:
  ///   - arguments: The checked arguments.
  ///   - context: The program's context, with the backends that are compiled into the program.
  /// - Throws: `UsageError` for an invalid number, an unknown backend, or options that can't be
  ///   combined.
  init(_ arguments: ParsedArguments, in context: ProgramContext) throws(UsageError) {
    try arguments.checkBackends(in: context)
    let served = try ServedModels(arguments)
    var backends = served.otherBackends
    if !backends.contains("local"), !served.onlyNamesServedModels {
      try arguments.refuse(
        [Options.models, Options.chatFormat],
        "only applies to the local backend; add -b local")
    }
    let models = try Self.localBackends(served.files)
    if models.count > 1 {
      backends = backends.flatMap { $0 == "local" ? models.map(\.id) : [$0] }
    }
    var choice = BackendChoice(
      ids: backends + served.ids,
      models: Dictionary(uniqueKeysWithValues: models.map { ($0.id, $0.path) }),
      chatFormat: try arguments[Options.chatFormat])
    choice.served = served.choices
    choice.namesModels = arguments.has(Options.models)
    choice.namesBackends = arguments.has(Options.backend)
    choice.record = try arguments[Options.record]
    choice.replay = try arguments[Options.replay]
    if choice.record != nil, choice.replay != nil {
      throw UsageError("--record and --replay exclude each other; give only one of them")
    }
    for choice in served.choices.values { try arguments.checkCommand(of: choice) }
    if served.choices.isEmpty {
      try arguments.refuse(
        [Options.record, Options.replay],
        "only applies to served models; name one with -b, for example ollama:llama3.2")
    }
    let known = arguments.project?.models ?? []
    let memory = try arguments[Options.memory]
    if arguments.has(Options.memory) {
      choice.memory = memory
    } else {
      choice.projectMemory = memory
    }
    choice.usesDrafts = !arguments.has(Options.noDrafts)
    choice.known = Dictionary(known.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    settings = EvaluationSettings(
      backends: choice,
      jobs: try arguments[Options.jobs]
        ?? ProcessInfo.processInfo.activeProcessorCount,
      reports: arguments.reports, database: arguments.database)
    settings.repeats = try arguments[Options.repeats]
    settings.seed = try arguments[Options.seed].map { UInt64($0) }
    let fresh = try arguments[Options.fresh]
    settings.freshRepeats = fresh == 0 ? nil : fresh
    settings.freshSeed = try arguments[Options.freshSeed].map { UInt64($0) }
    settings.timeLimit = try arguments[Options.timeout]
    settings.retries = RetryPolicy(limit: try arguments[Options.retries] ?? 0)
    if let pause = try arguments[Options.retryPause] { settings.retries.pause = pause }
    settings.callsPerMinute = try arguments[Options.callsPerMinute]
    settings.budget = RunBudget(
      time: try arguments[Options.budgetTime],
      tokens: try arguments[Options.budgetTokens],
      calls: try arguments[Options.budgetCalls], cost: try arguments[Options.budgetCost])
    let alpha = try arguments[Options.stopAlpha]
    if alpha != nil, !arguments.has(Options.stopEarly) {
      throw UsageError("--stop-alpha only applies to --stop-early; give both")
    }
    if arguments.has(Options.stopEarly) { settings.earlyStoppingAlpha = alpha ?? 0.05 }
    if arguments.has(Options.cache), arguments.has(Options.noCache) {
      throw UsageError("--cache and --no-cache exclude each other; give only one of them")
    }
    settings.isCached = arguments.has(Options.cache)
    settings.reusesAnswers = arguments.has(Options.reuse)
    if settings.reusesAnswers {
      try arguments.refuse(
        [Options.cache, Options.stopEarly],
        "can't be combined with --reuse; leave one of them out")
    }
    settings.isProfiled = arguments.has(Options.profile)
    settings.traces = try arguments[Options.trace]
    settings.allowsCommands = arguments.has(Options.allowCommands)
    settings.traceBudget =
      try arguments[Options.traceBudget].map { $0 << 20 }
      ?? AttemptKeeper.defaultBudget
    settings.label = try arguments[Options.label] ?? "run"
    settings.resume = try arguments[Options.resume]
    settings.selection =
      try arguments[Options.testCase].map { "--case \($0)" }
      + arguments[Options.tag].map { "--tag \($0)" }
      + (arguments.has(Options.failed) ? ["--failed"] : [])
    settings.variants = try arguments[Options.variant]
    settings.options = arguments.values.filter {
      ReportDocument.repeatedOptions.contains($0.key)
    }.mapValues { $0.isEmpty ? [""] : $0 }
    settings.shard = try arguments[Options.shard]
    failures = try arguments[Options.failures]
    output = try OutputOptions(arguments)
  }
}

extension RunOptions {
  /// Returns the model files with the ids of their backends.
  ///
  /// A single file gets the id `local`; several files get ids that are derived from their names.
  ///
  /// - Parameter paths: The files.
  /// - Throws: `UsageError` if a file is named twice.
  static func localBackends(
    _ paths: [String]
  ) throws(UsageError) -> [(id: String, path: String)] {
    guard paths.count > 1 else { return paths.map { ("local", $0) } }
    var backends: [(id: String, path: String)] = []
    for path in paths {
      guard !backends.contains(where: { $0.path == path }) else {
        throw UsageError("--model \(path) is given twice; give each file only once")
      }
      let name = BackendChoice.name(ofModel: path)
      var id = name
      var number = 2
      while id.isEmpty || id == "stub" || backends.contains(where: { $0.id == id }) {
        id = "\(name)-\(number)"
        number += 1
      }
      backends.append((id, path))
    }
    return backends
  }
}

extension ProgramContext {
  /// The names of the backends that are neither served models nor programs.
  var ownBackends: [String] {
    ["local", "stub"] + evaluation.registered.backends.map(\.record.id)
  }
}

extension ParsedArguments {
  /// Checks that a command of the project file may run.
  func checkCommand(of choice: ServedChoice) throws(UsageError) {
    guard let command = choice.commandOfProject, !has(Options.allowCommands) else { return }
    throw UsageError(
      "the project file runs the command `\(command)`; allow it with --\(Options.allowCommands.name)"
    )
  }

  /// Checks the values of `--backend`.
  ///
  /// - Throws: `UsageError` if a name is not a built-in backend, not a backend that the program
  ///   registers, and not a served model.
  func checkBackends(in context: ProgramContext) throws(UsageError) {
    let known = context.ownBackends
    for name in try self[Options.backend] where !known.contains(name) {
      if project?.model(named: name)?.server != nil { continue }
      guard ServedChoice.isServed(name) else {
        throw UsageError(
          "--backend can't be \(name); the allowed values are \(known.joined(separator: ", ")), "
            + "served models such as ollama:llama3.2, and programs such as exec:COMMAND")
      }
      do throws(ServedChoice.Problem) {
        _ = try ServedChoice(name: name)
      } catch {
        throw UsageError("--backend: \(error)")
      }
    }
  }
}
