/// The difference between two texts, word by word.
package struct WordDifference: Sendable, Hashable {
  /// A piece of text that both sides have, or only one side.
  package enum Part: Sendable, Hashable {
    case same(String)
    case removed(String)
    case added(String)
  }

  /// The parts in order.
  package let parts: [Part]

  /// The maximum number of words to compare between the common beginning and end.
  ///
  /// In longer texts, all words in between count as removed or added.
  private static let limit = 1200

  /// Creates a difference between two texts from a longest common subsequence of their words.
  ///
  /// Worked example: `3 to 8 cards` against `some cards` gives
  /// removed `3 to 8`, added `some`, same ` cards`.
  ///
  /// - Complexity: O(n · m) in the numbers of words between the common beginning and end.
  package init(from old: String, to new: String) {
    let (before, after) = (Self.words(old), Self.words(new))
    var start = 0
    while start < min(before.count, after.count), before[start] == after[start] { start += 1 }
    var tail = 0
    while tail < min(before.count, after.count) - start,
      before[before.count - 1 - tail] == after[after.count - 1 - tail]
    { tail += 1 }
    let removed = Array(before[start..<(before.count - tail)])
    let added = Array(after[start..<(after.count - tail)])
    var parts: [Part] = before[..<start].map { .same($0) }
    parts += Self.middle(removed, added)
    parts += before[(before.count - tail)...].map { .same($0) }
    self.parts = Self.joined(parts)
  }

  private static func middle(_ removed: [String], _ added: [String]) -> [Part] {
    let (rows, columns) = (removed.count, added.count)
    guard rows > 0, columns > 0, rows <= limit, columns <= limit else {
      return removed.map { .removed($0) } + added.map { .added($0) }
    }
    // lengths[at(i, j)] is the length of the longest common subsequence of removed[i...] and
    // added[j...].
    var lengths = [Int32](repeating: 0, count: (rows + 1) * (columns + 1))
    func at(_ row: Int, _ column: Int) -> Int { row * (columns + 1) + column }
    for row in stride(from: rows - 1, through: 0, by: -1) {
      for column in stride(from: columns - 1, through: 0, by: -1) {
        lengths[at(row, column)] =
          removed[row] == added[column]
          ? lengths[at(row + 1, column + 1)] + 1
          : max(lengths[at(row + 1, column)], lengths[at(row, column + 1)])
      }
    }
    var parts: [Part] = []
    var (row, column) = (0, 0)
    while row < rows || column < columns {
      if row < rows, column < columns, removed[row] == added[column] {
        parts.append(.same(removed[row]))
        (row, column) = (row + 1, column + 1)
      } else if column == columns
        || (row < rows && lengths[at(row + 1, column)] >= lengths[at(row, column + 1)])
      {
        parts.append(.removed(removed[row]))
        row += 1
      } else {
        parts.append(.added(added[column]))
        column += 1
      }
    }
    return parts
  }

  /// Splits a text into words, each with the white space before it, so that joining them restores
  /// the text.
  ///
  /// A punctuation mark at the end of a word is a separate word: `Slip,` and `Slip` have `Slip` in
  /// common.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    var word = ""
    var isSpace = true
    for index in text.indices {
      let character = text[index]
      let next = text.index(after: index)
      let isMark =
        ",.;:!?".contains(character) && (next == text.endIndex || text[next].isWhitespace)
      if isMark || character.isWhitespace, !isSpace {
        words.append(word)
        word = ""
      }
      isSpace = character.isWhitespace
      word.append(character)
    }
    if !word.isEmpty { words.append(word) }
    return words
  }

  /// Joins neighboring parts of the same kind, and puts removals before additions between two
  /// common parts.
  private static func joined(_ parts: [Part]) -> [Part] {
    var result: [Part] = []
    var (removed, added) = ("", "")
    func flush() {
      if !removed.isEmpty { result.append(.removed(removed)) }
      if !added.isEmpty { result.append(.added(added)) }
      (removed, added) = ("", "")
    }
    for part in parts {
      switch part {
      case .removed(let text): removed += text
      case .added(let text): added += text
      case .same(let text):
        flush()
        if case .same(let before)? = result.last {
          result[result.count - 1] = .same(before + text)
        } else {
          result.append(.same(text))
        }
      }
    }
    flush()
    return result
  }
}
