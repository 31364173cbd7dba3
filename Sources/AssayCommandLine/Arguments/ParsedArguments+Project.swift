import EvalSessions
import EvalSuites
import Foundation

extension ParsedArguments {
  /// Finds the project file, applies its defaults for options that were not given, and replaces the
  /// names of models with their files.
  ///
  /// The search goes upwards from the suites: those on the command line, or else the folder `evals`
  /// or the current directory.
  ///
  /// - Parameter command: The command; options that it doesn't have are ignored.
  /// - Throws: `SessionFailure` with every problem in the file, and `UsageError` for a model's name
  ///   that is neither a file nor in the project file.
  mutating func applyProject(for command: CommandSpecification) throws {
    let files = FileReading.disk
    let takesSuites = ["SUITE …", "PATH …"].contains { command.positionals.contains($0) }
    let places = (values[Options.suites.name] ?? []) + (takesSuites ? positionals : [])
    let start = (places + ["evals"]).first { files.kind($0) != nil } ?? "."
    guard let path = ProjectFile.find(from: start, in: files) else { return }
    let project: ProjectFile
    do throws(ProjectProblems) {
      project = try ProjectFile(path: path, in: files)
    } catch {
      throw SessionFailure(.usage, error.problems.map(\.description))
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
    let models = Options.models.name
    values[models] = try values[models]?.map { (name) throws(UsageError) -> String in
      if let model = project.model(named: name) { return model.path }
      guard files.kind(name) == nil, !project.models.isEmpty, !name.contains("/"),
        !name.hasSuffix(".gguf")
      else { return name }
      let known = project.models.map(\.name)
      throw UsageError(
        "--model \(name): there is no such file, and no such model in \(path); "
          + UsageError.hint(
            for: name, among: known, otherwise: "it has \(known.joined(separator: ", "))"))
    }
  }
}
