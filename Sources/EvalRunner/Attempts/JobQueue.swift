import Synchronization

/// Hands out each job once, in order, and waits while the backend accepts no more attempts.
///
/// A backend that computes its attempts together accepts many jobs at the same time, even if it
/// uses only a few threads. The more attempts the backend computes at a time, the longer each of
/// them takes.
final class JobQueue: Sendable {
  private struct State {
    var position = 0
    var attemptsInWork = 0
    var waiting: [CheckedContinuation<RunPlan.Job?, Never>] = []
    var isClosed = false
  }

  private let jobs: [RunPlan.Job]
  private let mostAttempts: Int?
  /// The number of threads; each thread can run one job without slowing down the others.
  private let threads: Int
  private let state = Mutex(State())

  /// Creates a queue.
  ///
  /// - Parameters:
  ///   - jobs: The jobs.
  ///   - mostAttempts: The number of concurrent attempts at which the next job has to wait, or
  ///     `nil` if each thread handles one job at a time.
  ///   - threads: The number of threads.
  init(_ jobs: [RunPlan.Job], mostAttempts: Int?, threads: Int) {
    self.jobs = jobs
    self.mostAttempts = mostAttempts.map { max(1, $0) }
    self.threads = max(1, threads)
  }

  /// The maximum number of concurrent jobs.
  var mostJobs: Int { min(mostAttempts ?? threads, jobs.count) }

  /// The number of attempts that currently share the time of one thread.
  var attemptsOfThread: Int {
    guard mostAttempts != nil else { return 1 }
    return max(1, (state.withLock(\.attemptsInWork) + threads - 1) / threads)
  }

  /// Waits until another job may begin.
  ///
  /// - Returns: The job, or `nil` if no job is left or if the queue is closed.
  func next() async -> RunPlan.Job? {
    await withCheckedContinuation { continuation in
      serve { $0.waiting.append(continuation) }
    }
  }

  /// Counts an attempt as finished.
  func release() { serve { $0.attemptsInWork -= 1 } }

  /// Stops handing out jobs.
  func close() { serve { $0.isClosed = true } }

  /// Changes the state, then hands out the jobs that may begin.
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
