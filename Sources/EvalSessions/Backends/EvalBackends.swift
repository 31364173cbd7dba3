import Backends
public import EvalRecords
import SystemBasics

/// Assay's backends, for programs and tests that call them directly.
public enum EvalBackends {
  /// The backend that answers from the suite's stubs, without a model.
  public static var stub: any EvalBackend { StubBackend() }

  /// Creates a backend for a local model in this process.
  ///
  /// - Parameters:
  ///   - model: The path of a GGUF file, or `nil` for the bundled toy model.
  ///   - clock: The clock that measures how long answers take.
  /// - Throws: An error if the model can't be found or used; its description says why.
  public static func local(
    model: String? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) throws -> any EvalBackend {
    let context = EvaluationContext(
      environment: [:], workingDirectory: FileManager.default.currentDirectoryPath,
      executable: ProgramFile.path ?? "", clock: clock, now: { 0 })
    let choice = BackendChoice(models: model.map { ["local": $0] } ?? [:])
    do throws(SessionFailure) {
      return try BackendFactory.backends(choice, in: context)[0]
    } catch {
      throw Unusable(description: error.messages.joined(separator: "; "))
    }
  }

  /// The reason why a backend can't be created.
  struct Unusable: Error, CustomStringConvertible {
    let description: String
  }
}
