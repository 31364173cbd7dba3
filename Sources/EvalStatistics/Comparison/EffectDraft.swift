import EvalRecords

/// An effect before its p-values are adjusted and its verdict is decided.
struct EffectDraft: Sendable {
  /// The order of effects with equal weight: an empty array is the worst.
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
  /// The one-sided p-value of "worse", beyond the margin if the test has one.
  var worseP: Double
  /// The one-sided p-value of "better".
  var betterP: Double
  /// The test.
  var test: EffectMethod.Test
  /// The change that the estimate must exceed in addition to having a small p-value; 0 if the test
  /// itself includes the margin.
  var requiredChange: Double
  /// Whether a worsening beyond the tolerated change is excluded.
  var isWithinTolerance: Bool
  /// Returns what would decide an inconclusive effect, given the number of tests in the family.
  var need: @Sendable (_ familySize: Int) -> EffectNote.Need
  /// The reason why there can be no verdict: not comparable or broken.
  var obstacle: (verdict: ComparisonVerdict, reasons: [EffectNote])?

  /// Whether the effect counts for the overall verdict.
  var isGating: Bool { record.isGating }

  /// Decides the effect's verdict.
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
    // The displayed p-value is the one for the direction in which the estimate changed.
    let isBetter = worsening < 0
    record.pValue = isBetter ? betterP : worseP
    record.adjustedP = isBetter ? adjusted.better : adjusted.worse
    record.method.test = test
    record.method.direction = isBetter ? .better : .worse
    record.method.adjustment = adjustment
  }
}
