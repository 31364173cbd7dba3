import EvalSessions

extension Console {
  /// Prints the reason why a command failed.
  ///
  /// - Returns: The exit status for that reason.
  func tell(_ error: any Error) -> ExitStatus {
    for message in Self.messages(of: error) { tell(error: message) }
    return switch error {
    case is UsageError: .usage
    case let failure as SessionFailure: ExitStatus(failure.kind)
    default: .cannotRun
    }
  }

  /// Returns the messages about the reason why a command failed.
  static func messages(of error: any Error) -> [String] {
    switch error {
    case let error as UsageError: [error.description]
    case let failure as SessionFailure: failure.messages
    default: [String(describing: error)]
    }
  }
}
