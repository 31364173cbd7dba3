import Backends
import EvalFindings
import EvalRecords
import EvalSessions
import EvalSuites
import LocalModels
import SystemBasics

/// `assay doctor`: describes this installation, and checks whether Assay can use a model.
struct DoctorCommand: Command {
  let specification = CommandSpecification(
    name: "doctor", summary: "Tests and describes a model file or a server.",
    positionals: "", positionalCount: 0...0,
    options: [
      Self.model, Self.served, Options.chatFormat, Options.jobs, Options.memory,
      Options.allowCommands,
    ],
    examples: [
      .init("doctor -m model.gguf", "Checks a model file: format, speed and one answer."),
      .init(
        "doctor -b llama-server",
        "Tests a served model, or a program (exec:COMMAND), with a few tiny requests."),
    ])

  private static let model = OptionKey<String?>.text(
    "model", letter: "m", "FILE", default: "the bundled toy", .command, "a GGUF file")

  private static let served = OptionKey<String?>.text(
    "backend", letter: "b", "NAME", .command,
    "a served model, or a program (exec:COMMAND), to test instead of a file")

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    if arguments.has(Self.served), let name = try arguments[Self.served] {
      return try await checkServer(name, arguments, in: context)
    }
    let (memory, jobs) = (try arguments[Options.memory], try arguments[Options.jobs])
    if !arguments.has(Self.model) {
      context.console.output(Self.project(arguments.project))
      context.console.output(Self.found(in: context))
    }
    let named = try arguments[Self.model]
    let known = arguments.project?.models.first { $0.path == named }
    let path = try BackendFactory.modelPath(named, known: known, in: context.evaluation)
    let model: LocalModel
    do {
      model = try LocalModel(path: path)
    } catch {
      throw SessionFailure(.cannotRun, String(describing: error))
    }
    let digest = ModelDigests.digest(of: model)
    let problem = known.flatMap {
      BackendFactory.problem(of: $0, model: model, digest: digest, path: path)
    }
    if let problem { throw SessionFailure(.usage, problem.description) }
    let chosen = (try arguments[Options.chatFormat] ?? known?.chatFormat)
      .flatMap { ChatFormat(rawValue: $0) }
    let template: ChatTemplate
    do throws(MissingControlTokens) {
      template = try model.chatTemplate(chosen)
    } catch {
      throw BackendFactory.failure(
        of: error, chosenBy: arguments.has(Options.chatFormat) ? nil : known)
    }
    var rows = Self.facts(
      model, path: path, digest: digest, template: template, isChosen: chosen != nil)
    rows.append(
      (
        "batches",
        Self.batches(
          model, memory: memory, jobs: jobs)
      ))
    if LocalModel.isDebugBuild { context.console.tell(warning: SlowBuildWords.warning) }
    let checkup = ModelCheckup(model: model, chatFormat: chosen)
    let speed = try checkup.speed()
    rows.append(
      (
        "speed",
        "\(Self.rate(speed.prompt)) prompt tokens and \(Self.rate(speed.decoding)) answer tokens "
          + "per second, on one thread of this machine under its current load"
      ))
    let outcome = ModelCheckup.words(for: try await checkup.answer())
    if case .success(let words) = outcome { rows.append(("test case", words)) }
    let width = rows.map(\.0.count).max() ?? 0
    for (name, value) in rows {
      context.console.output("\(name.padded(to: width))  \(VisibleText.line(value))\n")
    }
    if case .failure(let failure) = outcome { throw failure }
    return .passed
  }

  /// Tests a served model, and prints its capabilities.
  private func checkServer(
    _ name: String, _ arguments: ParsedArguments, in context: ProgramContext
  ) async throws -> ExitStatus {
    try arguments.refuse(
      [Self.model, Options.chatFormat], "only applies to model files; leave out --backend")
    let server = arguments.project?.model(named: name)?.server
    if server == nil, context.ownBackends.contains(name) {
      throw UsageError(
        "--backend \(name): there is nothing to check; `assay doctor` checks model files (-m "
          + "FILE), served models, and programs (-b exec:COMMAND)")
    }
    let choice: ServedChoice
    do throws(ServedChoice.Problem) {
      choice = try ServedChoice(name: server?.name ?? name, project: server)
    } catch {
      throw UsageError("--backend: \(error)")
    }
    try arguments.checkCommand(of: choice)
    let checkup = try await ServedCheckup(choice, in: context.evaluation)
    let width = checkup.rows.map(\.name.count).max() ?? 0
    for (name, value) in checkup.rows {
      context.console.output("\(name.padded(to: width))  \(VisibleText.line(value))\n")
    }
    if let failure = checkup.failure { throw SessionFailure(.cannotRun, failure) }
    return .passed
  }

  /// Describes the project file, its models and its defaults.
  private static func project(_ project: ProjectFile?) -> String {
    guard let project else {
      return "project  none: there is no \(ProjectFile.fileName) in evals or a folder above it; "
        + "the bundled toy is the default model\n"
    }
    var lines = ["project  \(project.path)"]
    for model in project.models {
      let isThere = model.server != nil || FileManager.default.fileExists(atPath: model.path)
      let isDefault = model.name == project.model ? ", the default" : ""
      lines.append(
        "model    \(model.name)\(isDefault): \(model.path)"
          + (isThere ? "" : " (there is no such file)"))
    }
    lines.append("backend  \(project.backend ?? "local")")
    lines.append("reports  \(project.reports ?? "reports")")
    return lines.map { VisibleText.line($0) + "\n" }.joined()
  }

  /// Lists the models in other programs' caches, one on each line.
  private static func found(in context: ProgramContext) -> String {
    let models = ModelCaches(environment: context.environment).models()
    let most = 200
    var lines = models.prefix(most).map { model in
      switch model.file {
      case .success(let path): "found    \(model.qualifiedName): \(path)"
      case .failure(let problem): "found    \(model.qualifiedName), can't be used: \(problem)"
      }
    }
    if models.count > most { lines.append("found    \(models.count - most) more models") }
    return lines.map { VisibleText.line($0) + "\n" }.joined()
  }

  /// Returns the facts about a model that are known without running it.
  private static func facts(
    _ model: LocalModel, path: String, digest: String, template: ChatTemplate, isChosen: Bool
  ) -> [(String, String)] {
    let info = model.info
    let context = model.usualContextLength
    let perWorker = info.bytesPerToken * context
    return [
      ("assay", AssayProgram.version),
      ("file", path),
      ("SHA-256", digest),
      ("name", "\(info.name), as the file's metadata says"),
      ("architecture", "\(info.architecture), \(info.layerCount) layers"),
      (
        "parameters",
        "\(info.parameterCount)"
          + (info.outputParameterCount == 0
            ? ""
            : ", of which \(info.outputParameterCount) are in an output matrix of its own, which "
              + "the names of models often don't count")
      ),
      ("weights", info.quantization),
      ("vocabulary", "\(info.vocabularySize) tokens"),
      ("context", "\(info.contextLength) tokens; Assay uses \(context)"),
      (
        "chat format",
        isChosen
          ? template.format.rawValue
          : info.chatTemplate.map { "\($0.format.rawValue), as the file's template says" }
            ?? "none recognized, so plain text; choose one with --chat-format"
      ),
      (
        "system turn",
        template.defaultSystem.isEmpty
          ? "none if a prompt has neither instructions nor an outline"
          : "the template's own if a prompt has neither instructions nor an outline: "
            + template.defaultSystem
      ),
      (
        "memory",
        "\(mebibytes(info.byteCount)) MiB for the file, which all threads share, and up to "
          + "\(mebibytes(perWorker)) MiB for the \(context) tokens of each answer in progress "
          + "(\(info.bytesPerToken >> 10) KiB a token)"
      ),
      ("instructions", InstructionSet.best.rawValue),
    ]
  }

  /// Describes how many attempts the backend can decode together within the memory limit.
  private static func batches(_ model: LocalModel, memory: Int?, jobs: Int?) -> String {
    let budget = memory.map { $0 << 20 } ?? LocalBackend.cacheLimit
    let workers = jobs ?? ProcessInfo.processInfo.activeProcessorCount
    // Assume that the attempts share a prompt of 512 tokens, and that each answer has 512 tokens.
    let tokens = 512
    let fit = (budget / workers / max(1, model.info.bytesPerToken) - tokens) / (tokens + 64)
    let width = max(1, min(LocalBackend.batchWidth, fit))
    return
      "up to \(width.counted("attempt")) of \(tokens) tokens decode together on each of "
      + "\(workers.counted("thread")), within \(mebibytes(budget)) MiB of keys and values "
      + "(--memory)"
  }

  private static func mebibytes(_ bytes: Int) -> Int { (bytes + 1 << 19) >> 20 }

  private static func rate(_ value: Double) -> String {
    value.text(decimals: value < 10 ? 1 : 0)
  }
}
