import EvalRecords
import Foundation
import StructuredText
import Testing

@testable import EvalSuites

@Suite("The suites under evals/")
struct ShippedSuitesTests {
  private let loaded: LoadedSuites

  init() {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    loaded = SuiteLoader(files: .disk).load([root.appendingPathComponent("evals").path])
  }

  private func suite(_ id: String) throws -> Suite {
    try #require(loaded.suites.first { $0.id == id })
  }

  @Test("every suite loads without a problem")
  func load() {
    #expect(loaded.problems.map(\.description) == [])
    #expect(
      Set(loaded.suites.map(\.id)).isSuperset(of: [
        "cat-profile", "cocktail", "extracted-meeting", "flashcards", "menu", "session-insight",
      ]))
  }

  @Test("lint finds nothing in any variant, and no rule is silenced needlessly")
  func lint() {
    for suite in loaded.suites {
      for variant in suite.variants {
        #expect(suite.placedFindings(variant: variant.id).map(\.description) == [])
      }
      #expect(suite.needlessSilences == [])
    }
  }

  @Test("the stub's answers pass every assertion")
  func stubsPass() throws {
    for suite in loaded.suites {
      for suiteCase in suite.cases {
        let content = try #require(suiteCase.stub?.entries.first?.content)
        let facts = AttemptFacts(value: content)
        let verdicts = suiteCase.assertions.map { $0.verdict(on: facts) }
        #expect(Outcome(of: verdicts) == .pass, "\(suite.id) \(suiteCase.id): \(verdicts)")
      }
    }
  }

  @Test("the variants of the flashcards suite differ in one guide and in the bounds of one array")
  func flashcards() throws {
    let flashcards = try suite("flashcards")
    #expect(flashcards.file == "flashcards/suite.yaml")
    #expect(flashcards.schemaName == "DraftCardSet")
    #expect(flashcards.cases.count == 20)
    #expect(flashcards.repeats == 3)
    #expect(flashcards.variants.map(\.id) == ["bounded", "naive", "enforced"])
    let schemas = try flashcards.variants.map { try JSONValue(parsing: $0.schema) }
    #expect(schemas[1]["properties"]?["cards"]?["description"] == "The cards.")
    #expect(schemas[0]["properties"]?["cards"]?["minItems"] == .none)
    #expect(schemas[2]["properties"]?["cards"]?["minItems"] == 3)
    #expect(schemas[2]["properties"]?["cards"]?["maxItems"] == 8)
    let record = flashcards.record(variants: ["naive"], cases: ["tides"])
    #expect(record.variants.map(\.id) == ["naive"])
    #expect(record.cases.map(\.id) == ["tides"])
    #expect(record.arrayMinimums == ["$.cards": 3])
    let case0 = try #require(flashcards.cases.first)
    #expect(case0.assertions.map(\.name).first == "three to eight cards")
  }

  @Test(
    "session-insight has a variant without the fallback case, and each test case expects a branch")
  func sessionInsight() throws {
    let insight = try suite("session-insight")
    let variant = try #require(insight.variants.first { $0.id == "no-out-branch" })
    let schema = try JSONValue(parsing: variant.schema)
    #expect(schema["anyOf"]?.array?.count == 3)
    #expect(schema["$defs"]?["DiscriminatedUnclear"] == .none)
    #expect(insight.cases.allSatisfy { $0.record.expectedBranches.count == 1 })
    #expect(Set(insight.cases.flatMap(\.record.expectedBranches).map(\.branch)).count == 4)
  }

  @Test("the cocktail suite gets its instructions and its schema from a prompt set")
  func cocktail() throws {
    let cocktail = try suite("cocktail")
    let variant = try #require(cocktail.variants.first)
    #expect(variant.instructions?.hasPrefix("You are a patient bartender.") == true)
    let schema = try JSONValue(parsing: variant.schema)
    #expect(schema["title"] == "Cocktail Recipe")
    #expect(schema["x-order"] == ["summary", "confidence", "subComponents"])
  }

  @Test("a request contains the rendered prompt and the test case's stub")
  func request() throws {
    let menu = try suite("menu")
    let request = menu.request(menu.cases[0], menu.variants[0])
    #expect(request.prompt == "Today's soup is tomato.")
    #expect(request.settings.isGreedy)
    #expect(request.stubScript?.entries.first?.content == ["dailySoup": "Tomato"])
  }
}
