import EvalRecords
import Foundation
import StructuredText
import Testing

@testable import Backends

/// Tests the options in the records of the local backend.
@Suite struct RecordedOptionTests {
  private static let words = ["end", "element", "present", "absent"]

  private static let schema = """
    {"title":"Words","type":"object","additionalProperties":false,"required":["list"],
    "x-order":["list","note"],"properties":{
    "list":{"type":"array","maxItems":2,"items":{"type":"string",
    "enum":["end","element","present","absent"]}},
    "note":{"type":"string","enum":["end","element","present","absent"]}}}
    """

  @Test("a case is recorded as a branch, even if it has the name of another option")
  func checkRecords() async throws {
    let tests = LocalBackendTests()
    let settings = GenerationSettings(temperature: 2, maximumTokens: 60)
    let answers = await tests.answers(
      of: try tests.backend(), to: tests.request(Self.schema, settings: settings), repeats: 0..<40)
    let branches = Self.words.map { DecisionOption.branch($0) }
    var seen: Set<DecisionOption> = []
    for answer in answers {
      let value = try JSONValue(parsing: answer.output)
      let list = try #require(value["list"]?.array).compactMap(\.string)
      let note = value["note"]?.string
      for decision in answer.decisions {
        let (options, chosen): ([DecisionOption], DecisionOption) =
          switch (decision.kind, decision.path) {
          case (.array, _):
            ([.element, .end], decision.index < list.count ? .element : .end)
          case (.optional, _): ([.present, .absent], note == nil ? .absent : .present)
          case (_, "$.note"): (branches, .branch(note ?? ""))
          case (_, "$.list[0]"): (branches, .branch(list[0]))
          default: (branches, .branch(list[1]))
          }
        #expect(decision.options.map(\.option) == options, "\(answer.output)")
        #expect(decision.chosen == chosen, "\(answer.output)")
        let stored = try JSONEncoder().encode(decision)
        #expect(try JSONDecoder().decode(DecisionRecord.self, from: stored) == decision)
        seen.insert(try #require(decision.chosen))
      }
    }
    #expect(seen.isSuperset(of: [.element, .end, .present, .absent]))
    #expect(!seen.isDisjoint(with: branches))
  }
}
