import Patterns
import TestSupport
import Testing

@testable import GuidedGeneration

/// Compares the matches of patterns with those of Swift's own regular expressions.
///
/// The texts contain no characters from U+0300 on, because in Swift 6.3 `\w` doesn't match the `1`
/// of `1€`.
@Suite struct PatternOracleTests {
  @Test("random patterns match the same texts as Swift's Regex", arguments: 0..<8)
  func agreement(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    var counts = (matched: 0, unmatched: 0)
    var tooLarge = 0
    for round in 0..<125 {
      let source = PatternSource(&generator)
      guard let pattern = try? Pattern(parsing: source.text) else {
        tooLarge += 1
        continue
      }
      let anywhere =
        round.isMultiple(of: 4)
        ? try? Pattern(parsing: PatternAnchoring.wholePattern(of: source.text)) : nil
      let regex = try Regex(source.text).matchingSemantics(.unicodeScalar)
        .asciiOnlyCharacterClasses()
      for _ in 0..<8 {
        let text = Self.randomText(&generator)
        let expected = try regex.wholeMatch(in: text) != nil
        let found = try regex.firstMatch(in: text) != nil
        let note: Comment = "\(source.text) on \(text)"
        #expect(pattern.wholeMatch(text) == expected, note)
        if let anywhere { #expect(anywhere.wholeMatch(text) == found, note) }
        if expected { counts.matched += 1 } else { counts.unmatched += 1 }
      }
    }
    #expect(tooLarge < 10)
    #expect(counts.matched > 40 && counts.unmatched > 40)
  }

  private static func randomText(_ generator: inout SeededGenerator) -> String {
    let letters = ["a", "b", "c", "A", "1", "_", " ", "-", "é", "É", "ß"]
    return (0..<Int.random(in: 0..<7, using: &generator))
      .map { _ in letters.randomElement(using: &generator) ?? "" }.joined()
  }
}

/// Generates the text of a random pattern.
private struct PatternSource {
  var text: String

  init(_ generator: inout SeededGenerator) {
    let flag = Int.random(in: 0..<6, using: &generator) == 0 ? "(?i)" : ""
    let count = Int.random(in: 0..<8, using: &generator) == 0 ? 2 : 1
    let branches = (0..<count).map { _ in
      let start = Int.random(in: 0..<6, using: &generator) == 0 ? "^" : ""
      let end = Int.random(in: 0..<6, using: &generator) == 0 ? "$" : ""
      return start + Self.sequence(depth: 0, &generator) + end
    }
    text = flag + branches.joined(separator: "|")
  }

  private static func sequence(depth: Int, _ generator: inout SeededGenerator) -> String {
    (0..<Int.random(in: 1..<(depth == 0 ? 4 : 3), using: &generator))
      .map { _ in atom(depth: depth, &generator) + quantifier(&generator) }.joined()
  }

  private static func atom(depth: Int, _ generator: inout SeededGenerator) -> String {
    let simple = [
      "a", "b", "c", "é", "ß", ".", "[ab]", "[^a]", "[a-c1]", "[^b-é]", "\\d", "\\w", "\\W", "\\s",
      "\\D", "[\\d_-]", "\\x61", "\\u{e9}", "[\\u{80}-\\u{1F9FF}]",
    ]
    guard depth < 2, Int.random(in: 0..<4, using: &generator) == 0 else {
      return simple.randomElement(using: &generator) ?? "a"
    }
    let open = ["(", "(?:", "(?<n\(Int.random(in: 0..<1_000_000, using: &generator))>"]
    let branches = (0..<Int.random(in: 1..<3, using: &generator)).map { _ in
      sequence(depth: depth + 1, &generator)
    }
    return (open.randomElement(using: &generator) ?? "(") + branches.joined(separator: "|") + ")"
  }

  private static func quantifier(_ generator: inout SeededGenerator) -> String {
    let all = ["", "", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,}", "{0,2}", "{1,3}?"]
    return all.randomElement(using: &generator) ?? ""
  }
}
