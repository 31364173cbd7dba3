import EvalRecords
import Foundation

/// A decision probability that was measured in each test case on both sides.
///
/// If the text before the decision is forced, all repeats of a test case give the same probability.
/// So the sample consists of the test cases, and repeats add nothing. A harmless rewording moves
/// every probability a little, so the test asks whether the mean shift exceeds the margin.
struct ShiftEffect: Sendable {
  /// The probability of one test case on both sides.
  struct CaseShift: Sendable {
    var caseID: String
    var baseline: Double
    var candidate: Double
  }

  var quantity: Quantity
  var subject: EffectDraft.Subject
  var shifts: [CaseShift]
  /// The number of decisions that are left out as unresolved on either side, keyed by test case.
  var unresolved: [String: Int] = [:]
  /// The number of test cases in which the decision could have occurred.
  var caseCount: Int

  /// The number of test cases that have only unresolved decisions.
  private var lostCount: Int {
    let counted = Set(shifts.map(\.caseID))
    return unresolved.keys.count { !counted.contains($0) }
  }

  /// Whether the probability is representative: it is known in at least one test case, and the test
  /// cases with only unresolved decisions don't outnumber the test cases in which it is known.
  var isMeasured: Bool { !shifts.isEmpty && lostCount <= shifts.count }

  /// Whether the probability depends on text that an attempt happened to sample.
  ///
  /// For example, whether an array ends after one element depends on that element.
  ///
  /// Such a probability can rise far without any edit. In 7 of 100 comparisons of SmolLM2 runs that
  /// had one repeat and differed only in their seeds, the probabilities of two test cases rose far
  /// more than all others.
  private var isOfSampledText: Bool {
    if case .shortArray = quantity { true } else { false }
  }

  /// Returns the effect, or `nil` if no test case has the probability on both sides.
  func draft(_ unit: ComparisonUnit, _ rules: ComparisonRules) -> EffectDraft? {
    guard !shifts.isEmpty else { return nil }
    let test = ShiftTest(
      shifts.map { $0.candidate - $0.baseline }, margin: rules.margin, seed: rules.seed)
    let confidence = 1 - rules.alpha
    func estimate(_ values: [Double]) -> EstimateRecord {
      let mean = MeanInterval(values, within: 0...1)
      let interval = mean.interval(confidence: confidence)
      return EstimateRecord(
        value: mean.mean, count: values.count, low: interval.low, high: interval.high)
    }
    let shift = MeanInterval(test.sample.values, within: -1...1)
    let change = test.cut(shift.interval(confidence: confidence), level: rules.alpha)
    let record = EffectRecord(
      place: unit.place, quantity: quantity, evidence: .measured,
      baseline: estimate(shifts.map(\.baseline)), candidate: estimate(shifts.map(\.candidate)),
      change: test.sample.mean, changeLow: change.low, changeHigh: change.high,
      method: EffectMethod(interval: .boundedMean), verdict: .inconclusive, notes: notes)
    let moves = shifts.map { $0.candidate - $0.baseline }
    let (rise, fall) = (ConcentratedRise(moves), ConcentratedRise(moves.map { 0 - $0 }))
    var draft = EffectDraft(
      record: record, subject: subject, worsening: test.sample.mean, worseP: test.worseP,
      betterP: test.betterP,
      test: .signFlip(
        cases: shifts.count, draws: test.sample.isExact ? nil : SignFlip.draws,
        margin: rules.margin), requiredChange: 0,
      equivalence: Equivalence(
        estimate: test.sample.mean, bound: shift.upperBound(error: rules.alpha),
        unseen: shift.allowance(error: rules.alpha), tolerance: .measured, isSame: test.isStill),
      cases: shifts.count,
      need: {
        test.need(
          familySize: $0, level: rules.level(against: .baseline), alpha: rules.alpha,
          tolerated: Equivalence.Tolerance.measured.usual)
      })
    let couldMove = moves.contains { abs($0) > rules.margin }
    draft.leastP =
      !couldMove
      ? 1 : test.sample.isExact ? exp2(-Double(shifts.count)) : 1 / Double(SignFlip.draws + 1)
    // A bug that affects only a few inputs shows in the test cases with these inputs, whatever the
    // mean is.
    if !isOfSampledText {
      draft.alarm = (rise.isAlarm, fall.isAlarm)
      draft.risen = (named(rise), named(fall))
    }
    return draft
  }

  /// Returns up to ten test cases of a concentrated rise or fall, largest change first, or an empty
  /// array if the change doesn't raise an alarm.
  private func named(_ rise: ConcentratedRise) -> [EffectNote.CaseShift] {
    guard rise.isAlarm else { return [] }
    return rise.cases.prefix(10).map {
      EffectNote.CaseShift(
        id: shifts[$0].caseID, before: shifts[$0].baseline, after: shifts[$0].candidate)
    }
  }

  private var notes: [EffectNote] {
    let rises = shifts.count { $0.candidate - $0.baseline > 1e-9 }
    let falls = shifts.count { $0.baseline - $0.candidate > 1e-9 }
    var notes = [EffectNote.direction(rose: rises, fell: falls, cases: shifts.count)]
    func furthest(_ direction: Double) -> CaseShift? {
      shifts.max {
        direction * ($0.candidate - $0.baseline) < direction * ($1.candidate - $1.baseline)
      }
    }
    let mean = shifts.reduce(0) { $0 + $1.candidate - $1.baseline }
    if rises + falls > 0, let most = furthest(mean < 0 ? -1 : 1) {
      notes.append(
        .largestShift(caseID: most.caseID, before: most.baseline, after: most.candidate))
    }
    if shifts.count + lostCount < caseCount {
      notes.append(
        .withoutDecision(cases: caseCount - shifts.count - lostCount, of: caseCount))
    }
    if !unresolved.isEmpty {
      notes.append(
        .unresolved(
          decisions: unresolved.values.reduce(0, +), lostCases: lostCount, cases: caseCount,
          limit: DecisionRecord.mostUnresolved))
    }
    return notes
  }
}

/// The test of whether the mean shift over test cases exceeds a margin.
package struct ShiftTest: Sendable {
  /// The shifts, candidate minus baseline, one per test case.
  package let sample: SignFlip
  /// The tolerated shift.
  package let margin: Double

  /// Creates a test.
  package init(_ shifts: [Double], margin: Double, seed: UInt64 = 1) {
    sample = SignFlip(shifts, seed: seed)
    self.margin = margin
  }

  /// The one-sided p-value of "the mean shift is above the margin".
  package var worseP: Double { sample.pValue(above: margin) }

  /// The one-sided p-value of "the mean shift is below minus the margin".
  package var betterP: Double { sample.pValue(below: -margin) }

  /// Returns a confidence interval for the mean shift without the shifts that the test excludes.
  ///
  /// If the test shows that the shift exceeds the margin, the interval begins at the margin. So an
  /// interval never contradicts the test.
  ///
  /// - Parameters:
  ///   - interval: The interval.
  ///   - level: The one-sided level of the test.
  func cut(_ interval: ConfidenceInterval, level: Double) -> ConfidenceInterval {
    ConfidenceInterval(
      low: worseP <= level ? max(interval.low, margin) : interval.low,
      high: betterP <= level ? min(interval.high, -margin) : interval.high)
  }

  /// Whether no test case shifted.
  var isStill: Bool { sample.values.allSatisfy { abs($0) <= 1e-9 } }

  /// Returns how many more test cases, like the existing ones, a clear verdict would need.
  ///
  /// - Parameters:
  ///   - familySize: The number of tests in the family.
  ///   - level: The significance level of the test for a regression.
  ///   - alpha: The one-sided error of the equivalence test.
  ///   - tolerated: The tolerated worsening.
  func need(
    familySize: Int, level: Double, alpha: Double, tolerated: Double
  ) -> EffectNote.Need {
    let count = Double(sample.values.count)
    let adjusted = level / Double(max(1, familySize))
    // With n test cases, no p-value is below 2⁻ⁿ.
    func least(_ error: Double) -> Double { log2(1 / error).rounded(.up) }
    let deviations = sample.values.map { ($0 - sample.mean) * ($0 - sample.mean) }
    let variance = count > 1 ? deviations.reduce(0, +) / (count - 1) : 0
    /// Returns the number of test cases at which a distance becomes significant.
    func cases(_ error: Double, _ distance: Double) -> Double {
      guard distance > 0 else { return .infinity }
      let z = Normal.quantile(1 - error)
      return max(least(error), (z * z * variance / (distance * distance)).rounded(.up))
    }
    let needed = min(
      cases(adjusted, sample.mean - margin), cases(adjusted, 0 - sample.mean - margin),
      cases(alpha, tolerated - sample.mean))
    guard needed.isFinite, needed < 1e6 else { return .atMargin }
    return .cases(more: Int(max(1, needed - count)))
  }
}
