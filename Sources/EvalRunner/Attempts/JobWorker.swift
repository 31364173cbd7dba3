import EvalRecords
import Synchronization

/// Asks a backend for the repeats of one case, with a limit on the time of each answer.
struct JobWorker<C: Clock> where C.Duration == Duration {
  let job: RunPlan.Job
  let judge: AttemptJudge
  let timeLimit: Duration?
  let clock: C
  let sink: EventSink

  /// Repeats to which no answer has come, and when the last one came.
  private struct Progress: Sendable {
    var waiting: [RepeatSeed]
    var last: C.Instant
  }

  /// Asks for all repeats.
  ///
  /// Where an answer takes too long, its attempt is a time-out and the
  /// repeats after it are asked for again.
  func run(on backend: (any EvalBackend)?) async {
    guard let backend else {
      return fail(job.repeats, .backend, "there is no backend `\(job.backend)`")
    }
    var waiting = job.repeats
    while !waiting.isEmpty, !Task.isCancelled {
      let progress = Shared(Progress(waiting: waiting, last: clock.now))
      let isTimeout = await ask(backend, waiting, progress)
      waiting = progress.value.withLock(\.waiting)
      if Task.isCancelled { return }
      guard isTimeout, let late = waiting.first, let timeLimit else { break }
      waiting.removeFirst()
      sink.send(
        .finished(
          judge.attempt(
            late, of: job,
            AttemptFailure(
              kind: .timeout, message: "no answer within \(Self.words(timeLimit))"),
            duration: Self.seconds(timeLimit))))
    }
    if !Task.isCancelled {
      fail(waiting, .backend, "the backend ended without an answer to this repeat")
    }
  }

  /// Asks once for some repeats.
  ///
  /// - Returns: Whether an answer took too long.
  private func ask(
    _ backend: any EvalBackend, _ repeats: [RepeatSeed], _ progress: Shared<Progress>
  ) async -> Bool {
    guard let timeLimit else {
      await receive(backend.answers(to: job.request, repeats: repeats), progress)
      return false
    }
    return await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        await receive(backend.answers(to: job.request, repeats: repeats), progress)
        return false
      }
      group.addTask {
        while !Task.isCancelled {
          let deadline = progress.value.withLock(\.last).advanced(by: timeLimit)
          if clock.now >= deadline { return true }
          try? await clock.sleep(until: deadline, tolerance: nil)
        }
        return false
      }
      let isTimeout = await group.next() ?? false
      group.cancelAll()
      return isTimeout
    }
  }

  private func receive(
    _ answers: AsyncStream<BackendAnswer>, _ progress: Shared<Progress>
  ) async {
    for await answer in answers {
      // Only answers that were asked for count, and each once.
      let isWanted = progress.value.withLock { progress in
        progress.last = clock.now
        guard let index = progress.waiting.firstIndex(of: answer.repeatSeed) else { return false }
        progress.waiting.remove(at: index)
        return true
      }
      if isWanted { sink.send(.finished(judge.attempt(answer, of: job))) }
    }
  }

  private func fail(_ repeats: [RepeatSeed], _ kind: AttemptFailure.Kind, _ message: String) {
    for repeatSeed in repeats {
      sink.send(
        .finished(
          judge.attempt(
            repeatSeed, of: job, AttemptFailure(kind: kind, message: message), duration: 0)))
    }
  }

  private static func seconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }

  private static func words(_ duration: Duration) -> String {
    let milliseconds = (seconds(duration) * 1000).rounded()
    return milliseconds >= 1000 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}

/// A value that several tasks change, one at a time.
private final class Shared<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }
}
