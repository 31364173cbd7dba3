import Dispatch
import Synchronization

/// A value that another thread computes.
final class Background<Value: Sendable>: Sendable {
  private let result = Mutex<Value?>(nil)
  private let end = DispatchSemaphore(value: 0)

  /// Starts the computation.
  init(_ compute: @escaping @Sendable () -> Value) {
    DispatchQueue.global().async {
      let value = compute()
      self.result.withLock { $0 = value }
      self.end.signal()
    }
  }

  /// The value; waits until it is there.
  var value: Value {
    end.wait()
    // Let the next caller pass too.
    end.signal()
    guard let value = result.withLock({ $0 }) else {
      preconditionFailure("the thread has stored the value")
    }
    return value
  }
}
