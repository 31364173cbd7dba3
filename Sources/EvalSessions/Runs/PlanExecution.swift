import EvalRecords
import EvalRunner
import Synchronization

/// Carries out a plan: makes its attempts with a runner, and passes on every finished attempt.
package struct PlanExecution: Sendable {
  /// The runner with its limits.
  package var runner: Runner
  /// The clock for time limits, pauses and budgets.
  package var clock: any Clock<Duration>

  /// Creates an execution.
  ///
  /// - Parameters:
  ///   - runner: The runner with its limits.
  ///   - clock: The clock for time limits, pauses and budgets.
  package init(runner: Runner, clock: any Clock<Duration>) {
    self.runner = runner
    self.clock = clock
  }

  /// Carries out a plan without a database.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - backends: The backends that the plan names.
  ///   - onEvent: Receives an event for each finished attempt, one at a time.
  /// - Returns: The attempts in the order in which they finished.
  package func attempts(
    of plan: RunPlan, on backends: [any EvalBackend],
    onEvent: @escaping Evaluation.EventHandler = { _ in }
  ) async -> [AttemptRecord] {
    let attempts = Mutex<[AttemptRecord]>([])
    _ = await runner.run(plan: plan, backends: backends, clock: clock) { event in
      guard case .finished(let attempt) = event else { return }
      attempts.withLock { $0.append(attempt) }
      onEvent(.finished(attempt))
    }
    return attempts.withLock(\.self)
  }

  /// Carries out a plan until it is complete, the task is cancelled, or the sink fails.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - done: The existing attempts, which are not made again.
  ///   - backends: The backends that the plan names.
  ///   - sink: Receives the attempts.
  /// - Returns: How the plan ended, and the gates that were settled early.
  func run(
    _ plan: RunPlan, done: [AttemptRecord], on backends: [any EvalBackend], into sink: AttemptSink
  ) async -> Runner.Result {
    await unless(sink) { onEvent in
      await runner.run(
        plan: plan, done: done, backends: backends, clock: clock, onEvent: onEvent)
    }
  }

  /// Carries out a plan with stored answers until it is complete, the task is cancelled, or the
  /// sink fails.
  ///
  /// - Parameters:
  ///   - stored: The stored attempts, keyed by the planned attempts.
  ///   - plan: The plan.
  ///   - backends: The backends that the plan names.
  ///   - sink: Receives the attempts.
  func reuse(
    _ stored: [AttemptKey: ReusableAttempt], for plan: RunPlan, on backends: [any EvalBackend],
    into sink: AttemptSink
  ) async -> Runner.Result {
    await unless(sink) { onEvent in
      await runner.reuse(stored, for: plan, on: backends, onEvent: onEvent)
    }
  }

  /// Carries out work that emits attempts until it ends, the task is cancelled, or the sink fails.
  private func unless(
    _ sink: AttemptSink,
    _ work: @escaping @Sendable (@escaping @Sendable (RunEvent) -> Void) async -> Runner.Result
  ) async -> Runner.Result {
    await withTaskGroup(of: Runner.Result?.self) { group in
      group.addTask {
        await work { event in
          if case .finished(let attempt) = event { sink.add(attempt) }
        }
      }
      group.addTask {
        // This loop ends when the sink fails, or when this task is cancelled because the runner has
        // finished.
        for await _ in sink.failures { break }
        return nil
      }
      var ended: Runner.Result?
      for await result in group {
        group.cancelAll()
        if let result { ended = result }
      }
      return ended ?? Runner.Result(ending: .interrupted)
    }
  }
}
