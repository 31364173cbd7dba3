import TestSupport
import Testing
import Tokenization

@testable import LocalModels

/// Tests valid and invalid files that contain only a vocabulary.
///
/// The reader must find every problem when it opens the file.
@Suite("Reading vocabularies")
struct VocabularyFileTests {
  /// Returns a byte-pair vocabulary: 26 letters, the results of two merges, and a control token.
  static func values(
    tokens: [String] = "abcdefghijklmnopqrstuvwxyz".map(String.init) + ["he", "hel", "<|end|>"],
    types: GGUFWriter.Value? = nil, merges: [String] = ["h e", "he l"]
  ) -> [(key: String, value: GGUFWriter.Value)] {
    let marks: [Int32] = tokens.map { $0.hasPrefix("<|") ? 3 : 1 }
    return [
      ("tokenizer.ggml.model", .string("gpt2")),
      ("tokenizer.ggml.pre", .string("gpt-2")),
      ("tokenizer.ggml.tokens", .strings(tokens.map { Array($0.utf8) })),
      ("tokenizer.ggml.token_type", types ?? .integers(marks)),
      ("tokenizer.ggml.merges", .strings(merges.map { Array($0.utf8) })),
    ]
  }

  static func open(_ bytes: [UInt8]) throws -> Tokenizer {
    try withTemporaryFile(bytes) { try LocalModel.tokenizer(path: $0) }
  }

  func check(
    _ values: [(key: String, value: GGUFWriter.Value)], _ place: String,
    _ problem: ModelFileError.Problem
  ) throws {
    do {
      _ = try Self.open(GGUFWriter(values: values).encoded())
      Issue.record("the file opened, although \(place) is wrong")
    } catch let error as ModelFileError {
      #expect(error.place == place)
      #expect(error.problem == problem)
    }
  }

  @Test("the tokens, merges and control tokens of a vocabulary are read")
  func whole() throws {
    let tokenizer = try Self.open(GGUFWriter(values: Self.values()).encoded())
    #expect(tokenizer.encode("hello") == [27, 11, 14])
    #expect(tokenizer.encode("<|end|>", parsingSpecial: true) == [28])
    #expect(tokenizer.specialToken("<|end|>") == 28)
    #expect(tokenizer.vocabulary.endTokens == [28])
  }

  @Test(
    "of equal tokens, the last counts; of equal merges, the first; impossible merges are ignored")
  func doubtful() throws {
    func encode(_ tokens: [String], _ merges: [String]) throws -> [TokenID] {
      try Self.open(GGUFWriter(values: Self.values(tokens: tokens, merges: merges)).encoded())
        .encode("abc")
    }
    #expect(try encode(["a", "b", "c", "ab", "ab"], ["a b"]) == [4, 2])
    #expect(try encode(["a", "b", "c", "ab", "bc"], ["b c", "a b", "b c"]) == [0, 4])
    // The first merge doesn't give a token, so its letters remain.
    #expect(try encode(["a", "b", "c", "bc"], ["a b", "b c"]) == [0, 1, 2])
    // Two merges have parts that are not tokens, and the third merge can never happen.
    #expect(try encode(["a", "c"], ["x y", "a b", "q  q"]) == [0, 1])
  }

  @Test(
    "the error for a merge that doesn't have two parts gives the merge's position",
    arguments: ["", " ", "ab", "a ", " b", "  "])
  func wrongMerges(_ merge: String) throws {
    try check(
      Self.values(merges: ["h e", merge, "he l"]), "tokenizer.ggml.merges[1]",
      .invalid("this merge"))
  }

  @Test("types and scores that don't fit the tokens are rejected")
  func wrongTypes() throws {
    let key = "tokenizer.ggml.token_type"
    try check(Self.values(types: .integers([1, 1])), key, .invalid("2 types"))
    try check(Self.values(tokens: ["a"], types: .integers([7])), key + "[0]", .invalid("7.0"))
    try check(Self.values(tokens: ["a"], types: .integers([-1])), key + "[0]", .invalid("-1.0"))
    try check(Self.values(tokens: ["a"], types: .floats([1.5])), key + "[0]", .invalid("1.5"))
    try check(Self.values(tokens: ["a"], types: .uint32(1)), key, .invalid("an integer"))
    try check(
      Self.values(tokens: ["a"], types: .strings([[49]])), key, .invalid("an array of string"))
    try check(
      Self.values() + [("tokenizer.ggml.scores", .floats([0]))], "tokenizer.ggml.scores",
      .invalid("1 scores"))
    try check(Self.values(tokens: []), "tokenizer.ggml.tokens", .invalid("0 tokens"))
    let long = String(repeating: "a", count: 65536)
    try check(
      Self.values(tokens: ["a", long]), "tokenizer.ggml.tokens[1]",
      .invalid("a token of 65536 bytes"))
    try check(
      Self.values(merges: [long + " a"]), "tokenizer.ggml.merges[0]", .invalid("this merge"))
  }

  @Test("a vocabulary that is cut off at any byte is rejected, and the error says what is missing")
  func truncation() throws {
    let whole = GGUFWriter(values: Self.values()).encoded()
    for cut in 0..<whole.count {
      do {
        _ = try Self.open(Array(whole[..<cut]))
        Issue.record("the file opened, although it was cut off at byte \(cut)")
      } catch let error as ModelFileError {
        switch error.problem {
        case .truncated(let needed, let available): #expect(needed > available)
        // The count doesn't fit in the rest of the file.
        case .invalid(let what): #expect(what.hasPrefix("a count of"), "\(error)")
        default: Issue.record("an unexpected error: \(error)")
        }
        #expect(!error.place.isEmpty)
      }
    }
  }

  @Test("lengths and counts that go past the end of the file are rejected, wherever they are")
  func lengths() throws {
    let whole = GGUFWriter(values: Self.values()).encoded()
    // The positions at which 8 bytes hold a small number, which is a count or the length of a text.
    let small = (0..<whole.count - 8).filter { place in
      whole[place] > 0 && whole[place] < 64 && whole[place + 1..<place + 8].allSatisfy { $0 == 0 }
    }
    #expect(small.count > 35)
    for place in small {
      for value in [UInt64.max, 1 << 63, 1 << 40, UInt64(whole.count)] {
        var bytes = whole
        bytes.replaceSubrange(place..<place + 8, with: GGUFWriter.bytes(value))
        #expect(throws: ModelFileError.self, "\(value) at byte \(place)") {
          try Self.open(bytes)
        }
      }
    }
  }

  @Test("reading a damaged vocabulary succeeds or fails, and never traps")
  func damage() throws {
    let whole = GGUFWriter(values: Self.values()).encoded()
    var random = SeededGenerator(seed: 12)
    var used = 0
    for _ in 0..<600 {
      var bytes = whole
      for _ in 0...random.below(4) {
        let values = [0, 0x20, 0xFF, UInt8(random.below(256))]
        bytes[24 + random.below(bytes.count - 24)] = values[random.below(4)]
      }
      guard let tokenizer = try? Self.open(bytes) else { continue }
      used += 1
      let tokens = tokenizer.encode("hello world <|end|> é\u{0}", parsingSpecial: true)
      #expect(tokens.allSatisfy { (0..<TokenID(tokenizer.vocabulary.count)).contains($0) })
      _ = tokenizer.decode(tokens)
    }
    #expect(used > 50)
  }
}
