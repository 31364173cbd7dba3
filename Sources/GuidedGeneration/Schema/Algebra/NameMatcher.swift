import Patterns

/// Matches strings in a document against patterns in the same document.
final class NameMatcher {
  private var patterns: [[UInt8]: Pattern?] = [:]
  private let budget = PatternBudget()

  /// Returns whether a pattern matches the whole text, or `nil` if the pattern can't be compiled.
  func matches(_ text: String, pattern: String) -> Bool? {
    let key = Array(pattern.utf8)
    if let known = patterns[key] { return known.map { $0.wholeMatch(text) } }
    let compiled = try? Pattern(parsing: pattern, within: budget)
    patterns[key] = .some(compiled)
    return compiled.map { $0.wholeMatch(text) }
  }

  /// Returns whether a string schema allows a text, or `nil` if a pattern can't be compiled.
  ///
  /// If the method finds a violation before it reaches such a pattern, it returns false.
  func matches(_ text: String, _ schema: StringSchema) -> Bool? {
    if let choices = schema.choices, !choices.contains(text) { return false }
    let length = text.unicodeScalars.count
    if length < schema.minimumLength ?? 0 || length > schema.maximumLength ?? .max { return false }
    if schema.excludedChoices.contains(text) { return false }
    for pattern in schema.patterns {
      guard let matches = matches(text, pattern: pattern) else { return nil }
      if !matches { return false }
    }
    for pattern in schema.excludedPatterns {
      guard let matches = matches(text, pattern: pattern) else { return nil }
      if matches { return false }
    }
    return true
  }
}
