import EvalRecords

/// An effect before its p-values are adjusted for multiplicity and its verdict is decided.
struct EffectDraft: Sendable {
  /// The subject of an effect, by which effects with the same verdict are sorted; empty arrays come
  /// first.
  enum Subject: Int, Sendable, Comparable {
    case emptyArray
    case wrongBranch
    case bounds
    case other

    static func < (left: Subject, right: Subject) -> Bool { left.rawValue < right.rawValue }
  }

  /// The effect; its verdict, p-values and method are filled in once the family is known.
  var record: EffectRecord
  var subject: Subject
  /// The change for the worse: positive if the candidate is worse.
  var worsening: Double
  /// The one-sided p-value of "worse", or of "worse by more than the margin" if the test has a
  /// margin.
  var worseP: Double
  /// The one-sided p-value of "better".
  var betterP: Double
  /// The smallest attainable p-value, over all possible results of the draws.
  var leastP = 0.0
  /// The result of each pair, if attempts were counted.
  var outcomes: [CountedEffect.Outcome]?
  /// Whether the test can show that something changed; otherwise, the effect can only be suspected.
  var canDecide = true
  /// The test cases of a concentrated change in each direction; empty if the change isn't
  /// concentrated.
  var risen: (worse: [EffectNote.CaseShift], better: [EffectNote.CaseShift]) = ([], [])
  /// The test that gave the p-values.
  var test: EffectMethod.Test
  /// The threshold that the change must exceed for `regressed` or `improved`, in addition to a
  /// small p-value; 0 if the test itself includes the margin.
  var requiredChange: Double
  /// The evidence that the quantity didn't get worse, or `nil` if the effect can't be `ok`.
  var equivalence: Equivalence?
  /// The number of test cases that have the quantity.
  var cases: Int
  /// Returns the additional data that would decide an inconclusive effect, given the number of
  /// tests in the family.
  var need: @Sendable (_ familySize: Int) -> EffectNote.Need
  /// The verdict *not comparable* or *broken*, with its reasons, or `nil` if the effect can be
  /// tested.
  var obstacle: (verdict: ComparisonVerdict, reasons: [EffectNote])?

  /// Whether the two sides judge some answers in two ways, so that the effect can only show a
  /// regression.
  var isJudgedInTwoWays = false

  /// Whether the effect counts for the overall verdict.
  var isGating: Bool { record.isGating }

  /// Adds a sequential test, which keeps its level even if earlier results decided when the
  /// attempts stopped.
  ///
  /// The larger p-value of the two tests counts. The effect then can't be `ok`, because the
  /// sequential test doesn't exclude a worsening.
  ///
  /// - Parameter table: The pairs; the candidate is the first side, and hits are bad attempts.
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
  ///   - adjusted: The p-values of "worse" and "better", adjusted for multiplicity.
  ///   - adjustment: The method of adjustment, or `nil` for a single test.
  ///   - familySize: The number of tests in the family.
  ///   - alpha: The one-sided significance level of the family.
  ///   - rules: The rules; their α is the one-sided error of the equivalence test.
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
    if canDecide, adjusted.worse <= alpha, worsening > requiredChange {
      record.verdict = .regressed
      if !risen.worse.isEmpty { record.notes.insert(.concentrated(cases: risen.worse), at: 0) }
    } else if canDecide, adjusted.better <= alpha, -worsening > requiredChange {
      record.verdict = .improved
      if !risen.better.isEmpty { record.notes.insert(.concentrated(cases: risen.better), at: 0) }
    } else if let equivalence, let visible, !isSuspected,
      equivalence.isSame || equivalence.bound <= equivalence.tolerated(visible: visible)
    {
      record.verdict = .ok
      record.notes.insert(contentsOf: proof(equivalence, visible), at: 0)
    } else {
      record.verdict = .inconclusive
      if isGating, canDecide, let visible, visible < 1 {
        record.notes.insert(.visible(worsening: visible), at: 0)
      }
      record.notes.insert(.undecided(until: need(familySize)), at: 0)
      if isSuspected { record.notes.insert(.suspected(pValue: worseP), at: 0) }
    }
    if isJudgedInTwoWays, record.verdict != .regressed {
      record.verdict = .notComparable
      record.notes = [.notComparable]
      return
    }
    // The displayed p-value is the one for the direction of the estimated change.
    let isBetter = worsening < 0
    record.pValue = isBetter ? betterP : worseP
    record.adjustedP = isBetter ? adjusted.better : adjusted.worse
    record.method.test = test
    record.method.direction = isBetter ? .better : .worse
    record.method.adjustment = adjustment
  }

  /// Returns the notes of an `ok` effect: the worsening that the data excludes, the worsening that
  /// the test would have found and, if the data can't exclude a worsening beyond the usual
  /// tolerance, how much data could exclude it.
  private func proof(_ equivalence: Equivalence, _ visible: Double) -> [EffectNote] {
    guard !equivalence.isSame else { return [] }
    var notes = [EffectNote.excluded(worsening: max(0, equivalence.bound))]
    guard isGating, canDecide else { return notes }
    notes.append(.visible(worsening: visible))
    if equivalence.bound > equivalence.tolerance.usual,
      let more = equivalence.casesForUsual(cases)
    {
      notes.append(.toExclude(worsening: equivalence.tolerance.usual, moreCases: more))
    }
    return notes
  }
}
