import EvalRecords
import EvalStatistics
import Synchronization

/// Skips a gate's remaining attempts as soon as the gate's result for the whole plan is settled.
///
/// The rule is anytime-valid: no matter how often it checks the results, the probability that the
/// whole plan would have given another result is at most α for each gate. This guarantee holds only
/// if the attempts are in random order, and if the rule uses their results in that order. The order
/// in which attempts finish isn't random: attempts that finish early may be more likely to fail.
///
/// The rule counts the *members* of a finite population: the planned attempts or, if the gate
/// counts test cases, the test cases with all their repeats. Members needn't be independent draws
/// (``Draws``): the guarantee comes from the random order alone, so it holds even if all repeats of
/// a test case are copies.
///
/// A suite with a guardrail stops early only once its gate is missed, because the guardrail may
/// still fail in any remaining attempt. So does a suite with fresh repeats, because it must pass
/// its gate without them, too.
final class EarlyStopping: Sendable {
  /// The state of one gate.
  fileprivate struct Watch {
    var sequence: PopulationSequence
    var guardrails: Set<String>
    /// Whether the remaining attempts may be skipped once it is settled that the plan reaches the
    /// rate; true only if the gate has no guardrails, and the suite no fresh repeats.
    var mayEndReached: Bool
    var reducer: CaseReducer?
    /// The planned order of members: single attempts, or all attempts of a test case.
    var members: [[AttemptKey]] = []
    var position = 0
    /// The test cases that already have an attempt, so all their other attempts must be made too;
    /// empty if each member is a single attempt.
    var begun: Set<String> = []
    /// The results of the attempts that finished before their turn in the planned order.
    var results: [AttemptKey: Bool] = [:]
    var decision: EarlyStopRecord?
  }

  private let watches: Mutex<[SliceKey: Watch]>

  /// Creates a rule for the gates of a plan that is in random order.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - alpha: The maximum chance of a wrong decision, for each gate.
  ///   - compared: The suites that are compared with a reference. The rule doesn't stop them early,
  ///     because a comparison needs all attempts.
  init(_ plan: RunPlan, alpha: Double, compared: Set<String> = []) {
    let reducers = Dictionary(
      plan.suites.compactMap { suite in suite.gate.reducer.map { (suite.id, $0) } },
      uniquingKeysWith: { first, _ in first })
    var members: [SliceKey: [[AttemptKey]]] = [:]
    for job in plan.jobs {
      let keys = job.repeats.map { job.key($0.repeatIndex) }
      members[Self.slice(of: job), default: []] +=
        reducers[job.request.suite] == nil ? keys.map { [$0] } : [keys]
    }
    var watches: [SliceKey: Watch] = [:]
    for suite in plan.suites
    where suite.reasonToRunAll == nil && !compared.contains(suite.id) {
      for (slice, members) in members
      where slice.suite == suite.id && slice.variant == suite.variants.first?.id {
        let rate = suite.gate.passRate(for: slice.backend)
        // Divide integers, as `CaseTallies` does, so that this rule and the gate compare the same
        // numbers.
        let needed =
          (0...members.count).first { Double($0) / Double(max(1, members.count)) >= rate }
          ?? members.count + 1
        watches[slice] = Watch(
          sequence: PopulationSequence(population: members.count, needed: needed, alpha: alpha),
          guardrails: Set(suite.gate.guardrails),
          mayEndReached: suite.gate.guardrails.isEmpty && suite.details.fresh == nil,
          reducer: suite.gate.reducer, members: members)
      }
    }
    self.watches = Mutex(watches)
  }

  /// The gates that are settled, in the order of suites and backends.
  var decisions: [EarlyStopRecord] {
    watches.withLock { $0.values.compactMap(\.decision) }
      .sorted { ($0.suite, $0.backend) < ($1.suite, $1.backend) }
  }

  /// Returns the reason why a job's attempts are unnecessary, or `nil` if they are needed.
  func reason(for job: RunPlan.Job) -> SkipReason? {
    watches.withLock { watches in
      guard let watch = watches[Self.slice(of: job)], !watch.begun.contains(job.request.caseID)
      else { return nil }
      return watch.decision.map(SkipReason.settled)
    }
  }

  /// Adds an attempt.
  func add(_ attempt: AttemptRecord) {
    guard attempt.outcome != .skipped else { return }
    let key = attempt.key
    let slice = key.slice
    watches.withLock { watches in
      if watches[slice]?.reducer != nil { watches[slice]?.begun.insert(key.caseID) }
      guard var watch = watches[slice], watch.decision == nil else { return }
      // Move the value out of the dictionary and back in, so that changing the value doesn't copy
      // its results.
      watches[slice] = nil
      watch.add(attempt, suite: key.suite, backend: key.backend)
      watches[slice] = watch
    }
  }

  private static func slice(of job: RunPlan.Job) -> SliceKey {
    SliceKey(
      suite: job.request.suite, variant: job.request.variant, backend: job.backend)
  }
}

extension SuiteRecord {
  /// The reason why the suite's gate can't be settled before all attempts are made, or `nil` if
  /// there is none.
  ///
  /// ``EarlyStopping`` counts passes among members in random order. A member is either an attempt,
  /// or a test case for which the reducer gives 1 or 0. If the reducer gives other scores, their
  /// mean isn't a share of passes, so early stopping doesn't apply.
  package var reasonToRunAll: String? {
    if (details.cases ?? [:]).values.contains(where: { $0.passRate != nil }) {
      return "test cases have their own gates"
    }
    if (details.metrics ?? []).contains(where: { $0.minimum != nil || $0.maximum != nil }) {
      return "the gate has limits for metrics"
    }
    guard let reducer = gate.reducer else { return nil }
    let isCount = cases.allSatisfy { reducer.isCount(of: plannedRepeats(of: $0.id)) }
    return isCount && details.fresh == nil
      ? nil : "the gate averages scores from `\(reducer)`"
  }
}

extension EarlyStopping.Watch {
  fileprivate mutating func add(_ attempt: AttemptRecord, suite: String, backend: String) {
    func decide(_ outcome: EarlyStopRecord.Outcome) {
      decision = EarlyStopRecord(
        suite: suite, backend: backend, outcome: outcome, alpha: sequence.alpha,
        count: sequence.count, passed: sequence.passed, planned: sequence.population,
        reducer: reducer)
    }
    if attempt.verdicts.contains(where: {
      $0.verdict == .fail && guardrails.contains($0.assertion)
    }) {
      return decide(.guardrail)
    }
    results[attempt.key] = attempt.outcome == .pass
    while decision == nil, position < members.count, let passed = takeResult(of: members[position])
    {
      position += 1
      sequence.add(passed)
      switch sequence.decision {
      case .undecided: continue
      case .reached: if mayEndReached { decide(.reached) }
      case .missed: decide(.missed)
      }
    }
  }

  /// Returns whether a member passes, or `nil` if some of its attempts haven't finished.
  private mutating func takeResult(of keys: [AttemptKey]) -> Bool? {
    guard keys.allSatisfy({ results[$0] != nil }) else { return nil }
    let passed = keys.count { results.removeValue(forKey: $0) == true }
    guard let reducer else { return passed == keys.count }
    return reducer.score(passed: passed, of: keys.count) == 1
  }
}
