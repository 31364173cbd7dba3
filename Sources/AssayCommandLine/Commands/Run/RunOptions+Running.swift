import EvalRecords
import EvalSessions
import EvalSuites

extension RunOptions {
  /// Runs suites with the live view.
  ///
  /// SIGINT and SIGTERM stop the run, but finished attempts are kept.
  ///
  /// - Parameters:
  ///   - suites: The suites with the selected variants and test cases.
  ///   - comparison: The variants to compare, or `nil` if the run is judged by gates.
  ///   - references: What to compare the run with, or `nil` if no baseline judges the run.
  ///   - isReported: Whether the command writes reports about this run.
  ///   - context: The program's context.
  /// - Throws: `SessionFailure` if the run can't begin, or if its attempts can't be stored.
  func run(
    _ suites: [Suite], comparing comparison: VariantComparison? = nil,
    references: ReferencePlan? = nil, isReported: Bool = true, in context: ProgramContext
  ) async throws -> Evaluation.Outcome {
    let console = context.console
    let (latest, isNew) = (LatestReports(reports: settings.reports), settings.resume == nil)
    console.warn(of: suites)
    let view = LiveView(
      console: console, failures: failures, isGated: comparison == nil,
      now: context.evaluation.now)
    let evaluation = Evaluation(
      settings, in: context.evaluation, references: references,
      onEvent: { event in
        if isReported, case .began(let run, _, _, _) = event { latest.begin(run, isNew: isNew) }
        view.receive(event)
      })
    let redrawing = view.redrawing()
    defer { redrawing.end() }
    return try await context.interruptible {
      try await evaluation.run(suites, comparing: comparison)
    }
  }
}

extension ProgramContext {
  /// Performs work that SIGINT and SIGTERM cancel.
  ///
  /// - Parameter work: The work, which ends soon after its task is cancelled.
  /// - Returns: The result of the work.
  func interruptible(
    _ work: @escaping @Sendable () async throws -> Evaluation.Outcome
  ) async throws -> Evaluation.Outcome {
    let (console, stop) = (self.console, self.stop)
    return try await withThrowingTaskGroup(of: Evaluation.Outcome?.self) { group in
      group.addTask { try await work() }
      group.addTask {
        let interrupt = Interrupt {
          stop.make()
          console.notes(
            "\nstopping; finished attempts are kept (press Ctrl-C again to stop immediately)\n")
        }
        while !Task.isCancelled, !interrupt.isRequested {
          try? await Task.sleep(for: .milliseconds(20))
        }
        return nil
      }
      // The second task ends when a signal arrives. Whichever task ends first, cancel the other.
      var outcome: Evaluation.Outcome?
      while let ended = try await group.next() {
        group.cancelAll()
        if let ended { outcome = ended }
      }
      guard let outcome else { throw SessionFailure(.cannotRun, "the run has no outcome") }
      return outcome
    }
  }
}
