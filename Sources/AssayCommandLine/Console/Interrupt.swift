import Dispatch
import EvalSessions
import Synchronization
import SystemBasics

/// Handles SIGINT and SIGTERM: the first signal asks for an orderly stop, the second ends the
/// process immediately.
///
/// After the first signal, a second signal ends the process even if the object has been released,
/// for example while the program writes the reports of the stopped run. If no signal has arrived,
/// releasing the object restores the default action of the signals.
final class Interrupt: Sendable {
  private static let signals = [SIGINT, SIGTERM]

  private let count = Atomic<Int>(0)
  nonisolated(unsafe) private var sources: [any DispatchSourceSignal] = []

  /// Whether a signal has arrived.
  var isRequested: Bool { count.load(ordering: .relaxed) > 0 }

  /// Creates a handler, which starts to handle the signals.
  ///
  /// - Parameter onFirst: The action for the first signal.
  init(onFirst: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "assay.signals")
    let registered = DispatchSemaphore(value: 0)
    // Only this initializer sets `sources`, and only `deinit` reads it.
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
    // Dispatch registers the sources on another thread. Until it has done so, keep the signals'
    // default action: if the signals were ignored now, a signal that arrives too early would be
    // lost.
    for _ in Self.signals { registered.wait() }
    Self.connect()
    #if !os(Linux)  // On macOS, a source doesn't disable the default action.
      for number in Self.signals { signal(number, SIG_IGN) }
    #endif
  }

  #if os(Linux)
    /// The signal handlers that Dispatch installed for the first sources.
    private static let handlers = Mutex<[Int32: sigaction]>([:])
  #endif

  /// Ensures that signals reach the sources.
  ///
  /// On Linux, Dispatch installs a signal's handler only once per process. After an earlier object
  /// has restored the default action, the handler is missing.
  private static func connect() {
    #if os(Linux)
      handlers.withLock { handlers in
        for number in signals {
          if var handler = handlers[number] {
            sigaction(number, &handler, nil)
          } else {
            var handler = sigaction()
            sigaction(number, nil, &handler)
            handlers[number] = handler
          }
        }
      }
    #endif
  }

  deinit {
    for source in sources { source.cancel() }
    for number in Self.signals {
      signal(number, isRequested ? { _ in _exit(ExitStatus.interrupted.rawValue) } : SIG_DFL)
    }
  }
}
