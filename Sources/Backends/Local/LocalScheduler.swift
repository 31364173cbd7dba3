import Dispatch
import Synchronization

/// Distributes orders (`LocalOrder`) among the workers of a local backend.
///
/// Between two steps, a worker asks for orders that can join its batch. The worker gets an order
/// only if no other active worker has fewer repeats to answer. This keeps the batches equally wide,
/// and spreads the work over all cores even if there are only a few orders. A worker without orders
/// releases its thread; meanwhile, an active worker may use one more thread.
///
/// ```
/// submit ─► waiting orders ─┬─► worker 0: batch of 17 attempts
///                           └─► worker 1: batch of 18 attempts     each with its own predictor
/// ```
final class LocalScheduler: Sendable {
  private struct State {
    var waiting: [LocalOrder] = []
    /// The number of repeats that each worker still has to answer, or `nil` while the worker has no
    /// thread.
    var loads: [Int?]
  }

  private let state: Mutex<State>
  /// A serial queue for each worker.
  ///
  /// Decoding can take minutes. A serial queue gets a thread even if every core is busy. A
  /// concurrent queue would use up the threads that the rest of the program needs.
  let queues: [DispatchQueue]
  /// Runs a worker on its thread until there are no more orders for the worker.
  private let work: @Sendable (LocalScheduler, _ worker: Int) -> Void

  /// Creates a scheduler without orders.
  ///
  /// - Parameters:
  ///   - workers: The maximum number of workers.
  ///   - work: Runs a worker on its thread until `orders` returns `nil`.
  init(workers: Int, work: @escaping @Sendable (LocalScheduler, _ worker: Int) -> Void) {
    state = Mutex(State(loads: Array(repeating: nil, count: max(1, workers))))
    queues = (0..<max(1, workers)).map { DispatchQueue(label: "assay.local.\($0)") }
    self.work = work
  }

  /// Accepts an order, and starts an idle worker if there is one.
  func submit(_ order: LocalOrder) {
    let idle = state.withLock { state -> Int? in
      state.waiting.append(order)
      guard let idle = state.loads.firstIndex(where: { $0 == nil }) else { return nil }
      state.loads[idle] = 0
      return idle
    }
    if let idle { queues[idle].async { self.work(self, idle) } }
  }

  /// The number of threads that each active worker may use: its own, and its share of the threads
  /// that idle workers leave unused.
  var threadsPerWorker: Int {
    state.withLock { state in
      max(1, state.loads.count / max(1, state.loads.count { $0 != nil }))
    }
  }

  /// Returns the orders that a worker takes before its next step.
  ///
  /// - Parameters:
  ///   - worker: The worker's number.
  ///   - load: The number of repeats that the worker still has to answer.
  ///   - limit: The load at which the worker accepts no more orders.
  /// - Returns: The orders, or `nil` if the worker has nothing to do and should release its thread.
  func orders(for worker: Int, load: Int, limit: Int) -> [LocalOrder]? {
    state.withLock { state in
      var load = load
      var taken: [LocalOrder] = []
      while let first = state.waiting.first, load == 0 || load < limit,
        state.loads.indices.allSatisfy({ $0 == worker || load <= state.loads[$0] ?? .max })
      {
        state.waiting.removeFirst()
        taken.append(first)
        load += first.repeats.count
      }
      let isIdle = load == 0 && taken.isEmpty
      state.loads[worker] = isIdle ? nil : load
      return isIdle ? nil : taken
    }
  }
}
