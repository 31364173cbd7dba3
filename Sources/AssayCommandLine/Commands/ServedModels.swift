import EvalSessions
import EvalSuites

/// The values of `--backend` and `--model`, separated into served models, other backends and files.
///
/// Every command that names models uses this one reading of the options: `list` counts what `run`
/// runs.
///
/// ```
/// -b SERVER            that server only, whatever model the project file names
/// -b SERVER -m FILE    the server and the file
/// -m FILE              the file, whatever backend the project file names
/// (nothing)            the project file's model, or the local backend without a file
/// ```
struct ServedModels {
  /// The served models, keyed by backend id.
  private(set) var choices: [String: ServedChoice] = [:]
  /// The backend ids of the served models, in the order of the arguments.
  private(set) var ids: [String] = []
  /// The names of the backends that are not served models, each once.
  private(set) var otherBackends: [String] = []
  /// The model files: the models in `--model` or the project file that aren't served models.
  private(set) var files: [String] = []
  /// Whether `--model` or the project file names at least one model, and every named model is
  /// served.
  private(set) var onlyNamesServedModels = false

  /// Creates a list of models from the arguments of a command.
  ///
  /// - Parameter arguments: The checked arguments.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    // The project file's backend is only a default: a model on the command line replaces it.
    let backends =
      arguments.has(Options.models) && !arguments.has(Options.backend)
      ? [] : try arguments[Options.backend]
    for name in backends {
      if let model = arguments.project?.model(named: name), let server = model.server {
        try add(server.name, server, arguments, option: Options.backend.name)
      } else if ServedChoice.isServed(name) {
        try add(name, nil, arguments, option: Options.backend.name)
      } else if !otherBackends.contains(name) {
        otherBackends.append(name)
      }
    }
    // A model of the project file is only a default: it applies if no backend is named, or if the
    // local backend is.
    let usesModels =
      arguments.has(Options.models) || backends.isEmpty || otherBackends.contains("local")
    let models = try arguments[Options.models]
    let servers = Dictionary(
      (arguments.project?.models ?? []).compactMap { model in
        model.server.map { ($0.name, $0) }
      }, uniquingKeysWith: { first, _ in first })
    for path in models {
      guard let server = servers[path] else {
        if usesModels { files.append(path) }
        continue
      }
      // If the user names backends, don't add the project's default model.
      if arguments.has(Options.models) || backends.isEmpty {
        try add(path, server, arguments, option: Options.models.name)
      }
    }
    onlyNamesServedModels = !models.isEmpty && files.isEmpty
    if otherBackends.isEmpty, choices.isEmpty || !files.isEmpty { otherBackends = ["local"] }
  }

  /// The number of models: one for each served model and for each other backend, except that the
  /// local backend runs each file.
  var count: Int {
    ids.count + otherBackends.reduce(0) { $0 + ($1 == "local" ? max(1, files.count) : 1) }
  }

  private mutating func add(
    _ name: String, _ server: ProjectServer?, _ arguments: ParsedArguments, option: String
  ) throws(UsageError) {
    var choice: ServedChoice
    do throws(ServedChoice.Problem) {
      choice = try ServedChoice(name: name, project: server)
    } catch {
      // The name itself may contain a password.
      throw UsageError("--\(option): \(error)")
    }
    choice.retries = try arguments[Options.retries]
    choice.retryPause = try arguments[Options.retryPause]
    choice.timeLimit = try arguments[Options.timeout]
    choice.concurrency = arguments.has(Options.jobs) ? try arguments[Options.jobs] : nil
    let id = choices[choice.id] == nil ? choice.id : "\(choice.name)"
    guard choices[id] == nil else { return }
    ids.append(id)
    choices[id] = choice
  }
}
