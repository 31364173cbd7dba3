/// Converts regular expressions to text in the syntax that the grammar reads.
enum PatternText {
  /// Returns a regular expression as text; the expression may be a literal or built at run time.
  ///
  /// If the expression can't be written as text, or the standard library would write text with a
  /// different meaning, the method returns a comment that states the reason. The grammar doesn't
  /// accept such a comment as a pattern, so a request that contains it throws an error.
  static func pattern<Output>(of regex: Regex<Output>) -> String {
    if let problem = RegexTree.problem(of: regex) { return unwritable(problem) }
    guard let written = regex._literalPattern else {
      return unwritable("this regular expression contains a parser or a transform")
    }
    return translated(written)
  }

  private static let unwritableMark = "(?#no written form: "

  private static func unwritable(_ reason: String) -> String { unwritableMark + reason + ")" }

  /// Returns the reason why an expression can't be written as text, or `nil` if `pattern` is the
  /// expression's text.
  static func unwritableReason(of pattern: String) -> String? {
    guard let mark = pattern.firstRange(of: unwritableMark) else { return nil }
    return String(pattern[mark.upperBound...].prefix { $0 != ")" })
  }

  /// Translates a pattern that the standard library has written, and removes syntax that only Swift
  /// has: quotations, nested classes that are plain unions, and dots inside classes.
  ///
  /// ```
  /// \d+\Q-\E(?:\Qx.y\E)?   ──►   \d+-(?:x\.y)?
  /// [[a-z][\+\-]]{2,4}     ──►   [a-z\+\-]{2,4}
  /// [(?s:.)]*              ──►   (?s:.)*
  /// ```
  static func translated(_ pattern: String) -> String {
    var text = ""
    var rest = pattern[...]
    while let character = rest.first {
      if rest.hasPrefix(#"\Q"#) {
        rest.removeFirst(2)
        text += quotation(&rest)
      } else if character == "[" {
        text += flattened(classText(&rest))
      } else {
        text.append(character)
        rest.removeFirst()
        // The character after a backslash never begins a quotation or a class.
        if character == "\\", let next = rest.popFirst() { text.append(next) }
      }
    }
    return text
  }

  /// Consumes the text up to `\E`, and returns it with the special characters escaped.
  private static func quotation(_ rest: inout Substring) -> String {
    var text = ""
    while !rest.isEmpty, !rest.hasPrefix(#"\E"#) {
      let literal = rest.removeFirst()
      if #"\^$.|?*+()[]{}/"#.contains(literal) { text.append("\\") }
      text.append(literal)
    }
    rest = rest.dropFirst(2)
    return text
  }

  // MARK: Classes

  /// Consumes the class at the beginning of the text, and returns its parts, including the
  /// brackets.
  private static func classText(_ rest: inout Substring) -> [Substring] {
    var parts: [Substring] = []
    var depth = 0
    while !rest.isEmpty {
      let count = rest.first == "\\" ? 2 : rest.hasPrefix(anyScalar) ? anyScalar.count : 1
      let part = rest.prefix(count)
      parts.append(part)
      rest = rest.dropFirst(count)
      if part == "[" { depth += 1 }
      if part == "]" { depth -= 1 }
      if depth == 0 { break }
    }
    return parts
  }

  private static let anyScalar = "(?s:.)"

  /// Returns the text of a class with the nested brackets removed.
  ///
  /// A class with an operator other than union stays unchanged.
  private static func flattened(_ parts: [Substring]) -> String {
    let text = parts.joined()
    let inner = parts.dropFirst().dropLast()
    if inner.elementsEqual([anyScalar[...]]) { return anyScalar }
    if inner.elementsEqual(["."]) { return "." }
    if inner.contains(where: { $0 == anyScalar || $0 == "." }) {
      return unwritable("a class contains “any character” together with other characters")
    }
    // Keep these operators, because the grammar's error names them.
    if ["&&", "--", "~~", "[^"].contains(where: { text.dropFirst(2).contains($0) }) { return text }
    return "[" + inner.filter { $0 != "[" && $0 != "]" }.joined() + "]"
  }
}
