import EvalRecords
import EvalSuites

/// Judges stored answers by the assertions, thresholds, weights and guardrails of loaded suites.
package struct StoredAnswerJudge: Sendable {
  /// The reason why stored answers can't be judged.
  package enum Obstacle: Error, Sendable, Hashable {
    /// The suites don't have the test case.
    case noSuchCase
    /// The text of an answer isn't stored.
    case noText
    /// The test case runs an external program, and programs are not allowed.
    case needsCommands
    /// The answers don't fit the suite's schema.
    case otherSchema
  }

  private struct Place: Hashable {
    var suite: String
    var caseID: String
  }

  /// The records of the suites.
  package let suites: [SuiteRecord]
  private let jobs: [Place: RunPlan.Job]
  private let commands: CommandAccess?
  private let readers = AnswerReaders()

  /// Creates a judge.
  ///
  /// - Parameters:
  ///   - plan: A plan with the suites. Its seeds and repeats don't matter.
  ///   - commands: The permission to run external programs, or `nil` if they are not allowed.
  package init(_ plan: RunPlan, commands: CommandAccess?) {
    suites = plan.suites
    jobs = Dictionary(
      plan.jobs.map { (Place(suite: $0.request.suite, caseID: $0.request.caseID), $0) },
      uniquingKeysWith: { first, _ in first })
    self.commands = commands
  }

  /// Returns attempts at one test case with new verdicts and outcomes.
  ///
  /// Everything that doesn't depend on the suite stays the same: the answer, its failure, the seed
  /// and the measurements.
  ///
  /// - Parameters:
  ///   - attempts: The stored attempts.
  ///   - schemas: The schemas by which the answers were judged, keyed by variant id.
  ///   - suite: The suite's id.
  ///   - caseID: The id of the test case in the loaded suite.
  /// - Throws: `Obstacle` if not all of the attempts can be judged.
  package func judged(
    _ attempts: [AttemptRecord], schemas: [String: String], suite: String, caseID: String
  ) throws(Obstacle) -> [AttemptRecord] {
    guard let job = jobs[Place(suite: suite, caseID: caseID)],
      let record = suites.first(where: { $0.id == suite })
    else { throw .noSuchCase }
    guard record.details.store != .digests else { throw .noText }
    guard commands != nil || !job.suiteCase.usesCommands else { throw .needsCommands }
    var judged: [AttemptRecord] = []
    for attempt in attempts {
      guard attempt.outcome != .skipped else {
        judged.append(attempt)
        continue
      }
      let isComplete = attempt.failure == nil && attempt.stopReason == .complete
      if isComplete, attempt.output.isEmpty { throw .noText }
      let current = job.request.answerSchema
      var schema = schemas[attempt.key.variant] ?? current
      // Version 0.1 judged answers by the schema of the request.
      if schema == job.request.schema { schema = current }
      if schema != current, isComplete,
        readers.reader(of: current).read(attempt.output).failure != nil
      {
        throw .otherSchema
      }
      let judge = AttemptJudge(
        job: job, fingerprint: nil, reader: readers.reader(of: schema), traces: .none,
        commands: commands)
      judged.append(judge.judgedAnew(attempt))
    }
    return judged
  }
}

extension AttemptJudge {
  /// Returns a stored attempt with new verdicts and a new outcome.
  func judgedAnew(_ stored: AttemptRecord) -> AttemptRecord {
    var attempt = stored
    attempt.outcome = .error
    attempt.verdicts = []
    attempt.details.counts = nil
    attempt.details.weights = nil
    attempt.details.score = nil
    attempt.details.metrics = nil
    judge(&attempt)
    return attempt
  }
}
