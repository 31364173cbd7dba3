import EvalRecords

/// An effect before its p-values are adjusted and its verdict is given.
struct EffectDraft: Sendable {
  /// How effects of the same weight are ordered: an empty array hurts most.
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
  /// The change towards worse: positive where the candidate is worse.
  var worsening: Double
  /// The one-sided p-value of "worse", beyond the margin where the test has one.
  var worseP: Double
  /// The one-sided p-value of "better".
  var betterP: Double
  /// The test.
  var test: EffectMethod.Test
  /// What must be exceeded by the estimate in addition to a small p-value; 0 if the test itself
  /// asks for more than the margin.
  var requiredChange: Double
  /// Whether a worsening beyond what is tolerated is excluded.
  var isWithinTolerance: Bool
  /// What would decide an inconclusive effect, given the number of tests in the family.
  var need: @Sendable (_ familySize: Int) -> EffectNote.Need
  /// What forbids a verdict: not comparable or broken, with the reasons.
  var obstacle: (verdict: ComparisonVerdict, reasons: [EffectNote])?

  /// Whether the effect counts for the verdict over all.
  var isGating: Bool { record.isGating }

  /// Gives the effect its verdict.
  ///
  /// - Parameters:
  ///   - adjusted: The p-values of worse and better, adjusted for the family.
  ///   - adjustment: The adjustment; nil for a single test.
  ///   - familySize: The number of tests in the family.
  ///   - alpha: The significance level, one-sided.
  mutating func decide(
    adjusted: (worse: Double, better: Double), by adjustment: EffectMethod.Adjustment? = nil,
    familySize: Int, alpha: Double
  ) {
    if let obstacle {
      record.verdict = obstacle.verdict
      record.pValue = nil
      record.adjustedP = nil
      record.notes = obstacle.reasons + record.notes
      return
    }
    if adjusted.worse <= alpha, worsening > requiredChange {
      record.verdict = .regressed
    } else if adjusted.better <= alpha, -worsening > requiredChange {
      record.verdict = .improved
    } else if isWithinTolerance {
      record.verdict = .ok
    } else {
      record.verdict = .inconclusive
      record.notes.insert(.undecided(until: need(familySize)), at: 0)
    }
    // The p-value shown is the one of the direction in which the estimate moved.
    let isBetter = worsening < 0
    record.pValue = isBetter ? betterP : worseP
    record.adjustedP = isBetter ? adjusted.better : adjusted.worse
    record.method.test = test
    record.method.direction = isBetter ? .better : .worse
    record.method.adjustment = adjustment
  }
}
