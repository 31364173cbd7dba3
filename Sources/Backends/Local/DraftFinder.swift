import Tokenization

/// Drafts the next tokens of an answer from earlier texts that contain the answer's last tokens.
enum DraftFinder {
  /// The number of tokens at the end of the answer that an earlier text must contain.
  static let agreement = 3

  /// The minimum length of a repetition, in tokens, for drafts in every step.
  ///
  /// A repetition consists of the answer's last tokens if they also occur earlier in the answer. In
  /// our runs, about 90 % of the tokens that were drafted in this way were right.
  static let longRepetition = 32
  /// The minimum length of a repetition, in tokens, for drafts in narrow steps
  /// (`DraftTrust.narrowStep`).
  ///
  /// In our runs, about 75 % of the tokens that were drafted in this way were right.
  static let shortRepetition = 12

  /// Returns drafted tokens for an answer that repeats itself.
  ///
  /// - Parameters:
  ///   - answer: The answer so far.
  ///   - length: The number of tokens at the end of the answer that must also occur earlier in it.
  ///   - limit: The maximum number of tokens.
  /// - Returns: The tokens that followed the latest earlier occurrence, or no tokens if there is
  ///   none.
  static func repetition(of answer: [TokenID], length: Int, limit: Int) -> [TokenID] {
    guard limit > 0, answer.count > length, let last = answer.last else { return [] }
    let end = answer.suffix(length)
    for place in stride(from: answer.count - 1, through: length, by: -1)
    where answer[place - 1] == last && answer[(place - length)..<place].elementsEqual(end) {
      // If the draft reaches the end of the answer so far, repeat the tokens from `place` on.
      return (0..<limit).map { answer[place + $0 % (answer.count - place)] }
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

/// The answers that earlier runs gave to a repeat and that begin with its current answer.
///
/// As the current answer grows, each byte is compared only once.
struct DraftReplay {
  /// The number of bytes of an earlier answer to encode for each drafted token.
  private static let bytesOfToken = 12

  /// The earlier answers that begin with the compared bytes, in UTF-8.
  private var texts: [[UInt8]]
  /// The number of compared bytes.
  private var compared = 0

  /// Creates a replay for an answer that is still empty.
  ///
  /// - Parameter texts: The earlier answers in UTF-8, the most promising first.
  init(of texts: [[UInt8]]) { self.texts = texts }

  /// Whether no earlier answer begins with the current answer.
  var isOver: Bool { texts.isEmpty }

  /// Returns the next tokens of the first earlier answer that begins with the whole current answer.
  ///
  /// The method compares bytes, because the two answers may spell the same text with different
  /// tokens.
  ///
  /// - Parameters:
  ///   - answer: The current answer in UTF-8. It must begin with the answer that the previous call
  ///     received.
  ///   - limit: The maximum number of tokens.
  ///   - encode: Splits a text into tokens.
  mutating func next(
    after answer: [UInt8], limit: Int, encode: (String) -> [TokenID]
  ) -> [TokenID] {
    guard limit > 0, answer.count > compared, !isOver else { return [] }
    texts.removeAll {
      $0.count <= answer.count
        || !$0[compared..<answer.count].elementsEqual(answer[compared...])
    }
    compared = answer.count
    for text in texts {
      let rest = text[answer.count...].prefix(Self.bytesOfToken * limit)
      guard let string = String(validating: rest, as: UTF8.self) else { continue }
      let tokens = encode(string)
      // The last token may be cut off, unless the text ends there.
      let isCut = answer.count + rest.count < text.count
      return Array((isCut ? tokens.dropLast() : tokens[...]).prefix(limit))
    }
    return []
  }
}

/// The number of tokens to draft for an answer in a step, adapted to how many drafted tokens the
/// answer has kept.
struct DraftTrust {
  /// A step with fewer tokens than this is narrow; only narrow steps get less reliable drafts.
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
