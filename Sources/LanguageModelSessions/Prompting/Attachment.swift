import GuidedGeneration
public import SystemBasics

/// Content other than text in a prompt or in instructions, such as an image.
///
/// The session passes only the location of the file to the model and doesn't read the file.
///
/// Only a model with the capability `vision` can read attachments. If the conversation has an
/// attachment, a request to another model throws `LanguageModelError.unsupportedCapability` before
/// the model generates anything. This is Assay's choice, because Apple's behavior is unknown.
public struct Attachment<Content> {
  var segment: Transcript.AttachmentSegment

  /// Returns the attachment with a label that the model can refer to.
  ///
  /// - Parameter label: The label.
  /// - Returns: The labeled attachment.
  public func label(_ label: String) -> Attachment<Content> {
    var attachment = self
    attachment.segment.label = label
    return attachment
  }
}

extension Attachment: Sendable where Content: Sendable {}

extension Attachment: PromptRepresentable, InstructionsRepresentable {
  /// The attachment as a prompt.
  public var promptRepresentation: Prompt { return Prompt(content: PromptContent(segment)) }

  /// The attachment as instructions.
  public var instructionsRepresentation: Instructions {
    return Instructions(content: PromptContent(segment))
  }
}

/// The content type of an attached image.
///
/// `CGImage`, `CIImage` and pixel buffers, which Apple's framework accepts too, belong to
/// frameworks that Linux doesn't have.
public struct ImageAttachmentContent: Sendable, Equatable {}

extension Attachment where Content == ImageAttachmentContent {
  /// Creates an attachment from an image file.
  ///
  /// - Parameters:
  ///   - imageURL: The location of the image file.
  ///   - orientation: The orientation of the image, or `nil` for upright.
  public init(imageURL: URL, orientation: CGImagePropertyOrientation? = nil) {
    let image = Transcript.ImageAttachment(imageURL: imageURL, orientation: orientation)
    segment = Transcript.AttachmentSegment(content: .image(image))
  }
}

/// The orientation of an image, with the raw values of EXIF.
///
/// On Apple's systems, the type belongs to ImageIO.
public enum CGImagePropertyOrientation: UInt32, Sendable {
  /// Upright.
  case up = 1
  /// Upright and mirrored.
  case upMirrored
  /// Rotated by 180 degrees.
  case down
  /// Rotated by 180 degrees and mirrored.
  case downMirrored
  /// Rotated by 90 degrees counterclockwise and mirrored.
  case leftMirrored
  /// Rotated by 90 degrees clockwise.
  case right
  /// Rotated by 90 degrees clockwise and mirrored.
  case rightMirrored
  /// Rotated by 90 degrees counterclockwise.
  case left
}

extension Transcript {
  /// A part of a transcript entry that is not text.
  public struct AttachmentSegment: Sendable, Identifiable, Equatable {
    /// The identifier of the segment.
    public var id: String
    /// The attachment.
    public var content: Attachment
    /// A label that the model can refer to, or `nil` for none.
    public var label: String?

    /// Creates a segment.
    ///
    /// - Parameters:
    ///   - id: The identifier of the segment.
    ///   - content: The attachment.
    ///   - label: A label that the model can refer to, or `nil` for none.
    public init(id: String = UUID().uuidString, content: Attachment, label: String? = nil) {
      self.id = id
      self.content = content
      self.label = label
    }
  }

  /// The attached content.
  public enum Attachment: Sendable, Equatable {
    /// An image.
    case image(ImageAttachment)
    /// Data of any type.
    case data(DataAttachment)
  }

  /// An attached image.
  public struct ImageAttachment: Sendable, Equatable {
    /// The location of the image file.
    public let url: URL?
    /// The orientation of the image; upright unless the app has chosen another one.
    public let orientation: CGImagePropertyOrientation

    /// Creates an attachment from an image file.
    ///
    /// - Parameters:
    ///   - imageURL: The location of the image file.
    ///   - orientation: The orientation of the image, or `nil` for upright.
    public init(imageURL: URL, orientation: CGImagePropertyOrientation? = nil) {
      url = imageURL
      self.orientation = orientation ?? .up
    }
  }
}

/// A value that a model generates to refer to an attached image by its label.
@Generable(description: "A reference to an image of the conversation, by its label")
public struct ImageReference: Sendable, Equatable {
  /// The label of the attachment.
  public let attachmentLabel: String

  /// Searches a conversation for the image with this label.
  ///
  /// If several images have the label, the method returns the last one.
  ///
  /// - Parameter transcript: The conversation, or some of its entries.
  /// - Returns: The image, or `nil` if no image has the label.
  public func resolved(
    in transcript: some Sequence<Transcript.Entry>
  ) -> Transcript.ImageAttachment? {
    for segment in transcript.flatMap(\.segments).reversed() {
      guard case .attachment(let attachment) = segment, attachment.label == attachmentLabel,
        case .image(let image) = attachment.content
      else { continue }
      return image
    }
    return nil
  }

  /// Searches a conversation for the image with this label.
  ///
  /// The first versions of OS 27 use this name for ``resolved(in:)``.
  ///
  /// - Parameter transcript: The conversation.
  /// - Returns: The image, or `nil` if no image has the label.
  @available(*, deprecated, renamed: "resolved(in:)")
  public func resolve(in transcript: Transcript) -> Transcript.ImageAttachment? {
    resolved(in: transcript)
  }
}
