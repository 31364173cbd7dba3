import EvalRecords
import EvalSuites
import StructuredText

/// Turns answers into attempts: reads the value, evaluates the assertions, and decides the outcome.
struct AttemptJudge {
  /// The job that the answers belong to.
  let job: RunPlan.Job
  /// The request fingerprint, or `nil` if the backend is unknown.
  let fingerprint: String?
  /// The key of the job's answers, or `nil` if the backend may give another answer to the same
  /// request.
  var answerKey: AnswerKey?
  /// The reader that parses answers according to the job's schema.
  let reader: AnswerReader
  /// The attempts whose decoding steps are kept.
  let traces: Runner.TraceKeeping
  /// Access to external programs, or `nil` if they are not allowed.
  var commands: CommandAccess?
  /// The meter of the processor time for judging, or `nil` to measure nothing.
  var time: TimeMeter?

  /// Returns the attempt for an answer.
  ///
  /// If the test case needs external programs, a separate thread waits for them.
  ///
  /// - Returns: The attempt, or `nil` if the task was cancelled while external programs were
  ///   running. The cancellation also stops these programs.
  func attempt(_ answer: BackendAnswer) async -> AttemptRecord? {
    guard let commands, job.suiteCase.usesCommands else { return judged(answer) }
    let thread = JudgingThread()
    var judge = self
    judge.commands = commands.until { thread.isGivenUp }
    return await thread.result { [judge] in judge.judged(answer) }
  }

  private func judged(_ answer: BackendAnswer) -> AttemptRecord {
    var attempt = AttemptRecord(
      key: job.key(answer.repeatSeed.repeatIndex), seed: answer.repeatSeed.seed, outcome: .error,
      stopReason: answer.stopReason, failure: answer.failure ?? Self.failure(of: answer),
      renderedPrompt: answer.renderedPrompt.isEmpty ? job.request.prompt : answer.renderedPrompt,
      output: answer.output, promptTokens: answer.promptTokens,
      outputTokens: answer.outputTokens, forcedTokens: answer.forcedTokens,
      duration: answer.duration, constraintPressure: answer.constraintPressure,
      decisions: answer.decisions)
    attempt.details.fingerprint = fingerprint
    attempt.details.answerKey = answerKey?.digest(of: answer.repeatSeed)
    attempt.details.lookalikes = answer.lookalikes
    let removals = MaskRemoval.removals(answer.decisions, answer.trace)
    attempt.details.removals = removals.isEmpty ? nil : removals
    attempt.details.pressure = answer.pressure
    if answer.isCached { attempt.details.isCached = true }
    attempt.details.served = answer.served
    attempt.details.earlierTries = answer.earlierTries
    attempt.details.batchWidth = answer.batchWidth
    if let time { time.measure { judge(&attempt) } } else { judge(&attempt) }
    attempt.trace = answer.trace
    return keepingTrace(attempt)
  }

  /// Returns an attempt without its decoding steps, unless they are kept.
  private func keepingTrace(_ attempt: AttemptRecord) -> AttemptRecord {
    let isKept =
      switch traces {
      case .all: true
      case .failing: attempt.outcome != .pass
      case .none: false
      }
    guard !isKept else { return attempt }
    var attempt = attempt
    attempt.trace = []
    return attempt
  }

  /// Returns the attempt that reuses a stored answer, judged by today's assertions.
  ///
  /// - Parameters:
  ///   - stored: The stored attempt, whose answer key is the same.
  ///   - repeatSeed: The repeat.
  ///   - origin: The run that made the answer.
  /// - Returns: The attempt, or `nil` if the task was cancelled while external programs were
  ///   running.
  func reusing(
    _ stored: AttemptRecord, for repeatSeed: RepeatSeed, from origin: RunOrigin
  ) async -> AttemptRecord? {
    var attempt = stored
    attempt.key = job.key(repeatSeed.repeatIndex)
    attempt.details.fingerprint = fingerprint
    attempt.details.isCached = true
    attempt.details.reusedFrom = origin
    attempt.details.earlierTries = nil
    attempt.details.formerOutcome = nil
    attempt.details.formerWeights = nil
    guard let commands, job.suiteCase.usesCommands else {
      return keepingTrace(judgedAnew(attempt))
    }
    let thread = JudgingThread()
    var judge = self
    judge.commands = commands.until { thread.isGivenUp }
    return await thread.result { [judge, attempt] in judge.judgedAnew(attempt) }
      .map(keepingTrace)
  }

  /// Returns the attempt for a repeat that failed without an answer.
  func attempt(
    _ repeatSeed: RepeatSeed, _ failure: AttemptFailure, duration: Double
  ) -> AttemptRecord {
    var attempt = AttemptRecord(
      key: job.key(repeatSeed.repeatIndex), seed: repeatSeed.seed, outcome: .error,
      stopReason: .failed, failure: failure, renderedPrompt: job.request.prompt,
      duration: duration)
    attempt.details.fingerprint = fingerprint
    return attempt
  }

  /// Returns the attempt for a repeat that the runner skips.
  func skipped(_ repeatSeed: RepeatSeed, _ reason: SkipReason) -> AttemptRecord {
    var attempt = AttemptRecord(
      key: job.key(repeatSeed.repeatIndex), seed: repeatSeed.seed, outcome: .skipped,
      stopReason: .failed)
    attempt.details.skipReason = reason
    return attempt
  }

  func judge(_ attempt: inout AttemptRecord) {
    if attempt.failure?.kind.saysNothing == true { return judgeAsWhole(&attempt) }
    attempt.outcome = .fail
    // Nobody asks whether an answer passes that stopped after its decisions.
    if attempt.stopReason == .decided { return }
    if attempt.endedEarly {
      let reading = reader.readBeginning(attempt.output)
      let cut = AnswerCut(
        limit: attempt.stopReason == .contextFull ? .context : .tokens,
        tokens: attempt.outputTokens, path: reading.cut?.description ?? "$",
        loop: AnswerCut.loop(atEndOf: attempt.output))
      attempt.details.cut = cut
      attempt.failure = AttemptFailure(cut)
      judge(&attempt, reading)
    } else if attempt.isWholeAnswer {
      let reading = reader.read(attempt.output)
      attempt.failure = reading.failure
      if let value = reading.value {
        attempt.details.shape = AnswerShape(
          of: value, expecting: job.suiteCase.expectedBranches)
        judge(&attempt, reading)
      }
    } else {
      judgeAsWhole(&attempt)
    }
  }

  /// Judges an attempt that has a value, or at least part of one.
  ///
  /// If the value is incomplete or doesn't match the schema, the attempt fails no matter what the
  /// assertions say, unless the test case expects the attempt's stop reason.
  private func judge(_ attempt: inout AttemptRecord, _ reading: AnswerReader.Reading) {
    var facts = facts(of: attempt)
    facts.value = reading.value ?? .null
    facts.cut = reading.cut
    attempt.verdicts = job.assertions.map { $0.verdict(on: facts) }
    let failed = zip(job.assertions, attempt.verdicts).filter { $1.verdict == .fail }
    let counts = failed.compactMap { assertion, _ in
      assertion.count(in: facts).map { (assertion.name, $0) }
    }
    if !counts.isEmpty { attempt.details.counts = Dictionary(uniqueKeysWithValues: counts) }
    attempt.verdicts += job.suiteCase.customAssertions.map { assertion in
      reading.cut == nil
        ? assertion.verdict(onOutput: facts.value.compactText) : assertion.verdictOnCutAnswer
    }
    job.suiteCase.scoring.judge(&attempt)
    if attempt.failure != nil, !isAskedFor(attempt) { attempt.outcome = .fail }
    attempt.details.metrics = SuiteCase.metrics(job.suiteCase.metrics, of: facts, attempt)
  }

  /// Judges an attempt without a value.
  ///
  /// If the test case expects the attempt's stop reason (say, a refusal), only the assertions on
  /// the attempt as a whole apply. Otherwise, the outcome doesn't change.
  private func judgeAsWhole(_ attempt: inout AttemptRecord) {
    guard isAskedFor(attempt) else { return }
    let facts = facts(of: attempt)
    attempt.verdicts = job.assertions.filter(\.isOfAttempt).map { $0.verdict(on: facts) }
    job.suiteCase.scoring.judge(&attempt)
  }

  private func isAskedFor(_ attempt: AttemptRecord) -> Bool {
    job.assertions.contains { $0.expects(attempt.stopReason) }
  }

  private func facts(of attempt: AttemptRecord) -> AttemptFacts {
    let measures = attempt.measures
    var facts = AttemptFacts(
      value: .null, stopReason: attempt.stopReason, duration: measures.seconds,
      outputTokens: measures.outputTokens, constraintPressure: measures.pressure,
      decisions: attempt.decisions)
    facts.pressure = attempt.details.pressure
    facts.key = attempt.key
    facts.variables = job.suiteCase.variables
    facts.commands = commands
    return facts
  }

  /// Returns the failure that an answer's stop reason implies, for backends that report only the
  /// stop reason.
  ///
  /// - Returns: The failure, or `nil` if the answer is complete or was cut off at the token limit.
  private static func failure(of answer: BackendAnswer) -> AttemptFailure? {
    switch answer.stopReason {
    case .complete, .tokenLimit, .decided: nil
    case .contextFull:
      AttemptFailure(
        kind: .contextSizeExceeded, message: "the prompt fills the model's whole context")
    case .refusal: AttemptFailure(kind: .refusal, message: "the model declined to answer")
    case .failed: AttemptFailure(kind: .backend, message: "the backend failed and gave no reason")
    }
  }
}

extension AttemptRecord {
  /// Whether the model completed an answer, so that its text alone decides what it is.
  ///
  /// A backend may have found the text unfit. The judge still reads it, so that a text gets the
  /// same verdict from every backend and from a recording.
  fileprivate var isWholeAnswer: Bool {
    switch failure?.kind {
    case nil, .schemaMismatch: true
    case .malformedOutput: stopReason == .complete
    default: false
    }
  }

  /// Whether the answer began but was not completed.
  fileprivate var endedEarly: Bool {
    switch stopReason {
    case .tokenLimit: true
    case .contextFull: !output.isEmpty
    case .complete, .refusal, .decided, .failed: false
    }
  }
}
