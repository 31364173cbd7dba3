import Patterns

/// A regular expression that a whole text must match, compiled once.
package struct TextPattern: Sendable {
  /// The expression as it was written.
  package let text: String
  private let pattern: Pattern

  /// Compiles an expression.
  ///
  /// - Throws: What the expression may not have, with its place.
  package init(parsing text: String) throws(PatternError) {
    self.text = text
    pattern = try Pattern(parsing: text)
  }

  /// Whether the whole of a text matches.
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
