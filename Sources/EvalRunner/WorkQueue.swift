import Dispatch

/// A queue for work that may block, such as writing to a database that another process has locked,
/// or to a terminal that has stopped.
///
/// The queue does one piece of work after another, in the order in which callers hand it in, and
/// never on a thread of Swift's cooperative pool. The pool has only as many threads as there are
/// cores, and the rest of a run needs these threads.
///
/// A caller waits until its work is done, without blocking its own thread. So at most one piece of
/// work per caller is in the queue, and a slow database or terminal slows the callers down.
package final class WorkQueue: Sendable {
  /// A serial dispatch queue gets a thread even if every core is busy.
  private let queue: DispatchQueue

  /// Creates a queue.
  ///
  /// - Parameter label: The queue's name, for debuggers.
  package init(_ label: String) { queue = DispatchQueue(label: label) }

  /// Does a piece of work, and waits until it is done, even if the task is cancelled.
  ///
  /// - Parameter work: The work, which may block.
  /// - Returns: The work's result.
  /// - Throws: The work's error.
  package func perform<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: Result(catching: work)) }
    }
    return try result.get()
  }
}
