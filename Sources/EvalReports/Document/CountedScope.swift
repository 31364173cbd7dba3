import EvalRecords

/// The number of attempts that a comparison counts, if it counts only some of a suite's attempts.
///
/// A comparison counts the attempts that have a counterpart with the same repeat number in the
/// baseline, at test cases that both sides have. Gates, causes and tables count all attempts.
struct CountedScope {
  /// The number of attempts that the comparison counts.
  let compared: Int
  /// The number of attempts of the suite.
  let all: Int

  /// Creates a scope for an effect.
  ///
  /// - Returns: `nil` if the effect counts all attempts of its suite, if it is measured and not
  ///   counted, or if its reference isn't the baseline.
  init?(_ effect: EffectRecord, _ summary: RunSummary?) {
    guard effect.evidence == .counted, effect.reference == .baseline, let summary,
      let all = summary.slice(effect.place.candidate)?.tally.attempts, effect.candidate.count < all
    else { return nil }
    (compared, self.all) = (effect.candidate.count, all)
  }

  /// A sentence that says how many attempts were compared.
  var sentence: String {
    "The comparison includes \(NumberText.grouped(compared)) of the \(NumberText.grouped(all)) "
      + "attempts: those that the baseline has too."
  }
}
