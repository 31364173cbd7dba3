import EvalRecords

/// An effect before its p-values are adjusted and its verdict is decided.
struct EffectDraft: Sendable {
  /// The subject of an effect, which orders effects with the same verdict; empty arrays come first.
  enum Subject: Int, Sendable, Comparable {
    case emptyArray
    case wrongBranch
    case bounds
    case other

    static func < (left: Subject, right: Subject) -> Bool { left.rawValue < right.rawValue }
  }

  /// The effect; its verdict, p-values and method are set when the family is known.
  var record: EffectRecord
  var subject: Subject
  /// The change for the worse: positive if the candidate is worse.
  var worsening: Double
  /// The one-sided p-value of "worse" or, if the test has a margin, of "worse by more than the
  /// margin".
  var worseP: Double
  /// The one-sided p-value of "better".
  var betterP: Double
  /// The smallest p-value that the test could have given, for any result of the draws.
  var leastP = 0.0
  /// The result of each pair, if attempts were counted.
  var outcomes: [CountedEffect.Outcome]?
  /// Whether a few test cases alone moved so far that no further test is needed, in each direction.
  var alarm: (worse: Bool, better: Bool) = (false, false)
  /// The test cases of a concentrated change, for worse and for better; empty if no change is
  /// concentrated.
  var risen: (worse: [EffectNote.CaseShift], better: [EffectNote.CaseShift]) = ([], [])
  /// The test that gave the p-values.
  var test: EffectMethod.Test
  /// The change that the estimate must exceed for a verdict, besides a small p-value; 0 if the test
  /// itself includes the margin.
  var requiredChange: Double
  /// The evidence that the quantity didn't get worse; nil if the effect can't be `ok`.
  var equivalence: Equivalence?
  /// The number of test cases with the quantity.
  var cases: Int
  /// The additional data that would decide an inconclusive effect, given the number of tests in the
  /// family.
  var need: @Sendable (_ familySize: Int) -> EffectNote.Need
  /// The verdict *not comparable* or *broken*, with its reasons, if the effect can't be tested; nil
  /// if it can.
  var obstacle: (verdict: ComparisonVerdict, reasons: [EffectNote])?

  /// True if the effect counts for the overall verdict.
  var isGating: Bool { record.isGating }

  /// Adds a sequential test, which stays valid even if the results so far decided when to stop.
  ///
  /// The larger p-value of the two tests counts. With the sequential test, the effect can't be
  /// `ok`, because the test doesn't exclude a worsening.
  ///
  /// - Parameter table: The pairs; the first side is the candidate, and hits are bad attempts.
  mutating func testSequentially(_ table: PairTable) {
    let flips = table.firstOnly + table.secondOnly
    worseP = max(
      worseP, SequentialFlips.pValue(more: table.firstOnly, than: table.secondOnly))
    betterP = max(
      betterP, SequentialFlips.pValue(more: table.secondOnly, than: table.firstOnly))
    leastP = max(leastP, SequentialFlips.pValue(more: flips, than: 0))
    test = .sequential(flips: flips)
    equivalence = nil
  }

  /// Decides the effect's verdict.
  ///
  /// - Parameters:
  ///   - adjusted: The p-values of worse and better, adjusted for the family.
  ///   - adjustment: The adjustment; nil for a single test.
  ///   - familySize: The number of tests in the family.
  ///   - alpha: The significance level of the family, one-sided.
  ///   - rules: The rules; their α is the error of the equivalence test.
  mutating func decide(
    adjusted: (worse: Double, better: Double), by adjustment: EffectMethod.Adjustment? = nil,
    familySize: Int, alpha: Double, rules: ComparisonRules
  ) {
    if let obstacle {
      record.verdict = obstacle.verdict
      record.pValue = nil
      record.adjustedP = nil
      record.notes = obstacle.reasons + record.notes
      return
    }
    let visible = equivalence?.visible(
      level: alpha / Double(max(1, familySize)), alpha: rules.alpha)
    let isSuspected = isGating && worseP <= 2 * alpha && worsening > requiredChange
    if alarm.worse || adjusted.worse <= alpha && worsening > requiredChange {
      record.verdict = .regressed
      if !risen.worse.isEmpty { record.notes.insert(.concentrated(cases: risen.worse), at: 0) }
    } else if alarm.better || adjusted.better <= alpha && -worsening > requiredChange {
      record.verdict = .improved
      if !risen.better.isEmpty { record.notes.insert(.concentrated(cases: risen.better), at: 0) }
    } else if let equivalence, let visible, !isSuspected,
      equivalence.isSame || equivalence.bound <= equivalence.tolerated(visible: visible)
    {
      record.verdict = .ok
      record.notes.insert(contentsOf: proof(equivalence, visible), at: 0)
    } else {
      record.verdict = .inconclusive
      if isGating, let visible, visible < 1 {
        record.notes.insert(.visible(worsening: visible), at: 0)
      }
      record.notes.insert(.undecided(until: need(familySize)), at: 0)
      if isSuspected { record.notes.insert(.suspected(pValue: worseP), at: 0) }
    }
    // The displayed p-value is the one for the direction in which the estimate changed. If a few
    // test cases alone decide, a threshold gives the verdict. The mean's p-value may then
    // contradict the verdict, so it isn't displayed.
    let isBetter = worsening < 0
    let isAlarm = alarm.worse || alarm.better
    record.pValue = isAlarm ? nil : isBetter ? betterP : worseP
    record.adjustedP = isAlarm ? nil : isBetter ? adjusted.better : adjusted.worse
    record.method.test =
      isAlarm ? .concentratedRise(threshold: ConcentratedRise.threshold) : test
    record.method.direction = isBetter ? .better : .worse
    record.method.adjustment = adjustment
  }

  /// Returns the notes of an `ok` effect: the worsening that is excluded, the smallest one that the
  /// test would have found and, if the usual tolerance isn't reached, the data that would reach it.
  private func proof(_ equivalence: Equivalence, _ visible: Double) -> [EffectNote] {
    guard !equivalence.isSame else { return [] }
    var notes = [EffectNote.excluded(worsening: max(0, equivalence.bound))]
    guard isGating else { return notes }
    notes.append(.visible(worsening: visible))
    if equivalence.bound > equivalence.tolerance.usual,
      let more = equivalence.casesForUsual(cases)
    {
      notes.append(.toExclude(worsening: equivalence.tolerance.usual, moreCases: more))
    }
    return notes
  }
}
