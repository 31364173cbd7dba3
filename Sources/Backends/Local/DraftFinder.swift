import Tokenization

/// Suggests the next tokens of an answer: those that followed the same tokens in an earlier text.
enum DraftFinder {
  /// The number of the answer's last tokens that the earlier text must contain in a row.
  static let agreement = 3

  /// The number of an earlier answer's bytes to encode for each token of a draft.
  private static let bytesOfToken = 12

  /// Returns the tokens that follow in the first text that begins with the whole answer so far.
  ///
  /// It compares texts, because the earlier answer may have been written with other tokens.
  ///
  /// - Parameters:
  ///   - answer: The answer so far, in UTF-8.
  ///   - texts: The texts to look in, in UTF-8.
  ///   - limit: The maximum number of tokens.
  ///   - encode: Turns a text into tokens.
  static func replay(
    of answer: [UInt8], in texts: [[UInt8]], limit: Int, encode: (String) -> [TokenID]
  ) -> [TokenID] {
    guard limit > 0, !answer.isEmpty else { return [] }
    for text in texts where text.count > answer.count && text.starts(with: answer) {
      let rest = text[answer.count...].prefix(bytesOfToken * limit)
      guard let string = String(validating: rest, as: UTF8.self) else { continue }
      let tokens = encode(string)
      // The last token may be cut, unless the text ends there.
      let isCut = answer.count + rest.count < text.count
      return Array((isCut ? tokens.dropLast() : tokens[...]).prefix(limit))
    }
    return []
  }

  /// Returns the tokens that may follow the answer so far.
  ///
  /// A source that begins with the whole answer so far comes first. Otherwise, the tokens come
  /// from the first source that contains the answer's last tokens. If the source contains them in
  /// several places, the place nearest to the answer's position counts.
  ///
  /// - Parameters:
  ///   - answer: The answer so far.
  ///   - sources: The texts to look in, the most promising first.
  ///   - limit: The maximum number of tokens.
  static func continuation(
    of answer: [TokenID], in sources: [[TokenID]], limit: Int
  ) -> [TokenID] {
    guard limit > 0, !answer.isEmpty else { return [] }
    for source in sources where source.count > answer.count && source.starts(with: answer) {
      return Array(source[answer.count...].prefix(limit))
    }
    guard answer.count >= agreement else { return [] }
    let last = answer[(answer.count - agreement)...]
    for source in sources where source.count > agreement {
      var best: Int?
      for place in agreement..<source.count
      where source[place - 1] == last[last.endIndex - 1]
        && source[(place - agreement)..<place].elementsEqual(last)
      {
        if let known = best, abs(known - answer.count) <= abs(place - answer.count) { continue }
        best = place
      }
      if let best { return Array(source[best...].prefix(limit)) }
    }
    return []
  }
}

/// The number of drafted tokens that an answer takes at a time, adapted to how many it kept before.
struct DraftTrust {
  /// The number of tokens up to which guesses, which are often wrong, fill up a step.
  ///
  /// Guesses don't pay in wider steps, where a rejected token costs about as much as a kept one
  /// saves.
  static let narrowStep = 16
  /// The maximum number of tokens to draft at a time.
  static let longestDraft = 16

  private var length = 6
  private var pause = 0
  private var penalty = 0

  /// The maximum number of tokens to draft.
  var limit: Int { pause > 0 ? 0 : length }

  /// Adapts the limit to one step's result.
  mutating func learn(drafted: Int, kept: Int) {
    if drafted == 0 {
      pause = max(0, pause - 1)
    } else if kept == drafted {
      length = min(Self.longestDraft, 2 * length)
      penalty = 0
    } else if 2 * kept >= drafted {
      penalty = 0
    } else {
      length = max(2, kept + 1)
      penalty = min(32, 2 * penalty + 2)
      pause = penalty
    }
  }
}
