import EvalSessions

/// The documented exit statuses of the program.
public enum ExitStatus: Int32, Sendable, CaseIterable {
  /// Nothing failed; comparisons may be inconclusive.
  case passed = 0
  /// A gate was missed, something regressed, or a comparison is broken.
  case failed = 1
  /// A signal or a budget ended the run early; finished attempts are kept, and the run is marked as
  /// interrupted. A backend of a user's own program can end a run in this way, too.
  case interrupted = 2
  /// No attempt could run, a server stopped being usable, a database or report could not be
  /// written, or Assay itself failed in an attempt.
  case cannotRun = 3
  /// The command line or a suite is wrong, or the sides of a comparison are not comparable.
  case usage = 4
  /// Nothing was selected.
  case nothingSelected = 5

  /// The meaning of the status, for the help.
  var meaning: String {
    switch self {
    case .passed: "passed"
    case .failed: "a suite missed its gate, a result regressed, or a comparison is broken"
    case .interrupted:
      "a signal or a budget ended the run early (`assay run --resume RUN` completes it), or merged "
        + "shards or imported files lack attempts"
    case .cannotRun:
      "no attempt could run, a server stopped being usable during the run, a database or report "
        + "could not be written, or Assay itself failed in an attempt"
    case .usage: "the command line or a suite is wrong, or the runs are not comparable"
    case .nothingSelected: "nothing was selected"
    }
  }
}

extension ExitStatus {
  /// Creates the exit status of a command that failed for a reason of the given kind.
  init(_ kind: SessionFailure.Kind) {
    self =
      switch kind {
      case .usage: .usage
      case .cannotRun: .cannotRun
      case .nothingSelected: .nothingSelected
      case .interrupted: .interrupted
      }
  }
}
