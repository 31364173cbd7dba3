import ConstrainedDecoding
import EvalRecords
import Tokenization

/// A walk through a grammar that takes random legal tokens.
enum RandomWalk {
  /// The maximum number of tokens of a walk.
  private static let longest = 3000

  /// The end of a walk.
  enum Ending {
    /// The value is complete.
    case value(String)
    /// No token is legal, but the value isn't complete.
    case deadEnd(String)
    /// The value isn't complete after the longest walk, or the automaton exceeded a limit.
    case unfinished
    /// A token of the mask doesn't fit.
    case misfit(String)
  }

  /// Returns a random value as text.
  ///
  /// - Parameters:
  ///   - automaton: The grammar's automaton.
  ///   - random: The random numbers that choose the tokens.
  /// - Returns: The text, or `nil` if the walk doesn't complete its value.
  static func text(_ automaton: TokenAutomaton, _ random: inout SplitMix) -> String? {
    if case .value(let text) = ending(automaton, &random) { return text }
    return nil
  }

  /// Takes a walk, and returns how it ends.
  static func ending(_ automaton: TokenAutomaton, _ random: inout SplitMix) -> Ending {
    let vocabulary = automaton.table.vocabulary
    var matcher = Matcher(automaton)
    var bytes: [UInt8] = []
    var text: String { String(decoding: bytes, as: UTF8.self) }
    for _ in 0..<longest where !matcher.isFinished {
      let legal = matcher.mask.tokens.filter { !vocabulary.bytes(of: $0).isEmpty }
      if automaton.isUsedUp { return .unfinished }
      if legal.isEmpty {
        return matcher.isComplete ? .value(text) : .deadEnd(text)
      }
      // Prefer closing tokens, so that walks end.
      let closing = legal.filter {
        let last = vocabulary.bytes(of: $0).last
        return last == UInt8(ascii: "\"") || last == UInt8(ascii: "]") || last == UInt8(ascii: "}")
      }
      let isClosing = !closing.isEmpty && Int.random(in: 0..<8, using: &random) > 0
      guard let token = (isClosing ? closing : legal).randomElement(using: &random),
        matcher.accept(token)
      else { return automaton.isUsedUp ? .unfinished : .misfit(text) }
      bytes += vocabulary.bytes(of: token)
    }
    guard matcher.isComplete else { return .unfinished }
    return String(validating: bytes, as: UTF8.self).map { .value($0) } ?? .misfit(text)
  }
}
