import Patterns

/// A regular expression that a whole text must match, compiled once.
package struct TextPattern: Sendable {
  /// The expression as it was written.
  package let text: String
  private let pattern: Pattern

  /// Compiles an expression.
  ///
  /// - Throws: An error with the position of the syntax that is not allowed.
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
