import GuidedGeneration
import StructuredText
import Testing

@Suite("Places in schemas")
struct SchemaLookupTests {
  private let schema: GenerationSchema

  init() throws { schema = try GenerationSchema(json: SchemaCodingTests.library) }

  @Test("the branches of an enum are its cases, whether or not they have payloads")
  func branches() {
    #expect(schema.branches(of: .reference("State", description: nil)) == ["lent", "missing"])
    let genre = SchemaNode.string(StringSchema(choices: ["novel", "essay"]))
    #expect(schema.branches(of: genre) == ["novel", "essay"])
    #expect(schema.branches(of: schema.root) == nil)
  }

  @Test("the guide of a type, a property or a case of an enum can be replaced")
  func guides() throws {
    let edited =
      try schema
      .replacingGuide(at: "Shelf", text: "A board")
      .replacingGuide(at: "Book.pages", text: "Few")
      .replacingGuide(at: "State.missing", text: "Gone")
    #expect(edited.json["description"] == "A board")
    #expect(
      edited.json["$defs"]?["Book"]?["properties"]?["pages"]?["description"] == "Few")
    #expect(edited.json["$defs"]?["DiscriminatedMissing"]?["description"] == "Gone")
    #expect(edited.json["$defs"]?["State"] == schema.json["$defs"]?["State"])
  }

  @Test("new bounds become keywords that fit the property's type, such as `minItems` or `maximum`")
  func bounds() throws {
    let edited =
      try schema
      .replacingBound(at: "Shelf.books", minimum: JSONNumber(2), maximum: JSONNumber(5))
      .replacingBound(at: "Book.pages", minimum: nil, maximum: JSONNumber(9))
    #expect(edited.json["properties"]?["books"]?["minItems"] == 2)
    #expect(edited.json["properties"]?["books"]?["maxItems"] == 5)
    let pages = edited.json["$defs"]?["Book"]?["properties"]?["pages"]
    #expect(pages == ["type": "integer", "maximum": 9])
  }

  @Test("new bounds replace exclusive bounds, and bounds beyond 64 bits")
  func replacedForms() throws {
    let schema = try GenerationSchema(
      json: JSONValue(
        parsing: #"""
          {"title": "T", "type": "object", "required": ["x", "n"], "properties": {
            "x": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
            "n": {"type": "integer", "minimum": 99999999999999999999}}}
          """#))
    let edited =
      try schema
      .replacingBound(at: "T.x", minimum: JSONNumber(2), maximum: JSONNumber(3))
      .replacingBound(at: "T.n", minimum: JSONNumber(4), maximum: nil)
    let properties = edited.json["properties"]
    #expect(properties?["x"] == ["type": "number", "minimum": 2, "maximum": 3])
    #expect(properties?["n"] == ["type": "integer", "minimum": 4])
  }

  @Test("removing a branch also removes its definition")
  func removedBranch() throws {
    let edited = try schema.removingBranch(at: "State", case: "missing")
    #expect(edited.branches(of: .reference("State", description: nil)) == ["lent"])
    #expect(!edited.definitions.map(\.name).contains("DiscriminatedMissing"))
    let essays = try schema.removingBranch(at: "Book.genre", case: "novel")
    #expect(
      essays.json["$defs"]?["Book"]?["properties"]?["genre"]?["enum"] == ["essay"])
  }

  @Test("the error for an impossible edit says which edits are possible")
  func wrongEdits() throws {
    #expect {
      try schema.replacingGuide(at: "Shelf.boks", text: "")
    } throws: { error in
      guard case .unknownPlace(_, let nearest, _) = error as? SchemaEditError else { return false }
      return nearest == "Shelf.books"
    }
    #expect(throws: SchemaEditError.unbounded("Book.title", type: "string")) {
      try schema.replacingBound(at: "Book.title", minimum: JSONNumber(1), maximum: JSONNumber(2))
    }
    #expect(
      throws: SchemaEditError.unknownCase("State", name: "lost", cases: ["lent", "missing"])
    ) {
      try schema.removingBranch(at: "State", case: "lost")
    }
    #expect(throws: SchemaEditError.noChoice("Shelf", type: "object")) {
      try schema.removingBranch(at: "Shelf", case: "lost")
    }
    let single = try schema.removingBranch(at: "State", case: "missing")
    #expect(throws: SchemaEditError.lastCase("State", name: "lent")) {
      try single.removingBranch(at: "State", case: "lent")
    }
  }
}
