import EvalRecords
import StructuredText

/// Two answers to the same input, value by value.
///
/// ```
/// {"cards": [{"front": "Tide"}]}   and   {"cards": [{"front": "Tides"}, {"front": "Moon"}]}
///
/// $.cards[0].front   Tide   Tides    removed, added
/// $.cards[1].front   –      Moon     only on the candidate's side
/// ```
///
/// A difference stays small however long the answers are: a long text keeps the words around each
/// change, and of the values that both sides have, only the first few are listed. A value that
/// differs is listed until there are ``maximumRows`` of them.
package struct AnswerDifference: Sendable, Hashable {
  /// One value of the answers.
  package struct Row: Sendable, Hashable {
    /// The place of the value, or `$` for an answer that isn't JSON.
    package let place: String
    /// The words of both sides; empty if both sides lack the value.
    package let parts: [WordDifference.Part]
    /// The side that lacks the value, or `nil` if both have it.
    package let missing: Side?

    /// Whether both sides have the same value.
    package var isSame: Bool {
      missing == nil && parts.allSatisfy { if case .same = $0 { true } else { false } }
    }
  }

  /// A side of the comparison.
  package enum Side: Sendable, Hashable { case baseline, candidate }

  /// The values in the order of the answers.
  package let rows: [Row]
  /// The number of values that both sides have and ``rows`` leaves out.
  package let leftOutSame: Int
  /// The number of values that differ and ``rows`` leaves out.
  package let leftOutChanged: Int

  /// The maximum number of listed values that differ.
  package static let maximumRows = 40
  /// The maximum number of listed values that both sides have.
  private static let maximumSame = 12
  /// The maximum length of a text that both sides have, in characters.
  private static let longestSame = 120
  /// The number of characters to keep on each side of a change.
  private static let context = 40
  /// The maximum length of a changed text, in characters.
  private static let longestChange = 400

  /// Compares two answers.
  ///
  /// - Complexity: O(n) in the number of values, and O(a · b) in the numbers of words of each text
  ///   that differs.
  package init(from baseline: String, to candidate: String) {
    let (old, new) = (Self.values(baseline), Self.values(candidate))
    let before = Self.texts(old, at: new)
    let after = Self.texts(new, at: old)
    var rows: [Row] = []
    var (same, changed, leftOutSame, leftOutChanged) = (0, 0, 0, 0)
    for place in Self.merged(old.map(\.place), new.map(\.place)) {
      let (left, right) = (before[place], after[place])
      if left == right {
        same += 1
        guard same <= Self.maximumSame else {
          leftOutSame += 1
          continue
        }
      } else {
        changed += 1
        guard changed <= Self.maximumRows else {
          leftOutChanged += 1
          continue
        }
      }
      let parts = WordDifference(from: left ?? "", to: right ?? "").parts
      rows.append(
        Row(
          place: place, parts: Self.shortened(parts),
          missing: left == nil ? .baseline : right == nil ? .candidate : nil))
    }
    self.rows = rows
    (self.leftOutSame, self.leftOutChanged) = (leftOutSame, leftOutChanged)
  }

  /// The values of an answer in order, or the whole text if it isn't JSON.
  private static func values(_ answer: String) -> [(place: String, text: String)] {
    guard let value = try? JSONValue(parsing: answer) else {
      return answer.isEmpty ? [] : [("$", VisibleText.visible(answer))]
    }
    var found: [(place: String, text: String)] = []
    func walk(_ value: JSONValue, _ place: String) {
      switch value {
      case .array(let elements) where !elements.isEmpty:
        for (index, element) in elements.enumerated() {
          walk(element, place + JSONPlace.Step.index(index).text)
        }
      case .object(let members) where !members.isEmpty:
        for member in members { walk(member.value, place + JSONPlace.Step.name(member.key).text) }
      case .string(let text) where !isAmbiguous(text):
        found.append((place, VisibleText.visible(text)))
      default: found.append((place, VisibleText.visible(value.compactText)))
      }
    }
    walk(value, "$")
    return found
  }

  /// The texts of an answer's values by place.
  ///
  /// If the other answer has a value, such as an empty array, where this answer has an array with
  /// elements, the text is the number of elements, because the array isn't absent.
  private static func texts(
    _ own: [(place: String, text: String)], at other: [(place: String, text: String)]
  ) -> [String: String] {
    var texts = Dictionary(first: own.map { ($0.place, $0.text) })
    for place in other.map(\.place) where texts[place] == nil {
      let rests = own.map(\.place).filter { $0.hasPrefix(place) }
        .map { $0.dropFirst(place.count) }
        .filter { $0.hasPrefix("[") || $0.hasPrefix(".") }
      guard let first = rests.first else { continue }
      let parts = Set(rests.map { $0.dropFirst().prefix { $0 != "[" && $0 != "." } })
      let isArray = first.dropFirst().first?.isNumber == true && first.hasPrefix("[")
      texts[place] = parts.count.counted(isArray ? "element" : "member")
    }
    return texts
  }

  /// Whether a string without quotation marks reads like another value: `12`, `[]`, `null`.
  private static func isAmbiguous(_ text: String) -> Bool {
    text.isEmpty || (try? JSONValue(parsing: text)) != nil
  }

  /// Both lists of places as one: each place of the candidate comes after the place that it
  /// follows.
  private static func merged(_ old: [String], _ new: [String]) -> [String] {
    let known = Set(old)
    var following: [String: [String]] = [:]
    var last = ""
    for place in new {
      if known.contains(place) { last = place } else { following[last, default: []].append(place) }
    }
    return (following[""] ?? []) + old.flatMap { [$0] + (following[$0] ?? []) }
  }

  /// Shortens long parts, and keeps what is next to a change.
  private static func shortened(_ parts: [WordDifference.Part]) -> [WordDifference.Part] {
    parts.enumerated().map { index, part in
      switch part {
      case .removed(let text): .removed(cut(text, head: longestChange, tail: 0))
      case .added(let text): .added(cut(text, head: longestChange, tail: 0))
      case .same(let text) where parts.count == 1: .same(cut(text, head: longestSame, tail: 0))
      case .same(let text):
        .same(
          cut(
            text, head: index == 0 ? 0 : context,
            tail: index == parts.count - 1 ? 0 : context))
      }
    }
  }

  /// Keeps the first and last characters of a text, if it is longer than both with a margin.
  private static func cut(_ text: String, head: Int, tail: Int) -> String {
    guard text.count > head + tail + 20 else { return text }
    return text.prefix(head) + " … " + text.suffix(tail)
  }
}
