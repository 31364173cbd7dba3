import EvalSessions

extension Console {
  /// Prints the reason why a command failed.
  ///
  /// - Returns: The exit status for that reason.
  func tell(_ error: any Error) -> ExitStatus {
    switch error {
    case let error as UsageError:
      tell(error: error.description)
      return .usage
    case let failure as SessionFailure:
      for message in failure.messages { tell(error: message) }
      return ExitStatus(failure.kind)
    default:
      tell(error: String(describing: error))
      return .cannotRun
    }
  }
}
