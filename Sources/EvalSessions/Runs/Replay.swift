import EvalFindings
import EvalRecords
import EvalSuites

/// Repeats a stored attempt on the same model, to check whether the result is still the same.
package struct Replay: Sendable {
  /// The run that contains the attempt.
  package let run: RunRecord
  /// The stored attempt, including its trace if it was kept.
  package let attempt: AttemptRecord

  /// The new answer, compared with the stored attempt.
  package struct Outcome: Sendable {
    /// The new answer.
    package let answer: BackendAnswer
    /// The first difference from the stored attempt, as text, or `nil` if there is none.
    package let difference: String?
    /// The names of the stored attempt's engine and of the current engine, or `nil` if they are the
    /// same.
    package let engines: (stored: String, now: String)?
  }

  package init(of attempt: AttemptRecord, in run: RunRecord) {
    self.attempt = attempt
    self.run = run
  }

  /// Repeats the attempt.
  ///
  /// - Parameters:
  ///   - model: The model file, or `nil` for the bundled model.
  ///   - context: The context of the evaluation.
  /// - Throws: `SessionFailure` if the attempt can't be repeated.
  package func carryOut(
    model: String?, in context: EvaluationContext
  ) async throws(SessionFailure) -> Outcome {
    let key = attempt.key
    guard let record = run.backends.first(where: { $0.id == key.backend }),
      record.isDeterministic, key.backend != "stub"
    else {
      throw SessionFailure(
        .usage,
        "\(key.backend) can't be replayed: only the local backend gives the same answer twice")
    }
    guard let request = run.request(for: key) else {
      throw SessionFailure(
        .cannotRun, "run \(run.id) doesn't contain the request of \(key.address)")
    }
    let choice = BackendChoice(ids: [key.backend], models: model.map { [key.backend: $0] } ?? [:])
    let backends = try BackendFactory.backends(choice, in: context)
    guard let backend = backends.first(where: { $0.record.id == key.backend }) else {
      throw SessionFailure(.cannotRun, "\(key.backend): this backend no longer exists")
    }
    guard backend.record.modelDigest == record.modelDigest else {
      throw SessionFailure(
        .usage,
        "\(Self.name(of: record)) made the attempt, but this is "
          + "\(Self.name(of: backend.record)); name the right model with --model FILE")
    }
    let repeats = [RepeatSeed(repeatIndex: key.repeatIndex, seed: attempt.seed)]
    for await answer in backend.answers(to: request, repeats: repeats) {
      let (stored, now) = (record.engine, backend.record.engine)
      return Outcome(
        answer: answer, difference: Self.firstDifference(attempt, answer),
        engines: stored == now ? nil : (stored, now))
    }
    throw SessionFailure(.cannotRun, "\(key.backend) gave no answer")
  }

  /// Returns the name of a backend's model, and the beginning of the model's digest.
  private static func name(of record: BackendRecord) -> String {
    "\(VisibleText.line(record.model)), SHA-256 \(record.modelDigest?.prefix(12) ?? "unknown")…"
  }

  /// Returns the first difference between a stored attempt and an answer, as text, or `nil` if
  /// there is none.
  package static func firstDifference(_ stored: AttemptRecord, _ answer: BackendAnswer) -> String? {
    func quoted(_ step: TokenStep?) -> String {
      step.map { "`\($0.text)`" } ?? "the end of the answer"
    }
    if !stored.trace.isEmpty {
      for index in 0..<max(stored.trace.count, answer.trace.count) {
        let old = stored.trace.indices.contains(index) ? stored.trace[index] : nil
        let new = answer.trace.indices.contains(index) ? answer.trace[index] : nil
        if old?.text != new?.text {
          return "step \(index) was \(quoted(old)) and is now \(quoted(new))"
        }
        if old?.keptMass != new?.keptMass {
          return "step \(index), \(quoted(old)): the mask kept a probability of "
            + "\(old?.keptMass ?? 0) and now keeps \(new?.keptMass ?? 0)"
        }
      }
    }
    if stored.output != answer.output {
      let shared = zip(stored.output.utf8, answer.output.utf8).prefix { $0 == $1 }.count
      return "the outputs differ from byte \(shared) on"
    }
    if stored.stopReason != answer.stopReason {
      return
        "the attempt ended with \(stored.stopReason.rawValue), and the replay with "
        + answer.stopReason.rawValue
    }
    return stored.outputTokens == answer.outputTokens
      ? nil
      : "the attempt had \(stored.outputTokens.counted("token")), and the replay has "
        + "\(answer.outputTokens)"
  }
}
