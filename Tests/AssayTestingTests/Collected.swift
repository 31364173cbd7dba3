import Synchronization

/// A list of texts to which several closures can add at the same time.
final class Collected: Sendable {
  private let state = Mutex<[String]>([])

  var texts: [String] { state.withLock(\.self) }

  func add(_ text: String) { state.withLock { $0.append(text) } }
}
