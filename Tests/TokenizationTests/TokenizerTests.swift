import Testing

@testable import Tokenization

@Suite("Encoding texts as tokens")
struct TokenizerTests {
  /// Returns a byte-level tokenizer.
  ///
  /// Its tokens are the 256 bytes, then the results of some merges, then two control tokens.
  static func bytePairs(
    _ merges: [(String, String)], splitting: TextSplitting = .gpt2
  ) -> Tokenizer {
    let letters = ByteLetters()
    var tokens = (UInt8.min...UInt8.max).map(letters.written)
    for (left, right) in merges { tokens.append(Array((left + right).utf8)) }
    tokens += ["<|im_start|>", "<|im_end|>"].map { Array($0.utf8) }
    let types: [TokenizerDefinition.TokenType] =
      Array(repeating: .normal, count: tokens.count - 2) + [.control, .control]
    return Tokenizer(
      TokenizerDefinition(
        algorithm: .bytePairs(splitting), tokens: tokens, types: types,
        merges: merges.map { (Array($0.utf8), Array($1.utf8)) },
        endTokens: [TokenID(tokens.count - 1)]))
  }

  func checkPieces(_ splitting: TextSplitting, _ text: String, _ expected: [String]) {
    let scalars = Array(text.unicodeScalars)
    var pieces: [String] = []
    splitting.pieces(of: scalars) { range in
      var piece = String.UnicodeScalarView()
      piece.append(contentsOf: scalars[range])
      pieces.append(String(piece))
    }
    #expect(pieces == expected, "\(splitting) \(text.debugDescription)")
  }

  @Test("each kind of tokenizer splits a text according to its published rule")
  func splitting() {
    let text = "I'll pay 1234  euros...\n\n  OK'S!"
    checkPieces(
      .gpt2, text,
      ["I", "'ll", " pay", " 1234", " ", " euros", "...", "\n\n ", " OK", "'", "S", "!"])
    checkPieces(
      .smollm, text,
      [
        "I", "'ll", " pay", " ", "1", "2", "3", "4", " ", " euros", "...", "\n\n ", " OK", "'",
        "S", "!",
      ])
    checkPieces(
      .llama3, text,
      ["I", "'ll", " pay", " ", "123", "4", " ", " euros", "...\n\n", " ", " OK", "'S", "!"])
    checkPieces(
      .qwen2, text,
      [
        "I", "'ll", " pay", " ", "1", "2", "3", "4", " ", " euros", "...\n\n", " ", " OK", "'S",
        "!",
      ])
    checkPieces(.llama3, "\t\r\n  x", ["\t\r\n", " ", " x"])
    checkPieces(.llama3, "(word) #tag", ["(word", ")", " #", "tag"])
    checkPieces(.gpt2, "  ", ["  "])
    checkPieces(.gpt2, "'", ["'"])
    checkPieces(.gpt2, "", [])
  }

  @Test("words are split at capitals according to Mistral's rule")
  func tekken() {
    for (text, pieces) in TekkenPieces.rows { checkPieces(.tekken, text, pieces) }
  }

  @Test(
    "very long repetitions are split without gaps",
    arguments: [
      "A", "ªA", "a\u{301}", " ", "\n", "/", "1", "'", "\u{200B}",
    ])
  func hostileRuns(_ unit: String) {
    let scalars = Array(String(repeating: unit, count: 30_000).unicodeScalars)
    for splitting in TextSplitting.allCases {
      var end = 0
      splitting.pieces(of: scalars) { piece in
        if piece.lowerBound == end, !piece.isEmpty { end = piece.upperBound }
      }
      #expect(end == scalars.count, "\(splitting)")
    }
  }

  @Test("the tokenizer applies the best merge first, not the leftmost")
  func merges() {
    let tokenizer = Self.bytePairs([("l", "l"), ("h", "e"), ("he", "ll"), ("Ġ", "hell")])
    #expect(tokenizer.encode("hello") == [258, TokenID(UInt8(ascii: "o"))])
    #expect(tokenizer.encode(" hell") == [259])
    // Of three equal letters, the two on the left are merged first.
    #expect(tokenizer.encode("lll") == [256, TokenID(UInt8(ascii: "l"))])
  }

  @Test("every text can be restored from its tokens, whatever its characters")
  func roundTrip() {
    let tokenizer = Self.bytePairs([("t", "h"), ("th", "e"), ("Ġ", "the")])
    for text in ["the then", "naïve 日本語 🇪🇺👩‍👩‍👧", "\u{0}\u{7F}\r\n\t", "e\u{301}", ""] {
      #expect(tokenizer.decode(tokenizer.encode(text)) == text)
    }
  }

  @Test("control tokens are recognized in a text only on request")
  func specialTokens() {
    let tokenizer = Self.bytePairs([])
    let text = "<|im_start|>x<|im_end|>"
    #expect(
      tokenizer.encode(text, parsingSpecial: true) == [256, TokenID(UInt8(ascii: "x")), 257])
    let plain = tokenizer.encode(text)
    #expect(plain.allSatisfy { $0 < 256 })
    #expect(tokenizer.decode(plain) == text)
    #expect(tokenizer.vocabulary.bytes(of: 256).isEmpty)
    #expect(tokenizer.vocabulary.endTokens == [257])
  }

  /// Returns a SentencePiece tokenizer with the given tokens and all bytes.
  static func sentencePiece(_ words: [(String, Float)]) -> Tokenizer {
    var tokens: [[UInt8]] = ["<unk>", "<s>", "</s>"].map { Array($0.utf8) }
    var types: [TokenizerDefinition.TokenType] = [.unknown, .control, .control]
    var scores: [Float] = [0, 0, 0]
    for byte in 0..<256 {
      let digits = String(byte, radix: 16, uppercase: true)
      tokens.append(Array("<0x\(digits.count == 1 ? "0" : "")\(digits)>".utf8))
      types.append(.byte)
      scores.append(0)
    }
    for (word, score) in words {
      tokens.append(Array(word.utf8))
      types.append(.normal)
      scores.append(score)
    }
    return Tokenizer(
      TokenizerDefinition(
        algorithm: .sentencePiece, tokens: tokens, types: types, scores: scores,
        beginToken: 1, endTokens: [2], addsBeginToken: true))
  }

  @Test("SentencePiece merges by score and falls back to bytes")
  func sentencePieces() {
    let tokenizer = Self.sentencePiece([
      ("▁", -5), ("a", -5), ("b", -5), ("ab", -1), ("▁a", -2), ("▁ab", -3),
    ])
    #expect(tokenizer.encode("ab") == [264])
    #expect(tokenizer.encode("a") == [263])
    #expect(tokenizer.encode("b") == [259, 261])
    #expect(tokenizer.encode("é") == [259, 3 + 0xC3, 3 + 0xA9])
    #expect(Array(tokenizer.vocabulary.bytes(of: 264)) == Array(" ab".utf8))
    #expect(Array(tokenizer.vocabulary.bytes(of: 3 + 0xC3)) == [0xC3])
    #expect(tokenizer.decode(tokenizer.encode("ab é")) == " ab é")
  }

  @Test("a long text that no rule splits is encoded in one piece")
  func longText() {
    let tokenizer = Self.bytePairs([("a", "a"), ("aa", "aa")])
    let tokens = tokenizer.encode(String(repeating: "a", count: 20_001))
    // The text gives 5,000 tokens of four letters and one token of a single letter.
    #expect(tokens.count == 5_001)
    let pieces = Self.sentencePiece([("▁", -4), ("a", -3), ("aa", -1), ("aaaa", -2)])
    #expect(pieces.encode(String(repeating: "a", count: 8000)).count == 2001)
  }
}
