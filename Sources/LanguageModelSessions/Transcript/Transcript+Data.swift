import GuidedGeneration
public import SystemBasics

extension Transcript {
  /// An attachment of any type of data.
  public struct DataAttachment: Sendable, Equatable {
    /// The type of the content.
    public var contentType: UTType
    /// The content.
    public var content: Data
    /// The metadata of the attachment.
    public var metadata: GeneratedContent

    /// Creates an attachment.
    ///
    /// - Parameters:
    ///   - contentType: The type of the content.
    ///   - content: The content.
    ///   - metadata: The metadata of the attachment.
    public init(
      contentType: UTType, content: Data,
      metadata: GeneratedContent = GeneratedContent(properties: [:])
    ) {
      self.contentType = contentType
      self.content = content
      self.metadata = metadata
    }
  }

  /// A transcript entry with data that a model produced, and that belongs to no message.
  public struct DataEntry: Sendable, Identifiable, Equatable {
    /// The identifier of the entry.
    public var id: String
    /// The type of the content.
    public var contentType: UTType
    /// The content.
    public var content: Data
    /// The metadata of the entry.
    public var metadata: GeneratedContent

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - id: The identifier of the entry.
    ///   - contentType: The type of the content.
    ///   - content: The content.
    ///   - metadata: The metadata of the entry.
    public init(
      id: String = UUID().uuidString, contentType: UTType, content: Data,
      metadata: GeneratedContent = GeneratedContent(properties: [:])
    ) {
      self.id = id
      self.contentType = contentType
      self.content = content
      self.metadata = metadata
    }

    init(id: String, _ update: LanguageModelExecutorGenerationChannel.DataEntry.Update) {
      self.init(
        id: id, contentType: update.contentType, content: update.content,
        metadata: update.metadata)
    }
  }
}

extension Transcript.DataEntry: CustomStringConvertible {
  /// The role, the type and the number of bytes of the entry.
  public var description: String { "(Data) \(contentType), \(content.count) bytes" }
}

/// A type whose values can be attached to prompts and responses, as data.
public protocol DataAttachmentRepresentable: Sendable {
  /// Creates a value from an attachment in a transcript.
  ///
  /// - Parameter attachment: The attachment.
  /// - Throws: An error if the attachment isn't a value of the type.
  init(_ attachment: Transcript.DataAttachment) throws

  /// The value as a transcript stores it.
  var transcriptRepresentation: Transcript.DataAttachment { get }
}

/// A type whose values a model can produce as entries of their own.
public protocol DataEntryRepresentable: Sendable {
  /// Creates a value from an entry in a transcript.
  ///
  /// - Parameter entry: The entry.
  /// - Throws: An error if the entry isn't a value of the type.
  init(_ entry: Transcript.DataEntry) throws

  /// The value as a transcript stores it.
  var transcriptRepresentation: Transcript.DataEntry { get }
}

extension Attachment where Content: DataAttachmentRepresentable {
  /// Creates an attachment from a value.
  ///
  /// - Parameter content: The value.
  public init(_ content: Content) {
    segment = Transcript.AttachmentSegment(content: .data(content.transcriptRepresentation))
  }
}

extension LanguageModel {
  /// Returns whether the model can read attachments with a type of data; false by default.
  ///
  /// - Parameter type: The type.
  public nonisolated(nonsending) func supportsDataAttachmentType(
    _ type: UTType
  ) async throws -> Bool { false }

  /// Returns whether sessions may keep the model's data entries with a type of data; false by
  /// default.
  ///
  /// - Parameter type: The type.
  public nonisolated(nonsending) func supportsDataEntryType(
    _ type: UTType
  ) async throws -> Bool { false }
}
