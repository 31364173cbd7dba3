import Synchronization

/// Hands out jobs in order, each once, and only as many attempts at a time as their backend takes.
///
/// A backend that computes its attempts together takes many jobs in work at a time, however few
/// threads it computes on. What one attempt takes of the clock then depends on how many there are.
final class JobQueue: Sendable {
  private struct State {
    var position = 0
    var attemptsInWork = 0
    var waiting: [CheckedContinuation<RunPlan.Job?, Never>] = []
    var isClosed = false
  }

  private let jobs: [RunPlan.Job]
  private let mostAttempts: Int?
  /// The jobs that take no time from each other.
  private let threads: Int
  private let state = Mutex(State())

  /// Creates a queue.
  ///
  /// - Parameters:
  ///   - jobs: The jobs.
  ///   - mostAttempts: How many attempts the backend takes in work at a time; nil if each of the
  ///     threads has one job.
  ///   - threads: The number of threads.
  init(_ jobs: [RunPlan.Job], mostAttempts: Int?, threads: Int) {
    self.jobs = jobs
    self.mostAttempts = mostAttempts.map { max(1, $0) }
    self.threads = max(1, threads)
  }

  /// The most jobs that are in work at a time.
  var mostJobs: Int { min(mostAttempts ?? threads, jobs.count) }

  /// How many attempts share the time of a thread.
  var attemptsOfThread: Int {
    guard mostAttempts != nil else { return 1 }
    return max(1, (state.withLock(\.attemptsInWork) + threads - 1) / threads)
  }

  /// Waits until another job may begin.
  ///
  /// - Returns: The job; nil if there is none left.
  func next() async -> RunPlan.Job? {
    await withCheckedContinuation { continuation in
      serve { $0.waiting.append(continuation) }
    }
  }

  /// Counts an attempt that was made.
  func release() { serve { $0.attemptsInWork -= 1 } }

  /// Hands out nothing more.
  func close() { serve { $0.isClosed = true } }

  /// Changes the state, and hands out what may be handed out then.
  private func serve(_ change: (inout State) -> Void) {
    let served = state.withLock { state in
      change(&state)
      var served: [(CheckedContinuation<RunPlan.Job?, Never>, RunPlan.Job?)] = []
      while let first = state.waiting.first {
        if state.isClosed || state.position == jobs.count {
          served.append((first, nil))
        } else if state.attemptsInWork < mostAttempts ?? .max {
          let job = jobs[state.position]
          state.position += 1
          state.attemptsInWork += job.repeats.count
          served.append((first, job))
        } else {
          break
        }
        state.waiting.removeFirst()
      }
      return served
    }
    for (continuation, job) in served { continuation.resume(returning: job) }
  }
}
