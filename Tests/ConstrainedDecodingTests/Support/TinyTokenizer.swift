@testable import Tokenization

/// A byte-pair tokenizer that is trained on a few texts and uses the real encoder.
struct TinyTokenizer {
  let tokenizer: Tokenizer

  var vocabulary: Vocabulary { tokenizer.vocabulary }
  var encoder: TokenEncoder { tokenizer.encodeContinuation }

  /// Creates a tokenizer by merging the most frequent pairs.
  ///
  /// If several pairs are equally frequent, it merges the first in byte order. Token 0 ends the
  /// text. The next tokens are the bytes of the texts, and the last tokens are the merged pairs.
  init(texts: [String], merges count: Int, splitting: TextSplitting = .gpt2) {
    let letters = ByteLetters()
    var pieces: [[[UInt8]]] = []
    for text in texts {
      let scalars = Array(text.unicodeScalars)
      splitting.pieces(of: scalars) { range in
        pieces.append(
          scalars[range].flatMap { Array(String($0).utf8) }.map { letters.written($0) })
      }
    }
    var tokens = Set(pieces.joined()).sorted { $0.lexicographicallyPrecedes($1) }
    var merges: [(left: [UInt8], right: [UInt8])] = []
    while merges.count < count {
      var counts: [[[UInt8]]: Int] = [:]
      for piece in pieces {
        for (left, right) in zip(piece, piece.dropFirst()) {
          counts[[left, right], default: 0] += 1
        }
      }
      let best = counts.max { left, right in
        left.value != right.value
          ? left.value < right.value
          : Array(right.key.joined(separator: [0])).lexicographicallyPrecedes(
            Array(left.key.joined(separator: [0])))
      }
      guard let pair = best?.key else { break }
      merges.append((pair[0], pair[1]))
      if !tokens.contains(pair[0] + pair[1]) { tokens.append(pair[0] + pair[1]) }
      pieces = pieces.map { Self.merge($0, pair) }
    }
    tokenizer = Tokenizer(
      TokenizerDefinition(
        algorithm: .bytePairs(splitting), tokens: [Array("<end>".utf8)] + tokens,
        types: [.control] + tokens.map { _ in .normal }, merges: merges, endTokens: [0]))
  }

  private static func merge(_ piece: [[UInt8]], _ pair: [[UInt8]]) -> [[UInt8]] {
    var result: [[UInt8]] = []
    for part in piece {
      if part == pair[1], result.last == pair[0] {
        result[result.count - 1] = pair[0] + pair[1]
      } else {
        result.append(part)
      }
    }
    return result
  }
}
