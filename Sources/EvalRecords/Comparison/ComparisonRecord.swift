/// What a comparison of a candidate with a baseline says of one quantity.
public enum ComparisonVerdict: String, Sendable, Hashable, Codable, CaseIterable {
  case improved
  /// Not worse by more than the margin.
  case ok
  case regressed
  /// The sample is too small to tell.
  case inconclusive
  /// Something beyond the edit under test differs; see the reasons.
  case notComparable
  /// Errors kept too many attempts from a value.
  case broken
}

/// The comparison of two sets of attempts: which quantity moved, by how much, and how sure that is.
public struct ComparisonRecord: Sendable, Hashable, Codable {
  /// The side that was accepted before.
  public var baseline: SideRecord
  /// The side under test.
  public var candidate: SideRecord
  /// The verdict over all effects.
  public var verdict: ComparisonVerdict
  /// What differs besides the edit, and which side has too many errors.
  public var differences: [ComparisonDifference]
  /// The effects, the most telling first.
  public var effects: [EffectRecord]
  /// The significance level of each test's family.
  public var alpha: Double

  /// Creates a record.
  public init(
    baseline: SideRecord, candidate: SideRecord, verdict: ComparisonVerdict,
    differences: [ComparisonDifference] = [], effects: [EffectRecord], alpha: Double
  ) {
    self.baseline = baseline
    self.candidate = candidate
    self.verdict = verdict
    self.differences = differences
    self.effects = effects
    self.alpha = alpha
  }
}

/// One quantity in the baseline and in the candidate.
public struct EffectRecord: Sendable, Hashable, Codable {
  /// Where it was found.
  public var place: ComparedPlace
  /// What is compared.
  public var quantity: Quantity
  /// How it became known.
  public var evidence: Evidence
  /// What the candidate is compared with.
  public var reference: ComparisonReference
  /// Whether the effect counts for the verdict over all; the others are a screen.
  public var isGating: Bool
  /// The estimate in the baseline.
  public var baseline: EstimateRecord
  /// The estimate in the candidate.
  public var candidate: EstimateRecord
  /// Candidate minus baseline.
  public var change: Double
  /// The interval of the change.
  public var changeLow: Double
  public var changeHigh: Double
  /// The one-sided p-value of the test of no change, in the direction in which the estimate moved.
  public var pValue: Double?
  /// The same, adjusted for the family of tests.
  public var adjustedP: Double?
  /// The test and interval.
  public var method: EffectMethod
  /// The verdict on this quantity.
  public var verdict: ComparisonVerdict
  /// More facts: flips, needed repeats.
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

/// An estimate with its denominator and interval; never shown without them.
public struct EstimateRecord: Sendable, Hashable, Codable {
  /// The estimate, from 0 to 1.
  public var value: Double
  /// How many attempts counted for it; nil for a mean of probabilities.
  public var hits: Int?
  /// The number of attempts, or of cases for a mean of probabilities.
  public var count: Int
  /// The interval.
  public var low: Double
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
