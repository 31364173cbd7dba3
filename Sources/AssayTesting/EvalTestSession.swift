import EvalFindings
import EvalRecords
import EvalRunner
import EvalSessions
import Synchronization

/// Runs the test cases of a suite, each only once, and describes the failures.
final class EvalTestSession: Sendable {
  private let plan: RunPlan
  private let backend: any EvalBackend
  private let execution: PlanExecution
  private let passRate: Double
  private let known = Mutex<[AttemptKey: AttemptRecord]>([:])

  init(plan: RunPlan, backend: any EvalBackend, execution: PlanExecution, passRate: Double) {
    self.plan = plan
    self.backend = backend
    self.execution = execution
    self.passRate = passRate
  }

  /// Returns the attempts of the jobs, ordered by test case and repeat.
  ///
  /// The method reuses attempts from earlier calls.
  func attempts(of jobs: [RunPlan.Job]) async -> [AttemptRecord] {
    let known = known.withLock(\.self)
    var rest = plan
    rest.jobs = jobs
    rest = rest.without(Set(known.keys))
    let made = await execution.attempts(of: rest, on: [backend])
    let all = self.known.withLock { known in
      for attempt in made { known[attempt.key] = attempt }
      return known
    }
    return jobs.flatMap { job in
      job.repeats.compactMap { all[job.key($0.repeatIndex)] }
    }
  }

  /// Returns descriptions of all failures and failed assertions, or an empty array if enough
  /// attempts passed.
  func issues(of attempts: [AttemptRecord]) -> [String] {
    let passed = attempts.count { $0.outcome == .pass }
    guard attempts.isEmpty || Double(passed) / Double(attempts.count) < passRate else { return [] }
    if attempts.isEmpty { return ["no attempt was made"] }
    return attempts.flatMap { attempt -> [String] in
      guard attempt.outcome != .pass else { return [] }
      let place = "\(attempt.key.address), seed \(attempt.seed)"
      if let failure = attempt.failure {
        return ["\(failure.kind.rawValue): \(failure.message) (\(place))"]
      }
      let failed = attempt.verdicts.filter { $0.verdict == .fail }
      guard !failed.isEmpty else {
        return ["no assertion had anything to check, so none passed (\(place)): \(attempt.output)"]
      }
      return failed.map { verdict in
        "\(verdict.assertion): \(verdict.path) is \(verdict.actual), "
          + "expected \(verdict.expected) (\(place))"
      }
    }
  }

  /// Returns descriptions of the effects that regressed from the accepted baseline, or the reasons
  /// why the comparison is impossible.
  func regressions(reports: String) async -> [String] {
    guard let suite = plan.suites.first else { return [] }
    let attempts = await attempts(of: plan.jobs)
    var run = RunRecord(
      id: 1, label: "test", startedAt: "", status: .complete, toolVersion: ToolVersion.current,
      backends: [backend.record], suites: plan.suites)
    run.details.measurementProtocol = MeasurementProtocol.current
    let comparison: ComparisonRecord
    do throws(AcceptedBaseline.Failure) {
      comparison = try AcceptedBaseline.compare(
        suite: suite.id, reports: reports, run: run, attempts, plan: plan)
    } catch {
      return [error.description]
    }
    switch comparison.verdict {
    case .improved, .ok, .inconclusive: return []
    case .notComparable:
      return comparison.differences.filter { $0.fact.consequence != .noted }
        .map { "not comparable: \($0.words)" }
    case .broken:
      return comparison.differences.filter { $0.fact.consequence == .broken }
        .map { "broken: \($0.words)" }
    case .regressed:
      let effects = comparison.effects.filter { [.regressed, .broken].contains($0.verdict) }
      return effects.map { effect in
        "\(effect.verdict.rawValue): \(effect.title), \(effect.baseline.value) → "
          + "\(effect.candidate.value) (\(effect.scope))"
      }
    }
  }
}
