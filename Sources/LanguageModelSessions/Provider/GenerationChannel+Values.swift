import GuidedGeneration
public import SystemBasics

extension LanguageModelExecutorGenerationChannel {
  /// Text that an edit appends to a segment.
  public struct TextFragment: Sendable {
    /// The text.
    public var content: String
    /// The identifier of the segment, or `nil` for the last text segment.
    public var segmentID: String?
    /// The number of tokens in the text.
    public var tokenCount: Int
  }

  /// Text that replaces the text of a segment.
  public struct TextSegmentReplacement: Sendable {
    /// The text.
    public var content: String
    /// The identifier of the segment, or `nil` for the last text segment.
    public var segmentID: String?
    /// The number of tokens in the text.
    public var tokenCount: Int
  }

  /// The signature of a reasoning entry.
  public struct ReasoningSignature: Sendable {
    /// The signature.
    public var signature: Data
    /// The number of tokens in the signature.
    public var tokenCount: Int
  }

  /// All metadata of an entry.
  public struct Metadata: Sendable {
    /// The values by name.
    public var values: [String: GeneratedContent]
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
    public init(
      input: Input, output: Output,
      metadata: [String: any ConvertibleToGeneratedContent] = [:]
    ) {
      self.input = input
      self.output = output
      self.metadata = metadata.contents
    }

    /// The counts as a session reports them.
    var ofSession: LanguageModelSession.Usage {
      LanguageModelSession.Usage(
        input: .init(
          totalTokenCount: input.totalTokenCount, cachedTokenCount: input.cachedTokenCount),
        output: .init(
          totalTokenCount: output.totalTokenCount, reasoningTokenCount: output.reasoningTokenCount),
        metadata: metadata)
    }
  }

  /// The edits that an executor can make to data entries.
  public struct DataEntry: Sendable {
    /// The identifier of the transcript entry, or `nil` for a new one.
    public var entryID: String?
    /// The edit.
    public var action: Action

    /// The content that an edit sets.
    public struct Update: Sendable {
      /// The type of the content.
      public var contentType: UTType
      /// The content.
      public var content: Data
      /// The metadata of the entry.
      public var metadata: GeneratedContent
    }

    /// One edit of a data entry.
    public struct Action: Sendable {
      let update: Update

      /// Sets the content of the entry.
      ///
      /// - Parameters:
      ///   - contentType: The type of the content.
      ///   - content: The content.
      ///   - metadata: The metadata of the entry.
      /// - Returns: The edit.
      public static func update(
        contentType: UTType, content: Data,
        metadata: GeneratedContent = GeneratedContent(properties: [:])
      ) -> Action {
        Action(update: Update(contentType: contentType, content: content, metadata: metadata))
      }
    }
  }
}
