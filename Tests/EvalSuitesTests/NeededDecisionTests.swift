import EvalRecords
import EvalSuites
import GuidedGeneration
import StructuredText
import Testing

@Suite("The decisions that a comparison needs")
struct NeededDecisionTests {
  private func needs(
    _ schema: String, minimums: [String: Int] = [:], branches: [String] = []
  ) throws -> DecisionNeeds? {
    try GenerationSchema(json: JSONValue(parsing: schema)).neededDecisions(
      minimums: minimums, branches: branches)
  }

  private func object(_ properties: String) -> String {
    let names = properties.split(separator: ";").map { $0.split(separator: "=") }
    let members = names.map { "\"\($0[0])\": \($0[1])" }.joined(separator: ", ")
    let list = names.map { "\"\($0[0])\"" }.joined(separator: ", ")
    return """
      {"title": "T", "type": "object", "properties": {\(members)}, "required": [\(list)],
       "x-order": [\(list)], "additionalProperties": false}
      """
  }

  private let strings = #"{"type": "array", "items": {"type": "string"}}"#
  private let choice = #"{"type": "string", "enum": ["a", "b"]}"#

  @Test("arrays count up to their minimum, and branches where a test case expects them")
  func places() throws {
    let schema = object("list=\(strings);kind=\(choice)")
    #expect(try needs(schema) == DecisionNeeds(arrays: ["$.list": 1]))
    #expect(
      try needs(schema, minimums: ["$.list": 3], branches: ["$.kind"])
        == DecisionNeeds(arrays: ["$.list": 3], branches: ["$.kind"]))
    #expect(try needs(choice, branches: ["$"]) == DecisionNeeds(branches: ["$"]))
    let fixed = #"{"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2}"#
    #expect(try needs(object("list=\(fixed)"))?.isEmpty == true)
  }

  @Test("if decisions may come up until the end, the whole answer is needed")
  func wholeAnswers() throws {
    let nested = #"{"type": "array", "items": \#(strings)}"#
    #expect(try needs(object("list=\(nested)")) == nil)
    let union = object("kind={\"anyOf\": [\(choice), {\"type\": \"integer\"}]}")
    #expect(try needs(union, branches: ["$.kind"]) == nil)
    #expect(try needs(union) != nil, "nobody asks for the branch")
  }

  @Test(
    "needs are met when every choice that counts is made, or its array has ended",
    arguments: [
      ([], false), ([("$.list", 0, false)], false), ([("$.list", 1, false)], false),
      ([("$.list", 0, true), ("$.kind", 0, false)], true),
      ([("$.kind", 0, false), ("$.list", 1, false)], false),
      ([("$.kind", 0, false), ("$.list", 2, false)], true),
      // The schema's minimum of three elements forces the choices before.
      ([("$.list", 3, false), ("$.kind", 0, false)], true),
      ([("$.other", 2, true), ("$.kind", 0, false)], false),
    ] as [([(String, Int, Bool)], Bool)])
  func areMet(made: [(String, Int, Bool)], expected: Bool) {
    let needs = DecisionNeeds(arrays: ["$.list": 3], branches: ["$.kind"])
    let decisions = made.map { place, index, isEnd -> DecisionNeeds.Made in
      (place == "$.kind" ? .choice : .array, place, index, isEnd)
    }
    #expect(needs.areMet(by: decisions) == expected)
    #expect(DecisionNeeds().areMet(by: decisions), "who needs nothing may stop at once")
  }
}
