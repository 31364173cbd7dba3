import Backends
public import EvalRecords
import Foundation

/// The backends of Assay, for programs and tests that ask one themselves.
public enum EvalBackends {
  /// Answers from the suite's stubs, without a model.
  public static var stub: any EvalBackend { StubBackend() }

  /// A local model in process.
  ///
  /// - Parameters:
  ///   - model: A GGUF file; nil for the bundled toy.
  ///   - clock: The clock that measures how long answers take.
  /// - Throws: Where the model can't be found or used, with the reason as its description.
  public static func local(
    model: String? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) throws -> any EvalBackend {
    let context = EvaluationContext(
      environment: [:], workingDirectory: FileManager.default.currentDirectoryPath,
      executable: Bundle.main.executablePath ?? "", clock: clock, now: { 0 })
    let choice = BackendChoice(models: model.map { ["local": $0] } ?? [:])
    do throws(SessionFailure) {
      return try BackendFactory.backends(choice, in: context)[0]
    } catch {
      throw Unusable(description: error.messages.joined(separator: "; "))
    }
  }

  /// Why there is no backend.
  struct Unusable: Error, CustomStringConvertible {
    let description: String
  }
}
