import Dispatch
import EvalRecords
import Synchronization
import Testing

@testable import Backends

@Suite("Workers of the local backend")
struct LocalSchedulerTests {
  /// Tests that workers don't run on the threads of the shared pool.
  ///
  /// A worker on such a thread would block it for minutes. With as many workers as cores, the
  /// program couldn't store results, check time limits or show progress until they finished.
  @Test("each worker runs on its own serial queue, not on a thread of the shared pool")
  func workersHaveQueues() async {
    let key = DispatchSpecificKey<Int>()
    let workers = 2
    let (seen, found) = AsyncStream<[Int?]>.makeStream()
    let scheduler = LocalScheduler(workers: workers) { scheduler, worker in
      let queue = DispatchQueue.getSpecific(key: key)
      while scheduler.orders(for: worker, load: 0, limit: 1) != nil {
        found.yield([worker, queue])
      }
    }
    for (number, queue) in scheduler.queues.enumerated() {
      queue.setSpecific(key: key, value: number)
    }
    for number in 0..<6 { scheduler.submit(order(number)) }
    var count = 0
    for await pair in seen {
      #expect(pair[0] == pair[1])
      count += 1
      if count == 6 { break }
    }
    #expect(scheduler.queues.count == workers)
  }

  @Test("active workers share the threads of idle workers")
  func threadsOfIdleWorkers() async {
    let (seen, found) = AsyncStream<Int>.makeStream()
    let isChecked = DispatchSemaphore(value: 0)
    let scheduler = LocalScheduler(workers: 5) { scheduler, worker in
      while scheduler.orders(for: worker, load: 0, limit: 1) != nil {
        found.yield(scheduler.threadsPerWorker)
        isChecked.wait()
      }
    }
    #expect(scheduler.threadsPerWorker == 5)
    // Each submitted order makes one more worker active.
    var counts = seen.makeAsyncIterator()
    for (number, threads) in [5, 2, 1, 1, 1].enumerated() {
      scheduler.submit(order(number))
      #expect(await counts.next() == threads)
    }
    for _ in 0..<5 { isChecked.signal() }
  }

  private func order(_ number: Int) -> LocalOrder {
    LocalOrder(
      request: BackendRequest(
        suite: "s", variant: "default", caseID: "c\(number)", schema: "{}", instructions: nil,
        prompt: "A text.", settings: GenerationSettings()),
      repeats: [RepeatSeed(repeatIndex: 0, seed: 1)], finish: { _ in }, end: {})
  }
}
