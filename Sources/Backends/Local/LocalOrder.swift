import EvalRecords
import Synchronization

/// A request to the local backend, with the receivers of its answers.
final class LocalOrder: Sendable {
  let request: BackendRequest
  let repeats: [RepeatSeed]
  /// Receives the output as it grows, or `nil` if only complete answers are needed.
  ///
  /// Only an order with a single repeat can have this receiver. If it does, the batch records
  /// neither decisions nor steps.
  let show: (@Sendable (String) -> Void)?
  /// Receives each answer when it is finished.
  let finish: @Sendable (BackendAnswer) -> Void
  /// Runs once, after the last answer.
  let end: @Sendable () -> Void
  private let cancelled = Atomic<Bool>(false)

  init(
    request: BackendRequest, repeats: [RepeatSeed], show: (@Sendable (String) -> Void)? = nil,
    finish: @escaping @Sendable (BackendAnswer) -> Void, end: @escaping @Sendable () -> Void
  ) {
    self.request = request
    self.repeats = repeats
    self.show = show
    self.finish = finish
    self.end = end
  }

  /// Whether the order was cancelled because nobody is waiting for the answers anymore.
  var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  /// Cancels the order, so that its repeats leave the batch before the next step.
  func cancel() { cancelled.store(true, ordering: .relaxed) }

  /// Answers every repeat with the same failure.
  func fail(_ failure: AttemptFailure, renderedPrompt: String) {
    for repeatSeed in repeats where !isCancelled {
      finish(
        BackendAnswer(
          repeatSeed: repeatSeed, output: "", stopReason: .failed, failure: failure,
          renderedPrompt: renderedPrompt))
    }
  }
}
