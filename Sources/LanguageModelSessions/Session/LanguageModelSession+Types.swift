import GuidedGeneration

extension LanguageModelSession {
  /// A complete response to a prompt.
  public struct Response<Content: Generable> {
    /// The response as a value of the requested type.
    public let content: Content
    /// The response as generated content, from which `content` was decoded.
    public let rawContent: GeneratedContent
    /// The entries that followed the prompt in the transcript: reasoning, tool calls, their outputs
    /// and the response.
    public let transcriptEntries: ArraySlice<Transcript.Entry>
    /// The numbers of tokens that the model read and wrote for the response, as far as the executor
    /// reported them.
    public let usage: Usage
  }

  /// The numbers of tokens that the model has read and written.
  public struct Usage: Sendable {
    /// The numbers of tokens that the model has read.
    public struct Input: Sendable {
      /// The number of tokens read.
      public var totalTokenCount: Int
      /// How many of the tokens read came from a cache.
      public var cachedTokenCount: Int

      /// Creates a count of tokens read.
      ///
      /// - Parameters:
      ///   - totalTokenCount: The number of tokens read.
      ///   - cachedTokenCount: How many of the tokens read came from a cache.
      public init(totalTokenCount: Int, cachedTokenCount: Int) {
        self.totalTokenCount = totalTokenCount
        self.cachedTokenCount = cachedTokenCount
      }
    }

    /// The numbers of tokens that the model has written.
    public struct Output: Sendable {
      /// The number of tokens written.
      public var totalTokenCount: Int
      /// How many of the tokens written were spent on reasoning.
      public var reasoningTokenCount: Int

      /// Creates a count of tokens written.
      ///
      /// - Parameters:
      ///   - totalTokenCount: The number of tokens written.
      ///   - reasoningTokenCount: How many of the tokens written were spent on reasoning.
      public init(totalTokenCount: Int, reasoningTokenCount: Int) {
        self.totalTokenCount = totalTokenCount
        self.reasoningTokenCount = reasoningTokenCount
      }
    }

    /// The tokens that the model has read.
    public var input: Input
    /// The tokens that the model has written.
    public var output: Output
    /// Additional information from the executor.
    public var metadata: [String: GeneratedContent]

    /// Creates a count of tokens read and written.
    ///
    /// - Parameters:
    ///   - input: The tokens that the model has read.
    ///   - output: The tokens that the model has written.
    ///   - metadata: Additional information from the executor.
    public init(
      input: Input, output: Output,
      metadata: [String: any ConvertibleToGeneratedContent] = [:]
    ) {
      self.input = input
      self.output = output
      self.metadata = metadata.contents
    }

    /// The total number of tokens read and written.
    public var totalTokenCount: Int { input.totalTokenCount + output.totalTokenCount }

    static let none = Usage(
      input: Input(totalTokenCount: 0, cachedTokenCount: 0),
      output: Output(totalTokenCount: 0, reasoningTokenCount: 0))

    mutating func add(_ other: Usage) {
      input.totalTokenCount += other.input.totalTokenCount
      input.cachedTokenCount += other.input.cachedTokenCount
      output.totalTokenCount += other.output.totalTokenCount
      output.reasoningTokenCount += other.output.reasoningTokenCount
      metadata.merge(other.metadata) { $1 }
    }

    func adding(_ other: Usage) -> Usage {
      var usage = self
      usage.add(other)
      return usage
    }
  }
}

extension LanguageModelSession.Response: Sendable where Content: Sendable {}
