import TestSupport
import Testing

@testable import Tokenization

@Suite("Finding strings without copying them")
struct ByteStringTests {
  @Test("an index finds its strings, whatever their lengths, and no others")
  func index() {
    var random = SeededGenerator(seed: 1)
    var strings: [[UInt8]] = (0..<70).map { Array(repeating: 97, count: $0) }
    for _ in 0..<3000 { strings.append(random.string(3, upTo: 40)) }
    let view = ByteStrings(strings)
    #expect((0..<view.count).map { Array(view[$0]) } == strings)
    for replacing in [false, true] {
      var expected: [[UInt8]: Int32] = [:]
      var index = ByteStringIndex(view, capacity: strings.count)
      for (number, string) in strings.enumerated() where number % 3 != 0 {
        index.insert(number, replacing: replacing)
        if replacing || expected[string] == nil { expected[string] = Int32(number) }
      }
      for string in strings { #expect(index.find(string) == expected[string]) }
      for _ in 0..<1000 {
        let other = random.string(4, upTo: 40)
        #expect(index.find(other) == expected[other])
      }
    }
  }

  @Test("a hash depends on every byte, on the length and on the order of the hashed parts")
  func hashes() {
    var seen: Set<UInt64> = []
    var count = 0
    for length in 0..<50 {
      for place in 0..<max(1, length) {
        for value in [UInt8(1), 0x80, 0xFF] {
          var bytes = [UInt8](repeating: 0, count: length)
          if length > 0 { bytes[place] = value } else if value > 1 { continue }
          bytes.withUnsafeBufferPointer { _ = seen.insert(ByteHash.hash($0)) }
          count += 1
        }
      }
    }
    #expect(seen.count == count)
    #expect(ByteHash.hash(1, 2) != ByteHash.hash(2, 1))
  }

  /// Merges the parts of a piece according to the published rule, which repeatedly merges the best
  /// pair, or the leftmost of equally good pairs.
  func merged(_ letters: [String], _ ranks: [[String]: Int]) -> [String] {
    var parts = letters
    while true {
      var best: (rank: Int, place: Int)?
      for place in parts.indices.dropLast() {
        guard let rank = ranks[[parts[place], parts[place + 1]]] else { continue }
        if rank < best?.rank ?? .max { best = (rank, place) }
      }
      guard let best else { return parts }
      parts[best.place...best.place + 1] = [parts[best.place] + parts[best.place + 1]]
    }
  }

  @Test("with random merges, texts are split as the published rule says", arguments: 0..<20)
  func merges(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let bytes = ByteLetters()
    // Three letters, and the two bytes of é. The tokenizer's alphabet writes each of these bytes as
    // a letter that takes two bytes in UTF-8.
    let alphabet =
      ["a", "b", "c"] + "é".utf8.map { String(decoding: bytes.written($0), as: UTF8.self) }
    var parts = alphabet
    var merges: [(left: String, right: String)] = []
    while merges.count < 40 {
      let merge = (left: parts[random.below(parts.count)], right: parts[random.below(parts.count)])
      merges.append(merge)
      parts.append(merge.left + merge.right)
    }
    // The results of some merges are not tokens, and at least one token occurs twice.
    var tokens = alphabet.filter { _ in random.below(8) > 0 }
    for merge in merges where random.below(4) > 0 {
      tokens.append(merge.left + merge.right)
    }
    tokens.append(tokens[random.below(tokens.count)])
    var ranks: [[String]: Int] = [:]
    for (rank, merge) in merges.enumerated() where ranks[[merge.left, merge.right]] == nil {
      ranks[[merge.left, merge.right]] = rank
    }
    var numbers: [String: TokenID] = [:]
    for (number, token) in tokens.enumerated() { numbers[token] = TokenID(number) }
    let tokenizer = Tokenizer(
      TokenizerDefinition(
        algorithm: .bytePairs(.llama3), tokens: tokens.map { Array($0.utf8) },
        types: tokens.map { _ in .normal },
        merges: merges.map { (Array($0.left.utf8), Array($0.right.utf8)) }))
    for _ in 0..<60 {
      let text = (0..<random.below(12)).map { _ in ["a", "b", "c", "é"][random.below(4)] }.joined()
      let letters = text.utf8.map { String(decoding: bytes.written($0), as: UTF8.self) }
      // Under Llama 3's rule, a piece that is itself a token is not split.
      let result = numbers[letters.joined()].map { [$0] }
      let expected =
        result
        ?? merged(letters, ranks).flatMap { part in
          numbers[part].map { [$0] } ?? part.compactMap { numbers[String($0)] }
        }
      #expect(text.isEmpty || tokenizer.encode(text) == expected, "\(text)")
    }
  }

  @Test("a token with a character outside the byte-level alphabet stands for its own bytes")
  func otherLetters() {
    let written: [[UInt8]] =
      ["Ġa", "a b", "\u{144}", "日", "é"].map { Array($0.utf8) } + [[0xC4], [0xFF, 0x41]]
    let definition = TokenizerDefinition(
      algorithm: .bytePairs(.gpt2), tokens: written, types: written.map { _ in .normal })
    let vocabulary = Tokenizer(definition, tokenCount: 9).vocabulary
    let expected = [Array(" a".utf8)] + written[1...3] + [[0xE9]] + written[5...6] + [[], []]
    #expect((0..<9).map { Array(vocabulary.bytes(of: $0)) } == Array(expected))
    #expect(vocabulary.kinds == Array(repeating: .text, count: 7) + [.unused, .unused])
  }
}

extension SeededGenerator {
  fileprivate mutating func string(_ letters: Int, upTo length: Int) -> [UInt8] {
    (0..<below(length + 1)).map { _ in UInt8(97 + below(letters)) }
  }
}
