import GuidedGeneration
import TestSupport
import Testing
import Tokenization

@testable import ConstrainedDecoding

/// Compares forced runs with the tokens of a real byte-pair encoder.
///
/// A forced run is the sequence of tokens that must come next.
///
/// One test takes random token paths through the values of small schemas, and `check` compares each
/// run on a path.
@Suite("Forced runs")
struct CanonicalRunTests {
  static let schemas = [
    wrapped(#"{"type":"array","items":{"type":"boolean"},"minItems":0,"maxItems":2}"#),
    wrapped(#"{"type":"string","enum":["north","no","日本","日曜"]}"#),
    DecisionTests.tagged,
    #"""
    {"type":"object","properties":{"title":{"type":"integer","minimum":8,"maximum":12},
     "time":{"type":"boolean"},"cards":{"type":"array","maxItems":1,"items":{"type":"null"}}},
     "required":["title","cards"],"additionalProperties":false}
    """#,
  ]

  private static func tokenizer(_ texts: Set<String>, merges: Int) -> TinyTokenizer {
    TinyTokenizer(texts: texts.sorted() + ["true false null", "[[]]"], merges: merges)
  }

  @Test(
    "a forced run equals the encoder's tokens, whatever text follows, and rules out no value",
    arguments: [0, 1, 2, 3], [WhitespaceMode.compact, .pretty])
  func runs(number: Int, mode: WhitespaceMode) throws {
    let schema = try schema(Self.schemas[number])
    let texts = ValueEnumeration(schema: schema).texts(mode == .compact ? .compact : .pretty)
    for merges in [4, 12, 25, 40] {
      let tiny = Self.tokenizer(texts, merges: merges)
      let automaton = try automaton(
        schema, tiny.vocabulary, options: GrammarOptions(whitespace: mode))
      let canonical = try #require(CanonicalRuns(.canonicalForcedRuns(encoder: tiny.encoder)))
      var reached: Set<String> = []
      var forced = 0
      var random = SeededGenerator(seed: UInt64(merges))
      for _ in 0..<400 {
        let path = walk(automaton, canonical, &random)
        reached.insert(path.text)
        forced += path.runs.reduce(0) { $0 + $1.count }
        for run in path.runs { check(run, of: path, tiny) }
      }
      #expect(reached.isSubset(of: texts))
      if texts.count < 60 { #expect(reached == texts, "with \(merges) merges") }
      #expect(forced > 0)
    }
  }

  private struct Path {
    var tokens: [TokenID] = []
    var bytes: [UInt8] = []
    /// The token positions of each run.
    var runs: [Range<Int>] = []
    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// Takes random legal tokens until the value ends, and takes each forced run as a whole.
  private func walk(
    _ automaton: TokenAutomaton, _ canonical: CanonicalRuns, _ random: inout SeededGenerator
  ) -> Path {
    var path = Path()
    var matcher = Matcher(automaton)
    func take(_ token: TokenID) {
      let isAccepted = matcher.accept(token)
      #expect(isAccepted)
      path.tokens.append(token)
      path.bytes += automaton.table.vocabulary.bytes(of: token)
    }
    while !matcher.isFinished {
      let run = canonical.run(in: automaton, at: matcher.configuration, after: path.tokens)
      if !run.isEmpty {
        path.runs.append(path.tokens.count..<path.tokens.count + run.count)
        run.forEach(take)
        continue
      }
      guard let token = matcher.mask.tokens.randomElement(using: &random), token != 0 else { break }
      take(token)
    }
    return path
  }

  /// Checks that a run equals the encoder's tokens.
  ///
  /// If a token in the encoding of the whole text begins where the run begins, the run must equal
  /// the encoder's tokens from that token on. Otherwise, the method encodes the rest of the text
  /// separately, and the run must equal the first tokens of that encoding.
  private func check(_ run: Range<Int>, of path: Path, _ tiny: TinyTokenizer) {
    let start = path.tokens[..<run.lowerBound].reduce(0) {
      $0 + tiny.vocabulary.bytes(of: $1).count
    }
    let whole = tiny.tokenizer.encodeContinuation(path.text)
    var position = 0
    var index = 0
    while position < start {
      position += tiny.vocabulary.bytes(of: whole[index]).count
      index += 1
    }
    let expected =
      position == start
      ? Array(whole[index...])
      : tiny.tokenizer.encodeContinuation(String(decoding: path.bytes[start...], as: UTF8.self))
    #expect(
      Array(path.tokens[run]) == Array(expected.prefix(run.count)),
      "in \(path.text), byte \(start)")
  }

  @Test("a run stops before blanks whose tokens depend on the text that follows")
  func lookAhead() throws {
    let words = [
      "{", "}", "[", "]", ",", "\"", "v", ":", " ", "\n", "  ", "    ", "   ", "5", "7", " 7",
    ]
    let vocabulary = vocabulary(words)
    // Split as byte-pair tokenizers do: the last of several blanks belongs to the text after it.
    let encoder: TokenEncoder = { text in
      var pieces: [String] = []
      var rest = Substring(text)
      while let first = rest.first {
        var piece = rest.prefix { ($0 == " ") == (first == " ") && $0 != "\n" }
        if first == "\n" { piece = rest.prefix(1) }
        if first == " ", piece.count > 1, piece.endIndex != rest.endIndex { piece.removeLast() }
        if first == " ", piece.count == 1 { piece = rest.prefix(rest.hasPrefix(" 7") ? 2 : 1) }
        rest = rest[piece.endIndex...]
        if words.contains(String(piece)) {
          pieces.append(String(piece))
        } else {
          pieces += piece.map(String.init)
        }
      }
      return pieces.compactMap { words.firstIndex(of: $0).map { TokenID($0 + 1) } }
    }
    let schema = try schema(Self.schemas[0].replacing("boolean", with: "integer"))
    let automaton = try automaton(
      schema, vocabulary, options: GrammarOptions(whitespace: .pretty))
    let canonical = try #require(CanonicalRuns(.canonicalForcedRuns(encoder: encoder)))
    var runs = 0
    for text in ["{\n  \"v\": [\n    5,\n    57\n  ]\n}", "{\n  \"v\": [\n    7\n  ]\n}"] {
      let tokens = encoder(text)
      #expect(tokens.flatMap { vocabulary.bytes(of: $0) } == Array(text.utf8))
      var matcher = Matcher(automaton)
      for position in tokens.indices {
        let run = canonical.run(
          in: automaton, at: matcher.configuration, after: Array(tokens[..<position]))
        #expect(run[...] == tokens[position...].prefix(run.count), "\(text), token \(position)")
        runs += run.count
        let isAccepted = matcher.accept(tokens[position])
        #expect(isAccepted)
      }
    }
    #expect(runs > 20)
  }

  @Test("a run stops where a longer token could extend past the end of the forced text")
  func healing() throws {
    let schema = try schema(
      #"{"type":"object","properties":{"a":{"type":"array","items":{"type":"null"}}},"required":["a"]}"#
    )
    let plain = vocabulary(["{", "\"", "a", "\"", ":", "[", "]", "{\"", "a\"", "\":", "null", "}"])
    func run(_ extra: [String], _ spelled: [TokenID]) throws -> [TokenID] {
      let words = (1..<TokenID(plain.count)).map {
        String(decoding: plain.bytes(of: $0), as: UTF8.self)
      }
      let vocabulary = vocabulary(words + extra)
      let spellings = (0..<TokenID(vocabulary.count)).map { Array(vocabulary.bytes(of: $0)) }
      // Take the longest token at each position.
      let encoder: TokenEncoder = { text in
        var rest = Array(text.utf8)[...]
        var tokens: [TokenID] = []
        while !rest.isEmpty {
          let best = spellings.indices.filter {
            !spellings[$0].isEmpty && rest.starts(with: spellings[$0])
          }
          .max { spellings[$0].count < spellings[$1].count }
          guard let best else { return [] }
          tokens.append(TokenID(best))
          rest = rest.dropFirst(spellings[best].count)
        }
        return tokens
      }
      let automaton = try automaton(schema, vocabulary)
      let session = DecodingSession(
        automaton: automaton, settings: SamplingSettings(), seed: 1, repeat: 0,
        tokenization: .canonicalForcedRuns(encoder: encoder))
      return session.forcedRun()
    }
    // The run is `{"`, `a"`, `:` and `[`, because no other token begins with `[`.
    #expect(try run([], []) == [8, 9, 5, 6])
    #expect(try run(["[]"], []) == [8, 9, 5])
    #expect(try run([":[null"], []) == [8, 9])
    // The token `[}` is never legal, so it doesn't shorten the run.
    #expect(try run(["[}"], []) == [8, 9, 5, 6])
  }

  @Test(
    "batching a token with the tokens that it forces changes neither the answer nor the records",
    arguments: 0..<30, [false, true])
  func batches(seed: Int, isCanonical: Bool) throws {
    let schema = try schema(Self.schemas[3])
    let texts = ValueEnumeration(schema: schema).texts()
    let tiny = Self.tokenizer(texts, merges: 12)
    let policy: TokenizationPolicy =
      isCanonical ? .canonicalForcedRuns(encoder: tiny.encoder) : .allSegmentations
    let model = TinyModel(vocabulary: tiny.vocabulary, seed: UInt64(seed))
    let automaton = try automaton(schema, tiny.vocabulary)
    func session() -> DecodingSession {
      DecodingSession(
        automaton: automaton, settings: SamplingSettings(), seed: UInt64(seed), repeat: 0,
        tokenization: policy, recording: DecodingRecording(trace: true))
    }
    var single = session()
    while !single.isFinished {
      try model.logits(after: single.tokens).withUnsafeBufferPointer {
        _ = try single.next(logits: $0)
      }
    }
    var batched = session()
    #expect(batched.tokensToEvaluate().isEmpty)
    try model.logits(after: []).withUnsafeBufferPointer { _ = try batched.next(logits: $0) }
    var held: [TokenID] = []
    var batchCount = 0
    while !batched.isFinished {
      let batch = batched.tokensToEvaluate(limit: 5)
      #expect(!batch.isEmpty && batch.count <= 5)
      batchCount += 1
      for token in batch {
        held.append(token)
        #expect(batched.tokens == held)
        try model.logits(after: held).withUnsafeBufferPointer { _ = try batched.next(logits: $0) }
      }
    }
    #expect(batched.tokens == single.tokens && batched.trace == single.trace)
    #expect(batched.decisions == single.decisions)
    #expect(batched.logKeptMass == single.logKeptMass)
    #expect(batched.tokensToEvaluate().isEmpty)
    if isCanonical { #expect(batchCount < single.tokens.count) }
    for (step, traced) in single.trace.enumerated() where traced.isForced {
      // The kept mass of a forced step is the probability of its token.
      let logits = model.logits(after: Array(single.tokens[..<step]))
      let total = logits.reduce(0) { $0 + ExactMath.exp(Double($1)) }
      let share = ExactMath.exp(Double(logits[Int(traced.token)])) / total
      #expect(abs(traced.keptMass - share) < 1e-9)
    }
  }

  @Test(
    "with canonical runs, a decision's probabilities are off by at most the unresolved probability",
    arguments: 0..<20)
  func decisions(seed: Int) throws {
    let schema = try schema(DecisionTests.tagged)
    let texts = ValueEnumeration(schema: schema).texts()
    let tiny = Self.tokenizer(texts, merges: 9)
    let model = TinyModel(vocabulary: tiny.vocabulary, seed: UInt64(seed), spread: 1)
    let automaton = try automaton(schema, tiny.vocabulary)
    let policy = TokenizationPolicy.canonicalForcedRuns(encoder: tiny.encoder)
    var session = DecodingSession(
      automaton: automaton, settings: SamplingSettings(), seed: UInt64(seed), repeat: 0,
      tokenization: policy)
    while !session.isFinished {
      try model.logits(after: session.tokens).withUnsafeBufferPointer {
        _ = try session.next(logits: $0)
      }
    }
    session.resolveDecisions(budget: 200) { model.logits(after: $0) }
    let decision = try #require(session.decisions.first)
    let canonical = CanonicalRuns(policy)
    let outputs = model.outputs(automaton) { matcher, tokens in
      canonical?.mask(of: automaton, at: matcher.configuration, after: tokens)
    }
    for option in decision.options {
      guard case .branch(let name) = option.option else {
        Issue.record("\(decision)")
        continue
      }
      let expected = outputs.filter { $0.key.contains(name) }.reduce(0) { $0 + $1.value }
      #expect(abs(option.sampled - expected) <= decision.unresolved + 1e-9, "\(name)")
    }
    #expect(decision.unresolved < 0.01)
  }
}
