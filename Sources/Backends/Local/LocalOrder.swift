import EvalRecords
import Synchronization

/// A request on its way through the local backend, with where its answers go.
final class LocalOrder: Sendable {
  let request: BackendRequest
  let repeats: [RepeatSeed]
  /// Gets the output of a single repeat as far as it has come; nil if only the answers are wanted.
  ///
  /// If it is given, decisions and steps are not recorded.
  let show: (@Sendable (String) -> Void)?
  /// Gets the answers as they finish.
  let finish: @Sendable (BackendAnswer) -> Void
  /// Is called once, when nothing more comes.
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

  /// Whether nobody waits for the answers any longer.
  var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  /// Gives the order up; its repeats leave the batch before the next step.
  func cancel() { cancelled.store(true, ordering: .relaxed) }

  /// Answers every repeat with a failure.
  func fail(_ failure: AttemptFailure, renderedPrompt: String) {
    for repeatSeed in repeats where !isCancelled {
      finish(
        BackendAnswer(
          repeatSeed: repeatSeed, output: "", stopReason: .failed, failure: failure,
          renderedPrompt: renderedPrompt))
    }
  }
}
