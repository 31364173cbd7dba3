import Foundation
import FoundationModels
import Testing

/// A tool in the style of Apple's documentation; its arguments use types declared next to them.
struct FindTool: Tool {
  typealias Place = String

  @Generable
  enum Category: String, CaseIterable, Sendable {
    case café
    case museum = "art museum"
  }

  @Generable
  struct Arguments: Equatable, Sendable {
    @Guide(description: "The kind of place")
    let category: Category
    let others: [Category]
    var filter: Filter?
    let place: Place

    @Generable
    enum Filter: Equatable, Sendable {
      case near(Point, Category?)
      case open(days: [Day])
      indirect case both(Filter, Filter)

      @Generable
      enum Day: Sendable {
        case today, tomorrow
      }
    }
  }

  @Generable
  struct Point: Equatable, Sendable {
    var x, y: Double
  }

  @Generable
  actor Diary {
    let category: Category
  }

  let description = "Finds places"

  func call(arguments: Arguments) async throws -> String { arguments.place }
}

@Generable
struct Draft: Equatable {
  var title: String

  struct PartiallyGenerated: ConvertibleFromGeneratedContent {
    var words: [Substring]

    init(_ content: GeneratedContent) throws {
      let title = try content.value(String?.self, forProperty: "title")
      words = (title ?? "").split(separator: " ")
    }
  }
}

@Generable
enum Temper: Equatable {
  case calm
  case wild(Draft)

  typealias PartiallyGenerated = GeneratedContent
}

@Generable
struct Letter: Equatable {
  var draft: Draft
  var temper: Temper
}

@Suite("Nested types and hand-written partial types")
struct NestedTypeTests {
  private let json =
    #"{"category": "art museum", "others": ["café"], "filter": {"type": "both", "#
    + #""value1": {"type": "near", "value1": {"x": 1, "y": 2}, "value2": "café"}, "#
    + #""value2": {"type": "open", "days": ["tomorrow"]}}, "place": "Arles"}"#

  @Test("types that are nested in the same type can refer to each other")
  func siblings() throws {
    let arguments = try FindTool.Arguments(GeneratedContent(json: json))
    #expect(
      arguments
        == FindTool.Arguments(
          category: .museum, others: [.café],
          filter: .both(.near(FindTool.Point(x: 1, y: 2), .café), .open(days: [.tomorrow])),
          place: "Arles"))
    #expect(arguments.generatedContent.jsonString == json)
    #expect(FindTool().parameters.name == "Arguments")
    let diary = try FindTool.Diary(GeneratedContent(json: #"{"category": "café"}"#))
    #expect(diary.category == .café)
  }

  @Test("the partial type of a nested type has the parts that have been generated so far")
  func partialSiblings() throws {
    let partial = try FindTool.Arguments.PartiallyGenerated(
      GeneratedContent(json: #"{"category": "café", "filter": {"type": "near", "value1": {"x": 1"#))
    #expect(partial.category == .café)
    guard case .near(let point, let category) = try #require(partial.filter) else {
      Issue.record("the filter is not `near`")
      return
    }
    #expect(point?.x == 1)
    #expect(category == nil)
  }

  @Test("a partial type written by hand replaces the generated one")
  func handWrittenPartialTypes() throws {
    let content = try GeneratedContent(
      json: #"{"draft": {"title": "On the ro"}, "temper": {"type": "wild"}}"#)
    let letter = try Letter.PartiallyGenerated(content)
    #expect(letter.draft?.words == ["On", "the", "ro"])
    #expect(try letter.temper?.value(String.self, forProperty: "type") == "wild")
    #expect(Draft(title: "A b").asPartiallyGenerated().words == ["A", "b"])
  }
}
