import EvalRecords
import ModelServers
import Synchronization

/// Admits requests in order of arrival, and only as many concurrent requests as a
/// `ConcurrencyWindow` allows.
final class RequestGate: Sendable {
  private typealias Waiter = (id: Int, continuation: CheckedContinuation<Int?, Never>)

  private struct State {
    var window: ConcurrencyWindow
    var inWork = 0
    var mostInWork = 0
    var nextID = 0
    var waiting: [Waiter] = []
    var cancelledEarly: Set<Int> = []
    /// The earliest time at which a request may begin, in seconds on the gate's stopwatch.
    var opensAt = 0.0
  }

  private let state: Mutex<State>
  private let clock: any Clock<Duration>
  private let elapsed: @Sendable () -> Double

  init(most: Int, clock: any Clock<Duration>) {
    state = Mutex(State(window: ConcurrencyWindow(most: most)))
    self.clock = clock
    elapsed = clock.stopwatch()
  }

  /// The largest number of concurrent requests so far.
  var mostInWork: Int { state.withLock(\.mostInWork) }

  /// Waits until a request may begin.
  ///
  /// - Returns: The request's number, or `nil` if the task was cancelled.
  func enter() async -> Int? {
    guard let number = await take() else { return nil }
    while !Task.isCancelled {
      let pause = state.withLock(\.opensAt) - elapsed()
      guard pause > 0 else { return number }
      try? await clock.sleep(for: .seconds(pause))
    }
    leave(number, .neither)
    return nil
  }

  /// The result of a finished request, which shows how busy the server is.
  enum News {
    case succeeded
    case congested
    case neither
  }

  /// Ends a request, and lets the next requests begin.
  func leave(_ number: Int, _ news: News) {
    let next = state.withLock { state -> [(Waiter, Int)] in
      state.inWork -= 1
      switch news {
      case .succeeded: state.window.succeeded()
      case .congested: state.window.congested(number)
      case .neither: break
      }
      var next: [(Waiter, Int)] = []
      while state.inWork < state.window.limit, !state.waiting.isEmpty {
        next.append((state.waiting.removeFirst(), Self.begin(&state)))
      }
      return next
    }
    for (waiter, number) in next { waiter.continuation.resume(returning: number) }
  }

  /// Holds back all requests for a while, because the server asked for a pause.
  func close(for pause: Duration) {
    let end =
      elapsed() + Double(pause.components.seconds) + Double(pause.components.attoseconds) * 1e-18
    state.withLock { $0.opensAt = max($0.opensAt, end) }
  }

  private static func begin(_ state: inout State) -> Int {
    state.inWork += 1
    state.mostInWork = max(state.mostInWork, state.inWork)
    return state.window.begin()
  }

  private func take() async -> Int? {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Int?? in
          if state.cancelledEarly.remove(id) != nil { return .some(nil) }
          if state.inWork < state.window.limit, state.waiting.isEmpty {
            return .some(Self.begin(&state))
          }
          state.waiting.append((id, continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> Waiter? in
        guard let place = state.waiting.firstIndex(where: { $0.id == id }) else {
          state.cancelledEarly.insert(id)
          return nil
        }
        return state.waiting.remove(at: place)
      }
      waiter?.continuation.resume(returning: nil)
    }
  }
}
