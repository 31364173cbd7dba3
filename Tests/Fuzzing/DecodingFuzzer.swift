import ConstrainedDecoding
import GuidedGeneration
import StructuredText
import Tokenization

/// Reads libFuzzer's arguments, and calls a function with one input after another.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ body: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> CInt

/// The program's `main`, under the name that the package manager gives it.
@_cdecl("decoding_fuzzer_main")
public func fuzzerMain(
  _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  var count = count
  var arguments = arguments
  return runFuzzer(&count, &arguments) { fuzzDecoding($0, $1) }
}

/// Decodes an answer as one input prescribes, and checks the promises of the engine.
///
/// An input contains options, a schema, a vocabulary, and choices among legal tokens. Whatever it
/// contains, the engine must not trap, read out of bounds or hang, and it must keep these promises:
///
/// - a text token is legal if and only if its bytes can be accepted one by one;
/// - an end token is legal if and only if the text is complete;
/// - if the vocabulary has all bytes, an incomplete text always has a legal token;
/// - a complete text is JSON;
/// - if the session forces a token, this token is the next token of the answer;
/// - every probability is from 0 to 1.
private func fuzzDecoding(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  // The read stays in bounds, because libFuzzer passes `count` readable bytes.
  var input = FuzzedInput(Array(UnsafeBufferPointer(start: data, count: count)))
  let options = input.options()
  guard let schema = input.schema() else { return -1 }
  let vocabulary = input.vocabulary()
  let table = TokenTable(vocabulary: vocabulary, dialect: options.dialect)
  guard
    let grammar = try? CompiledGrammar(schema: schema, table: table, options: options)
  else { return 0 }
  let isWhole = input.hasAllBytes
  let automaton = grammar.makeAutomaton()
  checkWalk(automaton, isWhole: isWhole, &input)
  if automaton.exceeded != nil { return 0 }
  checkSession(automaton, vocabulary, isWhole: isWhole, &input)
  return 0
}

private func fail(_ message: String) -> Never { fatalError(message) }

/// Follows the choices, and compares each mask with the tokens whose bytes fit.
private func checkWalk(_ automaton: TokenAutomaton, isWhole: Bool, _ input: inout FuzzedInput) {
  let vocabulary = automaton.table.vocabulary
  var matcher = Matcher(automaton)
  var bytes: [UInt8] = []
  for _ in 0..<16 {
    let mask = matcher.mask
    // A mask is not valid if the automaton exceeded a limit while computing it.
    if automaton.exceeded != nil { return }
    var legal: [TokenID] = []
    for token in 0..<TokenID(vocabulary.count) {
      var next = matcher
      let isText =
        vocabulary.kinds[Int(token)] == .text && !vocabulary.bytes(of: token).isEmpty
        && !vocabulary.endTokens.contains(token)
      let isAccepted = isText && next.accept(bytes: vocabulary.bytes(of: token))
      let isEnd = matcher.isComplete && vocabulary.endTokens.contains(token)
      if automaton.exceeded != nil { return }
      if mask.contains(token) != (isAccepted || isEnd) {
        fail("the mask is wrong about token \(token) after \(bytes)")
      }
      if isAccepted { legal.append(token) }
    }
    if automaton.exceeded != nil { return }
    if isWhole, legal.isEmpty, !matcher.isComplete { fail("no token is legal after \(bytes)") }
    if let forced = automaton.forcedByte(at: matcher.configuration) {
      var ahead = matcher
      if !ahead.accept(bytes: [forced]) { fail("a forced byte doesn't fit after \(bytes)") }
    }
    guard !legal.isEmpty, let choice = input.next() else { break }
    let token = legal[Int(choice) % legal.count]
    if !matcher.accept(token) { fail("a legal token is not accepted after \(bytes)") }
    bytes += vocabulary.bytes(of: token)
  }
  if matcher.isComplete {
    guard let text = String(validating: bytes, as: UTF8.self),
      (try? JSONValue(parsing: text)) != nil
    else { fail("not JSON: \(bytes)") }
  }
}

/// Decodes with pseudorandom logits whose seed comes from the input.
private func checkSession(
  _ automaton: TokenAutomaton, _ vocabulary: Vocabulary, isWhole: Bool, _ input: inout FuzzedInput
) {
  let policy: TokenizationPolicy =
    input.flag()
    ? .canonicalForcedRuns(encoder: { Longest(vocabulary).tokens(of: $0) }) : .allSegmentations
  let settings = SamplingSettings(
    temperature: Double(input.next() ?? 8) / 8, topK: Int(input.next() ?? 0) % 5,
    topP: input.flag() ? 0.7 : 1, minP: input.flag() ? 0.1 : 0)
  var session = DecodingSession(
    automaton: automaton, settings: settings, seed: 1, repeat: 0, tokenization: policy,
    recording: DecodingRecording(decisions: true, trace: true))
  var state = UInt64(input.next() ?? 0)
  func logits() -> [Float] {
    (0..<vocabulary.count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(Int32(truncatingIfNeeded: state >> 33) % 1000) / 100
    }
  }
  while !session.isFinished, session.tokens.count < 10 {
    let run = session.tokensToEvaluate(limit: 5).dropFirst()
    do throws(DecodingError) {
      let values = logits()
      let outcome = values.withUnsafeBufferPointer { buffer in
        Result { () throws(DecodingError) in try session.next(logits: buffer) }
      }
      let step = try outcome.get()
      if let first = run.first, step != .token(first) { fail("a forced token was not taken") }
    } catch {
      // A limit may end an answer. So may a lack of tokens, unless every byte is a token.
      if case .limit = error { return }
      if isWhole { fail("\(error)") }
      break
    }
  }
  for together in 1...3 {
    for path in session.nextOpenPaths(OpenPathBudget(together: together)) {
      _ = logits().withUnsafeBufferPointer { session.follow(path, logits: $0) }
    }
  }
  if !(session.logKeptMass <= 0) { fail("the mask kept a probability above 1") }
  for decision in session.decisions {
    for option in decision.options {
      for share in [option.raw, option.masked, option.sampled] where !(share >= 0 && share < 1.001)
      {
        fail("\(share) is not a probability")
      }
    }
  }
}

/// An encoder for any vocabulary, which always takes the longest token that fits.
private struct Longest {
  let vocabulary: Vocabulary

  init(_ vocabulary: Vocabulary) { self.vocabulary = vocabulary }

  func tokens(of text: String) -> [TokenID] {
    var rest = Array(text.utf8)[...]
    var tokens: [TokenID] = []
    while !rest.isEmpty {
      let fitting = (0..<TokenID(vocabulary.count)).filter {
        vocabulary.kinds[Int($0)] == .text && !vocabulary.bytes(of: $0).isEmpty
          && rest.starts(with: vocabulary.bytes(of: $0))
      }
      guard
        let best = fitting.max(by: {
          vocabulary.bytes(of: $0).count < vocabulary.bytes(of: $1).count
        })
      else { return [] }
      tokens.append(best)
      rest = rest.dropFirst(vocabulary.bytes(of: best).count)
    }
    return tokens
  }
}
