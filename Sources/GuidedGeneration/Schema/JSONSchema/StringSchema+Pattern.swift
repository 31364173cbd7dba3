extension StringSchema {
  /// All patterns of the schema as a single pattern for the whole string, or `nil` if there are
  /// none.
  ///
  /// ```
  /// ^(?:(?:.{8,}))$  and  ^(?:(?:.*\\d)[\\s\\S]*)$       ^(?=.*\\d).{8,}$
  /// ^(?:(?:[a-z]+))$  and none of  ^(?:(?:x)[\\s\\S]*)$    ^(?!x)[a-z]+$
  /// ```
  package var shownPattern: String? {
    if otherPatterns.isEmpty, excludedPatterns.isEmpty { return pattern }
    let looks =
      otherPatterns.map { "(?=\(Self.look(at: $0)))" }
      + excludedPatterns.map { "(?!\(Self.look(at: $0)))" }
    let rest = pattern.map(Self.content) ?? PatternAnchoring.any
    return "^" + looks.joined() + rest + "$"
  }

  /// Returns a pattern for the whole string as the content of a look-ahead.
  private static func look(at pattern: String) -> String {
    let content = content(of: pattern)
    guard content.hasSuffix(PatternAnchoring.any) else { return content + "$" }
    let start = String(content.dropLast(PatternAnchoring.any.count))
    return start.hasSuffix("\\") ? content + "$" : unwrapped(start)
  }

  /// Returns a pattern for the whole string without its anchors.
  private static func content(of pattern: String) -> String {
    // The flag for a whole pattern must come first, so inside another pattern it needs a group.
    if pattern.hasPrefix("(?i)") { return "(?i:\(content(of: String(pattern.dropFirst(4)))))" }
    let part = PatternPart(scalars: Array(pattern.unicodeScalars)[...])
    let parts = part.alternatives
    guard parts.count == 1 else { return "(?:\(pattern))" }
    return unwrapped(parts[0].text, isAlone: true)
  }

  /// Returns a pattern without the groups around it, except a group that holds alternatives.
  private static func unwrapped(_ text: String, isAlone: Bool = false) -> String {
    let part = PatternPart(scalars: Array(text.unicodeScalars)[...])
    guard text.hasPrefix("(?:"), let content = part.groupContent else { return text }
    let inner = PatternPart(scalars: content)
    if isAlone, inner.alternatives.count > 1 { return text }
    return unwrapped(inner.text, isAlone: isAlone)
  }
}
