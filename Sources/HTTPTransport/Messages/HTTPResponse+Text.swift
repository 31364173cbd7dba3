import Foundation

extension HTTPResponse {
  /// The body as text, or `nil` if it isn't text in the encoding that it declares.
  ///
  /// A byte order mark decides the encoding, or else the `charset` of the content type. Without
  /// either, the encoding is UTF-8.
  public var text: String? {
    let marks: [(bytes: [UInt8], encoding: String.Encoding)] = [
      ([0xEF, 0xBB, 0xBF], .utf8), ([0xFE, 0xFF], .utf16BigEndian),
      ([0xFF, 0xFE], .utf16LittleEndian),
    ]
    if let mark = marks.first(where: { body.starts(with: $0.bytes) }) {
      return Self.text(body.dropFirst(mark.bytes.count), mark.encoding)
    }
    let encoding: String.Encoding
    switch charset {
    case nil, "utf-8", "utf8", "us-ascii", "ascii": encoding = .utf8
    case "iso-8859-1", "iso8859-1", "latin1": encoding = .isoLatin1
    case "windows-1252", "cp1252": encoding = .windowsCP1252
    case "utf-16", "utf-16be": encoding = .utf16BigEndian
    case "utf-16le": encoding = .utf16LittleEndian
    default: return nil
    }
    return Self.text(body[...], encoding)
  }

  /// The name of the encoding in the content type, in lower case, or `nil` if it names none.
  public var charset: String? {
    for parameter in (header("content-type") ?? "").lowercased().split(separator: ";").dropFirst() {
      let parts = parameter.split(separator: "=", maxSplits: 1).map {
        $0.trimmingCharacters(in: CharacterSet(charactersIn: " \t\"'"))
      }
      if parts.first == "charset", parts.count == 2 { return parts[1] }
    }
    return nil
  }

  private static func text(_ bytes: ArraySlice<UInt8>, _ encoding: String.Encoding) -> String? {
    encoding == .utf8
      ? String(validating: bytes, as: UTF8.self) : String(bytes: bytes, encoding: encoding)
  }
}
