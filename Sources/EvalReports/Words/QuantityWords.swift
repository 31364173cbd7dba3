import EvalRecords

extension EffectRecord {
  /// The quantity as a title in tables: `P(empty) at $.cards`.
  package var title: String {
    quantity == .passRate && reference == .pooledHistory
      ? "pass rate against pooled history" : quantity.title(evidence)
  }

  /// The verdict in words, with a remark if it is a clear change but doesn't count for the verdict
  /// of the comparison.
  var verdictWords: String {
    !isGating && (verdict == .regressed || verdict == .improved)
      ? "\(verdict.words) (doesn’t decide)" : verdict.words
  }

  /// The place in words: `flashcards on local`.
  package var scope: String { place.words }

  /// The notes on one line.
  var note: String {
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

extension Quantity {
  /// Returns the quantity as a title in tables: `P(empty) at $.cards`.
  func title(_ evidence: Evidence) -> String {
    switch (evidence, self) {
    case (_, .passRate): return "pass rate"
    case (.counted, .emptyArray(let path)): return "empty \(path)"
    case (.measured, .emptyArray(let path)): return "P(empty) at \(path)"
    case (.counted, .shortArray(let minimum, let path)):
      return "fewer than \(minimum) at \(path)"
    case (.measured, .shortArray(let minimum, let path)):
      return "P(fewer than \(minimum)) at \(path)"
    case (.counted, .wrongBranch(let path)): return "wrong branch at \(path)"
    case (.measured, .wrongBranch(let path)): return "P(wrong branch) at \(path)"
    case (.counted, .missedBranch(let branch, let path)): return "missed \(branch) at \(path)"
    case (.measured, .missedBranch(let branch, let path)): return "P(not \(branch)) at \(path)"
    case (.counted, .failedAssertion(let name, _)): return "failures of \(name)"
    case (.measured, .failedAssertion(let name, _)): return "P(failure of \(name))"
    case (_, .validOutput): return "valid output"
    case (_, .arrayLength(let path)): return "length within bounds at \(path)"
    }
  }
}
