/// The similarity that two texts are required to have.
///
/// If either text has no words, the measures that count words compare the texts themselves: the
/// similarity is 1 if they are canonically equivalent, and 0 otherwise.
package struct Similarity: Sendable, Hashable {
  /// The measure of similarity.
  package enum Measure: String, Sendable, Hashable, CaseIterable {
    /// 1 − Levenshtein distance / length of the longer text, in characters.
    case edit
    /// The F1 score of the two bags of words: 2 · common words / (words of both texts).
    case tokens
    /// The share of the expected text's words that the text contains (ROUGE-1 recall).
    case recall
  }

  /// The measure of similarity.
  package var measure: Measure
  /// The minimum similarity, from 0 to 1, or `nil` if the distance is bounded instead.
  package var minimum: Double?
  /// The maximum number of edits, or `nil` if the similarity is bounded instead.
  package var maximumDistance: Int?
  /// Whether case is ignored.
  package var ignoringCase: Bool

  /// The maximum length of a text for `edit`, which takes time proportional to the product of both
  /// lengths.
  static let maximumLength = 4_096

  /// The result of a measurement.
  struct Measurement: Hashable {
    var likeness: Double
    var distance: Int?
  }

  /// Returns the similarity of two texts, or `nil` if either of them is too long for the measure.
  func measurement(of text: String, against expected: String) -> Measurement? {
    func folded(_ text: String) -> String {
      ignoringCase ? text.uppercased().lowercased() : text
    }
    let (text, expected) = (folded(text), folded(expected))
    if measure == .edit {
      let (left, right) = (Array(text), Array(expected))
      guard max(left.count, right.count) <= Self.maximumLength else { return nil }
      let distance = Self.distance(left, right)
      let longest = max(left.count, right.count)
      return Measurement(
        likeness: longest == 0 ? 1 : 1 - Double(distance) / Double(longest), distance: distance)
    }
    let (words, wanted) = (Self.words(of: text), Self.words(of: expected))
    // A text may be empty, or have only other characters, such as an emoji or an operator.
    if words.isEmpty || wanted.isEmpty { return Measurement(likeness: text == expected ? 1 : 0) }
    var remaining: [Substring: Int] = [:]
    for word in wanted { remaining[word, default: 0] += 1 }
    var common = 0
    for word in words where remaining[word, default: 0] > 0 {
      remaining[word, default: 0] -= 1
      common += 1
    }
    if measure == .recall {
      return Measurement(likeness: Double(common) / Double(wanted.count))
    }
    return Measurement(likeness: 2 * Double(common) / Double(words.count + wanted.count))
  }

  /// Returns whether a measurement satisfies the requirement.
  func isEnough(_ measurement: Measurement) -> Bool {
    if let minimum { return measurement.likeness >= minimum }
    return (measurement.distance ?? .max) <= maximumDistance ?? 0
  }

  /// Returns the Levenshtein distance of two texts: the minimum number of insertions, deletions and
  /// substitutions that turn one into the other.
  ///
  /// The function uses the algorithm of Wagner and Fischer (1974), with only one row of the table
  /// in memory.
  ///
  /// - Complexity: O(length of `left` × length of `right`) time, and O(length of `right`) space.
  static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var row = Array(0...right.count)
    for (index, character) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (place, other) in right.enumerated() {
        let replaced = diagonal + (character == other ? 0 : 1)
        diagonal = row[place + 1]
        row[place + 1] = min(replaced, min(diagonal, row[place]) + 1)
      }
    }
    return row[right.count]
  }

  /// Returns the words of a text: its runs of letters and digits.
  private static func words(of text: String) -> [Substring] {
    text.split { !($0.isLetter || $0.isNumber) }
  }
}
