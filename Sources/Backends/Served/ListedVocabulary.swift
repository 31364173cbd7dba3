import Foundation
import ModelServers
import Tokenization

/// The vocabulary of the tokens that a server listed.
///
/// Tokens with equal bytes are one. The first token, with an empty text, stands for special tokens,
/// which no value contains, and for everything that isn't listed.
struct ListedVocabulary {
  private var numbers: [[UInt8]: TokenID] = [:]
  private var texts: [[UInt8]] = [[]]
  /// The server's id of each token, and the highest log probability with which it was listed.
  private var ids: [(id: Int?, logProbability: Double)] = [(nil, 0)]

  /// The replacement character, which stands for bytes that weren't valid text; tokens that contain
  /// it could be anything.
  private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

  init() {}

  /// Creates the vocabulary of some lists.
  init(_ lists: [ListedToken]) {
    for list in lists {
      for entry in list.alternatives + [list.chosen] where Self.isText(entry.bytes) { add(entry) }
    }
  }

  private mutating func add(_ entry: ListedToken.Alternative) {
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

  /// The vocabulary in the form for the engine.
  var vocabulary: Vocabulary {
    Vocabulary(
      tokens: texts, kinds: [.special] + texts.dropFirst().map { _ in .text }, endTokens: [])
  }

  /// Returns the token with some bytes.
  func token(_ bytes: [UInt8]) -> TokenID? { numbers[bytes] }

  /// Returns the server's id of a token; nil if the server didn't tell it.
  func id(of token: TokenID) -> Int? { ids.indices.contains(Int(token)) ? ids[Int(token)].id : nil }

  /// Returns the probability of the list's tokens that the vocabulary lacks.
  func missing(in list: ListedToken) -> Double {
    list.alternatives.reduce(0) { sum, entry in
      Self.isText(entry.bytes) && numbers[entry.bytes] == nil
        ? sum + exp(min(0, entry.logProbability)) : sum
    }
  }

  /// Returns the logits of a list, indexed by token, and the probability that they leave out.
  func logits(of list: ListedToken) -> (logits: [Float], unlisted: Double) {
    var logits = [Float](repeating: -.infinity, count: texts.count)
    var sum = 0.0
    for (bytes, probability) in Self.probabilities(list) {
      guard let number = numbers[bytes] else { continue }
      logits[Int(number)] = Float(log(probability))
      sum += probability
    }
    if sum < 1 { logits[0] = Float(log(1 - sum)) }
    let special = list.alternatives.reduce(0) { sum, entry in
      Self.isSpecial(entry.bytes) ? sum + exp(min(0, entry.logProbability)) : sum
    }
    return (logits, max(0, 1 - sum - special))
  }

  /// The probabilities of a step by the tokens' bytes; the probabilities of tokens with equal bytes
  /// are added.
  private static func probabilities(_ token: ListedToken) -> [[UInt8]: Double] {
    var probabilities: [[UInt8]: Double] = [:]
    var seen: Set<Int> = []
    for listed in token.alternatives where isText(listed.bytes) {
      if let id = listed.id, !seen.insert(id).inserted { continue }
      let probability = exp(min(0, listed.logProbability))
      if probability > 0 { probabilities[listed.bytes, default: 0] += probability }
    }
    if probabilities[token.chosen.bytes] == nil, isText(token.chosen.bytes) {
      probabilities[token.chosen.bytes] = max(1e-30, exp(min(0, token.chosen.logProbability)))
    }
    return probabilities
  }

  /// True if the bytes are those of a special token: servers show it as `<|name|>` or as nothing.
  private static func isSpecial(_ bytes: [UInt8]) -> Bool {
    bytes.isEmpty
      || bytes.starts(with: Array("<|".utf8)) && bytes.suffix(2) == Array("|>".utf8)[...]
  }

  /// True if the bytes look like those of a text token; a server doesn't report the token's kind.
  private static func isText(_ bytes: [UInt8]) -> Bool {
    if bytes.isEmpty || bytes.count > 1024 { return false }
    if bytes.starts(with: [0x3C]), bytes.last == 0x3E, bytes.count > 2 { return false }
    return bytes.firstRange(of: replacement) == nil
  }
}
