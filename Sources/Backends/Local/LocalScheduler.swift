import Dispatch
import Synchronization

/// Distributes orders among the workers of a local backend.
///
/// A worker asks for orders between two steps of its batch, so that they join the batch. It gets an
/// order if no other active worker has fewer repeats to answer, which keeps the batches equally
/// wide and spreads a few orders over all cores. A worker without orders releases its thread.
///
/// ```
/// submit ─► waiting orders ─┬─► worker 0: batch of 17 attempts
///                           └─► worker 1: batch of 18 attempts     each with its own predictor
/// ```
final class LocalScheduler: Sendable {
  private struct State {
    var waiting: [LocalOrder] = []
    /// The number of repeats that each worker still has to answer; nil while it has no thread.
    var loads: [Int?]
  }

  private let state: Mutex<State>
  /// A serial queue for each worker.
  ///
  /// Decoding can take minutes. A serial queue gets a thread even if every core is busy; a
  /// concurrent queue would take the threads that everything else needs.
  let queues: [DispatchQueue]
  /// Runs a worker on its thread until it has no orders left.
  private let work: @Sendable (LocalScheduler, _ worker: Int) -> Void

  /// Creates a scheduler without orders.
  ///
  /// - Parameters:
  ///   - workers: The maximum number of workers.
  ///   - work: Runs a worker on its thread until `orders` returns nil.
  init(workers: Int, work: @escaping @Sendable (LocalScheduler, _ worker: Int) -> Void) {
    state = Mutex(State(loads: Array(repeating: nil, count: max(1, workers))))
    queues = (0..<max(1, workers)).map { DispatchQueue(label: "assay.local.\($0)") }
    self.work = work
  }

  /// Accepts an order, and starts an idle worker for it if there is one.
  func submit(_ order: LocalOrder) {
    let idle = state.withLock { state -> Int? in
      state.waiting.append(order)
      guard let idle = state.loads.firstIndex(where: { $0 == nil }) else { return nil }
      state.loads[idle] = 0
      return idle
    }
    if let idle { queues[idle].async { self.work(self, idle) } }
  }

  /// Returns the orders that a worker takes before its next step.
  ///
  /// - Parameters:
  ///   - worker: The worker's number.
  ///   - load: The number of repeats that it still has to answer.
  ///   - limit: The load at which it accepts no more orders.
  /// - Returns: The orders; nil if there is nothing to do, in which case the worker's thread ends.
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
