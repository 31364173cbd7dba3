import Tokenization

/// Drafts the next tokens of an answer from earlier texts that contain the same tokens.
enum DraftFinder {
  /// The number of tokens at the end of the answer that an earlier text must contain.
  static let agreement = 3

  /// The number of bytes of an earlier answer to encode for each drafted token.
  private static let bytesOfToken = 12

  /// Returns the next tokens of the first text that begins with the whole answer so far.
  ///
  /// The method compares bytes, because the earlier answer may consist of other tokens.
  ///
  /// - Parameters:
  ///   - answer: The answer so far, in UTF-8.
  ///   - texts: The texts to search, in UTF-8.
  ///   - limit: The maximum number of tokens.
  ///   - encode: Splits a text into tokens.
  static func replay(
    of answer: [UInt8], in texts: [[UInt8]], limit: Int, encode: (String) -> [TokenID]
  ) -> [TokenID] {
    guard limit > 0, !answer.isEmpty else { return [] }
    for text in texts where text.count > answer.count && text.starts(with: answer) {
      let rest = text[answer.count...].prefix(bytesOfToken * limit)
      guard let string = String(validating: rest, as: UTF8.self) else { continue }
      let tokens = encode(string)
      // The last token may be cut off, unless the text ends there.
      let isCut = answer.count + rest.count < text.count
      return Array((isCut ? tokens.dropLast() : tokens[...]).prefix(limit))
    }
    return []
  }

  /// Returns tokens that may follow the answer so far, taken from an earlier text.
  ///
  /// A source that begins with the whole answer so far takes precedence. Otherwise, the method uses
  /// the first source that contains the answer's last tokens. If a source contains them several
  /// times, the method uses the occurrence whose position is closest to the answer's length.
  ///
  /// - Parameters:
  ///   - answer: The answer so far.
  ///   - sources: The texts to search, the most promising first.
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

/// The number of tokens to draft for an answer in a step, adapted to how many drafted tokens the
/// answer has kept.
struct DraftTrust {
  /// The number of tokens up to which a step is filled with drafts that are likely to be wrong.
  ///
  /// Such drafts don't pay off in wider steps, where a rejected token costs about as much as a kept
  /// token saves.
  static let narrowStep = 16
  /// The maximum number of tokens to draft in a step.
  static let longestDraft = 16

  private var length = 6
  private var pause = 0
  private var penalty = 0

  /// The current maximum number of tokens to draft in a step.
  var limit: Int { pause > 0 ? 0 : length }

  /// Adapts the limit to the numbers of drafted and kept tokens in a step.
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
