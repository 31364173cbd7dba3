import SystemBasics

/// A text to search, or to search for, scalar by scalar.
///
/// A search in a `String` compares characters, and so overlooks a line feed in `\r\n`, or a heart
/// before a variation selector. This search finds them. It compares texts in their composed form
/// (NFC), so canonically equivalent texts are equal, and `e` is not a part of `é`, however `é` is
/// written.
package struct ScalarText {
  /// The composed text in UTF-8, in which equal bytes are always whole scalars.
  private let bytes: [UInt8]

  /// Creates a text to search or to search for.
  package init(_ text: String) {
    // Below U+0300, nothing composes and nothing combines.
    let isComposed = text.utf8.allSatisfy { $0 < 0xCC }
    bytes = Array((isComposed ? text : text.composed).utf8)
  }

  /// Returns whether the text contains a part; every text contains the empty text.
  package func contains(_ part: ScalarText) -> Bool { place(of: part, from: 0) != nil }

  /// Returns whether the text begins with a part.
  package func starts(with part: ScalarText) -> Bool { bytes.starts(with: part.bytes) }

  /// Returns whether the text ends with a part.
  package func ends(with part: ScalarText) -> Bool {
    bytes.suffix(part.bytes.count).elementsEqual(part.bytes)
  }

  /// Returns the parts between separators, without empty parts.
  ///
  /// - Parameter separator: The separator, which is not empty.
  package func split(by separator: ScalarText) -> [String] {
    var parts: [ArraySlice<UInt8>] = []
    var start = 0
    while let end = place(of: separator, from: start) {
      parts.append(bytes[start..<end])
      start = end + separator.bytes.count
    }
    parts.append(bytes[start...])
    return parts.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
  }

  private func place(of part: ScalarText, from start: Int) -> Int? {
    guard let first = part.bytes.first else { return start }
    var start = start
    while bytes.count - start >= part.bytes.count,
      let next = bytes[start...].firstIndex(of: first)
    {
      if bytes[next...].starts(with: part.bytes) { return next }
      start = next + 1
    }
    return nil
  }
}

extension String {
  /// Returns the text with each occurrence of a part replaced, even inside a character, for example
  /// a quote before a combining mark.
  package func replacingScalars(_ part: String, with other: String) -> String {
    String(unicodeScalars.replacing(part.unicodeScalars, with: other.unicodeScalars))
  }
}

extension StringProtocol {
  /// The lines, which end with `\n` or `\r\n`; the part after the last line feed is a line too.
  package var linesByFeed: [SubSequence] {
    split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
  }
}
