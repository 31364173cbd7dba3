import Backends
import EvalSuites
package import ModelServers
import StructuredText

/// A served model that a command names, with the options of the command line and the project file.
package struct ServedChoice: Sendable, Equatable {
  /// The model and its server.
  package let name: ServedModelName
  /// The options of the project file; nil without any.
  package var project: ProjectServer?
  /// The tries after a request that failed; nil for the project's number, or the default.
  package var retries: Int?
  /// The longest pause before the first new try; nil for the default.
  package var retryPause: Duration?
  /// The longest that one try may take; nil for the project's time, or the default.
  package var timeLimit: Duration?
  /// The most requests in work at a time; nil for the project's number, or the default.
  package var concurrency: Int?

  /// The mistake in a name.
  package typealias Problem = ServedModelName.Problem

  /// Reads the name of a served model, for example `vllm:Qwen3-8B@http://127.0.0.1:8000`.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - project: The options of the project file.
  package init(name: String, project: ProjectServer? = nil) throws(Problem) {
    self.name = try ServedModelName(parsing: name)
    self.project = project
  }

  /// Whether a name is one of a served model, right or wrong.
  package static func isServed(_ name: String) -> Bool { ServedModelName.isServed(name) }

  /// The id that attempts carry, unless another backend has it.
  package var id: String { name.id }

  /// The options of the backend, with the key from the environment; a replay needs none.
  func options(
    in context: EvaluationContext, isReplay: Bool
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
    options.mostAtOnce = concurrency ?? project?.concurrency ?? options.mostAtOnce
    options.timeLimit = timeLimit ?? project?.timeout.map { .seconds($0) } ?? options.timeLimit
    options.prices = project?.prices.map {
      TokenPrices(prompt: $0.prompt, cached: $0.cached, output: $0.output)
    }
    options.listedTokens = project?.listedTokens
    options.members = project?.members ?? [:]
    return options
  }
}
