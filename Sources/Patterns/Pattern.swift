/// A regular expression without look-around or back-references, compiled to a byte automaton.
///
/// Because of the automaton, matching takes time proportional to the length of the text, whatever
/// the pattern. Grammars compute token masks from the automaton.
///
/// The supported syntax is:
///
/// - literals, and `.` for any character but `\n`, `\r`, U+2028 and U+2029;
/// - classes: `[a-z]`, `[^…]`, `\d \w \D \W` (ASCII), `\s \S` as in ECMA-262, `\p{L}` and the other
///   general categories, and `\P{…}`;
/// - escapes: `\t \n \r \f \v \a \e \0`, `\xNN`, `\x{…}`, `\uNNNN`, `\u{…}`, and escaped
///   punctuation;
/// - groups `(…)`, `(?:…)`, `(?<name>…)`, and alternatives separated by `|`;
/// - quantifiers `* + ?`, `{m}`, `{m,}`, `{m,n}`, greedy or lazy; both match the same texts;
/// - `^` or `\A` at the start of the text, `$` or `\z` at its end, and the word boundaries `\b \B`
///   as in ECMA-262;
/// - `(?i)` at the start of the pattern, with simple case folding of characters and ranges;
/// - groups with flags, such as `(?i:…)`, `(?-i:…)` and `(?s:…)`; with the flag `s`, `.` matches
///   line ends too.
///
/// For any other syntax, the initializer throws an error that gives its position. A character is a
/// Unicode scalar.
public struct Pattern: Sendable {
  /// The pattern as it was written.
  public let text: String

  /// The automaton that accepts the texts that the pattern matches from beginning to end.
  package let automaton: ByteAutomaton

  /// Creates a pattern by parsing and compiling its text.
  ///
  /// - Parameter text: The text of the pattern.
  /// - Throws: `PatternError` with a position if the syntax is unsupported or malformed, or without
  ///   a position if the automaton takes too many states, or more steps than the default budget
  ///   allows.
  public init(parsing text: String) throws(PatternError) {
    try self.init(parsing: text, within: PatternBudget())
  }

  /// Creates a pattern that shares a budget with other patterns.
  ///
  /// - Parameters:
  ///   - text: The text of the pattern.
  ///   - budget: The limit on the work for compiling all patterns that share it.
  /// - Throws: `PatternError` with a position if the syntax is unsupported or malformed, or without
  ///   a position if the automaton takes too many states, or more steps than the budget allows.
  package init(parsing text: String, within budget: PatternBudget) throws(PatternError) {
    var parser = PatternParser(text, budget)
    let root = try parser.pattern()
    self.text = text
    automaton = try SubsetConstruction.automaton(
      of: PatternNFA(wholeTextsOf: root, within: budget), within: budget)
  }

  /// Checks the syntax of a pattern without compiling it, which takes linear time.
  ///
  /// - Throws: `PatternError` with a position if the syntax is unsupported or malformed.
  package static func checkSyntax(of text: String) throws(PatternError) {
    var parser = PatternParser(text, PatternBudget())
    _ = try parser.pattern()
  }

  /// Returns whether the pattern matches the whole text.
  ///
  /// - Complexity: O(*n*) for a text of *n* bytes.
  public func wholeMatch(_ text: String) -> Bool { automaton.accepts(text.utf8) }
}
