import EvalRecords
import EvalRunner
import ResultStore

/// The events of an evaluation, from the preparation of a run to its end.
///
/// The live view and tests receive these events; an evaluation itself prints nothing.
package enum EvaluationEvent: Sendable {
  /// The evaluation has been waiting for about a second, because another process has locked the
  /// database.
  case waiting(LockNotice)
  /// The attempts that an earlier run could not store are now in the database.
  case addedPending(PendingAttempts.Added)
  /// `--stop-early` can't stop these suites early, so all their attempts are made.
  case cannotStopEarly([UnstoppableSuite])
  /// The accepted baseline of a suite can't be read, so the run can't use the baseline's answers as
  /// drafts.
  case ignoredDrafts(suite: String, reason: String)
  /// The gate of a suite has a pass rate for the run's only model under the model's own name, but
  /// a run's only model is called `local`.
  case unusedGateBackend(suite: String, backend: String)
  /// A local model that isn't a toy runs in a debug build, which is many times as slow as a release
  /// build.
  case runsDebugBuild
  /// The run is about to begin, and this is how long it is expected to take.
  case expects(RunForecast)
  /// The run is in the database, and its first attempts are about to begin.
  ///
  /// `done` contains the existing attempts if the run is continued; `jobs` is the maximum number of
  /// concurrent test cases.
  case began(RunRecord, plan: RunPlan, done: [AttemptRecord], jobs: Int)
  /// An attempt ended and is in the database.
  case finished(AttemptRecord)
  /// The server of a backend doesn't report the tokens of its answers, so these budgets don't limit
  /// the run.
  case cannotCount(backend: String, budgets: [UncountedBudget.Kind])
  /// No further attempts will be made.
  case ended
  /// The decoding steps of some attempts were dropped because the trace budget was used up.
  case droppedTraces(TraceUse)
  /// The run's budget was used up, or a backend stopped answering, so attempts were skipped.
  case stopped(reason: String, skipped: Int)
  /// Some attempts passed only after a retry.
  case passedAfterRetries(count: Int)
  /// A gate was settled before all its attempts were made.
  case stoppedEarly(EarlyStopRecord)
  /// The run has ended, and this is the work that a local model did for it.
  case used(EvaluationUse, backend: String)
  /// The run has ended, and this is its processor time by phase.
  case profiled(TimeProfile)
  /// The run has ended, and these are its requests to a served model.
  case asked(ServedUse, backend: String)

  /// A suite that can't stop early.
  package struct UnstoppableSuite: Sendable, Hashable {
    /// The suite's id.
    package let suite: String
    /// The reason why the suite can't stop early.
    package let reason: String
  }
}
