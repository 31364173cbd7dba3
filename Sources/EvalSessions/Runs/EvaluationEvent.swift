import EvalRecords
import EvalRunner

/// The events of an evaluation, from the preparation of a run to its end.
///
/// The live view and tests receive them; an evaluation itself prints nothing.
package enum EvaluationEvent: Sendable {
  /// `--stop-early` can't settle the gates of these suites, so all their attempts are made.
  case cannotStopEarly([UnstoppableSuite])
  /// The accepted baseline of a suite can't be read, so no answers are drafted from it.
  case ignoredDrafts(suite: String, reason: String)
  /// The run is in the database, and its first attempts are about to begin.
  ///
  /// `done` contains the existing attempts if the run is continued; `jobs` is the maximum number of
  /// concurrent test cases.
  case began(RunRecord, plan: RunPlan, done: [AttemptRecord], jobs: Int)
  /// An attempt ended and is in the database.
  case finished(AttemptRecord)
  /// No further attempts will be made.
  case ended
  /// The decoding steps of some attempts were dropped because the trace budget was used up.
  case droppedTraces(TraceUse)
  /// The run's budget was used up, or a backend stopped answering, so attempts were skipped.
  case stopped(reason: String, skipped: Int)
  /// Some attempts passed after failed tries.
  case passedAfterRetries(count: Int)
  /// A gate was settled before all its attempts were made.
  case stoppedEarly(EarlyStopRecord)
  /// The work of a local model for the run.
  case used(EvaluationUse, backend: String)
  /// The processor time of the run by phase.
  case profiled(TimeProfile)
  /// The requests of the run to a served model.
  case asked(ServedUse, backend: String)

  /// A suite whose gate can't be settled early.
  package struct UnstoppableSuite: Sendable, Hashable {
    /// The suite's id.
    package let suite: String
    /// The reason why its gate can't be settled early.
    package let reason: String
  }
}
