/// Where an executor sends an answer, piece by piece.
public struct LanguageModelExecutorGenerationChannel: AsyncSequence, Sendable {
  private let stream: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation

  /// Creates a channel.
  ///
  /// It keeps every event: each is an edit, and none may be lost.
  public init() { (stream, continuation) = AsyncStream.makeStream() }

  /// Sends an event to the session.
  ///
  /// - Parameter event: The event.
  public nonisolated(nonsending) func send(_ event: Event) async { continuation.yield(event) }

  package func finish() { continuation.finish() }

  /// The events, without the errors that the protocol of sequences allows.
  var events: AsyncStream<Event> { stream }

  /// Reads the events of a channel.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var iterator: AsyncStream<Event>.AsyncIterator

    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Event? {
      await iterator.next(isolation: actor)
    }
  }

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

    /// An edit of the response.
    ///
    /// - Parameters:
    ///   - entryID: The transcript entry to edit; nil means the current one of its kind.
    ///   - action: The edit.
    public static func response(entryID: String? = nil, action: Response.Action) -> Event {
      Event(entryID: entryID, content: .response(action))
    }

    /// An edit of the reasoning.
    ///
    /// - Parameters:
    ///   - entryID: The transcript entry to edit; nil means the current one of its kind.
    ///   - action: The edit.
    public static func reasoning(entryID: String? = nil, action: Reasoning.Action) -> Event {
      Event(entryID: entryID, content: .reasoning(action))
    }

    /// An edit of the calls of tools.
    ///
    /// - Parameters:
    ///   - entryID: The transcript entry to edit; nil means the current one of its kind.
    ///   - action: The edit.
    public static func toolCalls(entryID: String? = nil, action: ToolCalls.Action) -> Event {
      Event(entryID: entryID, content: .toolCalls(action))
    }
  }

  /// How many tokens were read and written.
  public typealias Usage = LanguageModelSession.Usage

  typealias MetadataValues = [String: any Sendable & Codable & Equatable]
}
