import EvalRecords
import Testing

@Suite("The shape of an output")
struct ValueShapeTests {
  @Test("the shape of an output has all arrays, even empty ones, with their lengths")
  func arraysAreFound() throws {
    let output = #"{"cards":[],"days":[{"items":[1,2]},{"items":[]}],"o'clock":{"a b":[7]}}"#
    let shape = try #require(ValueShape(output: output))
    #expect(
      shape.arrays.map { "\($0.path) \($0.length)" } == [
        "$.cards 0", "$.days 2", "$.days[*].items 2", "$.days[*].items 0",
        #"$['o\'clock']['a b'] 1"#,
      ])
  }

  @Test("the branch of a value is its string or the string under `type`")
  func branchesAreFound() throws {
    let output = #"{"type":"slip","soup":"Tomato","more":{"type":"x"}}"#
    let shape = try #require(
      ValueShape(output: output, branchesAt: ["$", "$.soup", "$.absent"]))
    #expect(shape.branches == ["$": "slip", "$.soup": "Tomato"])
  }

  @Test("a text that is not valid JSON has no shape", arguments: ["", "{\"cards\":[", "no"])
  func brokenTextHasNoShape(text: String) {
    #expect(ValueShape(output: text) == nil)
  }
}
