import Foundation
import FoundationModels
import Testing

@Generable(description: "What a visitor wants")
enum Wish: Equatable, Sendable {
  @Guide(description: "A table for some people")
  case table(seats: Int, at: String?)
  @Guide(
    description: """
      Something to eat,
      named "as is"
      """)
  case dish(Dish)
  case pair(String, Int)
  case nothing
}

@Generable
struct Dish: Equatable, Sendable {
  @Guide(description: "One of " + dishNames.joined(separator: ", "), .anyOf(dishNames))
  var name: String
  var sides: [Wish]
}

nonisolated let dishNames = ["soup", "stew"]

@Generable
enum Urgency: Equatable {
  @Guide(description: "today")
  case high, low
  case `default`
}

@Suite("Enums")
struct EnumTests {
  private func checkRoundTrip<T: Generable & Equatable>(_ value: T, _ json: String) throws {
    #expect(value.generatedContent.jsonString == json)
    #expect(try T(GeneratedContent(json: json)) == value)
  }

  @Test("the content of an enum has the name of the case first, and then its payloads by label")
  func roundTrips() throws {
    try checkRoundTrip(
      Wish.table(seats: 2, at: nil), #"{"type": "table", "seats": 2}"#)
    try checkRoundTrip(
      Wish.dish(Dish(name: "soup", sides: [.nothing])),
      #"{"type": "dish", "value": {"name": "soup", "sides": [{"type": "nothing"}]}}"#)
    try checkRoundTrip(
      Wish.pair("a", 1), #"{"type": "pair", "value1": "a", "value2": 1}"#)
    try checkRoundTrip(Urgency.default, #""default""#)
  }

  @Test("decoding an unknown case of an enum throws an error")
  func unknown() throws {
    #expect(throws: GeneratedContent.ParsingError.self) {
      try Wish(GeneratedContent(json: #"{"type": "drink"}"#))
    }
    #expect(throws: GeneratedContent.ParsingError.self) {
      try Urgency(GeneratedContent(json: #""medium""#))
    }
  }

  @Test("the schema has the guides of the cases")
  func schema() throws {
    let text = Wish.generationSchema.debugDescription
    #expect(text.contains(#""description": "A table for some people""#))
    #expect(text.contains(#""description": "Something to eat,\nnamed \"as is\"""#))
    #expect(text.contains(#""enum": ["soup", "stew"]"#))
    #expect(text.contains(##""items": {"$ref": "#"}"##))
    #expect(
      Urgency.generationSchema.debugDescription == """
        {"description": "high: today\\nlow: today", "enum": ["high", "low", "default"], \
        "title": "Urgency", "type": "string"}
        """)
  }

  @Test("a partial enum contains only the payloads that have begun")
  func partial() throws {
    let partial = try Wish.PartiallyGenerated(GeneratedContent(json: #"{"type": "table", "sea"#))
    guard case .table(nil, nil) = partial else {
      Issue.record("the partial enum is \(partial)")
      return
    }
  }

  @Test("a dynamic schema equals the macro's schema, except for `enum` in place of `const`")
  func dynamic() throws {
    let text = DynamicGenerationSchema(type: String.self)
    func object(
      _ name: String, _ guide: String?, _ case: String,
      _ properties: [DynamicGenerationSchema.Property]
    ) -> DynamicGenerationSchema {
      let tag = DynamicGenerationSchema.Property(
        name: "type", schema: DynamicGenerationSchema(name: name + "Type", anyOf: [`case`]))
      return DynamicGenerationSchema(name: name, description: guide, properties: [tag] + properties)
    }
    let root = DynamicGenerationSchema(
      name: "Weather", description: "As seen from the window",
      anyOf: [
        object(
          "DiscriminatedWet", "Rain or snow", "wet",
          [
            .init(
              name: "depth",
              schema: DynamicGenerationSchema(type: Int.self)),
            .init(name: "note", schema: text, isOptional: true),
          ]),
        object("DiscriminatedDry", nil, "dry", []),
      ])
    let dynamic = try GenerationSchema(root: root, dependencies: [])
    // The macro writes a constant as `const`, but a dynamic choice writes it as `enum`.
    #expect(
      Weather.generationSchema.debugDescription
        == dynamic.debugDescription
        .replacing(#"{"enum": ["wet"], "type": "string"}"#, with: #"{"const": "wet"}"#)
        .replacing(#"{"enum": ["dry"], "type": "string"}"#, with: #"{"const": "dry"}"#))
  }
}

@Generable(description: "As seen from the window")
enum Weather {
  @Guide(description: "Rain or snow")
  case wet(depth: Int, note: String?)
  case dry
}
