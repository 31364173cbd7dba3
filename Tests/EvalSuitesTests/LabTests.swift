import EvalRecords
import GuidedGeneration
import StructuredText
import Testing

@testable import EvalSuites

@Suite("Edits and mutations of variants")
struct LabTests {
  /// Returns a suite with a string enum, a bounded array, a bounded number, and guides that say
  /// what to do if data is missing.
  private func suite(_ edits: String = "") throws -> Suite {
    let text = """
      suite: notes
      generates:
        inline:
          title: Note
          type: object
          additionalProperties: false
          required: [tags, mood, days]
          x-order: [tags, mood, days]
          properties:
            tags:
              type: array
              items: { type: string }
              minItems: 2
              maxItems: 5
              description: Words of the note. Between two and five. If there are none, repeat one.
            mood: { type: string, enum: [calm, angry, unclear], description: The mood. }
            days: { type: integer, minimum: 0, maximum: 30, description: How long it lasts. }
      instructions: Read the note. If it is empty, say so.
      assertions: [ { present: { path: $ } } ]
      variants:
        - { id: base, edits: [] }
        - id: other
          edits:
      \(edits.split(separator: "\n").map { "      - \($0)" }.joined(separator: "\n"))
      cases: [ { id: a, input: x } ]
      """
    let loaded = SuiteLoader(files: .memory(["s/suite.yaml": text])).load(["s"])
    #expect(loaded.problems.map(\.description) == [])
    return try #require(loaded.suites.first)
  }

  private static let threeEdits = """
    guide: { at: Note.days, text: Days. }
    removeBranch: { at: Note.mood, case: unclear }
    instructions: { text: Read. }
    """

  @Test("the edits between two variants turn one into the other, and each can be applied alone")
  func difference() throws {
    let variants = try suite(Self.threeEdits).variants
    let difference = VariantDifference(from: variants[0], to: variants[1])
    #expect(
      difference.edits.map(\.title) == ["cases of Note.mood", "guide of Note.days", "instructions"])
    let all = try difference.variant(making: difference.edits, id: "all", title: "all")
    #expect(all.schema == variants[1].schema)
    #expect(all.instructions == variants[1].instructions)
    let first = try difference.variant(making: [difference.edits[0]], id: "1", title: "first")
    #expect(first.schema.contains(#""enum":["calm","angry"]"#))
    #expect(first.schema.contains("How long it lasts."))
    #expect(first.instructions == variants[0].instructions)
    let last = try difference.variant(making: [difference.edits[2]], id: "3", title: "last")
    #expect(last.schema == variants[0].schema)
    #expect(last.instructions == "Read.")
  }

  @Test("variants of a lab judge answers as the suite does: open objects accept undeclared keys")
  func openObjects() throws {
    let loaded = SuiteLoader(
      files: .memory([
        "s/suite.yaml": """
        suite: notes
        generates:
          inline:
            type: object
            properties:
              card:
                title: Card
                type: object
                properties: { a: { type: string, description: A. } }
              list: { type: array, items: { $ref: "#/$defs/Item" } }
              shut:
                type: object
                additionalProperties: false
                properties: { b: { type: string } }
            required: [card]
            $defs: { Item: { type: object, properties: { n: { type: integer } } } }
        assertions: [ { present: { path: $ } } ]
        variants:
          - { id: base }
          - id: other
            edits:
              - guide: { at: Card.a, text: B. }
              - instructions: { text: Read. }
        cases: [ { id: a, input: x } ]
        """
      ])
    ).load(["s"])
    #expect(loaded.problems.map(\.description) == [])
    let (base, other) = try #require(loaded.suites.first.map { ($0.variants[0], $0.variants[1]) })
    let judged = try #require(base.judgedSchema)
    let difference = VariantDifference(from: base, to: other)
    #expect(difference.edits.count == 2)
    let all = try difference.variant(making: difference.edits, id: "all", title: "all")
    #expect(all.judgedSchema == other.judgedSchema)
    let texts = try difference.variant(making: [difference.edits[1]], id: "1", title: "texts")
    #expect(texts.judgedSchema == judged)
    for mutation in GuideMutation.mutations(of: base) {
      let damaged = try mutation.applied(to: base, id: "damaged")
      let schema = try GenerationSchema(
        json: JSONValue(parsing: try #require(damaged.judgedSchema)))
      func accepts(_ answer: String) throws -> Bool {
        schema.mismatch(of: try JSONValue(parsing: answer)) == nil
      }
      #expect(try accepts(#"{"card": {"a": "x", "more": 1}, "more": 2}"#), "\(mutation.title)")
      #expect(try accepts(#"{"card": {}, "list": [{"n": 1, "more": 1}]}"#), "\(mutation.title)")
      #expect(try !accepts(#"{"card": {}, "shut": {"more": 1}}"#), "\(mutation.title)")
    }
  }

  @Test("a variant's options reach the request and the record, and each option is one edit")
  func variantOptions() throws {
    let loaded = SuiteLoader(
      files: .memory([
        "s/suite.yaml": """
        suite: notes
        generates: { inline: { type: object, properties: { a: { type: string } } } }
        options: { topK: 5, outline: example }
        assertions: [ { present: { path: $ } } ]
        variants:
          - { id: base }
          - { id: free, options: { mask: off, outline: none } }
        cases: [ { id: a, input: x, options: { topK: 7 } } ]
        """
      ])
    ).load(["s"])
    #expect(loaded.problems.map(\.description) == [])
    let suite = try #require(loaded.suites.first)
    let (base, free) = (suite.variants[0], suite.variants[1])
    let settings = [base, free].map { suite.request(suite.cases[0], $0).settings }
    #expect(settings.map(\.topK) == [7, 7])
    #expect(settings.map(\.outline) == [.example, .none])
    #expect(settings.map(\.mask) == [.on, .off])
    #expect(settings.map(\.whitespace) == [.any, .any])
    #expect(free.edits == ["outline: none", "mask: off"])
    #expect(suite.record().details.variantOptions == ["free": free.options])
    #expect(suite.record(variants: ["base"]).details.variantOptions == nil)
    let difference = VariantDifference(from: base, to: free)
    #expect(difference.edits.map(\.title) == ["outline: none", "mask: off"])
    let back = VariantDifference(from: free, to: base)
    #expect(back.edits.map(\.title) == ["not outline: none", "not mask: off"])
    let alone = try difference.variant(making: [difference.edits[1]], id: "1", title: "mask")
    #expect(alone.options.words == ["mask: off"])
  }

  @Test("each mutation damages one guide, bound, enum or instruction, or swaps two guides")
  func mutations() throws {
    let base = try #require(try suite("guide: { at: Note, text: x }").variants.first)
    let mutations = GuideMutation.mutations(of: base)
    #expect(
      mutations.map(\.title) == [
        "Note.tags: without the bound", "Note.days: without the bound",
        "Note.tags: without the text about the bound",
        "Note.tags: without the text about a fallback",
        "instructions: without the text about a fallback", "Note.mood: without the fallback case",
        "Note.tags and Note.mood: guides swapped", "Note.tags: without the guide",
        "Note.mood: without the guide", "Note.days: without the guide",
      ])
    for mutation in mutations {
      let damaged = try mutation.applied(to: base, id: "damaged")
      let undone = VariantDifference(from: damaged, to: base)
      #expect(undone.edits.count == (mutation.kind == .swappedGuides ? 2 : 1), "\(mutation.title)")
    }
  }

  @Test(
    "a mutation removes only whole sentences from a guide",
    arguments: [
      ("Between two and five. Short.", ["Short."]),
      ("The name. If missing, leave it empty.", ["The name."]),
      ("Three to six steps, or none if there are none.", []),
      ("The name.", []),
    ])
  func checkSentences(guide: String, shortened: [String]) {
    #expect(GuideWords.shortened(guide).map(\.text) == shortened)
  }
}
