import GuidedGeneration
import Synchronization

extension LanguageModelSession {
  /// A response in progress.
  ///
  /// Each snapshot contains everything that has arrived so far. The request begins when the stream
  /// is created, and the stream can be iterated over only once.
  ///
  /// If the app stops iterating and drops the stream, the session cancels the request. As in
  /// Apple's framework, the transcript keeps the prompt and the part of the response that has
  /// arrived, unless `TranscriptErrorHandlingPolicy.revertTranscript` is set. Unlike there, the
  /// session is ready for another request immediately.
  public struct ResponseStream<Content: Generable>: AsyncSequence {
    /// A snapshot of the response.
    public struct Snapshot {
      /// The response so far as a partial value.
      public var content: Content.PartiallyGenerated
      /// The response so far as generated content.
      public var rawContent: GeneratedContent
      /// The complete entries that have followed the prompt in the transcript so far.
      public var transcriptEntries: ArraySlice<Transcript.Entry>
      /// The numbers of tokens that the model has read and written for the response, as far as the
      /// executor has reported them.
      public var usage: Usage
    }

    private let snapshots: AsyncThrowingStream<TurnSnapshot, any Swift.Error>
    private let last: LastSnapshot

    init(session: LanguageModelSession, request: TurnRequest) {
      let last = LastSnapshot()
      self.last = last
      let watch = StreamWatch()
      var watched = request
      watched.watch = watch
      let turn = watched
      snapshots = AsyncThrowingStream { continuation in
        let task = Task {
          do {
            let snapshot = try await session.turn(turn) { continuation.yield($0) }
            last.set(snapshot)
            continuation.finish()
          } catch {
            continuation.finish(throwing: error)
          }
        }
        continuation.onTermination = { reason in
          if case .cancelled = reason { watch.abandon() }
          task.cancel()
        }
      }
    }

    /// Returns a stream of one snapshot: the complete text that a closure returns.
    static func of(_ text: @escaping @Sendable () async throws -> String) -> ResponseStream<String>
    {
      let last = LastSnapshot()
      return ResponseStream<String>(
        snapshots: AsyncThrowingStream {
          if last.get() != nil { return nil }
          let snapshot = TurnSnapshot(
            content: try await text().generatedContent, entries: [], usage: .none)
          last.set(snapshot)
          return snapshot
        }, last: last)
    }

    private init(
      snapshots: AsyncThrowingStream<TurnSnapshot, any Swift.Error>, last: LastSnapshot
    ) {
      self.snapshots = snapshots
      self.last = last
    }

    /// Iterates over the snapshots.
    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate var iterator: AsyncThrowingStream<TurnSnapshot, any Swift.Error>.AsyncIterator

      /// Waits for the next snapshot that can be decoded as a partial value.
      ///
      /// - Parameter actor: The actor that calls the method.
      /// - Returns: The snapshot, or `nil` at the end of the response.
      /// - Throws: The error of the request, or `GeneratedContent.ParsingError` if the response
      ///   doesn't fit the type.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws -> Snapshot? {
        while let snapshot = try await iterator.next(isolation: actor) {
          do {
            return Snapshot(
              content: try Content.PartiallyGenerated(snapshot.content),
              rawContent: snapshot.content, transcriptEntries: snapshot.entries,
              usage: snapshot.usage)
          } catch  where !snapshot.content.isComplete {
            // The text that has arrived isn't enough for a partial value yet.
            continue
          }
        }
        return nil
      }
    }

    /// Returns an iterator over the snapshots.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(iterator: snapshots.makeAsyncIterator())
    }

    /// Waits for the complete response.
    ///
    /// An app can also call this method after iterating over the stream.
    ///
    /// - Returns: The response.
    /// - Throws: The error of the request, `GeneratedContent.ParsingError` if the response doesn't
    ///   fit the type, or `CancellationError` if the stream has ended without a response.
    public nonisolated(nonsending) func collect() async throws -> Response<Content> {
      for try await _ in snapshots {}
      guard let snapshot = last.get() else { throw CancellationError() }
      return try Response(snapshot)
    }
  }
}

/// The last snapshot of a stream, for callers that call `collect()` after iterating over the
/// stream.
private final class LastSnapshot: Sendable {
  private let snapshot = Mutex<TurnSnapshot?>(nil)

  func set(_ value: TurnSnapshot) { snapshot.withLock { $0 = value } }
  func get() -> TurnSnapshot? { snapshot.withLock { $0 } }
}

extension LanguageModelSession.Response {
  init(_ snapshot: TurnSnapshot) throws {
    self.init(
      content: try Content(snapshot.content), rawContent: snapshot.content,
      transcriptEntries: snapshot.entries, usage: snapshot.usage)
  }
}
