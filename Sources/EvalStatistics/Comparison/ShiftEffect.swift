import EvalRecords
import SystemBasics

/// A decision probability that was measured in each test case on both sides.
///
/// If the text before the decision is fixed (``FixedDecisionPlaces``), all draws of a test case
/// give the same probability. So the sample consists of the test cases, and repeats add nothing. A
/// harmless rewording moves every probability a little, so the test asks whether the mean shift
/// exceeds the margin.
///
/// Any other probability depends on the text that the attempts happened to write, so the test also
/// uses the spread between the draws. With one draw of each test case there is no spread, and the
/// quantity can only be suspected. See ``MeasuredTest``.
struct ShiftEffect: Sendable {
  /// The probability of one test case on both sides.
  struct CaseShift: Sendable {
    var caseID: String
    var baseline: MeasuredCase
    var candidate: MeasuredCase

    var change: Double { candidate.probability - baseline.probability }
    /// The shift as a note names it.
    var named: EffectNote.CaseShift {
      EffectNote.CaseShift(
        id: caseID, before: baseline.probability, after: candidate.probability)
    }
  }

  var quantity: Quantity
  var subject: EffectDraft.Subject
  /// Whether the text before the decision is fixed on both sides.
  var isFixed: Bool
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

  /// Whether the probability can show that something changed; otherwise the count has to.
  var canDecide: Bool { isFixed || MeasuredTest.showsSpread(draws) }

  private var draws: [DrawPermutation.Case] {
    shifts.map {
      DrawPermutation.Case(baseline: $0.baseline.draws, candidate: $0.candidate.draws)
    }
  }

  /// Returns the effect, or `nil` if no test case has the probability on both sides.
  func draft(_ unit: ComparisonUnit, _ rules: ComparisonRules) -> EffectDraft? {
    guard !shifts.isEmpty else { return nil }
    let level = rules.level(against: .baseline)
    let test = MeasuredTest(
      shifts.map { ($0.baseline, $0.candidate) }, isFixed: isFixed, margin: rules.margin,
      level: level, seed: rules.seed)
    let mean = test.mean
    let confidence = 1 - rules.alpha
    func estimate(_ side: (CaseShift) -> MeasuredCase) -> EstimateRecord {
      let mean = MeanInterval(shifts.map { side($0).probability }, within: 0...1)
      let interval = mean.interval(confidence: confidence)
      return EstimateRecord(
        value: mean.mean, count: shifts.count, low: interval.low, high: interval.high)
    }
    let interval = MeanInterval(ofChanges: mean.sample.values, least: rules.margin)
    let change = test.cut(interval.interval(confidence: confidence), level: rules.alpha)
    let record = EffectRecord(
      place: unit.place, quantity: quantity, evidence: .measured,
      baseline: estimate(\.baseline), candidate: estimate(\.candidate),
      change: mean.sample.mean, changeLow: change.low, changeHigh: change.high,
      method: EffectMethod(interval: .boundedMean), verdict: .inconclusive,
      notes: notes(test, unit))
    let more: EffectNote.Need? =
      test.canDecide ? nil : unit.samplesNothing ? .sampling : .repeats(more: 1)
    var draft = EffectDraft(
      record: record, subject: subject, worsening: mean.sample.mean, worseP: test.worseP,
      betterP: test.betterP,
      test: method(test, rules, isWorse: mean.sample.mean >= 0), requiredChange: 0,
      equivalence: Equivalence(
        estimate: mean.sample.mean,
        // So few test cases that no permutation test could show a worsening exclude none either.
        bound: mean.leastP <= rules.alpha ? interval.upperBound(error: rules.alpha) : 1,
        tolerance: .measured, isSame: mean.isStill,
        rule: .cases(
          shifts.count, margin: rules.margin,
          sampled: isFixed
            ? nil
            : Equivalence.SampledText(
              level: level, error: DrawPermutation.standardError(draws)))),
      cases: shifts.count,
      need: {
        // If the text is sampled, the test over test cases shares its level with no other test.
        more
          ?? mean.need(
            familySize: isFixed ? $0 : 1, level: level, alpha: rules.alpha,
            tolerated: Equivalence.Tolerance.measured.usual)
      })
    draft.leastP = test.leastP
    draft.canDecide = test.canDecide
    // The change in a few test cases says nothing about other inputs.
    if test.canDecide, test.isFew.worse || test.isFew.better {
      draft.exactP = (test.worseP, test.betterP)
      draft.isAboutTheseCases = test.isFew
    }
    draft.risen = (named(test.few.rise.rise), named(test.few.fall.rise))
    return draft
  }

  /// Returns the test that gave the p-value in the direction of the change.
  private func method(
    _ test: MeasuredTest, _ rules: ComparisonRules, isWorse: Bool
  ) -> EffectMethod.Test {
    let isFew = isWorse ? test.isFew.worse : test.isFew.better
    let few = isWorse ? test.few.rise : test.few.fall
    return .measured(
      cases: shifts.count, margin: rules.margin, permutesDraws: !isFixed && test.canDecide,
      fewCasesScale: isFew ? few.scale : nil)
  }

  /// Returns up to ten test cases of a concentrated rise or fall, largest change first, or an empty
  /// array if the change isn't far.
  private func named(_ rise: ConcentratedRise) -> [EffectNote.CaseShift] {
    guard rise.isAlarm else { return [] }
    return rise.cases.prefix(10).map { shifts[$0].named }
  }

  private func notes(_ test: MeasuredTest, _ unit: ComparisonUnit) -> [EffectNote] {
    let rises = shifts.count { $0.change > 1e-9 }
    let falls = shifts.count { $0.change < -1e-9 }
    var notes: [EffectNote] = []
    if !isFixed, rises + falls > 0 {
      let fewest = draws.map { min($0.baseline.count, $0.candidate.count) }.min() ?? 0
      notes.append(.sampledText(draws: fewest, canDecide: test.canDecide))
    }
    for few in [test.few.rise, test.few.fall] where !few.exceedsMargin && few.rise.isAlarm {
      notes.append(.fewCasesWithinMargin(pValue: few.pValueOfRise, cases: named(few.rise)))
    }
    notes.append(.direction(rose: rises, fell: falls, cases: shifts.count))
    func furthest(_ direction: Double) -> CaseShift? {
      shifts.max { direction * $0.change < direction * $1.change }
    }
    if rises + falls > 0, let most = furthest(test.mean.sample.mean < 0 ? -1 : 1)?.named {
      notes.append(.largestShift(caseID: most.id, before: most.before, after: most.after))
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

  package init(_ shifts: [Double], margin: Double, seed: UInt64 = 1) {
    sample = SignFlip(shifts, seed: seed)
    self.margin = margin
  }

  /// The one-sided p-value of "the mean shift is above the margin".
  package var worseP: Double { sample.pValue(above: margin) }

  /// The one-sided p-value of "the mean shift is below minus the margin".
  package var betterP: Double { sample.pValue(below: -margin) }

  /// The smallest attainable p-value: with n test cases, no p-value is below 2⁻ⁿ.
  var leastP: Double {
    sample.isExact ? exp2(-Double(sample.values.count)) : 1 / Double(SignFlip.draws + 1)
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
    let adjusted = level * MeasuredTest.shareOfMean / Double(max(1, familySize))
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
