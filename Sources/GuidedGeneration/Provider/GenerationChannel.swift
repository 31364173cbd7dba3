/// Where an executor sends an answer, piece by piece.
public struct LanguageModelExecutorGenerationChannel: AsyncSequence, Sendable {
  private let stream: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation

  /// Makes a channel.
  ///
  /// It keeps every event: each is an edit, and none may be lost.
  public init() { (stream, continuation) = AsyncStream.makeStream() }

  /// Sends an event to the session.
  ///
  /// - Parameter event: The event.
  public nonisolated(nonsending) func send(_ event: Event) async { continuation.yield(event) }

  func finish() { continuation.finish() }

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
    ///   - entryID: The entry of the transcript that is edited.
    ///   - action: The edit.
    public static func response(entryID: String? = nil, action: Response.Action) -> Event {
      Event(entryID: entryID, content: .response(action))
    }

    /// An edit of the reasoning.
    ///
    /// - Parameters:
    ///   - entryID: The entry of the transcript that is edited.
    ///   - action: The edit.
    public static func reasoning(entryID: String? = nil, action: Reasoning.Action) -> Event {
      Event(entryID: entryID, content: .reasoning(action))
    }

    /// An edit of the calls of tools.
    ///
    /// - Parameters:
    ///   - entryID: The entry of the transcript that is edited.
    ///   - action: The edit.
    public static func toolCalls(entryID: String? = nil, action: ToolCalls.Action) -> Event {
      Event(entryID: entryID, content: .toolCalls(action))
    }
  }

  /// How many tokens were read and written.
  public struct Usage: Sendable {
    /// The tokens that were read.
    public struct Input: Sendable {
      public var totalTokenCount: Int
      public var cachedTokenCount: Int

      /// Makes a count.
      public init(totalTokenCount: Int, cachedTokenCount: Int) {
        self.totalTokenCount = totalTokenCount
        self.cachedTokenCount = cachedTokenCount
      }
    }

    /// The tokens that were written.
    public struct Output: Sendable {
      public var totalTokenCount: Int
      public var reasoningTokenCount: Int

      /// Makes a count.
      public init(totalTokenCount: Int, reasoningTokenCount: Int) {
        self.totalTokenCount = totalTokenCount
        self.reasoningTokenCount = reasoningTokenCount
      }
    }
  }

  /// What an executor says of an answer.
  public typealias Metadata = [String: any Sendable & Codable & Equatable]

  /// The edits of a response.
  public struct Response: Sendable {
    /// An edit of a response.
    public struct Action: Sendable {
      let edit: TextEdit

      /// Adds text to the end of a segment.
      ///
      /// - Parameters:
      ///   - text: The text.
      ///   - segmentID: The segment, nil for the last one.
      ///   - tokenCount: How many tokens the text is.
      public static func appendText(
        _ text: String, segmentID: String? = nil, tokenCount: Int
      ) -> Action {
        Action(edit: .append(text, segmentID: segmentID))
      }

      /// Replaces the text of a segment.
      ///
      /// - Parameters:
      ///   - text: The text.
      ///   - segmentID: The segment, nil for the last one.
      ///   - tokenCount: How many tokens the text is.
      public static func replaceTextSegment(
        _ text: String, segmentID: String? = nil, tokenCount: Int
      ) -> Action {
        Action(edit: .replace(text, segmentID: segmentID))
      }

      /// Says something of the response.
      ///
      /// - Parameter values: What is said.
      public static func updateMetadata(_ values: Metadata) -> Action { Action(edit: .none) }

      /// Says how many tokens were read and written.
      ///
      /// - Parameters:
      ///   - input: The tokens that were read.
      ///   - output: The tokens that were written.
      ///   - metadata: What else is said.
      public static func updateUsage(
        input: Usage.Input, output: Usage.Output, metadata: Metadata = [:]
      ) -> Action {
        Action(edit: .usage(input, output))
      }
    }
  }

  /// The edits of a reasoning.
  public struct Reasoning: Sendable {
    /// An edit of a reasoning.
    public struct Action: Sendable {
      let edit: TextEdit

      /// Adds text to the end of a segment.
      ///
      /// - Parameters:
      ///   - text: The text.
      ///   - segmentID: The segment, nil for the last one.
      ///   - tokenCount: How many tokens the text is.
      public static func appendText(
        _ text: String, segmentID: String? = nil, tokenCount: Int
      ) -> Action {
        Action(edit: .append(text, segmentID: segmentID))
      }

      /// Replaces the text of a segment.
      ///
      /// - Parameters:
      ///   - text: The text.
      ///   - segmentID: The segment, nil for the last one.
      ///   - tokenCount: How many tokens the text is.
      public static func replaceTextSegment(
        _ text: String, segmentID: String? = nil, tokenCount: Int
      ) -> Action {
        Action(edit: .replace(text, segmentID: segmentID))
      }
    }
  }

  /// The edits of the calls of tools.
  public struct ToolCalls: Sendable {
    /// An edit of the calls of tools.
    public struct Action: Sendable {
      enum Edit: Sendable {
        case append(id: String, name: String, arguments: String)
        case remove(id: String)
      }

      let edit: Edit

      /// Begins a call or goes on with it.
      ///
      /// - Parameters:
      ///   - id: What identifies the call.
      ///   - name: The name of the tool.
      ///   - action: What is added to it.
      public static func toolCall(id: String, name: String, action: ToolCall.Action) -> Action {
        Action(edit: .append(id: id, name: name, arguments: action.arguments))
      }

      /// Takes a call back.
      ///
      /// - Parameter id: What identifies the call.
      public static func removeToolCall(id: String) -> Action { Action(edit: .remove(id: id)) }
    }

    /// A call of a tool.
    public struct ToolCall: Sendable {
      /// What is added to a call.
      public struct Action: Sendable {
        let arguments: String

        /// Adds to the JSON text of the arguments.
        ///
        /// - Parameters:
        ///   - content: The text.
        ///   - tokenCount: How many tokens it is.
        public static func appendArguments(_ content: String, tokenCount: Int) -> Action {
          Action(arguments: content)
        }
      }
    }
  }

  /// An edit of text segments.
  enum TextEdit: Sendable {
    case append(String, segmentID: String?)
    case replace(String, segmentID: String?)
    case usage(Usage.Input, Usage.Output)
    case none
  }
}
