import Patterns

/// A pattern for the whole string, with its look-aheads separated into other patterns.
///
/// ```
/// ^(?!x)[a-z]+$       ^(?:(?:[a-z]+))$   and none of   ^(?:(?:x)[\s\S]*)$
/// ^(?=.*\d).{8,}$     ^(?:(?:.{8,}))$    and           ^(?:(?:.*\d)[\s\S]*)$
/// ^((?!mode).)*$      ^.*$               and none of   ^(?:[\s\S]*(?:mode)[\s\S]*)$
/// ```
///
/// A look-ahead in any other place is an error.
struct PatternLookahead {
  /// The pattern without its look-aheads.
  private(set) var pattern: String
  /// Patterns that the whole string must match too.
  private(set) var others: [String] = []
  /// Patterns that the whole string must not match.
  private(set) var excluded: [String] = []

  /// Creates a pattern for the whole string, and separates its look-aheads.
  ///
  /// The syntax is checked as it is written. In another text, a parenthesis that closes nothing
  /// could close a group of that text.
  ///
  /// - Parameters:
  ///   - written: The pattern.
  ///   - isSearched: Whether the pattern may match any part of a string instead of the whole
  ///     string.
  /// - Throws: `PatternError` with a position in the written pattern.
  init(_ written: String, isSearched: Bool) throws(PatternError) {
    pattern = isSearched ? PatternAnchoring.wholePattern(of: written) : written
    do throws(PatternError) {
      try Pattern.checkSyntax(of: written)
    } catch {
      // The syntax has no look-aheads, but the parts around and inside them may be sound.
      let parts = separate(written, isSearched: isSearched)
      if parts.isEmpty { throw error }
      for part in parts { try Self.check(part) }
    }
  }

  /// Separates the look-aheads, and returns the parts of the pattern that they leave; if there are
  /// no look-aheads to separate, there are no parts.
  private mutating func separate(
    _ written: String, isSearched: Bool
  ) -> [ArraySlice<Unicode.Scalar>] {
    let whole = PatternPart(
      scalars: Array(written.unicodeScalars)[...], isAtStart: !isSearched, isAtEnd: !isSearched)
    let parts = whole.alternatives
    guard parts.count == 1, parts[0].isAtStart else { return [] }
    var part = parts[0]
    if part.isAtEnd, let contents = readTempered(part) { return contents }
    var contents: [ArraySlice<Unicode.Scalar>] = []
    while let look = Self.look(at: part) {
      let found = PatternAnchoring.wholePattern(look.content, isAtStart: true, isAtEnd: false)
      if look.isNegated { excluded.append(found) } else { others.append(found) }
      contents.append(look.content)
      part.scalars = part.scalars[look.end...]
    }
    if contents.isEmpty { return [] }
    pattern = PatternAnchoring.wholePattern(
      part.scalars, isAtStart: true, isAtEnd: part.isAtEnd)
    return contents + [part.scalars]
  }

  private static func check(_ part: ArraySlice<Unicode.Scalar>) throws(PatternError) {
    do throws(PatternError) {
      try Pattern.checkSyntax(of: PatternPart(scalars: part).text)
    } catch {
      throw PatternError(
        at: error.offset.map { $0 + part.startIndex }, error.problem, allowed: error.allowed)
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
  /// - Returns: The contents of the look-aheads, or `nil` for any other pattern.
  private mutating func readTempered(_ part: PatternPart) -> [ArraySlice<Unicode.Scalar>]? {
    var group = part
    guard group.scalars.last == "*", let end = group.endOfGroup, end == group.scalars.endIndex - 1
    else { return nil }
    group.scalars = group.scalars.dropLast()
    guard let content = group.groupContent else { return nil }
    var rest = PatternPart(scalars: content)
    var contents: [ArraySlice<Unicode.Scalar>] = []
    while let look = Self.look(at: rest), look.isNegated {
      contents.append(look.content)
      rest.scalars = rest.scalars[look.end...]
    }
    guard !contents.isEmpty, rest.text == "." || rest.text == "[\\s\\S]" else { return nil }
    pattern = "^" + rest.text + "*$"
    excluded = contents.map {
      PatternAnchoring.wholePattern($0, isAtStart: false, isAtEnd: false)
    }
    return contents
  }
}
