/// The written form of a regular expression, in the syntax that JSON Schema readers share.
enum PatternText {
  /// The pattern without `\Q…\E`, as which built expressions write literal text: what stands
  /// between is escaped character by character.
  ///
  /// ```
  /// \d+\Q-\E(?:\Qx.y\E)?   ──►   \d+-(?:x\.y)?
  /// ```
  static func unquoted(_ pattern: String) -> String {
    var text = ""
    var rest = pattern[...]
    while let character = rest.first {
      guard rest.hasPrefix(#"\Q"#) else {
        text.append(character)
        rest.removeFirst()
        // What follows a backslash is never the beginning of a quotation.
        if character == "\\", let next = rest.popFirst() { text.append(next) }
        continue
      }
      rest.removeFirst(2)
      while !rest.isEmpty, !rest.hasPrefix(#"\E"#) {
        let literal = rest.removeFirst()
        if #"\^$.|?*+()[]{}/"#.contains(literal) { text.append("\\") }
        text.append(literal)
      }
      rest = rest.dropFirst(2)
    }
    return text
  }
}
