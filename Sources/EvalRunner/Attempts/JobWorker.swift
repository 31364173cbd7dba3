import EvalRecords
import Synchronization

/// Requests the repeats of one test case from a backend, within the run's allowance.
///
/// The worker applies the time limit to each answer, and retries after failures of the backend.
struct JobWorker<C: Clock> where C.Duration == Duration {
  let job: RunPlan.Job
  let judge: AttemptJudge
  /// Whether the backend handles timeouts and retries itself.
  let hasOwnManners: Bool
  let timeLimit: Duration?
  let retries: RetryPolicy
  let allowance: Allowance<C>
  let stopping: EarlyStopping?
  let clock: C
  let sink: EventSink
  /// The queue that the job came from.
  let queue: JobQueue

  /// The progress of the job's repeats.
  private struct Progress: Sendable {
    /// Repeats that were requested but have not been answered yet.
    var asked: [RepeatSeed] = []
    /// Repeats that the worker still has to request, including failed repeats that it tries again.
    var waiting: [RepeatSeed]
    /// The failed tries of each repeat, keyed by the repeat's index.
    var tries: [Int: [AttemptTry]] = [:]
    /// The time at which the wait for the next answer began: when the repeats were requested, or
    /// after the last answer was judged.
    ///
    /// The time is nil while an answer is being judged, because judging doesn't count toward the
    /// time limit of the next answer.
    var last: C.Instant?
  }

  /// The reason why the worker stopped waiting for answers.
  private enum AskEnd: Sendable {
    /// The backend has finished.
    case complete
    /// An answer took too long.
    case tooLong
    /// The allowance is used up, the gate is settled, or the backend can't answer any more
    /// requests; the unanswered repeats go back to `Progress.waiting`.
    case usedUp

    /// The reason that replaces this reason if the backend can't answer any more requests, or if
    /// its requests are not admitted any more.
    ///
    /// ``complete`` becomes ``usedUp``, so that unanswered repeats are skipped instead of failing.
    var afterBackendEnded: AskEnd { self == .complete ? .usedUp : self }
  }

  /// Requests all repeats.
  ///
  /// If an answer takes too long, its attempt times out, and the worker requests the other
  /// unanswered repeats again. If the allowance is used up or the gate is settled, the remaining
  /// repeats are skipped.
  func run(on backend: (any EvalBackend)?) async {
    guard let backend else {
      return await fail(job.repeats, "there is no backend `\(job.backend)`")
    }
    let progress = Shared(Progress(waiting: job.repeats, last: clock.now))
    while !Task.isCancelled {
      let waiting = progress.value.withLock(\.waiting)
      guard !waiting.isEmpty else { return }
      let ending = allowance.end ?? backend.endingWithName
      if let reason = stopping?.reason(for: job) ?? ending.map(SkipReason.text) {
        return await skip(waiting, reason)
      }
      let pause = progress.value.withLock { progress in
        waiting.first.flatMap { progress.tries[$0.repeatIndex]?.count }.map(retries.pause(after:))
      }
      if let pause { await allowance.pause(pause) }
      let count = await allowance.begin(waiting.count, isPaced: !backend.asksForAdmission)
      guard count > 0, !Task.isCancelled else { continue }
      progress.value.withLock { progress in
        progress.asked = Array(waiting.prefix(count))
        progress.waiting.removeFirst(count)
        progress.last = clock.now
      }
      let end = await ask(backend, Array(waiting.prefix(count)), progress)
      if Task.isCancelled { return }
      // A backend that asks for admission gives no answers to requests that were not admitted.
      let isRefused = backend.asksForAdmission && allowance.endOfAnswers != nil
      await settle(
        backend.ending != nil || isRefused ? end.afterBackendEnded : end, progress)
    }
  }

  /// Decides what happens to repeats that were requested but not answered.
  private func settle(_ end: AskEnd, _ progress: Shared<Progress>) async {
    var rest = progress.value.withLock { progress in
      defer { progress.asked = [] }
      return progress.asked
    }
    switch end {
    case .complete:
      for repeatSeed in rest {
        await finish(
          judge.attempt(
            repeatSeed,
            AttemptFailure(
              kind: .backend, message: "the backend ended without an answer to this repeat"),
            duration: 0), repeatSeed, progress)
      }
    case .tooLong:
      guard let late = rest.first, let timeLimit else { return }
      rest.removeFirst()
      progress.value.withLock { $0.waiting = rest + $0.waiting }
      let count = queue.attemptsOfThread
      let reason =
        count == 1
        ? "no answer within \(timeLimit.words)"
        : "no answer within \(count) × \(timeLimit.words), the time limit for \(count) attempts "
          + "that are computed together"
      await finish(
        judge.attempt(
          late, AttemptFailure(kind: .timeout, message: reason),
          duration: timeLimit.seconds), late, progress)
    case .usedUp:
      progress.value.withLock { $0.waiting = rest + $0.waiting }
    }
  }

  /// Emits an attempt, or schedules its repeat for another try.
  private func finish(
    _ attempt: AttemptRecord, _ repeatSeed: RepeatSeed, _ progress: Shared<Progress>
  ) async {
    var attempt = attempt
    let isAgain = progress.value.withLock { progress in
      let tries = progress.tries[repeatSeed.repeatIndex] ?? []
      guard let failure = attempt.failure, attempt.outcome == .error,
        !hasOwnManners, retries.isWorthAnother(failure, after: tries.count)
      else {
        if !tries.isEmpty { attempt.details.earlierTries = tries }
        return false
      }
      progress.tries[repeatSeed.repeatIndex] =
        tries + [AttemptTry(failure: failure, duration: attempt.duration)]
      progress.waiting.append(repeatSeed)
      return true
    }
    guard !isAgain else { return }
    stopping?.add(attempt)
    await send(attempt)
  }

  /// Emits an attempt, and waits until it is stored; then the job counts one attempt less.
  private func send(_ attempt: AttemptRecord) async {
    await sink.send(.finished(attempt))
    queue.release()
  }

  /// Requests the given repeats once.
  private func ask(
    _ backend: any EvalBackend, _ repeats: [RepeatSeed], _ progress: Shared<Progress>
  ) async -> AskEnd {
    let timeLimit = hasOwnManners ? nil : timeLimit
    guard timeLimit != nil || allowance.deadline != nil else {
      return await receive(repeats, from: backend, progress)
    }
    return await withTaskGroup(of: AskEnd.self) { group in
      group.addTask {
        await receive(repeats, from: backend, progress)
      }
      group.addTask {
        while !Task.isCancelled {
          let answer = timeLimit.map { limit in
            (progress.value.withLock(\.last) ?? clock.now)
              .advanced(by: limit * queue.attemptsOfThread)
          }
          guard let deadline = [answer, allowance.deadline].compactMap(\.self).min() else { break }
          if clock.now >= deadline { return deadline == answer ? .tooLong : .usedUp }
          try? await clock.sleep(until: deadline, tolerance: nil)
        }
        return .complete
      }
      let end = await group.next() ?? .complete
      group.cancelAll()
      return end
    }
  }

  private func receive(
    _ repeats: [RepeatSeed], from backend: any EvalBackend, _ progress: Shared<Progress>
  ) async -> AskEnd {
    let isAsked = backend.asksForAdmission
    let answers = backend.answers(
      to: job.request, repeats: repeats, admission: allowance.admission)
    for await answer in answers {
      // Ignore answers that were not requested, and count each requested answer only once.
      let isWanted = progress.value.withLock { progress in
        progress.last = nil
        guard let index = progress.asked.firstIndex(of: answer.repeatSeed) else { return false }
        progress.asked.remove(at: index)
        return true
      }
      if isWanted {
        // The backend itself has counted an answer that it requested.
        if !isAsked || answer.isCached { allowance.spend(answer) }
        allowance.countFurtherCalls(of: answer)
        guard let attempt = await judge.attempt(answer) else {
          // The task was cancelled while the answer was being judged, so the answer counts as
          // missing.
          progress.value.withLock { $0.asked.insert(answer.repeatSeed, at: 0) }
          return .usedUp
        }
        await finish(attempt, answer.repeatSeed, progress)
      }
      progress.value.withLock { $0.last = clock.now }
      guard isWanted else { continue }
      let isDone = progress.value.withLock { $0.asked.isEmpty }
      // A backend that asks for admission begins no more requests once tokens or money are used up.
      // The answers in progress are paid for, so they are received.
      let isOver = isAsked ? allowance.isTimeUp : allowance.endOfAnswers != nil
      if !isDone, isOver || stopping?.reason(for: job) != nil {
        return .usedUp
      }
    }
    return .complete
  }

  private func fail(_ repeats: [RepeatSeed], _ message: String) async {
    for repeatSeed in repeats {
      let failure = AttemptFailure(kind: .backend, message: message)
      await send(judge.attempt(repeatSeed, failure, duration: 0))
    }
  }

  private func skip(_ repeats: [RepeatSeed], _ reason: SkipReason) async {
    for repeatSeed in repeats { await send(judge.skipped(repeatSeed, reason)) }
  }
}

/// A value that several tasks share and change one at a time.
private final class Shared<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }
}
