import Dispatch
import EvalSessions
import Foundation
import Synchronization

/// SIGINT and SIGTERM: the first one asks for an orderly stop, the second ends the process now.
///
/// That holds beyond the life of the object: while the reports of what was stopped are written, a
/// second signal still ends the process; where nothing was stopped, a signal does what it usually does.
final class Interrupt: Sendable {
  private static let signals = [SIGINT, SIGTERM]

  private let count = Atomic<Int>(0)
  nonisolated(unsafe) private var sources: [any DispatchSourceSignal] = []

  /// Whether a signal came.
  var isRequested: Bool { count.load(ordering: .relaxed) > 0 }

  /// Starts to listen.
  ///
  /// - Parameter onFirst: What to do at the first signal.
  init(onFirst: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "assay.signals")
    let registered = DispatchSemaphore(value: 0)
    // The sources are written here and only kept alive afterwards.
    sources = Self.signals.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { [weak self] in
        guard let self else { return }
        if count.add(1, ordering: .relaxed).oldValue == 0 {
          onFirst()
        } else {
          ExternalCommand.endAll()
          _exit(ExitStatus.interrupted.rawValue)
        }
      }
      source.setRegistrationHandler { registered.signal() }
      source.resume()
      return source
    }
    // A source is registered on a thread of its own. Were the signal ignored before that, one that
    // comes in between would be lost; so it does what it usually does until then.
    for _ in Self.signals { registered.wait() }
    #if !os(Linux)  // There, the source takes the signal from its usual effect by itself.
      for number in Self.signals { signal(number, SIG_IGN) }
    #endif
  }

  deinit {
    for source in sources { source.cancel() }
    for number in Self.signals {
      signal(number, isRequested ? { _ in _exit(ExitStatus.interrupted.rawValue) } : SIG_DFL)
    }
  }
}
