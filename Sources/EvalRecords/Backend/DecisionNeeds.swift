import StructuredText

/// The decisions whose probabilities a comparison needs from an answer.
///
/// An answer that has made all of them may stop, because the rest of its text changes no
/// probability that the comparison uses:
///
/// ```
/// {"cards":[ {"question":"Why …","answer":"…"}, {"question":"Who …","answer":"…"}, ▲ {"question" …
///           0                                  1                                    2
/// ```
/// For P(fewer than 3), the choices between another card and the end after 0, 1 and 2 cards count.
/// So the answer may stop after the last of them.
public struct DecisionNeeds: Sendable, Hashable {
  /// The number of elements before which the choice between another element and the end counts,
  /// keyed by the array's place in its canonical spelling.
  public var arrays: [String: Int]
  /// The places whose branch counts, in their canonical spelling.
  public var branches: Set<String>

  /// Creates needs.
  ///
  /// - Parameters:
  ///   - arrays: The number of elements before which a choice counts, keyed by the array's place.
  ///   - branches: The places whose branch counts.
  public init(arrays: [String: Int] = [:], branches: Set<String> = []) {
    self.arrays = Dictionary(
      arrays.map { (JSONPlace.canonical($0.key), max(1, $0.value)) }, uniquingKeysWith: max)
    self.branches = Set(branches.map(JSONPlace.canonical))
  }

  /// Whether nothing is needed.
  public var isEmpty: Bool { arrays.isEmpty && branches.isEmpty }

  /// The needs in one line, for request fingerprints.
  package var words: String {
    (arrays.sorted { $0.key < $1.key }.map { "\($0.key) < \($0.value)" } + branches.sorted())
      .joined(separator: ", ")
  }

  /// A decision as far as needs ask about it: its kind, its place in the canonical spelling, the
  /// number of elements before it, and whether it ended its array.
  public typealias Made = (kind: DecisionRecord.Kind, place: String, index: Int, isEnd: Bool)

  /// Returns whether an answer has made all the decisions that count.
  ///
  /// A decision that an answer never makes, for example because its property is absent, is never
  /// met, so the answer runs to its end.
  ///
  /// - Parameter decisions: The decisions so far.
  public func areMet(by decisions: some Sequence<Made>) -> Bool {
    var arrays = arrays
    var branches = branches
    for decision in decisions {
      switch decision.kind {
      case .array:
        if let count = arrays[decision.place], decision.isEnd || decision.index >= count - 1 {
          arrays[decision.place] = nil
        }
      case .branch, .choice: branches.remove(decision.place)
      case .optional: continue
      }
    }
    return arrays.isEmpty && branches.isEmpty
  }
}

extension DecisionRecord {
  /// The decision as far as ``DecisionNeeds`` asks about it.
  package var asNeeded: DecisionNeeds.Made { (kind, path, index, chosen == .end) }
}
