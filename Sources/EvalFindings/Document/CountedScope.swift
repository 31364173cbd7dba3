import EvalRecords
import EvalStatistics

/// The number of attempts that a comparison counts, if it counts only some of a suite's attempts.
///
/// A comparison counts the attempts that have a counterpart with the same repeat number in the
/// baseline, at test cases that both sides have. Attempts that are the same draw count once. Gates,
/// causes and tables count all attempts.
struct CountedScope {
  /// The number of attempts that the comparison counts.
  package let compared: Int
  /// The number of attempts of the suite.
  package let all: Int
  /// The number of separate draws among these attempts.
  private let draws: Int
  /// Whether test cases with many attempts count once, and others count once for each attempt.
  private let isUneven: Bool

  /// Creates the scope of the comparison that found an effect.
  ///
  /// The effect itself may count fewer attempts, for example only those that should take one
  /// branch. The pass rate counts all that the comparison has.
  ///
  /// The result is `nil` if the comparison counts all attempts of the suite, if the effect is
  /// measured and not counted, or if its reference isn't the baseline.
  init?(_ effect: EffectRecord, among effects: [EffectRecord], _ summary: RunSummary?) {
    guard effect.evidence == .counted, effect.reference == .baseline,
      let rate = effects.first(where: {
        $0.quantity == .passRate && $0.reference == .baseline && $0.place == effect.place
      }),
      let slice = summary?.slice(effect.place.candidate),
      rate.candidate.count < slice.tally.attempts
    else { return nil }
    compared = rate.candidate.count
    all = slice.tally.attempts
    draws = slice.cases.reduce(0) { $0 + $1.draws }
    isUneven =
      slice.cases.contains { $0.draws == 1 && $0.tally.attempts > 1 }
      && slice.cases.contains { $0.draws > 1 }
  }

  /// The weights of the test cases, if they are so uneven that the change differs from that of the
  /// suite's pass rates.
  private var weights: String {
    isUneven
      ? ": a test case counts once if all its answers are alike, and once for each attempt if they "
        + "vary" : ""
  }

  /// A sentence that says how many attempts were compared.
  package var sentence: String {
    "The comparison includes \(NumberText.grouped(compared)) of the \(NumberText.grouped(all)) "
      + (draws >= all
        ? "attempts: those that the baseline has too."
        : compared >= draws
          ? "attempts, because the others are copies of them\(weights)."
          : "attempts: those that the baseline has too, without copies.")
  }
}
