import Foundation
import FoundationModels
import Testing

@Generable(description: "A walk in the hills")
struct Hike: Equatable, Sendable {
  @Guide(description: "The highest point")
  let summit: String

  @Guide(description: "Metres of ascent", .range(0...3000))
  var ascent: Int

  @Guide(.count(1...3))
  var stages: [Stage]

  var companion: Companion?

  @Guide(description: "A grade")
  @Guide(description: "such as T2", /T[1-6]/)
  var grade: String = "T1"

  let maker = "hand"
  static let shared = 5
  var isHigh: Bool { ascent > 1000 }
  lazy var cache = [String: Int]()
  var note: String? {
    didSet { print(oldValue ?? "") }
  }
}

@Generable
struct Stage: Equatable, Sendable {
  var `in`: String
  var metres, minutes: Double
  @Generable
  enum Surface: String, CaseIterable {
    case gravel
    case wet = "wet grass"
  }
  var surface: Surface
}

@Generable
struct Companion: Equatable, Sendable {
  var id: GenerationID
  var name: String
}

@Suite("Structs")
struct StructTests {
  private func json(_ schema: GenerationSchema) throws -> NSDictionary {
    let data = try JSONEncoder().encode(schema)
    return try #require(JSONSerialization.jsonObject(with: data) as? NSDictionary)
  }

  private func json(_ text: String) throws -> NSDictionary {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
  }

  @Test("a struct's schema is an object with its stored properties in order")
  func schema() throws {
    #expect(
      try json(Hike.generationSchema)
        == json(
          #"""
          {"$defs": {
             "Stage": {"additionalProperties": false, "title": "Stage", "type": "object",
               "properties": {"in": {"type": "string"}, "metres": {"type": "number"},
                 "minutes": {"type": "number"},
                 "surface": {"type": "string", "enum": ["gravel", "wet grass"]}},
               "required": ["in", "metres", "minutes", "surface"],
               "x-order": ["in", "metres", "minutes", "surface"]},
             "Companion": {"additionalProperties": false, "title": "Companion", "type": "object",
               "properties": {"name": {"type": "string"}}, "required": ["name"],
               "x-order": ["name"]}},
           "additionalProperties": false, "description": "A walk in the hills",
           "properties": {
             "summit": {"type": "string", "description": "The highest point"},
             "ascent": {"type": "integer", "description": "Metres of ascent",
               "minimum": 0, "maximum": 3000},
             "stages": {"type": "array", "items": {"$ref": "#/$defs/Stage"},
               "minItems": 1, "maxItems": 3},
             "companion": {"$ref": "#/$defs/Companion"},
             "grade": {"type": "string", "description": "A grade such as T2", "pattern": "T[1-6]"},
             "note": {"type": "string"}},
           "required": ["summit", "ascent", "stages", "grade"],
           "title": "Hike", "type": "object",
           "x-order": ["summit", "ascent", "stages", "companion", "grade", "note"]}
          """#))
  }

  @Test("a value is unchanged after a round trip through its content")
  func roundTrip() throws {
    let stage = Stage(in: "Røros", metres: 12.5, minutes: 240, surface: .wet)
    let hike = Hike(summit: "Skarven", ascent: 900, stages: [stage], companion: nil, note: "é")
    #expect(try Hike(hike.generatedContent) == hike)
    #expect(
      hike.generatedContent.jsonString == """
        {"summit": "Skarven", "ascent": 900, "stages": [{"in": "Røros", "metres": 12.5, \
        "minutes": 240, "surface": "wet grass"}], "grade": "T1", "note": "é"}
        """)
  }

  @Test("every prefix of a value's JSON can be read as a partial value")
  func partial() throws {
    let text = #"""
      {"summit": "Skarven", "ascent": 900, "stages": [{"in": "Røros", "metres": 12.5, \#
      "minutes": 240, "surface": "wet grass"}], "companion": {"name": "Mari"}, "grade": "T1"}
      """#
    for end in text.indices.dropFirst() {
      let partial = try Hike.PartiallyGenerated(GeneratedContent(json: String(text[..<end])))
      if let surface = partial.stages?.first?.surface { #expect(surface == .wet) }
    }
    let whole = try Hike.PartiallyGenerated(GeneratedContent(json: text))
    #expect(whole.stages?.first?.minutes == 240)
    #expect(whole.companion?.name == "Mari")
    #expect(whole.note == nil)
  }
}
