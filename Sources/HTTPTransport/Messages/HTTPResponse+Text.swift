import SystemBasics

extension HTTPResponse {
  /// The body as text, or `nil` if it isn't text in the encoding that it declares.
  ///
  /// A byte order mark decides the encoding, or else the `charset` of the content type. Without
  /// either, the encoding is UTF-8.
  public var text: String? {
    let marks: [(bytes: [UInt8], encoding: BodyEncoding)] = [
      ([0xEF, 0xBB, 0xBF], .utf8), ([0xFE, 0xFF], .utf16(isBigEndian: true)),
      ([0xFF, 0xFE], .utf16(isBigEndian: false)),
    ]
    if let mark = marks.first(where: { body.starts(with: $0.bytes) }) {
      return mark.encoding.text(body.dropFirst(mark.bytes.count))
    }
    return BodyEncoding(charset: charset)?.text(body[...])
  }

  /// The name of the encoding in the content type, in lower case, or `nil` if it names none.
  public var charset: String? {
    for parameter in (header("content-type") ?? "").lowercased().split(separator: ";").dropFirst() {
      let parts = parameter.split(separator: "=", maxSplits: 1).map {
        $0.trimmed { " \t\"'".contains($0) }
      }
      if parts.first == "charset", parts.count == 2 { return parts[1] }
    }
    return nil
  }
}
