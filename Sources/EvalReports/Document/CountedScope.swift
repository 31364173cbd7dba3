import EvalRecords
import EvalStatistics
import StructuredText

/// The counts of a suite's attempts, for a comparison that counts only some of them.
///
/// A comparison counts the attempts that have a counterpart with the same seed in the baseline.
/// Gates, causes and tables count all attempts. The headline counts all attempts too, so that its
/// numbers agree with theirs.
struct CountedScope {
  /// The number of attempts that the comparison counts.
  let compared: Int
  /// The number of attempts of the suite.
  let all: Int
  /// The share of attempts that the quantity counts, such as passes: once among all attempts of the
  /// candidate, and once among all attempts of the baseline.
  ///
  /// The value is `nil` if reports don't count the quantity over all attempts, or if the baseline's
  /// attempts aren't known.
  let shares: (now: Share, before: Share)?

  /// Creates a scope for an effect.
  ///
  /// - Returns: `nil` if the effect counts all attempts of its suite, if it is measured and not
  ///   counted, or if its reference isn't the baseline.
  init?(_ effect: EffectRecord, _ summary: RunSummary?, _ baseline: RunSummary?) {
    let candidate = effect.place.candidate
    guard effect.evidence == .counted, effect.reference == .baseline, let summary,
      let all = summary.slice(candidate)?.tally.attempts, effect.candidate.count < all
    else { return nil }
    (compared, self.all) = (effect.candidate.count, all)
    if let now = summary.share(of: effect.quantity, candidate),
      let before = baseline?.share(of: effect.quantity, effect.place.baseline)
    {
      shares = (now, before)
    } else {
      shares = nil
    }
  }

  /// Returns the change among the compared attempts as a sentence.
  ///
  /// - Parameters:
  ///   - effect: The effect.
  ///   - difference: The change in words: `rise of 33.3 points (95 % CI …)`.
  func sentence(_ effect: EffectRecord, _ difference: String) -> String {
    func counts(_ side: EstimateRecord) -> String {
      Share(side.hits ?? 0, of: side.count).counts
    }
    return shares == nil
      ? "A \(difference). The comparison includes only \(compared) of the \(all) attempts: those "
        + "with the baseline’s seeds."
      : "Among the attempts with the baseline’s seeds, \(counts(effect.candidate)) (baseline "
        + "\(counts(effect.baseline))): a \(difference)."
  }
}

extension RunSummary {
  /// Returns the share of a slice's attempts that the quantity counts, or `nil` if the summary
  /// doesn't count the quantity.
  fileprivate func share(of quantity: Quantity, _ key: SliceKey) -> Share? {
    guard let slice = slice(key) else { return nil }
    switch quantity {
    case .passRate: return slice.share
    case .emptyArray(let path):
      let own = lengths.filter { $0.slice == key && $0.path == path }
      return own.isEmpty || JSONPlace.isPattern(path)
        ? nil : Share(own.reduce(0) { $0 + $1.empty }, of: slice.tally.attempts)
    case .wrongBranch(let path):
      return confusions.first { $0.slice == key && $0.path == path }
        .map { Share($0.wrong, of: $0.total) }
    case .shortArray, .missedBranch, .failedAssertion, .validOutput, .arrayLength: return nil
    }
  }
}
