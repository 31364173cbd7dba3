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
  /// What is compared with what, in words: `flashcards:bounded in run 3`.
  public var baseline: String
  /// The candidate, in words.
  public var candidate: String
  /// The verdict over all effects.
  public var verdict: ComparisonVerdict
  /// Why the two are not comparable, or what differs beyond the edit, and which side is broken by too
  /// many errors; empty where nothing does.
  public var differences: [String]
  /// The effects, the most telling first.
  public var effects: [EffectRecord]
  /// The significance level of each test's family.
  public var alpha: Double

  /// Makes a record.
  public init(
    baseline: String, candidate: String, verdict: ComparisonVerdict, differences: [String],
    effects: [EffectRecord], alpha: Double
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
  /// What kind of quantity.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The share of attempts that pass.
    case passRate
    /// The same beside the attempts of all earlier runs that asked the same.
    case pooledPassRate
    /// The share of attempts in which one assertion fails.
    case assertionFailures
    /// The counted share of empty arrays at a path.
    case emptyArrays
    /// The share of attempts in a wrong branch.
    case wrongBranch
    /// The same where one certain branch is expected.
    case missedBranch
    /// The mean over cases of the sampled probability that an array is empty.
    case probabilityEmpty
    /// The mean over cases of the probability of fewer elements than a bound.
    case probabilityBelow
    /// The mean over cases of the probability of a wrong branch.
    case probabilityWrongBranch
    /// The same over the cases that expect one certain branch.
    case probabilityMissedBranch
  }

  /// The kind.
  public var kind: Kind
  /// The suite and backend, in words: `flashcards on local`.
  public var scope: String
  /// What it is, in words: `P(empty) at $.cards`.
  public var title: String
  /// The estimate in the baseline.
  public var baseline: EstimateRecord
  /// The estimate in the candidate.
  public var candidate: EstimateRecord
  /// Candidate minus baseline.
  public var change: Double
  /// The interval of the change.
  public var changeLow: Double
  public var changeHigh: Double
  /// The p-value of the test of no change (worse, one-sided, where the method says so).
  public var pValue: Double?
  /// The same, adjusted for the family of tests.
  public var adjustedP: Double?
  /// The test and interval, in words.
  public var method: String
  /// What it says.
  public var verdict: ComparisonVerdict
  /// More words: flips, needed repeats.
  public var note: String

  /// Makes a record.
  public init(
    kind: Kind, scope: String, title: String, baseline: EstimateRecord,
    candidate: EstimateRecord, change: Double, changeLow: Double, changeHigh: Double,
    pValue: Double?, adjustedP: Double? = nil, method: String, verdict: ComparisonVerdict,
    note: String = ""
  ) {
    self.kind = kind
    self.scope = scope
    self.title = title
    self.baseline = baseline
    self.candidate = candidate
    self.change = change
    self.changeLow = changeLow
    self.changeHigh = changeHigh
    self.pValue = pValue
    self.adjustedP = adjustedP
    self.method = method
    self.verdict = verdict
    self.note = note
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

  /// Makes an estimate.
  public init(value: Double, hits: Int? = nil, count: Int, low: Double, high: Double) {
    self.value = value
    self.hits = hits
    self.count = count
    self.low = low
    self.high = high
  }
}
