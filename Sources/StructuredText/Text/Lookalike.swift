/// Tells two texts apart that look the same, such as a composed and a decomposed `é`.
package enum Lookalike {
  /// Returns the parts in which two texts differ although they look the same, each with its code
  /// points, for example "`é` (U+00E9)", or nil if the texts are equal or differ visibly.
  ///
  /// Texts look the same if they are canonically equivalent, or if they differ only in invisible
  /// characters and in kinds of white space.
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

  private static func visible(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where !scalar.properties.isDefaultIgnorableCodePoint {
      shown.append(scalar.properties.isWhitespace ? " " : scalar)
    }
    return String(shown)
  }

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
