import EvalRecords

extension ComparisonVerdict {
  /// The verdict on one quantity, in a few words.
  package var word: String {
    switch self {
    case .improved: "better"
    case .ok: "no change"
    case .regressed: "worse"
    case .inconclusive: "too few to tell"
    case .notComparable: "not comparable"
    case .broken: "broken"
    }
  }

  /// A symbol for the verdict, so that its meaning doesn't depend on color.
  package var sign: String {
    switch self {
    case .improved: "▲"
    case .ok: "≈"
    case .regressed: "▼"
    case .inconclusive: "?"
    case .notComparable: "!"
    case .broken: "✗"
    }
  }

  /// The symbol and the word: `▼ worse`.
  package var words: String { "\(sign) \(word)" }
}
