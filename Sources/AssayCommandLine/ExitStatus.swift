import EvalSessions

/// The exit statuses that the program documents.
public enum ExitStatus: Int32, Sendable, CaseIterable {
  /// Everything that was asked for passed.
  case passed = 0
  /// A gate was missed, or something regressed.
  case failed = 1
  /// Stopped by a signal or by a budget; what finished is kept, the run is marked.
  case interrupted = 2
  /// No attempt could run, or a database or report could not be written.
  case cannotRun = 3
  /// The command line or a suite is wrong, or a comparison is of what is not comparable.
  case usage = 4
  /// Nothing was selected.
  case nothingSelected = 5

  /// What the status means, for the help.
  var meaning: String {
    switch self {
    case .passed: "passed"
    case .failed: "a gate was missed, or something regressed"
    case .interrupted:
      "stopped by a signal or a budget (what finished is kept, the run is marked)"
    case .cannotRun: "no attempt could run, or a database or report could not be written"
    case .usage: "the command line or a suite is wrong, or the two are not comparable"
    case .nothingSelected: "nothing was selected"
    }
  }
}

extension ExitStatus {
  /// The status of a command that ended with a failure.
  init(_ kind: SessionFailure.Kind) {
    self =
      switch kind {
      case .usage: .usage
      case .cannotRun: .cannotRun
      case .nothingSelected: .nothingSelected
      }
  }
}
