/// Tells two texts apart that look the same, such as a composed and a decomposed `é`.
package enum Lookalike {
  /// Returns the parts in which two texts differ although they look the same, each with its code
  /// points, for example "`é` (U+00E9)", or nil if the texts are equal or differ visibly.
  ///
  /// Texts look the same if they are canonically equivalent, or if they differ only in invisible
  /// characters, in kinds of white space, in kinds of hyphens, and in letters of different scripts
  /// that look the same.
  package static func parts(_ left: String, _ right: String) -> (left: String, right: String)? {
    let (one, other) = (Array(left.unicodeScalars), Array(right.unicodeScalars))
    guard one != other, visible(left) == visible(right) else { return nil }
    var start = 0
    while start < min(one.count, other.count), one[start] == other[start] { start += 1 }
    var end = 0
    while end < min(one.count, other.count) - start,
      one[one.count - 1 - end] == other[other.count - 1 - end]
    {
      end += 1
    }
    return (words(one[start..<one.count - end]), words(other[start..<other.count - end]))
  }

  /// Returns the words that tell a text from one that looks the same, for example
  /// ", with U+00A0 instead of U+0020", or nil if the texts are equal or differ visibly.
  package static func note(on text: String, insteadOf other: String) -> String? {
    parts(text, other).map { ", with \($0.left) instead of \($0.right)" }
  }

  /// Returns the first part of a text that looks like another text without being equal to it
  /// scalar by scalar, or nil if there is none.
  ///
  /// Only the first 10,000 scalars of the text count, and a text with more than 1,000 scalars
  /// is never found.
  package static func part(of text: String, like other: String) -> String? {
    let scalars = Array(text.unicodeScalars.prefix(10_000))
    let shown = scalars.indices.compactMap { index in
      look(of: scalars[index]).map { (index: index, look: $0) }
    }
    let wanted = other.unicodeScalars.compactMap(look)
    guard !wanted.isEmpty, wanted.count <= 1_000, wanted.count <= shown.count else { return nil }
    for start in 0...(shown.count - wanted.count) {
      let end = start + wanted.count
      guard shown[start].look == wanted[0], shown[start..<end].map(\.look) == wanted else {
        continue
      }
      let found = scalars[shown[start].index...shown[end - 1].index]
      if found.elementsEqual(other.unicodeScalars) { continue }
      var part = String.UnicodeScalarView()
      part.append(contentsOf: found)
      return String(part)
    }
    return nil
  }

  private static func visible(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    shown.append(contentsOf: text.unicodeScalars.compactMap(look))
    return String(shown)
  }

  /// Returns the scalar that stands for all scalars that look like a scalar, or nil if the scalar
  /// is invisible.
  private static func look(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
    if scalar.isASCII, scalar.value > 0x20 { return scalar }
    if scalar.properties.isDefaultIgnorableCodePoint { return nil }
    return scalar.properties.isWhitespace ? " " : twins[scalar.value] ?? scalar
  }

  /// The letters of other scripts, and the hyphens, that look like an ASCII character.
  private static let twins: [UInt32: Unicode.Scalar] = [
    // Cyrillic
    0x0410: "A", 0x0412: "B", 0x0415: "E", 0x0405: "S", 0x0406: "I", 0x0408: "J", 0x041A: "K",
    0x041C: "M", 0x041D: "H", 0x041E: "O", 0x0420: "P", 0x0421: "C", 0x0422: "T", 0x0425: "X",
    0x0430: "a", 0x0435: "e", 0x043E: "o", 0x0440: "p", 0x0441: "c", 0x0443: "y", 0x0445: "x",
    0x0455: "s", 0x0456: "i", 0x0458: "j",
    // Greek
    0x0391: "A", 0x0392: "B", 0x0395: "E", 0x0396: "Z", 0x0397: "H", 0x0399: "I", 0x039A: "K",
    0x039C: "M", 0x039D: "N", 0x039F: "O", 0x03A1: "P", 0x03A4: "T", 0x03A5: "Y", 0x03A7: "X",
    0x03BF: "o",
    // Hyphens
    0x2010: "-", 0x2011: "-",
  ]

  private static func words(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    if scalars.isEmpty { return "nothing" }
    let codes = scalars.prefix(8).map { scalar in
      let code = String(scalar.value, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: max(0, 4 - code.count)) + code
    }.joined(separator: " ")
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars.prefix(8))
    let isVisible = scalars.contains {
      !$0.properties.isDefaultIgnorableCodePoint && !$0.properties.isWhitespace
    }
    return isVisible ? "`\(String(text))` (\(codes))" : codes
  }
}
