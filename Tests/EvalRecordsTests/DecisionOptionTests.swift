import EvalRecords
import Foundation
import Testing

@Suite("Options of decisions")
struct DecisionOptionTests {
  @Test(
    "the kind of a decision says what a stored name means",
    arguments: [
      (DecisionRecord.Kind.array, "end", DecisionOption.end), (.array, "element", .element),
      (.optional, "present", .present), (.optional, "absent", .absent),
      (.choice, "end", .branch("end")), (.branch, "element", .branch("element")),
      (.choice, "absent", .branch("absent")), (.optional, "end", .branch("end")),
    ])
  func checkName(kind: DecisionRecord.Kind, name: String, option: DecisionOption) {
    #expect(DecisionOption(name: name, in: kind) == option)
    #expect(option.name == name)
  }

  @Test("a decision of version 0.1 is read with typed options, and written in the same form")
  func storedForm() throws {
    let text = """
      {"chosen":"end","index":0,"kind":"choice","options":[{"masked":0.5,"name":"end","raw":0.25,\
      "sampled":1}],"path":"$['größe'][2]","step":3,"unresolved":0}
      """
    let decision = try JSONDecoder().decode(DecisionRecord.self, from: Data(text.utf8))
    #expect(decision.chosen == .branch("end"))
    #expect(decision.options == [.init(.branch("end"), raw: 0.25, masked: 0.5, sampled: 1)])
    #expect(decision.path == "$.größe[2]" && decision.pattern == "$.größe[*]")
    #expect(decision.sampledProbability(of: .end) == nil)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let written = String(decoding: try encoder.encode(decision), as: UTF8.self)
    #expect(written == text.replacing("$['größe'][2]", with: "$.größe[2]"))
  }

  @Test("a censored decision has no chosen option, and is read back as censored")
  func censored() throws {
    let decision = DecisionRecord(
      kind: .array, path: "$.cards", index: 2,
      options: [OptionProbability(.end, raw: 0.25, masked: 0.5, sampled: 0.5)], chosen: nil,
      step: 40, unresolved: 0)
    let data = try JSONEncoder().encode(decision)
    #expect(!String(decoding: data, as: UTF8.self).contains("chosen"))
    #expect(try JSONDecoder().decode(DecisionRecord.self, from: data) == decision)
  }
}
