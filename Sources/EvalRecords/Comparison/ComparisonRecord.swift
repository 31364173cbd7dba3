/// The verdict of a comparison, overall or on one quantity.
public enum ComparisonVerdict: String, Sendable, Hashable, Codable, CaseIterable {
  /// The candidate is better by more than the margin, and chance doesn't explain it.
  case improved
  /// The data rules out that the candidate is worse by more than the tolerated change.
  case ok
  /// The candidate is worse by more than the margin, and chance doesn't explain it.
  case regressed
  /// The sample is too small to tell.
  case inconclusive
  /// The sides differ in more than the edit under test, or data is missing; see the differences.
  case notComparable
  /// There are too many backend errors for a comparison.
  case broken
}

/// A comparison of two sets of attempts: which quantities changed, by how much, and how certain
/// that is.
public struct ComparisonRecord: Sendable, Hashable, Codable {
  /// The side that the candidate is compared with.
  public var baseline: SideRecord
  /// The side under test.
  public var candidate: SideRecord
  /// The overall verdict.
  public var verdict: ComparisonVerdict
  /// The differences besides the edit, including sides with too many backend errors.
  public var differences: [ComparisonDifference]
  /// The effects, most informative first.
  public var effects: [EffectRecord]
  /// The one-sided chance of a false alarm across all gating tests.
  public var alpha: Double
  /// The test cases whose result flipped for certain, by slice; slices without any are left out.
  public var flips: [FlippedCases]

  /// Creates a record.
  public init(
    baseline: SideRecord, candidate: SideRecord, verdict: ComparisonVerdict,
    differences: [ComparisonDifference] = [], effects: [EffectRecord], alpha: Double,
    flips: [FlippedCases] = []
  ) {
    self.baseline = baseline
    self.candidate = candidate
    self.verdict = verdict
    self.differences = differences
    self.effects = effects
    self.alpha = alpha
    self.flips = flips
  }

  /// Whether a test case newly fails for certain.
  ///
  /// Then no output says that nothing changed, whatever the tests say.
  public var hasNewlyFailing: Bool {
    flips.contains { !$0.failing.isEmpty }
      || differences.contains { $0.fact.isLeftOutFailing }
  }
}

/// One quantity in the baseline and in the candidate.
public struct EffectRecord: Sendable, Hashable, Codable {
  /// The pair of slices with the effect.
  public var place: ComparedPlace
  /// The compared quantity.
  public var quantity: Quantity
  /// The origin of the numbers: counted or measured.
  public var evidence: Evidence
  /// The attempts with which the candidate is compared.
  public var reference: ComparisonReference
  /// Whether the effect counts for the overall verdict; all other effects are only shown in
  /// reports.
  public var isGating: Bool
  /// The estimate in the baseline.
  public var baseline: EstimateRecord
  /// The estimate in the candidate.
  public var candidate: EstimateRecord
  /// The candidate's estimate minus the baseline's.
  public var change: Double
  /// The lower end of the interval for the change.
  public var changeLow: Double
  /// The upper end of the interval for the change.
  public var changeHigh: Double
  /// The one-sided p-value of the test of "no change", in the direction in which the estimate
  /// changed.
  ///
  /// The p-value is nil if nothing was tested, or if version 0.1 compared large changes in a few
  /// test cases with a threshold (``EffectMethod/Test/concentratedRise(threshold:)``).
  public var pValue: Double?
  /// The p-value adjusted for the family of tests, or `nil` if there is no p-value.
  public var adjustedP: Double?
  /// The test and interval.
  public var method: EffectMethod
  /// The verdict on this quantity.
  public var verdict: ComparisonVerdict
  /// Further facts, such as flips and needed repeats.
  public var notes: [EffectNote]

  /// Creates a record.
  public init(
    place: ComparedPlace, quantity: Quantity, evidence: Evidence = .counted,
    reference: ComparisonReference = .baseline, isGating: Bool = true, baseline: EstimateRecord,
    candidate: EstimateRecord, change: Double, changeLow: Double, changeHigh: Double,
    pValue: Double? = nil, adjustedP: Double? = nil, method: EffectMethod,
    verdict: ComparisonVerdict, notes: [EffectNote] = []
  ) {
    self.place = place
    self.quantity = quantity
    self.evidence = evidence
    self.reference = reference
    self.isGating = isGating
    self.baseline = baseline
    self.candidate = candidate
    self.change = change
    self.changeLow = changeLow
    self.changeHigh = changeHigh
    self.pValue = pValue
    self.adjustedP = adjustedP
    self.method = method
    self.verdict = verdict
    self.notes = notes
  }
}

/// An estimate with its denominator and interval, which reports always show together.
public struct EstimateRecord: Sendable, Hashable, Codable {
  /// The estimate, from 0 to 1.
  public var value: Double
  /// The number of attempts in the numerator, for example the attempts that pass, or `nil` for a
  /// mean of probabilities.
  public var hits: Int?
  /// The number of attempts in the denominator or, for a mean of probabilities, the number of test
  /// cases.
  public var count: Int
  /// The lower end of the interval.
  public var low: Double
  /// The upper end of the interval.
  public var high: Double

  /// Creates an estimate.
  public init(value: Double, hits: Int? = nil, count: Int, low: Double, high: Double) {
    self.value = value
    self.hits = hits
    self.count = count
    self.low = low
    self.high = high
  }
}
