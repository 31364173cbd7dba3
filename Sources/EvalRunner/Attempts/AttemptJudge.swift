import EvalRecords
import EvalSuites
import StructuredText

/// Makes attempts of answers: reads the value, evaluates the assertions, and says how it ended.
struct AttemptJudge {
  /// What was asked.
  let job: RunPlan.Job
  /// What determines the answers beside the seed; nil where the backend is unknown.
  let fingerprint: String?
  /// Whose steps of decoding are kept.
  let traces: Runner.TraceKeeping
  /// The way to external programs; nil where they are not allowed.
  var commands: CommandAccess?

  /// The attempt that an answer is.
  ///
  /// Where external programs are asked, a thread of its own waits for them.
  ///
  /// - Returns: The attempt; nil where the task was cancelled while programs were asked, which are
  ///   ended then.
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
    attempt.details.pressure = answer.pressure
    if answer.isCached { attempt.details.isCached = true }
    attempt.details.served = answer.served
    attempt.details.earlierTries = answer.earlierTries
    attempt.details.batchWidth = answer.batchWidth
    judge(&attempt)
    switch traces {
    case .all: attempt.trace = answer.trace
    case .failing: if attempt.outcome != .pass { attempt.trace = answer.trace }
    case .none: break
    }
    return attempt
  }

  /// An attempt to which no answer came.
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

  /// An attempt that is not made.
  func skipped(_ repeatSeed: RepeatSeed, _ reason: String) -> AttemptRecord {
    var attempt = AttemptRecord(
      key: job.key(repeatSeed.repeatIndex), seed: repeatSeed.seed, outcome: .skipped,
      stopReason: .failed)
    attempt.details.skipReason = reason
    return attempt
  }

  private func judge(_ attempt: inout AttemptRecord) {
    let assertions = job.assertions
    var facts = AttemptFacts(
      value: .null, stopReason: attempt.stopReason, duration: attempt.duration,
      outputTokens: attempt.outputTokens, constraintPressure: attempt.constraintPressure,
      decisions: attempt.decisions)
    facts.pressure = attempt.details.pressure
    facts.key = attempt.key
    facts.variables = job.suiteCase.variables
    facts.commands = commands
    if attempt.failure != nil {
      // A case may ask for the end that came, for example for a refusal; then nothing else of it
      // can be asked but what holds of the attempt as a whole.
      guard assertions.contains(where: { $0.expects(attempt.stopReason) }) else { return }
      attempt.verdicts = assertions.filter(\.isOfAttempt).map { $0.verdict(on: facts) }
      job.suiteCase.scoring.judge(&attempt)
      return
    }
    do throws(StructuredTextError) {
      facts.value = try JSONValue(parsing: attempt.output)
    } catch {
      attempt.failure = AttemptFailure(
        kind: .malformedOutput, message: "the output is no JSON: \(error)")
      return
    }
    attempt.verdicts = assertions.map { $0.verdict(on: facts) }
    attempt.verdicts += job.suiteCase.customAssertions.map {
      $0.verdict(onOutput: attempt.output)
    }
    job.suiteCase.scoring.judge(&attempt)
    attempt.details.metrics = SuiteCase.metrics(job.suiteCase.metrics, of: facts, attempt)
  }

  /// What went wrong where a backend says only why it stopped.
  private static func failure(of answer: BackendAnswer) -> AttemptFailure? {
    switch answer.stopReason {
    case .complete: nil
    case .tokenLimit:
      AttemptFailure(
        kind: .truncated, message: "the limit on tokens was reached before the value was complete")
    case .contextFull:
      AttemptFailure(
        kind: .contextSizeExceeded,
        message: "the model's context was full before the value was complete")
    case .refusal: AttemptFailure(kind: .refusal, message: "the model declined to answer")
    case .failed: AttemptFailure(kind: .backend, message: "the backend failed without a reason")
    }
  }
}
