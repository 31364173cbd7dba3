import Patterns

/// A compiled regular expression, which must match a whole text.
package struct TextPattern: Sendable {
  /// The expression as written.
  package let text: String
  private let pattern: Pattern

  /// Creates a pattern by compiling an expression.
  ///
  /// - Throws: `PatternError` with the position of the first construct that isn't allowed.
  package init(parsing text: String) throws(PatternError) {
    self.text = text
    pattern = try Pattern(parsing: text)
  }

  /// Returns whether the expression matches the whole text.
  ///
  /// The time is linear in the length of the text.
  package func matches(_ text: String) -> Bool { pattern.wholeMatch(text) }
}

extension TextPattern: Hashable {
  package static func == (left: TextPattern, right: TextPattern) -> Bool {
    left.text == right.text
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
