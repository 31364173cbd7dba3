/// One call of an external program.
public struct CommandCall: Sendable, Hashable {
  /// The program and its arguments.
  public var arguments: [String]
  /// The folder in which it runs.
  public var folder: String
  /// The names of the environment variables that it gets, beside `PATH`.
  public var environment: [String]
  /// What it gets on standard input: one JSON object.
  public var input: String
  /// How long it may take, in seconds.
  public var timeLimit: Double
}

/// What became of a call.
public enum CommandAnswer: Sendable, Hashable {
  /// The program ended well; what it wrote to standard output.
  case output(String)
  /// It could not be started, failed or took too long, in words.
  case failure(String)
}

/// The way to external programs; suites have none unless it is given.
public struct CommandAccess: Sendable {
  private let ask: @Sendable (CommandCall, @Sendable () -> Bool) -> CommandAnswer
  private var isGivenUp: @Sendable () -> Bool = { false }

  /// Creates an access.
  ///
  /// - Parameter ask: Calls a program and waits for it; once the second argument says that nobody
  ///   waits for the answer any longer, the program is ended.
  public init(
    ask: @escaping @Sendable (CommandCall, @Sendable () -> Bool) -> CommandAnswer
  ) { self.ask = ask }

  /// The access for somebody who may give up waiting.
  package func until(_ isGivenUp: @escaping @Sendable () -> Bool) -> CommandAccess {
    var access = self
    access.isGivenUp = isGivenUp
    return access
  }

  /// Calls a program and waits for it.
  func call(_ call: CommandCall) -> CommandAnswer { ask(call, isGivenUp) }
}
