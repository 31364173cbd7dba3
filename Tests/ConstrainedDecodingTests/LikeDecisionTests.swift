import GuidedGeneration
import Testing
import Tokenization

@testable import ConstrainedDecoding

/// Compares decisions with an enumeration of all token paths, for schemas in which several parts of
/// the grammar are possible at one place.
@Suite("Decisions that similar parts of a grammar share")
struct LikeDecisionTests {
  /// A schema with one decision to check, and the place of that decision in the text.
  struct World: CustomTestStringConvertible {
    var name: String
    var schema: String
    var tokens: [String]
    var kind: DecisionKind
    var path: String
    /// The text before the decision.
    var prefix: String
    /// Returns the option for a continuation of the prefix, or nil if there is no such decision.
    var option: @Sendable (Substring) -> Decision.Option?
    var testDescription: String { name }
  }

  private static func cases(_ properties: [String], required: [String]) -> String {
    let cases = zip(["a", "b"], zip(properties, required)).map { kind, texts in
      #"{"type":"object","properties":{\#(texts.0),"kind":{"const":"\#(kind)"}},"#
        + #""required":[\#(texts.1)"kind"],"additionalProperties":false}"#
    }
    return #"{"anyOf":[\#(cases.joined(separator: ","))]}"#
  }

  private static let ends = [
    ",\"kind\":\"", "a\"}", "b\"}", ",\"kind\":\"b\"}", ",", "\"kind\":\"",
  ]

  private static let worlds: [World] = {
    let list = #""v":{"type":"array","items":{"type":"null"},"maxItems":2}"#
    let atLeastOne = #""v":{"type":"array","items":{"type":"null"},"minItems":1,"maxItems":2}"#
    let arrays = [
      "{\"v\":", "{\"v\":[", "[", "]", "[]", "[null", "null", "null]", ",null", "{\"v\":[],",
    ]
    let optional = #""v":{"type":"null"}"#
    let members = [
      "{", "\"v\":null", "{\"v\":null", "\"v\":", "null", "\"kind\":\"a\"}", "{\"kind\":\"",
    ]
    let values = [
      "{\"v\":", "{\"v\":t", "null", "true", "t", "rue", "false", "null,\"kind\":\"b\"}",
    ]
    let words = [
      "{\"v\":\"", "{\"v\":\"x", "{", "\"v\":\"", "x", "y", "\"", "xy\"", "v\":\"", "kind\":\"",
      "x\",\"kind\":\"a\"}",
    ]
    let first = { @Sendable (text: Substring) -> Decision.Option? in
      text.hasPrefix("]") ? .end : .element
    }
    return [
      World(
        name: "arrays before the discriminator",
        schema: cases([list, list], required: [#""v","#, #""v","#]),
        tokens: arrays + ends, kind: .array, path: "$.v", prefix: "{\"v\":[", option: first),
      World(
        name: "an array that may be empty and one that may not",
        schema: cases([list, atLeastOne], required: [#""v","#, #""v","#]),
        tokens: arrays + ends, kind: .array, path: "$.v", prefix: "{\"v\":[", option: first),
      World(
        name: "arrays of different elements",
        schema: #"""
          {"anyOf":[{"type":"array","items":{"type":"integer","minimum":1,"maximum":2},"maxItems":1},
           {"type":"array","items":{"type":"integer","minimum":2,"maximum":3},"maxItems":1}]}
          """#,
        tokens: ["[", "[]", "]", "1", "2", "3", "[2", "2]", "[3]"], kind: .array, path: "$",
        prefix: "[", option: first),
      World(
        name: "optional members", schema: cases([optional, optional], required: ["", ""]),
        tokens: members + ends, kind: .optional, path: "$.v", prefix: "{",
        option: { $0.hasPrefix("\"v") ? .present : .absent }),
      World(
        name: "an optional member that follows another one in one of the branches",
        schema: cases([#""w":{"type":"null"},"# + optional, optional], required: ["", ""]),
        tokens: members + ends + ["\"w\":null"], kind: .optional, path: "$.v", prefix: "{",
        option: { $0.hasPrefix("\"w") ? nil : $0.hasPrefix("\"v") ? .present : .absent }),
      World(
        name: "unions",
        schema: cases(
          Array(repeating: #""v":{"anyOf":[{"type":"null"},{"type":"boolean"}]}"#, count: 2),
          required: [#""v","#, #""v","#]),
        tokens: values + ends, kind: .branch, path: "$.v", prefix: "{\"v\":",
        option: { $0.hasPrefix("n") ? .branch("null") : .branch("boolean") }),
      World(
        name: "string enums",
        schema: cases(
          Array(repeating: #""v":{"type":"string","enum":["x","xy","y"]}"#, count: 2),
          required: [#""v","#, #""v","#]),
        tokens: words + ends, kind: .choice, path: "$.v", prefix: "{\"v\":",
        option: { text in
          ["x", "xy", "y"].first { text.hasPrefix("\"\($0)\"") }.map { .branch($0) }
        }),
    ]
  }()

  @Test(
    "similar parts that are possible at one place form one decision, with correct probabilities",
    arguments: worlds)
  func merged(world: World) throws {
    let schema = try schema(world.schema)
    let vocabulary = vocabulary(world.tokens)
    for seed in 0..<12 {
      let model = TinyModel(vocabulary: vocabulary, seed: UInt64(seed), spread: 1)
      let automaton = try automaton(schema, vocabulary)
      let expected = model.optionProbabilities(automaton, prefix: world.prefix) {
        world.option($0.dropFirst(world.prefix.count))
      }
      var session = try model.run(automaton, seed: UInt64(seed))
      for isResolved in [false, true] {
        if isResolved { session.resolveDecisions(budget: 100) { model.logits(after: $0) } }
        let found = session.decisions.filter {
          $0.kind == world.kind && $0.path == world.path && $0.index == 0
        }
        let taken = world.option(session.text.dropFirst(world.prefix.count))
        // If the member `w` comes first, `v` is a separate decision, which the test ignores.
        if taken == nil { continue }
        #expect(found.count == 1, "\(session.text) \(found)")
        guard let decision = found.first else { continue }
        #expect(decision.chosenOption == taken)
        for option in decision.options {
          let difference = abs(option.sampled - (expected[option.option] ?? 0))
          #expect(difference <= decision.unresolved + 1e-9, "\(decision) \(expected)")
        }
        if isResolved { #expect(decision.unresolved < 1e-3, "\(session.text) \(decision)") }
      }
    }
  }

  @Test("the end of the text can choose an option, just as a token can", arguments: 0..<20)
  func endOfText(seed: Int) throws {
    let schema = try schema(
      #"""
      {"anyOf":[{"type":"integer","minimum":1,"maximum":1},
       {"type":"number","minimum":1,"maximum":1.5}]}
      """#)
    let vocabulary = vocabulary(["1", ".5", "1.5"])
    let model = TinyModel(vocabulary: vocabulary, seed: UInt64(seed))
    let automaton = try automaton(schema, vocabulary)
    let expected = model.optionProbabilities(automaton, prefix: "") {
      $0 == "1" ? .branch("integer") : .branch("number")
    }
    var session = try model.run(automaton, seed: UInt64(seed))
    session.resolveDecisions(budget: 10) { model.logits(after: $0) }
    #expect(session.decisions.count == 1)
    let decision = try #require(session.decisions.first)
    #expect(decision.unresolved < 1e-9)
    for option in decision.options {
      #expect(
        abs(option.sampled - (expected[option.option] ?? 0)) < 1e-9, "\(decision) \(expected)")
    }
  }

  @Test("if thousands of similar parts are possible at one place, only some of them are tracked")
  func manyParts() throws {
    let parts = (0..<8).map { group in
      let arrays = (1...250).map {
        #"{"type":"array","items":{"type":"null"},"maxItems":\#(group * 250 + $0)}"#
      }
      return #"{"anyOf":[\#(arrays.joined(separator: ","))]}"#
    }
    let schema = try schema(wrapped(#"{"anyOf":[\#(parts.joined(separator: ","))]}"#))
    let vocabulary = vocabulary(["{\"v\":", "[", "[]", "]", "null", "]}", "}"])
    let automaton = try automaton(schema, vocabulary)
    let session = try TinyModel(vocabulary: vocabulary, seed: 1).run(automaton)
    #expect(session.decisions.count { $0.kind == .array && $0.index == 0 } == 1)
    // The automaton tracks at most 256 parts at one place, although 2000 arrays are possible.
    #expect(automaton.decisionCache.lists.values.allSatisfy { $0.count < 3 * 9 })
    #expect(automaton.decisionCache.parts.count < 3 * 256, "\(automaton.decisionCache.parts.count)")
  }

  @Test("only the 64 heaviest open paths are kept, and a path that is too light is never created")
  func heaviestPaths() {
    var paths = OpenPaths()
    var made = 0
    func add(_ weight: Double) {
      let mass = Mass(raw: 0, masked: weight, sampled: 0)
      paths.add(mass) {
        made += 1
        return OpenPath(
          step: made, tokens: [], mass: mass, place: 0, state: .left)
      }
    }
    for _ in 0..<1_000 { add(0.000_01) }
    #expect(made == 0)
    for number in 0..<64 { add(0.001 + Double(number) / 100_000) }
    add(0.3)
    add(0.000_5)
    #expect(made == 65)
    #expect(paths.paths.count == 64)
    #expect(paths.paths.map(\.weight).max() == 0.3)
    #expect(paths.paths.allSatisfy { $0.weight > 0.001 })
  }

  @Test("decisions are the same in a new automaton and in one that was used before")
  func history() throws {
    func part(_ type: String, _ name: String) -> String {
      #"{"type":"object","properties":{"k":{"type":"\#(type)","minimum":1,"maximum":1.5},"#
        + #""v":{"type":"object","properties":{"\#(name)":{"type":"null"}},"required":[],"#
        + #""additionalProperties":false}},"required":["k","v"],"additionalProperties":false}"#
    }
    let schema = try schema(
      #"{"anyOf":[\#(part("integer", "x")),\#(part("number", "y"))]}"#)
    let vocabulary = vocabulary([
      "{\"k\":", "1", ".5", ",\"v\":{", "\"x\":null", "\"y\":null", "}", "}}", ",\"v\":{}}",
    ])
    let model = TinyModel(vocabulary: vocabulary, seed: 5)
    let used = try automaton(schema, vocabulary)
    var before = Matcher(used)
    for token in [1, 2, 3, 4, 6, 8] as [TokenID] {
      let isLegal = before.accept(token)
      #expect(isLegal)
    }
    for number in 0..<20 {
      let fresh = try model.run(try automaton(schema, vocabulary), repeat: number)
      let later = try model.run(used, repeat: number)
      #expect(later.decisions == fresh.decisions)
    }
  }

  @Test("recording decisions adds no configurations to the automaton")
  func fewPlaces() throws {
    let schema = try schema(wrapped(#"{"type":"string","pattern":"^[a-z]{1,600}$"}"#))
    let letters = "abcdefghijklmnopqrstuvwxy".map { String($0) }
    let vocabulary = vocabulary(
      letters + ["{\"v\":\"", "\"}", String(repeating: "z", count: 40)])
    let model = TinyModel(vocabulary: vocabulary, seed: 2)
    var counts: [Int] = []
    for decisions in [false, true] {
      let automaton = try automaton(schema, vocabulary)
      let session = try model.run(
        automaton, recording: DecodingRecording(decisions: decisions), limit: 6)
      #expect(!session.text.contains("z"))
      counts.append(automaton.configurationCount)
    }
    #expect(counts[1] == counts[0], "\(counts)")
  }
}
