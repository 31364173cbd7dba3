import StructuredText

/// The type of a file or of data, by an identifier such as `public.png`.
///
/// On Apple's systems, the type belongs to the framework UniformTypeIdentifiers. Here, only the
/// types below are known with their parents and media types; any other identifier is a type without
/// parents.
public struct UTType: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The identifier.
  public let identifier: String

  /// Creates a type from an identifier, or returns `nil` if it is empty or has characters that no
  /// identifier has.
  public init?(_ identifier: String) {
    let isValid = identifier.utf8.allSatisfy { byte in
      byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    guard isValid, !identifier.isEmpty else { return nil }
    self.identifier = identifier
  }

  /// Creates a type that the app itself declares.
  ///
  /// - Parameters:
  ///   - exportedAs: The identifier.
  ///   - parent: A type that it conforms to; not used here.
  public init(exportedAs: String, conformingTo parent: UTType? = nil) { identifier = exportedAs }

  /// Creates a type that another app declares.
  ///
  /// - Parameters:
  ///   - importedAs: The identifier.
  ///   - parent: A type that it conforms to; not used here.
  public init(importedAs: String, conformingTo parent: UTType? = nil) { identifier = importedAs }

  /// Creates a type from a media type, such as `image/png`, or returns `nil` if it is unknown.
  public init?(mimeType: String) {
    guard let known = Self.known.first(where: { $0.value.mimeType == mimeType.lowercased() }) else {
      return nil
    }
    identifier = known.key
  }

  /// Creates a type from the extension of a file's name, or returns `nil` if it is unknown.
  public init?(filenameExtension: String) {
    let name = filenameExtension.lowercased()
    guard let known = Self.known.first(where: { $0.value.extensions.contains(name) }) else {
      return nil
    }
    identifier = known.key
  }

  init(json: JSONValue?) { identifier = json?.string ?? UTType.data.identifier }

  /// The usual media type, or `nil` if it is unknown.
  public var preferredMIMEType: String? { Self.known[identifier]?.mimeType }

  /// The usual extension of a file's name, or `nil` if it is unknown.
  public var preferredFilenameExtension: String? { Self.known[identifier]?.extensions.first }

  /// The identifier.
  public var description: String { identifier }

  /// Returns whether the type is another type, or a kind of it.
  public func conforms(to type: UTType) -> Bool {
    self == type
      || (Self.known[identifier]?.parents ?? []).contains { UTType(known: $0).conforms(to: type) }
  }

  /// Returns whether the type is a kind of another type.
  public func isSubtype(of type: UTType) -> Bool { self != type && conforms(to: type) }

  // MARK: Known types

  /// The facts about a known type.
  private struct Facts: Sendable {
    var parents: [String]
    var mimeType: String?
    var extensions: [String]
  }

  private static let known: [String: Facts] = [
    "public.item": Facts(parents: [], extensions: []),
    "public.content": Facts(parents: [], extensions: []),
    "public.data": Facts(
      parents: ["public.item"], mimeType: "application/octet-stream", extensions: []),
    "public.text": Facts(parents: ["public.data", "public.content"], extensions: []),
    "public.plain-text": Facts(
      parents: ["public.text"], mimeType: "text/plain", extensions: ["txt", "text"]),
    "public.utf8-plain-text": Facts(parents: ["public.plain-text"], extensions: []),
    "public.html": Facts(
      parents: ["public.text"], mimeType: "text/html", extensions: ["html", "htm"]),
    "public.xml": Facts(parents: ["public.text"], mimeType: "application/xml", extensions: ["xml"]),
    "public.json": Facts(
      parents: ["public.text"], mimeType: "application/json", extensions: ["json"]),
    "public.comma-separated-values-text": Facts(
      parents: ["public.text"], mimeType: "text/csv", extensions: ["csv"]),
    "net.daringfireball.markdown": Facts(
      parents: ["public.plain-text"], mimeType: "text/markdown", extensions: ["md", "markdown"]),
    "com.adobe.pdf": Facts(
      parents: ["public.data", "public.content"], mimeType: "application/pdf",
      extensions: ["pdf"]),
    "public.image": Facts(parents: ["public.data", "public.content"], extensions: []),
    "public.png": Facts(parents: ["public.image"], mimeType: "image/png", extensions: ["png"]),
    "public.jpeg": Facts(
      parents: ["public.image"], mimeType: "image/jpeg", extensions: ["jpeg", "jpg"]),
    "public.heic": Facts(parents: ["public.image"], mimeType: "image/heic", extensions: ["heic"]),
    "public.tiff": Facts(
      parents: ["public.image"], mimeType: "image/tiff", extensions: ["tiff", "tif"]),
    "com.compuserve.gif": Facts(
      parents: ["public.image"], mimeType: "image/gif", extensions: ["gif"]),
    "org.webmproject.webp": Facts(
      parents: ["public.image"], mimeType: "image/webp", extensions: ["webp"]),
    "public.audio": Facts(parents: ["public.data", "public.content"], extensions: []),
    "public.mp3": Facts(parents: ["public.audio"], mimeType: "audio/mpeg", extensions: ["mp3"]),
    "com.microsoft.waveform-audio": Facts(
      parents: ["public.audio"], mimeType: "audio/vnd.wave", extensions: ["wav", "wave"]),
    "public.mpeg-4-audio": Facts(
      parents: ["public.audio"], mimeType: "audio/mp4", extensions: ["m4a"]),
    "public.movie": Facts(parents: ["public.data", "public.content"], extensions: []),
    "public.mpeg-4": Facts(
      parents: ["public.movie"], mimeType: "video/mp4", extensions: ["mp4"]),
  ]

  private init(known identifier: String) { self.identifier = identifier }

  /// Anything.
  public static let item = UTType(known: "public.item")
  /// Content of a document.
  public static let content = UTType(known: "public.content")
  /// A stream of bytes.
  public static let data = UTType(known: "public.data")
  /// Text.
  public static let text = UTType(known: "public.text")
  /// Text without markup.
  public static let plainText = UTType(known: "public.plain-text")
  /// Text without markup, in UTF-8.
  public static let utf8PlainText = UTType(known: "public.utf8-plain-text")
  /// HTML.
  public static let html = UTType(known: "public.html")
  /// XML.
  public static let xml = UTType(known: "public.xml")
  /// JSON.
  public static let json = UTType(known: "public.json")
  /// A table of values separated by commas.
  public static let commaSeparatedText = UTType(known: "public.comma-separated-values-text")
  /// PDF.
  public static let pdf = UTType(known: "com.adobe.pdf")
  /// An image.
  public static let image = UTType(known: "public.image")
  /// A PNG image.
  public static let png = UTType(known: "public.png")
  /// A JPEG image.
  public static let jpeg = UTType(known: "public.jpeg")
  /// An HEIC image.
  public static let heic = UTType(known: "public.heic")
  /// A TIFF image.
  public static let tiff = UTType(known: "public.tiff")
  /// A GIF image.
  public static let gif = UTType(known: "com.compuserve.gif")
  /// A WebP image.
  public static let webP = UTType(known: "org.webmproject.webp")
  /// Sound.
  public static let audio = UTType(known: "public.audio")
  /// MP3 sound.
  public static let mp3 = UTType(known: "public.mp3")
  /// WAV sound.
  public static let wav = UTType(known: "com.microsoft.waveform-audio")
  /// MPEG-4 sound.
  public static let mpeg4Audio = UTType(known: "public.mpeg-4-audio")
  /// A video.
  public static let movie = UTType(known: "public.movie")
  /// An MPEG-4 video.
  public static let mpeg4Movie = UTType(known: "public.mpeg-4")
}
