/// Writes untrusted text into HTML and XML so that no part of it becomes markup.
package enum MarkupText {
  /// The position of the text in the markup.
  package enum Place {
    /// Between tags.
    case text
    /// Between the double quotes of an attribute.
    case attribute
    /// Between the double quotes of an attribute of a page.
    ///
    /// `append` escapes `=` too, so that even a simple filter finds no text such as `onload=`.
    case pageAttribute
  }

  /// Appends a text with markup escaped and hidden characters made visible.
  ///
  /// The function copies each run of harmless bytes as a whole. Outside ASCII, only a few bytes can
  /// begin a hidden character, so the function decodes only characters that begin with one of these
  /// bytes.
  ///
  /// In an attribute, tabs and line feeds become character references.
  package static func append(_ text: String, to bytes: inout [UInt8], place: Place) {
    var text = text
    text.withUTF8 { source in
      var plainStart = 0
      var position = 0
      while position < source.count {
        let byte = source[position]
        if byte < 0x80 {
          let replacement = replacement(of: byte, place: place)
          if !replacement.isEmpty {
            bytes.append(contentsOf: source[plainStart..<position])
            bytes.append(contentsOf: replacement.utf8)
            plainStart = position + 1
          }
          position += 1
          continue
        }
        let length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
        let end = min(position + length, source.count)
        if mayBeginHidden(byte), let scalar = scalar(source[position..<end]),
          VisibleText.isHidden(scalar)
        {
          bytes.append(contentsOf: source[plainStart..<position])
          bytes.append(contentsOf: VisibleText.escape(of: scalar).utf8)
          plainStart = end
        }
        position = end
      }
      bytes.append(contentsOf: source[plainStart...])
    }
  }

  private static func replacement(of byte: UInt8, place: Place) -> String {
    switch byte {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    case UInt8(ascii: "'"): "&#39;"
    case UInt8(ascii: "="): place == .pageAttribute ? "&#61;" : ""
    case 0x09: place == .text ? "" : "&#9;"
    case 0x0A: place == .text ? "" : "&#10;"
    case 0x20...0x7E: ""
    default: VisibleText.escape(of: Unicode.Scalar(byte))
    }
  }

  private static func mayBeginHidden(_ byte: UInt8) -> Bool {
    switch byte {
    case 0xC2, 0xCD, 0xD8, 0xE1, 0xE2, 0xE3, 0xEF, 0xF0...0xF4: true
    default: false
    }
  }

  private static func scalar(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Unicode.Scalar? {
    guard let first = bytes.first else { return nil }
    let head: UInt32 =
      bytes.count == 2
      ? UInt32(first & 0x1F) : bytes.count == 3 ? UInt32(first & 0x0F) : UInt32(first & 0x07)
    return Unicode.Scalar(
      bytes.dropFirst().reduce(head) { value, byte in value << 6 | UInt32(byte & 0x3F) })
  }
}
