import EvalRecords
import SystemBasics

/// An effect before its p-values are adjusted for multiplicity and its verdict is decided.
struct EffectDraft: Sendable {
  /// The subject of an effect, by which effects with the same verdict are sorted; empty and missing
  /// arrays come first.
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
  /// The one-sided p-values of a test about exactly these test cases (for counts, the exact test of
  /// the draws alone), or `nil` if the test cases are only a sample.
  var exactP: (worse: Double, better: Double)?
  /// Whether `worseP` and `betterP` rest on exactly these test cases (see ``CountedTest``).
  var isAboutTheseCases: (worse: Bool, better: Bool) = (false, false)
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

  /// Whether a test case newly fails for certain, so that the effect can't be `ok`.
  var hasNewlyFailing = false
  /// Whether backend errors on one side may hide a regression, so that the effect is `broken`
  /// unless it regressed.
  var isHidden = false
  /// Whether the answers contradict the measured probabilities, so that the effect is neither `ok`
  /// nor `improved`.
  var isDoubtful = false

  /// Whether the effect counts for the overall verdict.
  var isGating: Bool { record.isGating }

  /// Returns whether the quantity is good before and bad now in all draws of any of the given test
  /// cases.
  func isWorse(inAnyOf ids: Set<String>) -> Bool {
    guard !ids.isEmpty, let outcomes else { return false }
    let own = outcomes.filter { ids.contains($0.caseID) }
    let same = Set(own.lazy.filter { $0.baseline || !$0.candidate }.map(\.caseID))
    return own.contains { !same.contains($0.caseID) }
  }

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
    exactP = (worseP, betterP)
    test = .sequential(flips: flips)
    equivalence = nil
  }

  /// Decides the effect's verdict.
  ///
  /// - Parameters:
  ///   - adjusted: The p-values of "worse" and "better", adjusted for multiplicity.
  ///   - exact: The p-value of "worse" by the exact test of the draws alone, adjusted for
  ///     multiplicity.
  ///   - adjustment: The method of adjustment, or `nil` for a single test.
  ///   - familySize: The number of tests in the family.
  ///   - alpha: The one-sided significance level of the family.
  ///   - rules: The rules; their α is the one-sided error of the equivalence test.
  mutating func decide(
    adjusted: (worse: Double, better: Double), exact: Double = 1,
    by adjustment: EffectMethod.Adjustment? = nil, familySize: Int, alpha: Double,
    rules: ComparisonRules
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
    if canDecide, adjusted.worse <= alpha, worsening > requiredChange, claim(.worse, rules) {
      record.verdict = .regressed
      if !risen.worse.isEmpty { record.notes.insert(.concentrated(cases: risen.worse), at: 0) }
    } else if canDecide, adjusted.better <= alpha, -worsening > requiredChange,
      claim(.better, rules)
    {
      record.verdict = .improved
      if !risen.better.isEmpty { record.notes.insert(.concentrated(cases: risen.better), at: 0) }
    } else if let equivalence, let visible, !isSuspected, exact > rules.alpha, !hasNewlyFailing,
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
      if isSuspected {
        record.notes.insert(.suspected(pValue: worseP), at: 0)
      } else if exact <= rules.alpha, let exactP {
        record.notes.insert(.movedDraws(pValue: exactP.worse), at: 0)
      }
    }
    if record.verdict != .regressed {
      if isHidden {
        record.verdict = .broken
        record.notes = []
        return
      }
      if isJudgedInTwoWays {
        record.verdict = .notComparable
        record.notes = [.notComparable]
        return
      }
      if isDoubtful {
        record.verdict = .inconclusive
        record.notes = [.contradicted]
      }
    }
    // The displayed p-value is the one for the direction of the estimated change.
    let isBetter = worsening < 0
    record.pValue = isBetter ? betterP : worseP
    record.adjustedP = isBetter ? adjusted.better : adjusted.worse
    record.method.test = test
    record.method.direction = isBetter ? .better : .worse
    record.method.adjustment = adjustment
    if record.verdict != .regressed, record.verdict != .improved { showDraws(familySize, rules) }
  }

  /// Returns whether the interval for the change excludes zero, so that a verdict of `regressed` or
  /// `improved` doesn't contradict it.
  ///
  /// The displayed interval is about inputs like those of the suite. If it includes zero, but the
  /// exact test says that the rate over exactly these test cases changed, the interval for these
  /// test cases takes its place, and a note says so.
  private mutating func claim(_ direction: EffectMethod.Direction, _ rules: ComparisonRules) -> Bool
  {
    let isHigher = record.change > 0
    let excludesZero = isHigher ? record.changeLow > 0 : record.changeHigh < 0
    let isAboutCases = direction == .worse ? isAboutTheseCases.worse : isAboutTheseCases.better
    if excludesZero, cases > 1, !isAboutCases { return true }
    guard let exactP else { return excludesZero }
    let pValue = direction == .worse ? exactP.worse : exactP.better
    if let interval = ChangeInterval.ofTheseCases(
      change: record.change, pValue: pValue, rules: rules)
    {
      (record.changeLow, record.changeHigh) = (interval.low, interval.high)
      record.method.interval = .theseCases
    } else if !excludesZero {
      return false
    }
    record.notes.insert(.aboutTheseCases, at: 0)
    return true
  }

  /// Shows the p-value and the interval of the exact test if there are only a few test cases.
  ///
  /// A test over so few test cases can't be significant, so the p-value is that of the exact test
  /// of their draws, and the interval excludes zero only if this test is significant.
  private mutating func showDraws(_ familySize: Int, _ rules: ComparisonRules) {
    guard exp2(-Double(cases)) > rules.level(against: .baseline), outcomes != nil, let exactP
    else { return }
    let pValue = worsening < 0 ? exactP.better : exactP.worse
    record.pValue = pValue
    record.adjustedP = min(1, pValue * Double(max(1, familySize)))
    if let interval = ChangeInterval.ofTheseCases(
      change: record.change, pValue: pValue, rules: rules)
    {
      (record.changeLow, record.changeHigh) = (interval.low, interval.high)
      record.method.interval = .theseCases
    } else {
      record.changeLow = min(0, record.changeLow)
      record.changeHigh = max(0, record.changeHigh)
    }
  }

  /// Returns the notes of an `ok` effect: the worsening that the data excludes, the worsening that
  /// the test would have found and, if the data can't exclude a worsening beyond the usual
  /// tolerance, how much data could exclude it.
  private func proof(_ equivalence: Equivalence, _ visible: Double) -> [EffectNote] {
    guard !equivalence.isSame else { return [] }
    // After a change for the better, the bound of a test for a worsening can be far below the end
    // of the displayed interval, which would look like a contradiction.
    let end = record.quantity == .passRate ? 0 - record.changeLow : record.changeHigh
    let excluded = worsening < 0 ? max(equivalence.bound, end) : equivalence.bound
    var notes = [EffectNote.excluded(worsening: max(0, excluded))]
    guard isGating, canDecide else { return notes }
    if visible < 1 { notes.append(.visible(worsening: visible)) }
    if equivalence.bound > equivalence.tolerance.usual,
      let more = equivalence.casesForUsual(cases)
    {
      notes.append(.toExclude(worsening: equivalence.tolerance.usual, moreCases: more))
    }
    return notes
  }
}
