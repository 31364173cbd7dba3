/// A regular expression without look-around and back-references, compiled to a byte automaton.
///
/// Because it is an automaton, matching takes time proportional to the text, whatever the pattern,
/// and a mask of tokens can be computed from it.
///
/// Read are: literals; `.` (anything but `\n`, `\r`, U+2028, U+2029); classes `[a-z]`, `[^…]`;
/// `\d \w \D \W` (ASCII); `\s \S` and the word boundaries `\b \B` as in ECMA-262; `\p{L}` and the other general categories, `\P{…}`; `\t \n \r \f \v
/// \a \e \0`, `\xNN`, `\x{…}`, `\uNNNN`, `\u{…}`, and escaped punctuation; groups `(…)`, `(?:…)`,
/// `(?<name>…)`; `|`; `* + ?`, `{m}`, `{m,}`, `{m,n}`, greedy or lazy, which is the same language;
/// `^` at the start and `$` at the end of the text; `(?i)` at the start of the pattern, with simple
/// case folding of characters and ranges. Everything else is refused by name, at its place. A
/// character is a Unicode scalar.
public struct Pattern: Sendable {
  /// The pattern as it was written.
  public let text: String

  /// The automaton of all texts that the pattern matches as a whole.
  package let automaton: ByteAutomaton

  let root: PatternNode

  /// Reads a pattern and compiles it.
  ///
  /// - Parameter text: The pattern.
  /// - Throws: What is not read, with its place, or that the automaton exceeds the limits of
  ///   ``SubsetConstruction`` or the default budget.
  public init(parsing text: String) throws(PatternError) {
    try self.init(parsing: text, within: PatternBudget())
  }

  /// Reads a pattern and compiles it, as one of several.
  ///
  /// - Parameters:
  ///   - text: The pattern.
  ///   - budget: What is left of the work that the patterns together may cost.
  /// - Throws: What is not read, with its place, or that the automaton exceeds the limits of
  ///   ``SubsetConstruction`` or the budget.
  package init(parsing text: String, within budget: PatternBudget) throws(PatternError) {
    var parser = PatternParser(text, budget)
    root = try parser.pattern()
    self.text = text
    automaton = try SubsetConstruction.automaton(
      of: PatternNFA(wholeTextsOf: root, within: budget), within: budget)
  }

  /// Whether the pattern matches a text as a whole.
  ///
  /// - Complexity: O(*n*) in the bytes of the text.
  public func wholeMatch(_ text: String) -> Bool { automaton.accepts(text.utf8) }

  /// Whether the pattern matches some part of a text, as JSON Schema's `pattern` asks; false where
  /// that would need too large an automaton. (Grammars take a pattern for the whole string.)
  ///
  /// - Complexity: O(*n* · *m*) in the bytes of the text and the size of the pattern.
  public func matchesAnywhere(in text: String) -> Bool {
    guard let nfa = try? PatternNFA(textsContaining: root, within: PatternBudget()) else {
      return false
    }
    return nfa.accepts(text)
  }

  /// The automaton of all texts of which the pattern matches some part.
  ///
  /// - Throws: That the automaton exceeds the limits; it can be much larger than ``automaton``.
  package func searchAutomaton() throws(PatternError) -> ByteAutomaton {
    let budget = PatternBudget()
    return try SubsetConstruction.automaton(
      of: PatternNFA(textsContaining: root, within: budget), within: budget)
  }
}
