/// A pattern for the whole string, with its look-aheads separated into other patterns.
///
/// ```
/// ^(?!x)[a-z]+$       ^(?:(?:[a-z]+))$   and none of   ^(?:(?:x)[\s\S]*)$
/// ^(?=.*\d).{8,}$     ^(?:(?:.{8,}))$    and           ^(?:(?:.*\d)[\s\S]*)$
/// ^((?!mode).)*$      ^.*$               and none of   ^(?:[\s\S]*(?:mode)[\s\S]*)$
/// ```
///
/// A look-ahead in any other place stays in the pattern, so compiling the pattern fails.
struct PatternLookahead {
  /// The pattern without its look-aheads.
  private(set) var pattern: String
  /// Patterns that the whole string must match too.
  private(set) var others: [String] = []
  /// Patterns that the whole string must not match.
  private(set) var excluded: [String] = []

  /// Creates a pattern for the whole string, and separates its look-aheads.
  ///
  /// - Parameters:
  ///   - written: The pattern.
  ///   - isSearched: Whether the pattern may match any part of a string instead of the whole
  ///     string.
  init(_ written: String, isSearched: Bool) {
    pattern = isSearched ? PatternAnchoring.wholePattern(of: written) : written
    guard written.contains("(?!") || written.contains("(?=") else { return }
    let whole = PatternPart(
      scalars: Array(written.unicodeScalars)[...], isAtStart: !isSearched, isAtEnd: !isSearched)
    let parts = whole.alternatives
    guard parts.count == 1, parts[0].isAtStart else { return }
    var part = parts[0]
    if part.isAtEnd, readTempered(part) { return }
    let count = others.count + excluded.count
    while let look = Self.look(at: part) {
      let found = PatternAnchoring.wholePattern(look.content, isAtStart: true, isAtEnd: false)
      if look.isNegated { excluded.append(found) } else { others.append(found) }
      part.scalars = part.scalars[look.end...]
    }
    if others.count + excluded.count > count {
      pattern = PatternAnchoring.wholePattern(
        part.scalars, isAtStart: true, isAtEnd: part.isAtEnd)
    }
  }

  private typealias Look = (isNegated: Bool, content: ArraySlice<Unicode.Scalar>, end: Int)

  /// Returns the look-ahead at the beginning of a part.
  private static func look(at part: PatternPart) -> Look? {
    let isNegated = part.scalars.starts(with: "(?!".unicodeScalars)
    guard isNegated || part.scalars.starts(with: "(?=".unicodeScalars), let end = part.endOfGroup
    else { return nil }
    let content = part.scalars[..<(end - 1)].dropFirst(3)
    return (isNegated, content, end)
  }

  /// Reads `((?!…).)*`, a pattern for text that contains no match of the look-ahead.
  ///
  /// - Returns: False for any other pattern.
  private mutating func readTempered(_ part: PatternPart) -> Bool {
    var group = part
    guard group.scalars.last == "*", let end = group.endOfGroup, end == group.scalars.endIndex - 1
    else { return false }
    group.scalars = group.scalars.dropLast()
    guard let content = group.groupContent else { return false }
    var rest = PatternPart(scalars: content)
    var found: [String] = []
    while let look = Self.look(at: rest), look.isNegated {
      found.append(
        PatternAnchoring.wholePattern(look.content, isAtStart: false, isAtEnd: false))
      rest.scalars = rest.scalars[look.end...]
    }
    guard !found.isEmpty, rest.text == "." || rest.text == "[\\s\\S]" else { return false }
    pattern = "^" + rest.text + "*$"
    excluded = found
    return true
  }
}
