/// Shows characters that are invisible or that would reorder the text around them.
///
/// Model output is hostile input: a right-to-left override hides half a line, and a zero-width
/// space makes two equal-looking strings differ. Most control characters are illegal in XML 1.0,
/// both raw and as character references. This type writes all of these characters in the form
/// `\u{202E}`.
package enum VisibleText {
  /// Whether a character is invisible, or changes the order of its neighbors.
  ///
  /// Tab and line feed don't count as hidden.
  package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0x00...0x1F, 0x7F...0x9F: true
    case 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFEFF, 0xFFA0: true
    case 0x180B...0x180F, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F: true
    case 0xFFF9...0xFFFB, 0x1D173...0x1D17A, 0xE0000...0xE0FFF: true
    default: scalar.value & 0xFFFE == 0xFFFE
    }
  }

  /// A hidden character's visible form, for example `\u{202E}`.
  package static func escape(of scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "\\u{" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "}"
  }

  /// A text with its hidden characters made visible.
  package static func visible(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHidden) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isHidden(scalar) {
        result += escape(of: scalar)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns a text whose marked parts begin with the visible form of their first character, so
  /// that they can be told from real control tokens: `\u{003C}|im_end|>`.
  ///
  /// - Parameters:
  ///   - ranges: The parts, in order, as ranges of UTF-8 bytes.
  ///   - text: The text.
  package static func marking(_ ranges: [Range<Int>], in text: String) -> String {
    guard !ranges.isEmpty else { return text }
    let starts = Set(ranges.map(\.lowerBound))
    var (result, offset) = ("", 0)
    for scalar in text.unicodeScalars {
      if starts.contains(offset) {
        result += escape(of: scalar)
      } else {
        result.unicodeScalars.append(scalar)
      }
      offset += UTF8.width(scalar)
    }
    return result
  }

  /// A text on one line, with its hidden characters, tabs and line feeds made visible.
  package static func line(_ text: String) -> String {
    var result = ""
    for scalar in visible(text).unicodeScalars {
      switch scalar {
      case "\n": result += "⏎"
      case "\t": result += "⇥"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension [String] {
  /// The first names, and how many more there are: `a, b, c and 4 more`.
  package func listed(_ limit: Int) -> String {
    let shown = prefix(limit).joined(separator: ", ")
    return count > limit ? "\(shown) and \(count - limit) more" : shown
  }
}

extension Sequence where Element: Hashable {
  /// The elements in order, each only once.
  package var distinct: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension Dictionary {
  /// Creates a dictionary in which the first of several values with the same key counts.
  package init(first pairs: some Sequence<(Key, Value)>) {
    self.init(pairs, uniquingKeysWith: { first, _ in first })
  }
}

/// A text cut to a number of bytes, without splitting a Unicode scalar.
package struct ClippedText {
  /// A text on one line, cut to a number of bytes, with `…` at the cut.
  package static func line(_ text: String, limit: Int) -> String {
    ClippedText(VisibleText.line(text), limit: limit).marked
  }

  /// The text up to the cut.
  package let text: String
  /// The number of bytes of the whole text, or `nil` if the text wasn't cut.
  package let fullLength: Int?

  package init(_ text: String, limit: Int) {
    let count = text.utf8.count
    guard count > limit else {
      (self.text, fullLength) = (text, nil)
      return
    }
    var end = text.utf8.index(text.startIndex, offsetBy: max(0, limit))
    while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
      end = text.utf8.index(before: end)
    }
    (self.text, fullLength) = (String(text[..<end]), count)
  }

  /// The text, with `…` at the cut.
  package var marked: String { fullLength == nil ? text : text + "…" }

  /// The text, with `…` at the cut and a note about the whole length.
  package var noted: String { fullLength == nil ? text : "\(text)… [\(note)]" }

  /// A note about the cut, or an empty string if nothing was cut.
  package var note: String {
    guard let fullLength else { return "" }
    return "the first \(NumberText.grouped(text.utf8.count)) of "
      + "\(NumberText.grouped(fullLength)) bytes"
  }
}
