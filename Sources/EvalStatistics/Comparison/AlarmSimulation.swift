import EvalRecords
import Foundation

/// How often the test of decision probabilities calls a regression, by simulation.
///
/// One trial draws P(empty) of each case on both sides and runs the test that a comparison runs. The
/// sample is the cases; one repeat is enough, since it measures the probability.
package struct AlarmSimulation: Sendable {
  /// What is done to the guide between the two sides.
  package enum Arm: String, Sendable, Hashable, CaseIterable {
    /// Nothing: both sides measure the same probability, each with a little noise of its own, as when
    /// the sampled prefix differs.
    case identical
    /// A harmless rewording: each case's probability moves a little, up or down.
    case rewording
    /// The worst case that is still harmless: the mean shift is the margin itself.
    case atMargin
    /// The planted bug: arrays come back empty one time in fifteen more often, in some cases more
    /// and in others less.
    case planted
  }

  /// The number of cases.
  package var cases: Int
  /// The number of trials for each arm.
  package var trials: Int
  /// The tolerated mean shift.
  package var margin: Double
  /// The significance level, one-sided.
  package var alpha: Double
  /// The seed.
  package var seed: UInt64

  /// Makes a simulation.
  package init(
    cases: Int = 20, trials: Int = 10_000, margin: Double = 0.01, alpha: Double = 0.05,
    seed: UInt64 = 1
  ) {
    self.cases = cases
    self.trials = trials
    self.margin = margin
    self.alpha = alpha
    self.seed = seed
  }

  /// The share of trials that call a regression.
  package func alarmRate(_ arm: Arm) -> Double {
    var generator = SplitMix(seed: seed)
    let alarms = (0..<trials).count { trial in
      let shifts = (0..<cases).map { _ in shift(arm, &generator) }
      let test = ShiftTest(shifts, margin: margin, seed: UInt64(trial))
      return test.worseP <= alpha
    }
    return Double(alarms) / Double(max(1, trials))
  }

  /// The shift of one case, candidate minus baseline.
  private func shift(_ arm: Arm, _ generator: inout SplitMix) -> Double {
    let usual = log(0.02 / 0.98) + normal(&generator)
    func probability(_ logit: Double) -> Double { 1 / (1 + exp(-logit)) }
    let baseline = probability(usual + 0.1 * normal(&generator))
    switch arm {
    case .identical:
      return probability(usual + 0.1 * normal(&generator)) - baseline
    case .rewording:
      return probability(usual + 0.4 * normal(&generator)) - baseline
    case .atMargin:
      return margin + 0.02 * normal(&generator)
    case .planted:
      let rise = -log(1 - generator.unit()) / 15
      return min(1, probability(usual) + rise) - baseline
    }
  }

  private func normal(_ generator: inout SplitMix) -> Double {
    Normal.quantile((generator.unit() + 0x1p-54))
  }
}
