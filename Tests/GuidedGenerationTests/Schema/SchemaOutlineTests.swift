import GuidedGeneration
import StructuredText
import Testing

@Suite("Outlines of schemas")
struct SchemaOutlineTests {
  @Test("the outline shows each type once, as a block with its guides, depth-first")
  func library() throws {
    let schema = try GenerationSchema(json: SchemaCodingTests.library)
    #expect(
      schema.outline == """
        Answer with JSON of type Shelf.
        Shelf { // A shelf
          books: [Book] 1... // What stands here
          state: State
          inner?: Shelf // A shelf in the shelf
          isOpen: boolean
          anything?: any
        }
        Book {
          title: string /[A-Z].*/
          pages: integer 1...3000
          price?: number 0.5...
          genre: "novel" | "essay"
          sequels?: [Book] ...3
        }
        State = DiscriminatedLent | DiscriminatedMissing
        DiscriminatedLent { // Somebody has it.
          type: "lent"
          reader: string
          days?: integer
        }
        DiscriminatedMissing {
          type: "missing"
        }
        """)
  }

  @Test("a number that is the only allowed one is shown as itself, as a string is")
  func constantNumbers() throws {
    let schema = try GenerationSchema(json: [
      "type": "object", "title": "Level", "required": ["step", "half", "wide"],
      "properties": [
        "step": ["type": "integer", "enum": [0, 1]], "half": ["const": 1.5],
        "wide": ["type": "integer", "minimum": 0, "maximum": 1],
      ],
    ])
    #expect(
      schema.outline == """
        Answer with JSON of type Level.
        Level {
          step: Step
          half: 1.5
          wide: integer 0...1
        }
        Step = 0 | 1
        """)
  }

  @Test(
    "an object without a name is named after its property, and line breaks in guides become spaces")
  func unnamed() throws {
    let schema = try GenerationSchema(json: [
      "type": "object", "title": "Recipe", "required": ["subParts", "years"],
      "properties": [
        "subParts": [
          "type": "object", "description": "One\ntwo", "properties": ["a b": ["type": "string"]],
        ],
        "years": ["type": "array", "items": ["type": "integer", "maximum": 5]],
      ],
    ])
    #expect(
      schema.outline == """
        Answer with JSON of type Recipe.
        Recipe {
          subParts: SubParts // One two
          years: [integer ...5]
        }
        SubParts {
          a b?: string
        }
        """)
  }

  @Test("a root without properties is described in the first line")
  func primitive() throws {
    #expect(
      try GenerationSchema(json: ["type": "integer", "minimum": 0]).outline
        == "Answer with JSON of type integer 0....")
  }
}
