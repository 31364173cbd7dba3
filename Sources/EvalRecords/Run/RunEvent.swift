/// An event of a run in progress.
public enum RunEvent: Sendable {
  /// The plan is ready; `attempts` is the number of planned attempts.
  case planned(attempts: Int)
  /// An attempt ended.
  case finished(AttemptRecord)
}
