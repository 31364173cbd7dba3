import Backends
import EvalSuites
import HTTPTransport
package import ModelServers
import StructuredText

/// A served model that a command names, with the options from the command line and the project
/// file.
package struct ServedChoice: Sendable, Equatable {
  /// The model and its server.
  package private(set) var name: ServedModelName
  /// The options in the project file, or `nil` if there are none.
  package var project: ProjectServer?
  /// The maximum number of retries.
  ///
  /// If it is `nil`, the project file's number applies, or else the default.
  package var retries: Int?
  /// The maximum pause before the first retry, or `nil` for the default.
  package var retryPause: Duration?
  /// The time limit for one try.
  ///
  /// If it is `nil`, the project file's limit applies, or else the default.
  package var timeLimit: Duration?
  /// The maximum number of concurrent requests.
  ///
  /// If it is `nil`, the project file's number applies, or else the default.
  package var concurrency: Int?

  /// The error for a name that isn't a valid name of a served model.
  package typealias Problem = ServedModelName.Problem

  /// Creates a choice from the name of a served model, for example
  /// `vllm:Qwen3-8B@http://127.0.0.1:8000`.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - project: The options in the project file.
  package init(name: String, project: ProjectServer? = nil) throws(Problem) {
    self.name = try ServedModelName(parsing: name)
    self.project = project
    // Like a model file's path, a command of the project file is relative to the file's folder.
    if isProgram, let folder = project?.folder { self.name.address.path = folder }
  }

  /// Whether the model is a program that Assay starts.
  package var isProgram: Bool { name.interface == .program }

  /// The command that the project file lets Assay run, or `nil` if the model is not a program, or
  /// if the user named the command.
  package var commandOfProject: String? { isProgram && project != nil ? name.model : nil }

  /// Returns whether a name has the form of a served model's name, even if it is invalid.
  package static func isServed(_ name: String) -> Bool { ServedModelName.isServed(name) }

  /// Returns the problem with a served model's name whose address contains a password or a key, or
  /// `nil` if there is none.
  ///
  /// Other problems matter only to commands that use the model, but this one must be found before
  /// any command shows or stores the name.
  package static func passwordProblem(in name: String) -> String? {
    do throws(Problem) {
      _ = try ServedModelName(parsing: name)
    } catch {
      if case .userInfo = error { return error.description }
    }
    return nil
  }

  /// Returns the name of a served model that a name probably stands for, or `nil`: the name itself
  /// if it has an interface, or the name of a hosted model after its interface.
  package static func name(meantBy name: String) -> String? {
    if (try? ServedModelName(parsing: name)) != nil { return name }
    return HostedModels.interface(of: name).map { "\($0.rawValue):\(name)" }
  }

  /// The id under which attempts record the model, unless another backend has the same id.
  package var id: String { name.id }

  /// Returns the backend's options, with the server's key from the environment.
  ///
  /// A backend that replays a recording needs no key.
  ///
  /// - Parameters:
  ///   - context: The context of the evaluation.
  ///   - isReplay: Whether the backend replays a recording.
  ///   - workers: The number of a program's processes, if neither the command line nor the project
  ///     file sets one.
  func options(
    in context: EvaluationContext, isReplay: Bool, workers: Int
  ) throws(SessionFailure) -> ServedOptions {
    var options = ServedOptions()
    do throws(ServerKey.Problem) {
      options.key =
        isReplay
        ? nil
        : try ServerKey.header(
          for: name, variable: project?.keyVariable, environment: context.environment)
    } catch {
      throw SessionFailure(.usage, "\(name.id): \(error)")
    }
    options.retries = RetryPause(
      limit: retries ?? project?.retries ?? options.retries.limit,
      first: retryPause ?? options.retries.first)
    options.mostAtOnce =
      concurrency ?? project?.concurrency ?? (isProgram ? workers : options.mostAtOnce)
    options.timeLimit = timeLimit ?? project?.timeout.map { .seconds($0) } ?? options.timeLimit
    options.prices = project?.prices.map {
      TokenPrices(prompt: $0.prompt, cached: $0.cached, output: $0.output)
    }
    options.listedTokens = project?.listedTokens
    options.sendsGrammar = project?.sendsGrammar ?? options.sendsGrammar
    options.probes = project?.probes ?? true
    options.members = project?.members ?? [:]
    if name.interface == .apple {
      options.system = AppleSystem.version(of: name, in: context) ?? AppleSystem.unknown
    }
    return options
  }
}
