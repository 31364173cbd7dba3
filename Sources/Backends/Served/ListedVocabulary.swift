import ModelServers
import SystemBasics
import Tokenization

/// A server's list of tokens as logits.
///
/// An answer has many lists. To keep them small, each list ends at the last token that was in the
/// vocabulary when the list arrived.
struct ListedLogits {
  /// The logits, indexed by token.
  ///
  /// All tokens beyond the end are unlisted.
  var logits: [Float]
  /// The total probability of unlisted tokens.
  var unlisted: Double
  /// The number of listed tokens.
  var count: Int
}

/// A vocabulary of the tokens that a server has listed so far.
///
/// Tokens with equal bytes count as one token. The first token has an empty text. It stands for
/// special tokens, which no value contains, and for all unlisted tokens.
struct ListedVocabulary {
  private var numbers: [[UInt8]: TokenID] = [:]
  /// The tokens, keyed by the server's ids.
  private var numbersOfIDs: [Int: TokenID] = [:]
  private var texts: [[UInt8]] = [[]]
  /// The server's id of each token, and the highest log probability with which the token was
  /// listed.
  private var ids: [(id: Int?, logProbability: Double)] = [(nil, 0)]

  /// The replacement character.
  ///
  /// A server sends this character in place of invalid UTF-8, so if a token contains it, the
  /// token's bytes aren't known.
  private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

  var count: Int { texts.count }

  /// Adds the tokens of a list.
  mutating func add(_ list: ListedToken) {
    for entry in list.alternatives where Self.isText(entry.bytes) { add(entry) }
    if Self.isText(list.chosen.bytes) { add(list.chosen) }
  }

  private mutating func add(_ entry: ListedToken.Alternative) {
    if let id = entry.id {
      if numbersOfIDs[id] != nil { return }
      numbersOfIDs[id] = numbers[entry.bytes] ?? TokenID(texts.count)
    }
    if let number = numbers[entry.bytes].map({ Int($0) }) {
      if ids[number].id == nil || entry.logProbability > ids[number].logProbability {
        ids[number] = (entry.id ?? ids[number].id, entry.logProbability)
      }
      return
    }
    numbers[entry.bytes] = TokenID(texts.count)
    texts.append(entry.bytes)
    ids.append((entry.id, entry.logProbability))
  }

  /// The vocabulary, converted to the engine's type.
  var vocabulary: Vocabulary {
    Vocabulary(
      tokens: texts, kinds: [.special] + texts.dropFirst().map { _ in .text }, endTokens: [])
  }

  /// Returns the token with the given bytes, or `nil` if there is none.
  func token(_ bytes: [UInt8]) -> TokenID? { numbers[bytes] }

  /// Returns the server's id of a token, or `nil` if the server didn't report it.
  func id(of token: TokenID) -> Int? { ids.indices.contains(Int(token)) ? ids[Int(token)].id : nil }

  /// Returns the logits of a list, all of whose tokens must be in the vocabulary.
  ///
  /// The probabilities of tokens with equal bytes are added.
  func logits(of list: ListedToken) -> ListedLogits {
    var probabilities = [Double](repeating: 0, count: texts.count)
    var seen: Set<Int> = []
    var special = 0.0
    for entry in list.alternatives {
      if let id = entry.id, !seen.insert(id).inserted { continue }
      let probability = exp(min(0, entry.logProbability))
      if let number = number(of: entry) {
        probabilities[number] += probability
      } else if Self.isSpecial(entry.bytes) {
        special += probability
      }
    }
    if let chosen = number(of: list.chosen), probabilities[chosen] == 0 {
      probabilities[chosen] = max(1e-30, exp(min(0, list.chosen.logProbability)))
    }
    let sum = probabilities.reduce(0, +)
    probabilities[0] = max(0, 1 - sum)
    return ListedLogits(
      logits: probabilities.map { $0 > 0 ? Float(log($0)) : -.infinity },
      unlisted: max(0, 1 - sum - special), count: list.alternatives.count)
  }

  private func number(of entry: ListedToken.Alternative) -> Int? {
    (entry.id.flatMap { numbersOfIDs[$0] } ?? numbers[entry.bytes]).map { Int($0) }
  }

  /// Returns whether the bytes form a special token, which servers show as `<|name|>` or as an
  /// empty text.
  private static func isSpecial(_ bytes: [UInt8]) -> Bool {
    bytes.isEmpty
      || bytes.starts(with: Array("<|".utf8)) && bytes.suffix(2) == Array("|>".utf8)[...]
  }

  /// Returns whether the bytes look like a text token.
  ///
  /// Servers don't report the kind of a token.
  private static func isText(_ bytes: [UInt8]) -> Bool {
    if bytes.isEmpty || bytes.count > 1024 { return false }
    if bytes.starts(with: [0x3C]), bytes.last == 0x3E, bytes.count > 2 { return false }
    return bytes.firstRange(of: replacement) == nil
  }
}
