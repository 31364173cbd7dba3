/// Finds Markdown and HTML in a text that should be plain.
///
/// The rules are those of CommonMark and of GitHub's tables and strike-through, so a sign that they
/// read as plain text is plain: the asterisks in `5 * 3` and `f***`, or the underscores in
/// `snake_case`. Some signs are plain here although CommonMark reads them as markup: indented
/// lines, and asterisks between letters or digits on both sides, such as in `5*3*2`.
package enum Markup {
  /// Returns a description of the first sign of markup, or `nil` if there is none.
  ///
  /// The function looks for signs at the beginnings of lines first, and then inside paragraphs.
  package static func first(in text: String) -> String? {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { Array($0.unicodeScalars.drop(while: \.properties.isWhitespace)) }
    var above: [Unicode.Scalar] = []
    for line in lines {
      if let sign = sign(of: line, below: above) { return sign }
      above = line
    }
    let paragraphs = lines.split(whereSeparator: \.isEmpty)
    return paragraphs.lazy.compactMap { InlineMarkup(Array($0.joined(separator: ["\n"]))).first }
      .first
  }

  /// Returns the sign that a line without white space at its beginning begins with, or that it is.
  ///
  /// - Parameter above: The line above it.
  private static func sign(
    of line: [Unicode.Scalar], below above: [Unicode.Scalar]
  ) -> String? {
    guard let mark = line.first else { return nil }
    let run = line.prefix { $0 == mark }.count
    let next = line.dropFirst(run).first
    switch mark {
    case ">" where line.dropFirst().first == " ": return "a quote"
    case "-" where next == " " && run == 1, "+" where next == " " && run == 1,
      "*" where next == " " && run == 1:
      return isRule(line) ? "a rule" : "a list item"
    case "#" where run <= 6 && next == " ": return "a heading"
    case "~" where run >= 3, "`" where run >= 3 && !line.dropFirst(run).contains("`"):
      return "a code fence"
    case "=" where run >= 3 && !above.isEmpty && isBlank(line.dropFirst(run)): return "a heading"
    case "[" where isDefinition(line): return "the target of a link"
    default: break
    }
    if isRule(line) { return mark == "-" && !above.isEmpty ? "a heading" : "a rule" }
    if above.contains("|"), isDelimiterRow(line) { return "a table" }
    let digits = line.prefix { $0.value < 0x80 && $0.properties.numericType != nil }
    let rest = line.dropFirst(digits.count)
    let isItem = (rest.first == "." || rest.first == ")") && rest.dropFirst().first == " "
    return (1...3).contains(digits.count) && isItem ? "a list item" : nil
  }

  private static func isBlank(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
    scalars.allSatisfy(\.properties.isWhitespace)
  }

  /// Returns whether a line consists of at least three `-`, `*` or `_`.
  private static func isRule(_ line: [Unicode.Scalar]) -> Bool {
    let marks = line.filter { !$0.properties.isWhitespace }
    guard marks.count >= 3, let mark = marks.first, "-*_".unicodeScalars.contains(mark) else {
      return false
    }
    return marks.allSatisfy { $0 == mark }
  }

  /// Returns whether a line separates the header of a table from its rows, as `|---|:-:|` does.
  private static func isDelimiterRow(_ line: [Unicode.Scalar]) -> Bool {
    guard line.contains("|"), line.contains("-") else { return false }
    let cells = line.filter { !$0.properties.isWhitespace }.split(separator: "|")
    return cells.allSatisfy { cell in
      let dashes = cell.drop { $0 == ":" }
      let rest = dashes.drop { $0 == "-" }
      return cell.count - dashes.count <= 1 && rest.count < dashes.count
        && (rest.isEmpty || Array(rest) == [":"])
    }
  }

  /// Returns whether a line defines the target of a link, as `[1]: https://example.com` does.
  private static func isDefinition(_ line: [Unicode.Scalar]) -> Bool {
    guard let close = line.firstIndex(of: "]"), close > 1 else { return false }
    let rest = line[(close + 1)...]
    guard rest.first == ":" else { return false }
    let target = rest.dropFirst().drop(while: \.properties.isWhitespace)
      .prefix { !$0.properties.isWhitespace }
    return target.first == "#" || target.contains("/") || target.contains("@")
  }
}
