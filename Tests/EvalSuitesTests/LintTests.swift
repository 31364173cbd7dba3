import StructuredText
import Testing

@testable import EvalSuites

@Suite("Linting guides")
struct LintTests {
  private func lint(_ properties: String, suite: String = "") -> [String] {
    let lines = properties.split(separator: "\n")
    let names = lines.filter { !$0.hasPrefix(" ") }.compactMap { $0.split(separator: ":").first }
      .joined(separator: ", ")
    let text = """
      suite: s
      \(suite)
      generates:
        inline:
          title: T
          type: object
          additionalProperties: false
          required: [\(names)]
          x-order: [\(names)]
          properties:
      \(lines.map { "      " + $0 }.joined(separator: "\n"))
      assertions: [ { present: { path: $ } } ]
      cases: [ { id: a, input: x } ]
      """
    let loaded = SuiteLoader(files: .memory(["s/suite.yaml": text])).load(["s"])
    #expect(loaded.problems.map(\.description) == [])
    return loaded.suites.first?.lint().map { "\($0.rule.rawValue) \($0.place)" } ?? []
  }

  @Test(
    "lint warns of a fixed layout if the model chooses an enum case or the length of an array")
  func layout() {
    let properties = """
      name: { type: string, description: "The name in plain text, or an empty string." }
      tags: { type: array, items: { type: string }, minItems: 1, maxItems: 3,
        description: Between one and three tags. }
      pair: { type: array, items: { type: string }, minItems: 2, maxItems: 2,
        description: Two words. }
      mood: { type: string, enum: [calm, unclear], description: "The mood, or unclear." }
      """
    #expect(
      lint(properties, suite: "options: { whitespace: compact }")
        == ["fixedLayout T.tags", "fixedLayout T.mood"])
    #expect(lint(properties, suite: "options: { whitespace: compact, mask: off }") == [])
    #expect(
      lint(properties, suite: "options: { whitespace: compact }\nlint: { silence: [fixedLayout] }")
        == [])
  }

  @Test("lint finds nothing in good guides")
  func sound() {
    #expect(
      lint(
        """
        name: { type: string, description: "The name in plain text, or an empty string." }
        days: { type: integer, minimum: 1, maximum: 9, description: "From 1 to 9, or 3 if unclear." }
        tags: { type: array, items: { type: string }, minItems: 1, maxItems: 3,
          description: Between one and three tags. }
        mood: { type: string, enum: [calm, unclear], description: The mood. }
        """) == [])
  }

  @Test(
    "each rule reports a guide that breaks it",
    arguments: [
      ("a: { type: boolean }", ["missingGuide T.a"]),
      (
        "a: { type: array, items: { type: string }, description: \"From three to eight.\" }",
        ["boundInWordsOnly T.a"]
      ),
      (
        "a: { type: array, items: { type: string }, maxItems: 5, description: \"At most 8.\" }",
        ["boundContradiction T.a"]
      ),
      (
        "a: { type: array, items: { type: string }, maxItems: 6, description: \"One to four.\" }",
        ["boundInWordsOnly T.a"]
      ),
      ("a: { type: array, items: { type: string }, description: Tags. }", ["unboundedArray T.a"]),
      ("a: { type: number, description: 'The size, or 0 if unclear.' }", ["unboundedNumber T.a"]),
      (
        "a: { type: [integer, 'null'], description: 'The size, or null.' }",
        ["unboundedNumber T.a"]
      ),
      (
        "a: { type: array, maxItems: 2, items: { type: integer }, description: At most two. }",
        ["unboundedNumber T.a"]
      ),
      ("a: { type: integer, minimum: 0, description: 'The size, or 0 if unclear.' }", []),
      ("a: { type: integer, description: 'From 1 to 9, or 3.' }", ["boundInWordsOnly T.a"]),
      ("a: { type: integer, description: The age. }", ["unboundedNumber T.a", "noFallback T.a"]),
      ("a: { type: string, description: The name or nothing. }", ["noFormat T.a"]),
      ("a: { type: string, enum: [x, y], description: The one. }", ["noOutBranch T.a"]),
      ("a: { type: boolean, description: Whether it is appropriate. }", ["vagueWords T.a"]),
      (
        "a: { type: string, enum: [x, other], description: One. }\n"
          + "b: { type: string, enum: [x, none], description: Two. }", ["collidingCases T.b"]
      ),
    ])
  func rules(properties: String, findings: [String]) {
    #expect(lint(properties) == findings)
  }

  @Test("a rule can be silenced everywhere or at one place, and an unknown rule is rejected")
  func silence() {
    let properties = "a: { type: boolean }\nb: { type: boolean }"
    #expect(lint(properties, suite: "lint: { silence: [missingGuide] }") == [])
    #expect(
      lint(properties, suite: "lint: { silence: [missingGuide at T.a] }") == ["missingGuide T.b"])
    let text = """
      suite: s
      generates: { inline: { type: string } }
      lint: { silence: [missingGuides] }
      assertions: [ { present: { path: $ } } ]
      cases: [ { id: a, input: x } ]
      """
    let problems = SuiteLoader(files: .memory(["s/suite.yaml": text])).load(["s"]).problems
    #expect(problems.count == 1)
    #expect(
      problems.first?.description.hasPrefix(
        "s/suite.yaml:3:19: there is no rule `missingGuides`; did you mean `missingGuide`? ")
        == true)
  }

  @Test(
    "lint recognizes bounds that a guide states in words",
    arguments: [
      ("Between 3 and 8 cards.", 3, 8), ("From three to eight cards", 3, 8), ("3-8 tags", 3, 8),
      ("3...8", 3, 8), ("0 to 100", 0, 100), ("At most twelve.", nil, 12), ("up to 5", nil, 5),
      ("at least two", 2, nil), ("Max 4", nil, 4), ("At most 12 words.", nil, nil),
      ("Each of at most nine words, between 2 and 4 of them", 2, 4), ("Tags.", nil, nil),
    ])
  func wordedBounds(text: String, minimum: Int?, maximum: Int?) {
    let bounds = WordedBounds(in: text)
    #expect(bounds?.minimum == minimum)
    #expect(bounds?.maximum == maximum)
    #expect((bounds == nil) == (minimum == nil && maximum == nil))
  }
}
