import EvalRecords
import EvalSuites
import Synchronization
import Testing

@testable import EvalRunner

/// A backend that works on many attempts at a time, and counts them.
private final class BatchingBackend: EvalBackend {
  let record = BackendRecord(
    id: "fake", model: "fake", engine: "batches", isDeterministic: true)
  let attemptsInWork: Int?
  private let work = Mutex<(now: Int, most: Int)>((0, 0))

  init(attemptsInWork: Int?) { self.attemptsInWork = attemptsInWork }

  /// The maximum number of concurrent attempts so far.
  var most: Int { work.withLock(\.most) }

  func answers(
    to request: BackendRequest, repeats: [RepeatSeed]
  ) -> AsyncStream<BackendAnswer> {
    work.withLock { work in
      work.now += repeats.count
      work.most = max(work.most, work.now)
    }
    return .working { continuation in
      for repeatSeed in repeats {
        for _ in 0..<20 { await Task.yield() }
        self.work.withLock { $0.now -= 1 }
        continuation.yield(
          BackendAnswer(repeatSeed: repeatSeed, output: "\"x\"", stopReason: .complete))
      }
    }
  }
}

@Suite("The job queue")
struct JobQueueTests {
  @Test(
    "a backend that computes attempts together gets as many as it accepts, regardless of `jobs`",
    arguments: [(5, 1), (1, 8), (12, 2), (1000, 1)])
  func takesWhatItSays(width: Int, jobs: Int) async {
    let backend = BatchingBackend(attemptsInWork: width)
    let recorder = Recorder()
    let plan = RunPlan(suites: suites(cases: 20, repeats: 2), backends: ["fake"])
    let result = await Runner(jobs: jobs).run(
      plan: plan, backends: [backend], clock: ContinuousClock(), onEvent: recorder.receive)
    #expect(result.ending == .complete)
    #expect(Set(recorder.attempts.map(\.key)).count == plan.attemptCount)
    // A test case begins if a single place is free, but has two attempts.
    #expect(backend.most <= min(width + 1, plan.attemptCount))
    #expect(backend.most >= min(width, plan.attemptCount) / 2)
  }

  @Test("the queue hands out a job when a place is free, and closing the queue ends every wait")
  func rooms() async throws {
    let plan = RunPlan(suites: suites(cases: 3, repeats: 2), backends: ["fake"])
    let queue = JobQueue(plan.jobs, mostAttempts: 3, threads: 2)
    _ = try #require(await queue.next())
    #expect(queue.attemptsOfThread == 1)
    _ = try #require(await queue.next())
    #expect(queue.attemptsOfThread == 2)
    async let third = queue.next()
    queue.release()
    queue.release()
    #expect(await third != nil)
    #expect(await queue.next() == nil)
    let closed = JobQueue(plan.jobs, mostAttempts: 1, threads: 1)
    _ = await closed.next()
    async let waiting = closed.next()
    closed.close()
    #expect(await waiting == nil)
  }

  @Test("the time limits of attempts that are computed together add up")
  func timeLimits() async {
    // This backend never answers, so every attempt reaches the time limit.
    struct Silent: EvalBackend {
      var record = BackendRecord(
        id: "fake", model: "fake", engine: "silent", isDeterministic: true)
      var attemptsInWork: Int? { 6 }
      func answers(
        to request: BackendRequest, repeats: [RepeatSeed]
      ) -> AsyncStream<BackendAnswer> { AsyncStream { _ in } }
    }
    let recorder = Recorder()
    _ = await Runner(jobs: 2, timeLimit: .milliseconds(400)).run(
      plan: RunPlan(suites: suites(cases: 6), backends: ["fake"]), backends: [Silent()],
      clock: ContinuousClock(), onEvent: recorder.receive)
    #expect(recorder.attempts.map(\.failure?.kind) == Array(repeating: .timeout, count: 6))
    #expect(
      recorder.attempts.contains {
        $0.failure?.message.contains(" attempts that are computed together") == true
      })
  }
}
