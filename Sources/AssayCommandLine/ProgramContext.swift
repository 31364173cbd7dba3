import EvalSessions
import ResultStore
import Synchronization
import SystemBasics

/// The context of the program: the destinations of its text, and the outside world that an
/// evaluation reads, such as the clock and the environment variables.
struct ProgramContext: Sendable {
  /// The destinations of the text.
  var console: Console
  /// The context of the evaluations that commands run.
  var evaluation: EvaluationContext
  /// Whether the user has asked the command to stop.
  let stop = StopRequest()

  init(
    console: Console, environment: [String: String], workingDirectory: String,
    executable: String, now: @escaping @Sendable () -> Double
  ) {
    self.console = console
    evaluation = EvaluationContext(
      environment: environment, workingDirectory: workingDirectory, executable: executable,
      machine: Machine.name, build: { ProgramBuild.current },
      clock: ContinuousClock(), processorTime: Self.processorTime, now: now)
  }

  /// Returns the processor time of the current thread, in seconds.
  @Sendable private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// Returns the context of this process.
  static func process() -> ProgramContext {
    let environment = ProcessInfo.processInfo.environment
    return ProgramContext(
      console: .standard(environment: environment), environment: environment,
      workingDirectory: FileManager.default.currentDirectoryPath,
      executable: ProgramFile.path ?? "assay",
      now: { Date().timeIntervalSince1970 })
  }

  /// The environment variables.
  var environment: [String: String] { evaluation.environment }

  /// The rule for waiting while another process has locked the database or the folder of reports.
  ///
  /// A command that was asked to stop doesn't wait.
  var lockWait: LockWait {
    let wait = LockWait { [console] in console.tell(warning: $0.words) }
    if stop.isMade { wait.hurry() }
    return wait
  }

  /// The current time in the format of records: ISO 8601 in UTC, in whole seconds.
  var timestamp: String { evaluation.timestamp }
}

/// The user's request to stop, by Ctrl-C or a signal.
final class StopRequest: Sendable {
  private let state = Atomic(false)

  /// Whether the request was made.
  var isMade: Bool { state.load(ordering: .relaxed) }

  /// Records the user's request to stop.
  func make() { state.store(true, ordering: .relaxed) }
}
