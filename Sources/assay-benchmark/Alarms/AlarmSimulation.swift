import EvalRecords
import EvalStatistics
import Foundation

/// A simulation of how often the test of decision probabilities reports a regression.
///
/// Each trial draws P(empty), the probability of an empty array, for every test case on both sides.
/// ``alarmRate(_:)`` runs only the test of these probabilities. ``gateRate(_:)`` generates attempts
/// from the probabilities and runs the whole comparison, including the counts, the other
/// probabilities and the adjustment for multiplicity. The sample consists of the test cases. One
/// repeat of each test case is enough, because the engine measures the probability.
struct AlarmSimulation: Sendable {
  /// The change to the guide between the two sides.
  enum Arm: String, Sendable {
    /// No change: both sides measure the same probability, with a little noise on each side, as if
    /// the sampled prefixes differed.
    case identical
    /// A harmless rewording: each test case's probability moves a little, up or down.
    case rewording
    /// The worst harmless change, whose mean shift equals the margin.
    case atMargin
    /// A planted bug: on average, one more array in 15 comes back empty; the rate varies between
    /// test cases.
    case planted
    /// A planted bug in two test cases: their arrays are empty with a probability of at least 0.67.
    case concentrated
  }

  /// The number of test cases.
  var cases: Int
  /// The number of trials per arm.
  var trials: Int
  /// The tolerated mean shift.
  var margin = 0.01
  /// The significance level, one-sided.
  var alpha = 0.05
  /// The seed.
  var seed: UInt64 = 1

  /// Returns the share of trials in which the test of P(empty), including that of a few test cases,
  /// reports a regression.
  func alarmRate(_ arm: Arm) -> Double {
    var generator = SplitMix(seed: seed)
    return rate { trial in
      let pairs = (0..<cases).map {
        let pair = probabilities(arm, at: $0, &generator)
        return (
          baseline: MeasuredCase(draws: [pair.baseline]),
          candidate: MeasuredCase(draws: [pair.candidate])
        )
      }
      return MeasuredTest(
        pairs, isFixed: true, margin: margin, level: alpha, seed: UInt64(trial)
      ).worseP <= alpha
    }
  }

  /// Returns the share of trials in which the whole comparison says `regressed`.
  func gateRate(_ arm: Arm) -> Double {
    var generator = SplitMix(seed: seed)
    return rate { trial in
      let pairs = (0..<cases).map { probabilities(arm, at: $0, &generator) }
      var baseline = SimulatedRun(cases: cases, repeats: 1, seed: 1)
      var candidate = SimulatedRun(cases: cases, repeats: 1, seed: 1)
      // Common random numbers: both sides use the same draw, as with equal seeds.
      for (index, pair) in pairs.enumerated() {
        let draw = generator.unit()
        baseline.add(case: index, emptyProbability: pair.baseline, isEmpty: draw < pair.baseline)
        candidate.add(
          case: index, emptyProbability: pair.candidate, isEmpty: draw < pair.candidate)
      }
      let rules = ComparisonRules(margin: margin, alpha: alpha, seed: UInt64(trial))
      return Comparison.compare(
        baseline: baseline.side, candidate: candidate.side, rules: rules
      ).verdict == .regressed
    }
  }

  private func rate(_ isAlarm: (_ trial: Int) -> Bool) -> Double {
    Double((0..<trials).count(where: isAlarm)) / Double(max(1, trials))
  }

  /// Draws P(empty) of one test case on both sides.
  private func probabilities(
    _ arm: Arm, at index: Int, _ generator: inout SplitMix
  ) -> (baseline: Double, candidate: Double) {
    let usual = log(0.02 / 0.98) + normal(&generator)
    func probability(_ logit: Double) -> Double { 1 / (1 + exp(-logit)) }
    let baseline = probability(usual + 0.1 * normal(&generator))
    switch arm {
    case .identical: return (baseline, probability(usual + 0.1 * normal(&generator)))
    case .rewording: return (baseline, probability(usual + 0.4 * normal(&generator)))
    case .atMargin:
      // The baseline's probability is one tenth, so that the shifted probability doesn't reach 0
      // or 1.
      return (0.1, max(0, 0.1 + margin + 0.02 * normal(&generator)))
    case .planted:
      let rise = -log(1 - generator.unit()) / 15
      return (baseline, min(1, probability(usual) + rise))
    case .concentrated:
      let other = probability(usual + 0.1 * normal(&generator))
      return (baseline, index < 2 ? max(0.67, other) : other)
    }
  }

  private func normal(_ generator: inout SplitMix) -> Double {
    Normal.quantile((generator.unit() + 0x1p-54))
  }
}
