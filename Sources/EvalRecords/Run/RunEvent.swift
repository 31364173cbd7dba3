/// What a run tells while it goes on.
public enum RunEvent: Sendable {
  /// The plan is made: this many attempts will be made.
  case planned(attempts: Int)
  /// An attempt ended.
  case finished(AttemptRecord)
}
