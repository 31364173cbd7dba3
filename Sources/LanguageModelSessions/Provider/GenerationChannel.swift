/// A channel through which an executor sends an answer to the session, piece by piece.
public struct LanguageModelExecutorGenerationChannel: AsyncSequence, Sendable {
  private let stream: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation

  /// Creates a channel.
  ///
  /// The channel buffers every event, because an event is an edit that must not be lost.
  public init() { (stream, continuation) = AsyncStream.makeStream() }

  /// Sends an event to the session without waiting for the session to handle it.
  ///
  /// - Parameter event: The event.
  public nonisolated(nonsending) func send(_ event: Event) async { continuation.yield(event) }

  package func finish() { continuation.finish() }

  /// The events as a stream that doesn't throw, unlike the channel itself.
  var events: AsyncStream<Event> { stream }

  /// Reads the events of a channel.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var iterator: AsyncStream<Event>.AsyncIterator

    /// Waits for the next event.
    ///
    /// Never throws.
    ///
    /// - Parameter actor: The actor that calls the method.
    /// - Returns: The event, or `nil` at the end of the answer.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Event? {
      await iterator.next(isolation: actor)
    }
  }

  /// Returns an iterator over the events; only one iterator can receive them.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(iterator: stream.makeAsyncIterator())
  }
}

extension LanguageModelExecutorGenerationChannel {
  /// One edit of the answer.
  ///
  /// An answer has at most one response entry, one reasoning entry and one tool-calls entry. If the
  /// answer to a request without a schema has both text and tool calls, the text becomes a separate
  /// response before the calls. This is Assay's choice, because Apple's behavior is unknown.
  public struct Event: Sendable {
    enum Content: Sendable {
      case response(Response.Action)
      case reasoning(Reasoning.Action)
      case toolCalls(ToolCalls.Action)
      case data(DataEntry.Action)
    }

    let entryID: String?
    let content: Content

    /// Returns an event that edits the response.
    ///
    /// - Parameters:
    ///   - entryID: The new identifier of the transcript entry, or `nil` to keep the current
    ///     identifier.
    ///   - action: The edit.
    public static func response(entryID: String? = nil, action: Response.Action) -> Event {
      Event(entryID: entryID, content: .response(action))
    }

    /// Returns an event that edits the reasoning entry.
    ///
    /// - Parameters:
    ///   - entryID: The new identifier of the transcript entry, or `nil` to keep the current
    ///     identifier.
    ///   - action: The edit.
    public static func reasoning(entryID: String? = nil, action: Reasoning.Action) -> Event {
      Event(entryID: entryID, content: .reasoning(action))
    }

    /// Returns an event that edits the tool calls.
    ///
    /// - Parameters:
    ///   - entryID: The new identifier of the transcript entry, or `nil` to keep the current
    ///     identifier.
    ///   - action: The edit.
    public static func toolCalls(entryID: String? = nil, action: ToolCalls.Action) -> Event {
      Event(entryID: entryID, content: .toolCalls(action))
    }

    /// Returns an event that adds a data entry to the transcript, or replaces the one with the same
    /// identifier.
    ///
    /// - Parameters:
    ///   - entryID: The identifier of the transcript entry, or `nil` for a new one.
    ///   - action: The edit.
    public static func data(entryID: String? = nil, action: DataEntry.Action) -> Event {
      Event(entryID: entryID, content: .data(action))
    }
  }
}
