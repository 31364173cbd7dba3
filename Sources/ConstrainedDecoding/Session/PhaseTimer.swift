/// Divides the processor time of one operating-system thread among the phases of decoding.
///
/// At any moment, one phase is current. A session enters its phases and then returns to the phase
/// that was current before:
///
/// ```
/// batching │ model │ masks │ sampling │ decisions │ model │ masks │ …  │ batching
///          └ evaluate(…) calls next(logits:) for each answer ───────────┘
/// ```
package final class PhaseTimer {
  /// A phase of decoding.
  package enum Phase: Sendable, Hashable, CaseIterable {
    /// Rendering prompts and compiling schemas.
    case preparation
    /// Evaluating tokens.
    case model
    /// Computing masks, and following the schema.
    case masks
    /// Computing probabilities and choosing tokens.
    case sampling
    /// Measuring decisions and format pressure.
    case decisions
    /// Everything else that a worker does.
    case batching
  }

  private let now: () -> Double
  private var current = Phase.batching
  private var since = 0.0
  private var seconds: [Phase: Double] = [:]

  /// Creates a timer.
  ///
  /// - Parameter now: A closure that returns the processor time of the current thread in seconds.
  package init(now: @escaping () -> Double) { self.now = now }

  /// Enters a phase, and attributes the time since the last call to the previous phase.
  ///
  /// - Parameter phase: The phase to enter.
  /// - Returns: The previous phase.
  @discardableResult
  package func enter(_ phase: Phase) -> Phase {
    let time = now()
    seconds[current, default: 0] += time - since
    since = time
    defer { current = phase }
    return current
  }

  /// Begins a new period, possibly on another thread; the time since the last call isn't attributed
  /// to any phase.
  package func restart() {
    since = now()
    current = .batching
  }

  /// Returns the time of each phase since the last call of this method, in seconds.
  package func takeSeconds() -> [Phase: Double] {
    enter(current)
    defer { seconds = [:] }
    return seconds
  }
}
