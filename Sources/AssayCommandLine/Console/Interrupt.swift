import Dispatch
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
    // The sources are written here and only kept alive afterwards.
    sources = Self.signals.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { [weak self] in
        guard let self else { return }
        if count.add(1, ordering: .relaxed).oldValue == 0 {
          onFirst()
        } else {
          _exit(ExitStatus.interrupted.rawValue)
        }
      }
      source.resume()
      return source
    }
  }

  deinit {
    for source in sources { source.cancel() }
    for number in Self.signals {
      signal(number, isRequested ? { _ in _exit(ExitStatus.interrupted.rawValue) } : SIG_DFL)
    }
  }
}
