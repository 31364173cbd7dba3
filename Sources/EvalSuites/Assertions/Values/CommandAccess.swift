/// One call of an external program.
public struct CommandCall: Sendable, Hashable {
  /// The command line: the program and its arguments.
  public var arguments: [String]
  /// The folder in which the program runs.
  public var folder: String
  /// The names of the environment variables that the program receives in addition to `PATH`.
  public var environment: [String]
  /// The program's standard input: one JSON object.
  public var input: String
  /// The time limit in seconds.
  public var timeLimit: Double
}

/// The result of calling an external program.
public enum CommandAnswer: Sendable, Hashable {
  /// The program succeeded; the associated value is its standard output.
  case output(String)
  /// The program couldn't be started, failed, or took too long; the associated value says why.
  case failure(String)
}

/// The permission to run external programs; a suite has it only if the caller grants it.
public struct CommandAccess: Sendable {
  private let ask: @Sendable (CommandCall, @Sendable () -> Bool) -> CommandAnswer
  private var isGivenUp: @Sendable () -> Bool = { false }

  /// Creates the permission.
  ///
  /// - Parameter ask: A closure that runs a program and waits for its answer. Once the closure's
  ///   second argument returns true, nobody is waiting for the answer anymore, and the closure must
  ///   end the program.
  public init(
    ask: @escaping @Sendable (CommandCall, @Sendable () -> Bool) -> CommandAnswer
  ) { self.ask = ask }

  /// Returns the permission for a caller that stops waiting once `isGivenUp` returns true.
  package func until(_ isGivenUp: @escaping @Sendable () -> Bool) -> CommandAccess {
    var access = self
    access.isGivenUp = isGivenUp
    return access
  }

  /// Runs a program and waits for its answer.
  func call(_ call: CommandCall) -> CommandAnswer { ask(call, isGivenUp) }
}
