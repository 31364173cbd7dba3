import Synchronization

/// What a stream knows about its request: whether the app has abandoned it, and the part of the
/// response that has arrived.
final class StreamWatch: Sendable {
  private let state = Mutex<(isAbandoned: Bool, partial: Transcript.Response?)>((false, nil))

  /// Records that the app stopped iterating before the end.
  func abandon() { state.withLock { $0.isAbandoned = true } }

  /// Records the part of the response that has arrived, or `nil` at the beginning of a round.
  func note(_ partial: Transcript.Response?) { state.withLock { $0.partial = partial } }

  /// Whether the app stopped iterating before the end.
  var isAbandoned: Bool { state.withLock(\.isAbandoned) }

  /// The part of the response that has arrived, or `nil` if nothing has.
  var partial: Transcript.Response? { state.withLock(\.partial) }
}
