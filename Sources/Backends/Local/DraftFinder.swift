import Tokenization

/// Suggests the next tokens of an answer: those that followed the same tokens in an earlier text.
enum DraftFinder {
  /// The number of the answer's last tokens that the earlier text must contain in a row.
  static let agreement = 3

  /// Returns the tokens that may follow.
  ///
  /// A source that begins with the whole answer so far comes first. Otherwise the answer continues
  /// like the first source that contains its last tokens, at the place nearest to the same
  /// position.
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
  /// The maximum number of tokens that go through the layers in a step with drafts.
  ///
  /// The speed of wider steps is limited by arithmetic, not by memory, so a draft would save
  /// nothing.
  static let columns = 16

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
      length = min(Self.columns, 2 * length)
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
