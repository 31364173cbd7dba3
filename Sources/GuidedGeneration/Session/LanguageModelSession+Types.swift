extension LanguageModelSession {
  /// An answer.
  public struct Response<Content: Generable> {
    /// The answer as a value.
    public let content: Content
    /// The answer as it was generated.
    public let rawContent: GeneratedContent
    /// What the answer added to the transcript, the prompt left out.
    public let transcriptEntries: ArraySlice<Transcript.Entry>
    /// How many tokens were read and written for it.
    public let usage: Usage
  }

  /// How many tokens were read and written.
  public struct Usage: Sendable {
    /// The tokens that were read.
    public struct Input: Sendable {
      public var totalTokenCount: Int
      public var cachedTokenCount: Int

      /// Creates a count.
      public init(totalTokenCount: Int, cachedTokenCount: Int) {
        self.totalTokenCount = totalTokenCount
        self.cachedTokenCount = cachedTokenCount
      }
    }

    /// The tokens that were written.
    public struct Output: Sendable {
      public var totalTokenCount: Int
      public var reasoningTokenCount: Int

      /// Creates a count.
      public init(totalTokenCount: Int, reasoningTokenCount: Int) {
        self.totalTokenCount = totalTokenCount
        self.reasoningTokenCount = reasoningTokenCount
      }
    }

    public var input: Input
    public var output: Output
    /// What else the executor says of it.
    public var metadata: [String: any Sendable]

    /// Creates a count.
    public init(
      input: Input, output: Output,
      metadata: [String: any Sendable & Codable & Equatable] = [:]
    ) {
      self.input = input
      self.output = output
      self.metadata = metadata
    }

    /// The tokens that were read and written.
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
