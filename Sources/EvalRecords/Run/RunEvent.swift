/// An event of a run in progress.
public enum RunEvent: Sendable {
  /// The plan is ready; carries the number of attempts.
  case planned(attempts: Int)
  /// An attempt ended.
  case finished(AttemptRecord)
}
