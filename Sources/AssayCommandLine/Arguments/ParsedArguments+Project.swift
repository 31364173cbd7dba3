import EvalSessions
import EvalSuites
import SystemBasics

extension ParsedArguments {
  /// Finds the project file, applies its defaults for options that were not given, and replaces the
  /// names of models with the paths of their files.
  ///
  /// The search starts at the first suite path on the command line that exists. If there is none,
  /// it starts in the folder `evals` or, without such a folder, in the current directory. From
  /// there, the search goes upwards.
  ///
  /// - Parameters:
  ///   - command: The command; defaults for options that the command lacks are ignored.
  ///   - context: The program's context.
  /// - Throws: `SessionFailure` with every problem of the project file if the file is invalid.
  ///   `UsageError` if a model name is unknown.
  mutating func applyProject(
    for command: CommandSpecification, in context: ProgramContext
  ) throws {
    let files = FileReading.disk
    let takesSuites = ["SUITE …", "PATH …"].contains { command.positionals.contains($0) }
    let places = (values[Options.suites.name] ?? []) + (takesSuites ? positionals : [])
    let start = (places + ["evals"]).first { files.kind($0) != nil } ?? "."
    guard let path = ProjectFile.find(from: start, in: files) else {
      return try replaceNamesOfModels(in: files, context)
    }
    let project: ProjectFile
    do throws(ProjectProblems) {
      project = try ProjectFile(path: path, in: files)
    } catch {
      throw SessionFailure(.usage, error.problems.map(\.description))
    }
    for model in project.models {
      guard let server = model.server,
        let problem = ServedChoice.passwordProblem(in: server.name)
      else { continue }
      throw SessionFailure(
        .usage, model.problem(with: "server", problem, allowed: "").description)
    }
    self.project = project
    let defaults: [(name: String, value: String?)] = [
      (Options.reports.name, project.reports), (Options.backend.name, project.backend),
      (Options.jobs.name, project.jobs.map { "\($0)" }),
      (Options.memory.name, project.memory.map { "\($0)" }),
      (Options.models.name, project.model.flatMap { project.model(named: $0)?.path }),
    ]
    for (name, value) in defaults where command.options.contains(where: { $0.name == name }) {
      if let value { self.defaults[name] = [value] }
    }
    try replaceNamesOfModels(in: files, context)
  }

  /// Replaces each value of `--model` that is a name in the project file with the model's path.
  ///
  /// - Throws: `UsageError` if a value is neither a name in the project file, nor a path, nor a
  ///   name that begins with the prefix of another program's cache, such as `ollama:`.
  private mutating func replaceNamesOfModels(
    in files: FileReading, _ context: ProgramContext
  ) throws(UsageError) {
    let key = Options.models.name
    values[key] = try values[key]?.map { (name) throws(UsageError) -> String in
      if let model = project?.model(named: name) { return model.path }
      if let problem = ServedChoice.passwordProblem(in: name) {
        throw UsageError("--\(key): \(problem)")
      }
      let isPath = name.contains("/") || name.hasSuffix(".gguf")
      guard files.kind(name) == nil, !isPath, CachedModelName(name) == nil else { return name }
      throw UnknownModel.error(
        name, project: project, found: ModelCaches(environment: context.environment).models())
    }
  }
}
