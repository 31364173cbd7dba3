import GuidedGeneration
import Testing
import Tokenization

@testable import ConstrainedDecoding

/// The probabilities after the mask don't depend on the temperature, and open paths are followed
/// within limits.
@Suite("Decisions at every temperature")
struct TemperatureTests {
  typealias World = LayoutDecisionTests.World

  private static let prefixes = World(
    name: "enum values that are prefixes of each other",
    schema: wrapped(#"{"type":"string","enum":["a","ab","abc"]}"#),
    tokens: ["{\"v\":\"", "a", "ab", "abc", "b", "bc", "c", " ", "\"", "\"}", "}"],
    kind: .choice, path: "$.v",
    option: { text in
      .branch(["abc", "ab", "a"].first { text.contains("\"\($0)\"") } ?? "")
    })

  private static let union = World(
    name: "a union of objects",
    schema: #"""
      {"anyOf":[
       {"type":"object","properties":{"x":{"type":"null"}},"required":["x"],
        "additionalProperties":false},
       {"type":"object","properties":{"xy":{"type":"null"}},"required":["xy"],
        "additionalProperties":false}]}
      """#,
    tokens: ["{", "{\"", " ", "\"", "x", "y", "xy", ":", "\":", "xy\":", "null", "null}", "}"],
    kind: .branch, path: "$",
    option: { $0.contains("xy") ? .branch("object 2") : .branch("object") })

  private static let worlds = LayoutDecisionTests.worlds + [prefixes, union]

  private static let temperatures = [
    SamplingSettings(isGreedy: true), SamplingSettings(temperature: 0.1),
    SamplingSettings(temperature: 0.3), SamplingSettings(temperature: 0.7), SamplingSettings(),
    SamplingSettings(temperature: 1.5, topK: 2),
  ]

  @Test(
    "at every temperature, each masked probability is off by at most the unresolved share",
    arguments: worlds)
  func masked(world: World) throws {
    let schema = try schema(world.schema)
    let vocabulary = vocabulary(world.tokens)
    var mostUnresolved = 0.0
    for seed in 0..<6 {
      let model = TinyModel(vocabulary: vocabulary, seed: UInt64(seed), spread: 1)
      let automaton = try automaton(
        schema, vocabulary,
        options: GrammarOptions(
          whitespace: .any, whitespaceBound: WhitespaceBound(lineEnds: 0, blanks: 1)))
      let expected = model.optionProbabilities(automaton, prefix: "") {
        world.option($0.filter { $0 != " " })
      }
      let byPlace = expected.values.sorted()
      for settings in Self.temperatures {
        var session = try model.run(automaton, settings, seed: UInt64(seed))
        for budget in [0, 3, 2000] {
          session.resolveDecisions(budget: budget) { model.logits(after: $0) }
          let decision = try #require(
            session.decisions.first { $0.kind == world.kind && $0.path == world.path })
          mostUnresolved = max(mostUnresolved, decision.unresolved)
          // Options are compared by rank, because a union's options have names of their own.
          let measured = decision.options.map(\.masked).sorted()
          for (value, truth) in zip(measured, byPlace) {
            #expect(
              abs(value - truth) <= decision.unresolved + 1e-9,
              "\(settings) \(session.text) \(decision) \(expected)")
          }
          if budget == 2000 { #expect(decision.unresolved < 0.005, "\(settings) \(decision)") }
        }
      }
    }
    // Without further evaluations, a greedy answer leaves much unresolved.
    #expect(mostUnresolved > 0.1)
  }

  @Test("an open path of several decisions is evaluated once, and the limits hold")
  func limits() throws {
    let schema = try schema(
      #"""
      {"type":"object","properties":{"u":{"type":"null"},"v":{"type":"null"},"w":{"type":"null"}},
       "required":["u"],"additionalProperties":false}
      """#)
    let vocabulary = vocabulary([
      "{\"u\":", "null", ",", " ", "\"", "v", "w", ":", "\":null", "\"v\":null", "}", "null}",
    ])
    let automaton = try automaton(schema, vocabulary, options: GrammarOptions(whitespace: .any))
    for seed in 0..<20 {
      let model = TinyModel(vocabulary: vocabulary, seed: UInt64(seed), spread: 1)
      let answer = try model.run(automaton, seed: UInt64(seed))
      func follow(_ budget: OpenPathBudget) -> (paths: [[TokenID]], decisions: [Decision]) {
        var session = answer
        var paths: [[TokenID]] = []
        while let path = session.nextOpenPaths(budget).first {
          paths.append(path)
          model.logits(after: path).withUnsafeBufferPointer { _ = session.follow(path, logits: $0) }
        }
        return (paths, session.decisions)
      }
      let all = follow(OpenPathBudget(tolerance: 0.001))
      #expect(Set(all.paths).count == all.paths.count)
      let few = follow(OpenPathBudget(evaluations: 2, perToken: 0.25))
      #expect(Double(few.paths.count) <= 2 + 0.25 * Double(answer.tokens.count))
      #expect(follow(OpenPathBudget(evaluations: 0)).paths.isEmpty)
      // Only decisions that can't be used get further evaluations.
      let usable = follow(
        OpenPathBudget(evaluations: 0, mostUnresolved: 0.3, mostEvaluations: 1000))
      #expect(usable.decisions.allSatisfy { $0.unresolved <= 0.3 })
      #expect(usable.paths.count <= all.paths.count)
      let rough = follow(OpenPathBudget(tolerance: 0.2))
      #expect(rough.paths.count <= all.paths.count)
      #expect(rough.decisions.allSatisfy { $0.unresolved < 0.2 })
    }
  }

  @Test("paths can be followed several at a time, in any order", arguments: [2, 5])
  func together(count: Int) throws {
    let world = LayoutDecisionTests.worlds[0]
    let vocabulary = vocabulary(world.tokens)
    let automaton = try automaton(
      try schema(world.schema), vocabulary, options: GrammarOptions(whitespace: .any))
    for seed in 0..<6 {
      let model = TinyModel(vocabulary: vocabulary, seed: UInt64(seed), spread: 1)
      let answer = try model.run(automaton, seed: UInt64(seed))
      func follow(_ budget: OpenPathBudget, reversed: Bool) -> (rounds: [Int], [Decision]) {
        var session = answer
        var rounds: [Int] = []
        while case let paths = session.nextOpenPaths(budget), !paths.isEmpty {
          #expect(Set(paths).count == paths.count)
          rounds.append(paths.count)
          for path in reversed ? paths.reversed() : paths {
            model.logits(after: path).withUnsafeBufferPointer {
              _ = session.follow(path, logits: $0)
            }
          }
          // A path that was followed isn't in the round any more.
          let again = model.logits(after: paths[0]).withUnsafeBufferPointer {
            session.follow(paths[0], logits: $0)
          }
          #expect(again == nil)
        }
        return (rounds, session.decisions)
      }
      let budget = OpenPathBudget(tolerance: 0.001, evaluations: 60, together: count)
      let (rounds, decisions) = follow(budget, reversed: false)
      #expect(rounds.allSatisfy { $0 <= count } && rounds.contains(count))
      #expect(rounds.reduce(0, +) <= 60)
      #expect(follow(budget, reversed: true).1 == decisions)
      let single = follow(OpenPathBudget(tolerance: 0.001), reversed: false).1
      for (one, other) in zip(single, decisions) {
        for (left, right) in zip(one.options, other.options) {
          #expect(abs(left.masked - right.masked) <= one.unresolved + other.unresolved + 1e-9)
        }
      }
    }
  }

  @Test("remembered spreads save evaluations and change no probability", arguments: [1, 4])
  func memory(together count: Int) throws {
    let world = LayoutDecisionTests.worlds[0]
    let vocabulary = vocabulary(world.tokens)
    let model = TinyModel(vocabulary: vocabulary, seed: 2, spread: 1)
    let automaton = try automaton(
      try schema(world.schema), vocabulary, options: GrammarOptions(whitespace: .any))
    let budget = OpenPathBudget(tolerance: 0.02, evaluations: 40, together: count)
    func decisions(_ memory: SpreadMemory?) throws -> (all: [[Decision]], evaluations: Int) {
      var evaluations = 0
      let all = try (0..<12).map { number in
        var session = DecodingSession(
          automaton: automaton, settings: SamplingSettings(), seed: 9, repeat: number,
          memory: memory)
        while !session.isFinished {
          let logits = model.logits(after: session.tokens)
          _ = try logits.withUnsafeBufferPointer { try session.next(logits: $0) }
        }
        while case let paths = session.nextOpenPaths(budget), !paths.isEmpty {
          evaluations += paths.count
          for path in paths {
            model.logits(after: path).withUnsafeBufferPointer {
              _ = session.follow(path, logits: $0)
            }
          }
        }
        return session.decisions
      }
      return (all, evaluations)
    }
    let (alone, together) = (try decisions(nil), try decisions(SpreadMemory()))
    #expect(together.all == alone.all)
    #expect(together.evaluations < alone.evaluations / 3)
  }
}

/// Decisions that a limit leaves open.
@Suite("Censored decisions")
struct CensoredDecisionTests {
  @Test("a decision that is open at the limit has probabilities, but no chosen option")
  func open() throws {
    let schema = try schema(wrapped(#"{"type":"array","items":{"type":"null"},"maxItems":1}"#))
    let vocabulary = vocabulary(["{\"v\"", ":", ":[", "[", "[]", "]", "null", "}", "]}"])
    let automaton = try automaton(schema, vocabulary)
    for seed in 0..<10 {
      let model = TinyModel(vocabulary: vocabulary, seed: UInt64(seed), spread: 1)
      let expected = model.optionProbabilities(automaton, prefix: "") {
        $0.contains("[]") ? .end : .element
      }
      let whole = try model.run(automaton, seed: UInt64(seed))
      for limit in 0...whole.tokens.count {
        var session = try model.run(automaton, seed: UInt64(seed), limit: limit)
        session.cut()
        session.resolveDecisions(budget: 100) { model.logits(after: $0) }
        // The text up to the decision is settled, so the decision must come, however the limit
        // cuts the answer off.
        let decision = try #require(session.decisions.first, "\(session.text)")
        #expect(decision.path == "$.v" && decision.index == 0)
        let isDecided = session.text.contains("[]") || session.text.contains("[n")
        #expect((decision.chosen != nil) == isDecided, "\(session.text)")
        for option in decision.options {
          #expect(abs(option.sampled - (expected[option.option] ?? 0)) < 1e-9, "\(session.text)")
        }
        #expect(session.decisions.count == 1)
      }
    }
  }

  @Test("of the decisions at one place, only the first one is censored")
  func first() throws {
    let schema = try schema(
      #"""
      {"type":"object","properties":{"a":{"type":"null"},"b":{"type":"null"}},"required":[],
       "additionalProperties":false}
      """#)
    let vocabulary = vocabulary(["{", "\"", "a\":null", "b\":null", ",", "}"])
    let automaton = try automaton(schema, vocabulary)
    var session = DecodingSession(
      automaton: automaton, settings: SamplingSettings(), seed: 1, repeat: 0)
    let logits = [Float](repeating: 0, count: vocabulary.count)
    for token in [1, 2] as [TokenID] {
      _ = try logits.withUnsafeBufferPointer { try session.next(logits: $0, forcing: token) }
    }
    session.cut()
    #expect(session.decisions.map(\.path) == ["$.a"])
    #expect(session.decisions.first?.chosen == nil)
  }
}
