import GuidedGeneration
import Testing
import Tokenization

@testable import ConstrainedDecoding

/// Compares recorded decision probabilities with an enumeration of all token paths.
@Suite("Decision probabilities")
struct DecisionTests {
  static let pairs =
    #"{"type":"array","items":{"type":"array","maxItems":1,"items":{"type":"null"}},"maxItems":2}"#

  static let tagged = #"""
    {"anyOf":[{"$ref":"#/$defs/DiscriminatedCraving"},{"$ref":"#/$defs/DiscriminatedCrate"},
     {"$ref":"#/$defs/DiscriminatedSlip"}],"$defs":{
     "DiscriminatedCraving":{"type":"object","properties":{"type":{"const":"craving"}},
      "required":["type"],"additionalProperties":false},
     "DiscriminatedCrate":{"type":"object","properties":{"type":{"const":"crate"}},
      "required":["type"],"additionalProperties":false},
     "DiscriminatedSlip":{"type":"object","properties":{"type":{"const":"slip"}},
      "required":["type"],"additionalProperties":false}}}
    """#

  @Test("a token that spans a decision counts for the option that it takes", arguments: 0..<40)
  func emptiness(seed: Int) throws {
    let schema = try schema(Self.pairs)
    let vocabulary = vocabulary([
      "[", "]", "[]", "[[", "[[]", "],", ",", "null", "[null", "]]", "[],[", ",[", "[[],",
    ])
    let model = TinyModel(vocabulary: vocabulary, seed: UInt64(seed))
    let automaton = try automaton(schema, vocabulary)
    let session = try model.run(automaton, seed: UInt64(seed))
    let first = try #require(session.decisions.first)
    #expect(first.kind == .array && first.path == "$" && first.index == 0)
    let expected = model.optionProbabilities(automaton, prefix: "[") {
      $0 == "[]" ? .end : .element
    }
    check(first, within: expected)
    // If the sampled token is a bare bracket, its continuation is known, so nothing is unresolved.
    #expect((first.unresolved == 0) == (session.tokens[0] == 1))
    #expect(first.chosenOption == (session.text == "[]" ? .end : .element))
  }

  @Test(
    "if several tokens spell a discriminator, probabilities are off by at most the unresolved part",
    arguments: 0..<40)
  func discriminator(seed: Int) throws {
    let schema = try schema(Self.tagged)
    // At the first step, some tokens already reach into the decision or past it.
    let vocabulary = vocabulary([
      "{", "\"", "type", "\":\"", "{\"type\":\"", "{\"type\":\"cra", "{\"type\":\"slip\"}", "c",
      "cr", "cra", "r", "a", "av", "aving", "v", "ving", "t", "te", "e", "s", "slip", "l", "i",
      "p", "n", "g", "\"}", "}", "craving\"}", "crate\"}", ":", "y",
    ])
    let model = TinyModel(vocabulary: vocabulary, seed: UInt64(seed))
    let automaton = try automaton(schema, vocabulary)
    let session = try model.run(automaton, seed: UInt64(seed))
    #expect(session.decisions.count == 1)
    let decision = try #require(session.decisions.first)
    #expect(decision.kind == .branch && decision.path == "$")
    #expect(decision.options.map(\.option) == ["craving", "crate", "slip"].map { .branch($0) })
    let expected = model.optionProbabilities(automaton, prefix: "") { text in
      ["craving", "crate", "slip"].first { text.contains($0) }.map { .branch($0) }
    }
    #expect(decision.unresolved < 1)
    check(decision, within: expected)
    guard case .branch(let name) = decision.chosenOption else {
      Issue.record("\(decision)")
      return
    }
    #expect(session.text.contains(name))
  }

  @Test(
    "after fewer than 50 further evaluations, less than 0.1 % of a decision is unresolved",
    arguments: 0..<25)
  func resolved(seed: Int) throws {
    let schema = try schema(Self.tagged)
    let vocabulary = vocabulary([
      "{", "\"type\":\"", "{\"type\":\"", "{\"type\":\"cra", "{\"type\":\"slip\"}", "c",
      "cra", "ra", "ving\"}", "te\"}", "slip\"}",
    ])
    let model = TinyModel(vocabulary: vocabulary, seed: UInt64(seed), spread: 1)
    let automaton = try automaton(schema, vocabulary)
    var session = try model.run(automaton, seed: UInt64(seed))
    let used = session.resolveDecisions(budget: 50) { model.logits(after: $0) }
    #expect(used < 50)
    let decision = try #require(session.decisions.first)
    #expect(decision.unresolved < 0.001)
    let expected = model.optionProbabilities(automaton, prefix: "") { text in
      ["craving", "crate", "slip"].first { text.contains($0) }.map { .branch($0) }
    }
    check(decision, within: expected)
    #expect(abs(decision.options.reduce(0) { $0 + $1.sampled } - 1) < 1e-9)
  }

  @Test(
    "if each option has only one spelling, the probabilities along the sampled path are exact",
    arguments: 0..<20)
  func exactDiscriminator(seed: Int) throws {
    let schema = try schema(Self.tagged)
    let vocabulary = vocabulary([
      "{\"type\":\"", "cra", "slip\"}", "ving\"}", "te\"}",
    ])
    let model = TinyModel(vocabulary: vocabulary, seed: UInt64(seed))
    let automaton = try automaton(schema, vocabulary)
    let expected = model.optionProbabilities(automaton, prefix: "") { text in
      ["craving", "crate", "slip"].first { text.contains($0) }.map { .branch($0) }
    }
    for number in 0..<8 {
      let session = try model.run(automaton, seed: UInt64(seed), repeat: number)
      let decision = try #require(session.decisions.first)
      if session.text.contains("slip") {
        // The session didn't follow the tokens that lead to the other two options.
        #expect(abs(decision.unresolved - (1 - (expected[.branch("slip")] ?? 0))) < 1e-9)
      } else {
        check(decision, equals: expected)
      }
    }
  }

  @Test("a string enum is one decision, however many tokens spell its cases", arguments: 0..<20)
  func choices(seed: Int) throws {
    let schema = try schema(wrapped(#"{"type":"string","enum":["north","no","south"]}"#))
    let vocabulary = vocabulary(["{\"v\":\"", "no", "rth", "\"}", "south\"}", "no\"}"])
    let model = TinyModel(vocabulary: vocabulary, seed: UInt64(seed))
    let automaton = try automaton(schema, vocabulary)
    let session = try model.run(automaton, seed: UInt64(seed))
    #expect(session.decisions.count == 1)
    let decision = try #require(session.decisions.first)
    #expect(decision.kind == .choice && decision.path == "$.v")
    #expect(decision.options.map(\.option) == ["north", "no", "south"].map { .branch($0) })
    let expected = model.optionProbabilities(automaton, prefix: "") { text in
      ["\"north", "\"no\"", "\"south"].first { text.contains($0) }.map {
        .branch($0.filter(\.isLetter))
      }
    }
    check(decision, within: expected)
  }

  @Test(
    "each optional property is a decision that is conditional on the decisions before it",
    arguments: 0..<30)
  func optionals(seed: Int) throws {
    let schema = try schema(
      #"""
      {"type":"object","properties":{"a":{"type":"null"},"b":{"type":"null"},
       "c":{"type":"null"}},"required":[],"additionalProperties":false}
      """#)
    let vocabulary = vocabulary([
      "{", "}", "{}", "{\"a\":null", "\"a\":null", "\"b\":null", "\"c\":null", ",", ",\"b\":null",
      ",\"c\":null", "\"c\":null}", "{\"b\":null", ",\"c\":null}",
    ])
    let model = TinyModel(vocabulary: vocabulary, seed: UInt64(seed))
    let automaton = try automaton(schema, vocabulary)
    let session = try model.run(automaton, seed: UInt64(seed))
    #expect(session.decisions.map(\.path) == ["$.a", "$.b", "$.c"])
    #expect(session.decisions.allSatisfy { $0.kind == .optional })
    let decision = try #require(session.decisions.first)
    check(
      decision,
      within: model.optionProbabilities(automaton, prefix: "{") {
        $0.contains("a") ? .present : .absent
      })
    for (name, decision) in zip(["a", "b", "c"], session.decisions) {
      let chosen = decision.chosenOption
      #expect(chosen == (session.text.contains(name) ? .present : .absent))
    }
    if !session.text.contains("a") {
      check(
        session.decisions[1],
        within: model.optionProbabilities(automaton, prefix: "{") {
          $0.contains("a") ? nil : $0.contains("b") ? .present : .absent
        })
    }
  }

  @Test("if a single token makes several decisions, each decision has its own record")
  func severalAtOnce() throws {
    let schema = try schema(Self.pairs)
    let vocabulary = vocabulary(["[[],[null]]", "[]"])
    let model = TinyModel(vocabulary: vocabulary, seed: 3)
    let automaton = try automaton(schema, vocabulary)
    var texts: Set<String> = []
    for number in 0..<20 {
      let session = try model.run(automaton, repeat: number)
      texts.insert(session.text)
      let places = session.decisions.map {
        "\($0.path) \($0.index) \($0.chosenOption.map { "\($0)" } ?? "none")"
      }
      if session.text == "[]" {
        #expect(places == ["$ 0 end"])
      } else {
        #expect(
          places == [
            "$ 0 element", "$[0] 0 end", "$ 1 element", "$[1] 0 element",
          ])
        // After the first decision, the one long token is the only possibility.
        for decision in session.decisions.dropFirst() {
          #expect(decision.options[try #require(decision.chosen)].sampled == 1)
        }
      }
    }
    #expect(texts.count == 2)
  }

  @Test("raw probabilities include the tokens that the mask removes")
  func rawMass() throws {
    let schema = try schema(#"{"type":"array","items":{"type":"null"},"maxItems":1}"#)
    let vocabulary = vocabulary(["[", "]", "[]", "[null", "null", " ["])
    // Token 0 ends the text. The others have equal logits, except the illegal " [", which has half
    // of the probability.
    let logits: [Float] = [-.infinity, 0, 0, 0, 0, 0, Float(ExactMath.log(5))]
    let automaton = try automaton(schema, vocabulary)
    var session = DecodingSession(
      automaton: automaton, settings: SamplingSettings(temperature: 0.5), seed: 1, repeat: 0)
    while !session.isFinished {
      _ = try logits.withUnsafeBufferPointer { try session.next(logits: $0) }
    }
    let decision = try #require(session.decisions.first)
    // The legal tokens `[`, `[]` and `[null` have one tenth each. At this step, raw probabilities
    // are relative to the tokens that begin with `[`. After `[`, they are relative to all tokens.
    let end = try #require(decision.options.first { $0.option == .end })
    #expect(end.raw > 0.33 && end.raw < 0.4)
    #expect(abs(decision.options.reduce(0) { $0 + $1.masked } - 1) < 1e-12)
    // All steps are at the array's path, so its pressure is at least that of the first step,
    // −log 0.3.
    #expect(session.pressures[0].pressure >= -ExactMath.log(0.3) - 1e-6)
    #expect(abs(session.pressures.reduce(0) { $0 + $1.pressure } + session.logKeptMass) < 1e-9)
  }

  /// Checks that each probability differs from the expected one by at most the decision's
  /// unresolved probability.
  private func check(_ decision: Decision, within expected: [Decision.Option: Double]) {
    for option in decision.options {
      let difference = abs(option.sampled - (expected[option.option] ?? 0))
      #expect(difference <= decision.unresolved + 1e-9, "\(decision) \(expected)")
    }
  }

  private func check(_ decision: Decision, equals expected: [Decision.Option: Double]) {
    for option in decision.options {
      let value = expected[option.option] ?? 0
      #expect(abs(option.sampled - value) < 1e-9, "\(decision) \(expected)")
      #expect(abs(option.masked - value) < 1e-9)
    }
  }
}
