import EvalRecords
import Foundation
import Synchronization
import Testing

@testable import Backends

@Suite("Workers of the local backend")
struct LocalSchedulerTests {
  @Test("busy workers leave threads for everything else", .timeLimit(.minutes(1)))
  func busyWorkers() async throws {
    let count = ProcessInfo.processInfo.activeProcessorCount
    let busy = Atomic<Int>(0)
    let late = Atomic<Int>(0)
    let isDone = Atomic<Bool>(false)
    let scheduler = LocalScheduler(workers: count) { scheduler, worker in
      guard scheduler.orders(for: worker, load: 0, limit: 1) != nil else { return }
      busy.add(1, ordering: .relaxed)
      // A deadline, so that a failure ends.
      let deadline = ContinuousClock.now + .seconds(20)
      while !isDone.load(ordering: .relaxed) {
        if ContinuousClock.now > deadline {
          late.add(1, ordering: .relaxed)
          return
        }
      }
    }
    for number in 0..<count {
      scheduler.submit(
        LocalOrder(
          request: BackendRequest(
            suite: "s", variant: "default", caseID: "c\(number)", schema: "{}", instructions: nil,
            prompt: "A text.", settings: GenerationSettings()),
          repeats: [RepeatSeed(repeatIndex: 0, seed: 1)], finish: { _ in }, end: {}))
    }
    while busy.load(ordering: .relaxed) < count { try await Task.sleep(for: .milliseconds(1)) }
    // Idle threads end after some seconds; resuming then needs a thread that no worker holds.
    try await Task.sleep(for: .seconds(7))
    await Task.detached { isDone.store(true, ordering: .relaxed) }.value
    #expect(late.load(ordering: .relaxed) == 0)
  }
}
