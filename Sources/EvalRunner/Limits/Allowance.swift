import EvalRecords
import Synchronization

/// The remaining budget and the request rate of a run, which all workers share.
final class Allowance<C: Clock>: Sendable where C.Duration == Duration {
  private struct Use: Sendable {
    var calls = 0
    var tokens = 0
    var cost = 0.0
    /// The earliest time at which another call may begin.
    var nextCall: C.Instant
    /// The reason why no more calls may begin, or `nil` if no such reason is known so far.
    var end: String?
  }

  private let budget: RunBudget
  private let interval: Duration?
  private let clock: C
  private let use: Mutex<Use>

  /// The end of the time budget, or `nil` for no limit.
  let deadline: C.Instant?

  /// Creates an allowance that begins now.
  init(_ budget: RunBudget, callsPerMinute: Int?, clock: C) {
    self.budget = budget
    self.clock = clock
    interval = callsPerMinute.map { .seconds(60) / max(1, $0) }
    deadline = budget.time.map { clock.now.advanced(by: $0) }
    use = Mutex(Use(nextCall: clock.now))
  }

  /// The reason why no more calls may begin, or `nil` if calls may begin.
  var end: String? {
    use.withLock { use in
      if use.end == nil {
        use.end = endOfAnswers(use)
        if use.end == nil, let calls = budget.calls, use.calls >= calls {
          use.end = "the budget of \(calls.counted("call")) is used up"
        }
      }
      return use.end
    }
  }

  /// The reason to stop waiting for requested answers, or `nil` if there is none.
  var endOfAnswers: String? { use.withLock { endOfAnswers($0) } }

  private func endOfAnswers(_ use: Use) -> String? {
    if let time = budget.time, let deadline, clock.now >= deadline {
      return "the budget of \(time.words) is used up"
    }
    if let tokens = budget.tokens, use.tokens >= tokens {
      return "the budget of \(tokens.counted("token")) is used up"
    }
    if let cost = budget.cost, use.cost >= cost {
      return "the budget of \(cost) for served models is used up"
    }
    return nil
  }

  /// Waits until calls may begin, and counts them.
  ///
  /// - Parameters:
  ///   - wanted: The number of calls.
  ///   - isPaced: Whether to keep the limit on calls per minute here. A backend that asks for
  ///     ``admission`` keeps it with each request.
  /// - Returns: The number of calls that may begin: at most 1 if there is a limit on calls per
  ///   minute to keep, and 0 if no more calls may begin.
  func begin(_ wanted: Int, isPaced: Bool = true) async -> Int {
    guard end == nil else { return 0 }
    let granted = use.withLock { use -> Int in
      var granted = interval == nil || !isPaced ? wanted : min(1, wanted)
      if let calls = budget.calls { granted = min(granted, calls - use.calls) }
      use.calls += max(0, granted)
      return granted
    }
    guard granted > 0 else { return 0 }
    if isPaced { await waitForTurn() }
    return isTimeUp ? 0 : granted
  }

  /// Whether the time budget is used up.
  var isTimeUp: Bool { deadline.map { clock.now >= $0 } ?? false }

  /// The admission for the requests of a backend that asks for it.
  var admission: RequestAdmission {
    RequestAdmission { [self] purpose in
      func mayBegin() -> Bool {
        !Task.isCancelled && (purpose == .answer ? endOfAnswers == nil : !isTimeUp)
      }
      guard mayBegin() else { return false }
      await waitForTurn()
      // Other answers may have used up a budget in the meantime.
      return mayBegin()
    } spend: { [self] answer in
      spend(answer)
    }
  }

  /// Waits for the next call of the limit on calls per minute; returns at once if there is none.
  private func waitForTurn() async {
    guard let interval else { return }
    let start = use.withLock { use in
      let start = max(use.nextCall, clock.now)
      use.nextCall = start.advanced(by: interval)
      return start
    }
    await sleep(until: start)
  }

  /// Counts the tokens and the cost of an answer.
  func spend(_ answer: BackendAnswer) {
    use.withLock { use in
      use.tokens = use.tokens.addingClamped(answer.promptTokens)
        .addingClamped(answer.outputTokens)
      if let cost = answer.served?.cost, cost > 0, !answer.isCached { use.cost += cost }
    }
  }

  /// Counts the calls of an answer in addition to the one that ``begin(_:isPaced:)`` counted.
  func countFurtherCalls(of answer: BackendAnswer) {
    use.withLock { use in
      use.calls = use.calls.addingClamped(answer.earlierTries?.count ?? 0)
        .addingClamped(answer.served?.furtherRequests ?? 0)
    }
  }

  /// Waits, but not beyond the end of the time budget.
  func pause(_ duration: Duration) async { await sleep(until: clock.now.advanced(by: duration)) }

  private func sleep(until moment: C.Instant) async {
    let moment = deadline.map { min($0, moment) } ?? moment
    if clock.now < moment { try? await clock.sleep(until: moment, tolerance: nil) }
  }
}

extension Int {
  /// Returns the sum of this number and a count that a backend reported.
  ///
  /// A backend may report an absurd count. So the sum stops at the maximum, and a negative count
  /// adds nothing.
  fileprivate func addingClamped(_ count: Int) -> Int {
    let (sum, isOver) = addingReportingOverflow(Swift.max(0, count))
    return isOver ? .max : sum
  }
}

extension Duration {
  /// The duration in seconds.
  var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }

  /// A description of the duration, for messages.
  var words: String {
    let milliseconds = (seconds * 1000).rounded()
    func text(_ value: Double) -> String { Int(exactly: value).map { "\($0)" } ?? "\(value)" }
    return milliseconds >= 1000 ? "\(text(milliseconds / 1000)) s" : "\(text(milliseconds)) ms"
  }
}
