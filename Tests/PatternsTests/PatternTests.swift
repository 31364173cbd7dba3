import Patterns
import TestSupport
import Testing

@testable import GuidedGeneration

/// Tests what patterns match and which patterns are rejected.
@Suite struct PatternTests {
  @Test(
    "a pattern has to match the whole text",
    arguments: [
      ("", [""], ["a"]), ("a|", ["", "a"], ["aa"]),
      ("(ab|c)*d", ["d", "abcabd"], ["", "abc", "ad"]),
      ("a{2}", ["aa"], ["a", "aaa"]), ("a{2,}", ["aa", "aaaaa"], ["a"]),
      ("a{1,3}?", ["a", "aaa"], ["", "aaaa"]), ("(a?){3}", ["", "a", "aaa"], ["aaaa"]),
      ("(a*)*", ["", "aaa"], ["b"]), ("a{0}b", ["b"], ["ab"]), ("(){9999}x", ["x"], [""]),
      (".", ["a", "é", "😀", "\u{85}", "\u{0}"], ["", "\n", "\r", "\u{2028}", "ab", "e\u{301}"]),
      ("[^a]", ["b", "\n", "é", "😀"], ["a", "", "bb"]), ("[a-c\\d_-]+", ["ab3_-"], ["d", ""]),
      ("[\\]\\[\\\\^-]+", ["][\\^-"], ["a"]),
      ("[é-ü]", ["é", "ö", "ü"], ["e", "ý", "\u{C3}\u{A9}"]),
      ("\\d{4}-(0[1-9]|1[0-2])", ["2026-11"], ["2026-13", "26-11", "٢٠٢٦-11"]),
      ("\\w\\W\\s\\S\\D", ["a- -x", "_é\t\u{B0}é", "a-\u{A0}bc"], ["a-  x", "aa -x"]),
      ("\\s*", ["\u{3000}\u{FEFF}\u{2003} ", "\r\n"], ["\u{200B}", "\u{180E}"]),
      ("a\\b.?", ["a", "a ", "aé"], ["ab", "a1", " "]),
      (".*\\bfoo\\b.*", ["foo", "a foo.", "é foo"], ["afoo", "foo_", "fo o"]),
      ("[a-]+\\B[b-]+", ["ab", "--", "aab-", "a--"], ["a-", "-b"]),
      ("\\B", [""], ["a"]), ("(?:\\b[a ]\\b)+", ["a", "a a"], [" ", "aa"]),
      ("\\t\\n\\r\\f\\v\\a\\e\\0", ["\t\n\r\u{C}\u{B}\u{7}\u{1B}\0"], [""]),
      ("\\x41\\x{1F600}\\u00e9\\u{e9}\\ud83d\\ude00", ["A😀éé😀"], ["A😀éé"]),
      ("\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\^\\$\\/\\-", [".*+?()[]{}|^$/-"], [""]),
      ("^a$", ["a"], ["^a$", "a\n"]), ("^(a|b)$|^c", ["a", "c"], ["d"]),
      ("(^a|b$)", ["a", "b"], [""]),
      ("(?:a)(?<n>b)(?P<m_1>c)", ["abc"], ["ab"]), ("}]", ["}]"], [""]),
      ("a(?i:b)c", ["aBc", "abc"], ["abC", "Abc"]),
      ("(?i)a(?-i:b)", ["Ab", "ab"], ["aB"]), ("(?s:.).", ["\na", "ba"], ["a\n"]),
      ("(?m:^)\\Aa\\z", ["a"], ["\na", "a\n"]),
      ("(?i)[a-c]Éß[^x]", ["BéẞY", "CÉßy"], ["béßX", "béßx"]),
    ] as [(String, [String], [String])])
  func wholeMatch(text: String, matched: [String], unmatched: [String]) throws {
    let pattern = try Pattern(parsing: text)
    for text in matched { #expect(pattern.wholeMatch(text), "\(pattern.text) on \(text)") }
    for text in unmatched { #expect(!pattern.wholeMatch(text), "\(pattern.text) on \(text)") }
  }

  @Test(
    "a search finds a pattern anywhere in a text, if the pattern's anchors allow it",
    arguments: [
      ("b+", ["b", "abc", "aab"], ["", "ac"]), ("^b", ["b", "bc"], ["ab"]),
      ("b$", ["b", "ab"], ["bc"]),
      ("^b$", ["b"], ["ab", "bc"]), ("^ac$|bc$", ["ac", "xbc", "bc"], ["xac", "bcx"]),
      ("^|x", ["", "a"], []), ("^a|b$", ["ax", "xb"], ["xa", "bx"]), ("é", ["caféx"], ["cafe"]),
      ("$", ["", "abc"], []), ("a$|^$", ["", "xa"], ["x"]), ("a\nb", ["x\na\nb"], ["a b"]),
    ] as [(String, [String], [String])])
  func search(text: String, found: [String], notFound: [String]) throws {
    let pattern = try Pattern(parsing: PatternAnchoring.wholePattern(of: text))
    for text in found { #expect(pattern.wholeMatch(text), "\(pattern.text) on \(text)") }
    for text in notFound { #expect(!pattern.wholeMatch(text), "\(pattern.text) on \(text)") }
  }

  @Test(
    "the error for unsupported or invalid syntax names the problem and its position",
    arguments: [
      ("a(?=b)", 1, "look-ahead"), ("(?!b)", 0, "look-ahead"), ("(?<=a)b", 0, "look-behind"),
      ("(?<!a)b", 0, "look-behind"), ("(a)\\1", 3, "back-references"),
      ("(?<n>a)\\k<n>", 7, "back-references"), ("(?P=n)", 0, "back-references"),
      ("(?R)", 0, "recursion"), ("(?>a)", 0, "atomic"), ("a++", 1, "possessive"),
      ("a{2}+", 1, "possessive"),
      ("\\Ga", 0, "anchor"), ("a\\Z", 1, "anchor"), ("\\Qa\\E", 0, "quoting"), ("\\R", 0, "escape"),
      ("é\\X", 1, "escape"), ("[[:alpha:]]", 1, "POSIX"), ("[a[b]]", 2, "within"),
      ("[a&&b]", 2, "set operations"), ("[a-z--c]", 4, "set operations"),
      ("\\p{Greek}", 0, "category"),
      ("\\p{}", 0, "category"), ("\\p{Lu", 0, "closed"), ("\\012", 0, "octal"),
      ("(?x:a)", 0, "kind of group"), ("(?i a)", 0, "kind of group"), ("a\\zb", 1, "`$`"),
      ("a(?i)", 1, "kind of group"), ("(?s).", 0, "kind of group"), ("(?#x)", 0, "comments"),
      ("(?(1)a)", 0, "conditional"), ("a^b", 1, "`^`"), ("a(^b)", 2, "`^`"), ("(^a)?", 1, "`^`"),
      ("a$b", 1, "`$`"), ("(a$)*", 2, "`$`"), ("^*", 1, "anchor"), ("*a", 0, "nothing to repeat"),
      ("a|?", 2, "nothing to repeat"), ("(+)", 1, "nothing to repeat"),
      ("a**", 2, "another quantifier"),
      ("a{1}{2}", 4, "another quantifier"), ("{a", 0, "nothing to repeat"), ("a{", 1, "count"),
      ("a{x}", 1, "count"), ("a{,3}", 1, "count"), ("a{3,2}", 1, "order"), ("a{1", 1, "count"),
      ("a{10001}", 2, "count"), ("a{99999999999999999999}", 2, "count"), ("(a", 0, "closed"),
      ("a)", 1, "no matching"), ("(?<n", 0, "name"), ("(?<>a)", 0, "name"), ("[a", 0, "closed"),
      ("[]", 0, "empty"), ("[^]", 0, "empty"), ("[]a]", 0, "empty"), ("[z-a]", 2, "order"),
      ("[a-\\d]", 2, "class"), ("[\\w-z]", 3, "class"), ("[a-", 0, "closed"), ("a\\", 1, "`\\`"),
      ("[\\", 1, "`\\`"), ("\\x4", 0, "code"), ("\\u{110000}", 0, "code"), ("\\ud800", 0, "code"),
      ("\\u{d800}", 0, "code"), ("\\x{123456789}", 0, "code"), ("[^\\0-\\u{10FFFF}]", 0, "nothing"),
      ("(?", 0, "group"),
    ])
  func refusals(text: String, offset: Int, word: String) {
    let error = #expect(throws: PatternError.self) { try Pattern(parsing: text) }
    #expect(error?.offset == offset, "\(text): \(error?.description ?? "")")
    #expect(error?.problem.contains(word) == true, "\(text): \(error?.description ?? "")")
  }

  @Test(
    "a pattern that needs too large an automaton is rejected",
    arguments: [
      "(a|b)*a(a|b){24}", "(((((a{9}){9}){9}){9}){9}){9}",
      "((((|){10000}){10000}){10000}){10000}", "(a?){9999}", ".*a.{30}.*b.{30}", "\\p{L}{5000}",
    ])
  func tooLarge(text: String) {
    let error = #expect(throws: PatternError.self) { try Pattern(parsing: text) }
    #expect(error?.offset == nil)
    #expect(error?.problem.contains("too large") == true)
  }

  @Test(
    "a pattern is rejected if it needs more steps than the budget allows",
    arguments: [
      // Overlapping classes, each with one letter more than the class before it.
      (0..<8000).map { "[a-\(Unicode.Scalar(0x4E00 + $0)!)]" }.joined(),
      // A class of 20,000 parts, each of which stands for many ranges.
      "[^" + String(repeating: "\\P{L}", count: 20_000) + "]",
      "(a|b)*a(a|b){13}|[ab]*",
    ])
  func tooManySteps(text: String) {
    let error = #expect(throws: PatternError.self) {
      try Pattern(parsing: text, within: PatternBudget(steps: 100_000))
    }
    #expect(error?.problem.contains("more than 100000 steps") == true)
  }

  @Test("patterns that are compiled together share one budget")
  func sharedBudget() throws {
    let budget = PatternBudget(steps: 2000)
    _ = try Pattern(parsing: "[a-z]{10}", within: budget)
    var made = 1
    let error = #expect(throws: PatternError.self) {
      while made < 100 {
        _ = try Pattern(parsing: "[a-z]{\(10 + made)}", within: budget)
        made += 1
      }
    }
    #expect((2..<20).contains(made))
    #expect(error?.problem.contains("more than 2000 steps") == true)
  }

  @Test("a pattern for up to a hundred letters of any script is not too large")
  func names() throws {
    let pattern = try Pattern(parsing: "^[\\p{L} .'-]{1,100}$")
    #expect(pattern.wholeMatch("Zoë O'Brien-Łukasz 山田"))
    #expect(!pattern.wholeMatch(String(repeating: "ñ", count: 101)))
  }

  @Test("deeply nested groups are rejected")
  func depth() {
    let open = String(repeating: "(", count: 100_000)
    let error = #expect(throws: PatternError.self) { try Pattern(parsing: open) }
    #expect(error?.problem == "groups are nested too deeply")
  }

  @Test("compiling a random pattern succeeds or fails, and never traps")
  func hostileText() {
    var generator = SeededGenerator(seed: 5)
    let pieces = [
      "a", "b", "(", ")", "[", "]", "{", "}", "*", "+", "?", "|", "^", "$", "\\", "-", ",", "1",
      "2",
      "(?", ":", "<", ">", "\\p{L", "\\x", "\\u{", "d", "é", "\u{10FFFF}", ".", "&&", "P", "i",
    ]
    var counts = (read: 0, refused: 0)
    for _ in 0..<10_000 {
      let text = (0..<Int.random(in: 0..<10, using: &generator))
        .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      do {
        let pattern = try Pattern(parsing: text)
        _ = pattern.wholeMatch("ab1é")
        counts.read += 1
      } catch {
        #expect(error.offset.map { (0...text.unicodeScalars.count).contains($0) } ?? true)
        counts.refused += 1
      }
    }
    #expect(counts.read > 500 && counts.refused > 500)
  }
}
