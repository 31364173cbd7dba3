public import Foundation

/// Something beside text that a prompt or instructions hold, such as an image.
///
/// A model reads attachments only where it has the capability `vision`; a request with one to a
/// model without it is refused before anything is generated.
public struct Attachment<Content> {
  var segment: Transcript.AttachmentSegment

  /// The attachment under a label, by which the model can refer to it.
  ///
  /// - Parameter label: The label.
  /// - Returns: The attachment.
  public func label(_ label: String) -> Attachment<Content> {
    var attachment = self
    attachment.segment.label = label
    return attachment
  }
}

extension Attachment: Sendable where Content: Sendable {}

extension Attachment: PromptRepresentable, InstructionsRepresentable {
  public var promptRepresentation: Prompt { return Prompt(content: PromptContent(segment)) }

  public var instructionsRepresentation: Instructions {
    return Instructions(content: PromptContent(segment))
  }
}

/// An image that is attached.
public struct ImageAttachmentContent: Sendable, Equatable {}

extension Attachment where Content == ImageAttachmentContent {
  /// Attaches the image in a file.
  ///
  /// - Parameters:
  ///   - imageURL: Where the image is.
  ///   - orientation: How the image is turned; nil if the file says it.
  public init(imageURL: URL, orientation: CGImagePropertyOrientation? = nil) {
    let image = Transcript.ImageAttachment(imageURL: imageURL, orientation: orientation)
    segment = Transcript.AttachmentSegment(content: .image(image))
  }
}

/// How an image is turned, in the values of EXIF.
public enum CGImagePropertyOrientation: UInt32, Sendable {
  case up = 1
  case upMirrored
  case down
  case downMirrored
  case leftMirrored
  case right
  case rightMirrored
  case left
}

extension Transcript {
  /// A part that is not text.
  public struct AttachmentSegment: Sendable, Identifiable, Equatable {
    public var id: String
    public var content: Attachment
    /// The name by which the model can refer to it.
    public var label: String?

    /// Creates a segment.
    public init(id: String = UUID().uuidString, content: Attachment, label: String? = nil) {
      self.id = id
      self.content = content
      self.label = label
    }
  }

  /// What is attached.
  public enum Attachment: Sendable, Equatable {
    case image(ImageAttachment)
  }

  /// An image that is attached.
  public struct ImageAttachment: Sendable, Equatable {
    /// Where the image is.
    public let url: URL?
    /// How the image is turned.
    public let orientation: CGImagePropertyOrientation

    /// Creates an attachment of the image in a file.
    ///
    /// - Parameters:
    ///   - imageURL: Where the image is.
    ///   - orientation: How the image is turned; nil if the file says it.
    public init(imageURL: URL, orientation: CGImagePropertyOrientation? = nil) {
      url = imageURL
      self.orientation = orientation ?? .up
    }
  }
}

/// A value by which a model refers to an attached image.
@Generable(description: "A reference to an image of the conversation, by its label")
public struct ImageReference: Sendable, Equatable {
  /// The label of the attachment.
  public let attachmentLabel: String

  /// The image with the label, the last one where there are several.
  ///
  /// - Parameter transcript: The conversation.
  /// - Returns: The image, or nil if none has the label.
  public func resolved(in transcript: Transcript) -> Transcript.ImageAttachment? {
    for segment in transcript.flatMap(\.segments).reversed() {
      guard case .attachment(let attachment) = segment, attachment.label == attachmentLabel,
        case .image(let image) = attachment.content
      else { continue }
      return image
    }
    return nil
  }

  /// The image with the label, under the name of the first versions of OS 27.
  ///
  /// - Parameter transcript: The conversation.
  /// - Returns: The image, or nil if none has the label.
  public func resolve(in transcript: Transcript) -> Transcript.ImageAttachment? {
    resolved(in: transcript)
  }
}
