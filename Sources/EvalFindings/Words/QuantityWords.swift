import EvalRecords

extension EffectRecord {
  /// The verdict in words, with a remark if it is a clear change but doesn't count for the verdict
  /// of the comparison.
  package var verdictWords: String {
    !isGating && (verdict == .regressed || verdict == .improved)
      ? "\(verdict.words) (doesn’t decide)" : verdict.words
  }

  /// The rates of both sides: `95.0 % → 81.7 %`.
  package var sidesWords: String {
    "\(NumberText.percent(baseline.value)) → \(NumberText.percent(candidate.value))"
  }

  /// The place in words: `flashcards on local`.
  package var scope: String { place.words }

  /// The notes on one line.
  package var note: String {
    (notes.map(\.words) + [marginNote].compactMap(\.self)).joined(separator: "; ")
  }

  /// The reason why the effect is inconclusive although its interval excludes zero, or `nil` for
  /// any other effect.
  private var marginNote: String? {
    guard verdict == .inconclusive, changeLow > 0 || changeHigh < 0 else { return nil }
    switch method.test {
    case .signFlip(_, _, let margin), .drawsAndCases(_, _, let margin),
      .measured(_, let margin, _, _):
      return "the interval excludes zero, but the test requires more than the margin of "
        + "\(NumberText.points(margin).drop { $0 == "+" }) points, and adjusts for all tests"
    default:
      return "the interval excludes zero, but the p-value is adjusted for all tests"
    }
  }
}

extension EstimateRecord {
  /// The estimate in percent.
  package var percent: String {
    hits.map { NumberText.rate($0, of: count) } ?? NumberText.percent(value)
  }

  /// The counts behind the estimate: `49 of 60`, or `over 20 test cases`.
  package var basis: String {
    hits.map { "\(NumberText.grouped($0)) of \(NumberText.grouped(count))" }
      ?? "over \(NumberText.count(count, "test case"))"
  }
}
