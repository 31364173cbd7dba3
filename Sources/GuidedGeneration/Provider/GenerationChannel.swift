/// A channel through which an executor sends an answer, piece by piece.
public struct LanguageModelExecutorGenerationChannel: AsyncSequence, Sendable {
  private let stream: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation

  /// Creates a channel.
  ///
  /// The channel buffers every event, because each is an edit and none may be lost.
  public init() { (stream, continuation) = AsyncStream.makeStream() }

  /// Sends an event to the session.
  ///
  /// - Parameter event: The event.
  public nonisolated(nonsending) func send(_ event: Event) async { continuation.yield(event) }

  package func finish() { continuation.finish() }

  /// The events as a stream that doesn't throw, although the sequence's protocol would allow it.
  var events: AsyncStream<Event> { stream }

  /// Reads the events of a channel.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var iterator: AsyncStream<Event>.AsyncIterator

    /// Waits for the next event and returns it, or nil at the end of the answer.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Event? {
      await iterator.next(isolation: actor)
    }
  }

  /// Returns an iterator over the events.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(iterator: stream.makeAsyncIterator())
  }
}

extension LanguageModelExecutorGenerationChannel {
  /// One edit of the answer.
  public struct Event: Sendable {
    enum Content: Sendable {
      case response(Response.Action)
      case reasoning(Reasoning.Action)
      case toolCalls(ToolCalls.Action)
    }

    let entryID: String?
    let content: Content

    /// Creates an edit of the response.
    ///
    /// - Parameters:
    ///   - entryID: The transcript entry to edit; nil means the current one of its kind.
    ///   - action: The edit.
    public static func response(entryID: String? = nil, action: Response.Action) -> Event {
      Event(entryID: entryID, content: .response(action))
    }

    /// Creates an edit of the reasoning entry.
    ///
    /// - Parameters:
    ///   - entryID: The transcript entry to edit; nil means the current one of its kind.
    ///   - action: The edit.
    public static func reasoning(entryID: String? = nil, action: Reasoning.Action) -> Event {
      Event(entryID: entryID, content: .reasoning(action))
    }

    /// Creates an edit of the tool calls.
    ///
    /// - Parameters:
    ///   - entryID: The transcript entry to edit; nil means the current one of its kind.
    ///   - action: The edit.
    public static func toolCalls(entryID: String? = nil, action: ToolCalls.Action) -> Event {
      Event(entryID: entryID, content: .toolCalls(action))
    }
  }

  /// The number of tokens read and written.
  public typealias Usage = LanguageModelSession.Usage

  typealias MetadataValues = [String: any Sendable & Codable & Equatable]
}
