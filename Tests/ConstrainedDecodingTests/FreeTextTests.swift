import Testing
import Tokenization

@testable import ConstrainedDecoding

@Suite("Answers without a mask")
struct FreeTextTests {
  private static let ends: [(text: String, closesAt: Int?)] = [
    ("{\"a\":[1,{}]} and more", 12),
    ("  [1]\n[2]", 5),
    ("{\"a\":\"}]\\\"}\"}x", 13),
    ("Sure! {\"a\":1}", nil),
    ("12 {}", nil),
    ("\"{}\" {}", nil),
    ("] {}", nil),
    ("{\"a\":", nil),
  ]

  @Test("a text that begins with a bracket ends where the bracket closes; other texts stay open")
  func closing() throws {
    let table = TokenTable(vocabulary: vocabulary(["a"]))
    for (text, closesAt) in Self.ends {
      var free = FreeText(table)
      var found: Int?
      for (index, byte) in text.utf8.enumerated() where found == nil {
        free.feed([byte])
        if free.isClosed { found = index + 1 }
      }
      #expect(found == closesAt, "\(text)")
    }
  }

  @Test("a session without a mask writes the model's likeliest text and measures nothing")
  func writesAnything() throws {
    let vocabulary = vocabulary(["{\"v\":", "[", "]", "}", "no", " way", "1"])
    let automaton = try automaton(schema(wrapped(#"{"type":"integer"}"#)), vocabulary)
    for (texts, isEnded) in [(["no", " way"], false), (["{\"v\":", "[", "]", "}"], true)] {
      var session = DecodingSession(
        automaton: automaton, settings: SamplingSettings(isGreedy: true), seed: 1, repeat: 0,
        isMasked: false)
      for text in texts {
        var logits = [Float](repeating: -20, count: vocabulary.count)
        for token in 0..<Int32(vocabulary.count)
        where Array(vocabulary.bytes(of: token)) == Array(text.utf8) { logits[Int(token)] = 20 }
        #expect(!session.isFinished)
        _ = try logits.withUnsafeBufferPointer { try session.next(logits: $0) }
        #expect(session.tokensToEvaluate() == (session.isFinished ? [] : session.tokens.suffix(1)))
      }
      #expect(session.text == texts.joined())
      #expect(session.isFinished == isEnded)
      #expect(session.decisions.isEmpty && session.pressureKinds == nil)
      #expect(session.logKeptMass == 0)
    }
  }
}
