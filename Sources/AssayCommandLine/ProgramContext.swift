import EvalSessions
import Foundation

/// The surroundings of the program: where words go, and what an evaluation reads from outside.
struct ProgramContext: Sendable {
  /// Where words go.
  var console: Console
  /// The surroundings of the evaluations that commands run.
  var evaluation: EvaluationContext

  /// Creates a context.
  init(
    console: Console, environment: [String: String], workingDirectory: String,
    executable: String, now: @escaping @Sendable () -> Double
  ) {
    self.console = console
    evaluation = EvaluationContext(
      environment: environment, workingDirectory: workingDirectory, executable: executable,
      clock: ContinuousClock(), now: now)
  }

  /// The context of this process.
  static func process() -> ProgramContext {
    let environment = ProcessInfo.processInfo.environment
    return ProgramContext(
      console: .standard(environment: environment), environment: environment,
      workingDirectory: FileManager.default.currentDirectoryPath,
      executable: Bundle.main.executablePath ?? CommandLine.arguments.first ?? "assay",
      now: { Date().timeIntervalSince1970 })
  }

  /// The environment's variables.
  var environment: [String: String] { evaluation.environment }

  /// The time as records write it: ISO 8601 in UTC, whole seconds.
  var timestamp: String { evaluation.timestamp }
}
