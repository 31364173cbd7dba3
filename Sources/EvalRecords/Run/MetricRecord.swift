/// A number that is measured in every attempt of a suite, or of one of its cases.
public struct MetricRecord: Sendable, Hashable, Codable {
  /// The name, unique in the suite.
  public var name: String
  /// What is measured, in words.
  public var words: String
  /// The unit; nil if there is none.
  public var unit: String?
  /// The case in which it is measured; nil for all.
  public var caseID: String?
  /// The least mean that the gate allows; nil if it does not ask.
  public var minimum: Double?
  /// The greatest mean that the gate allows; nil if it does not ask.
  public var maximum: Double?
  /// Whether the values are shares, which are shown in percent.
  public var isShare: Bool
  /// The formula over the means of other metrics; nil if the metric is measured.
  public var formula: String?

  /// Creates a record.
  public init(
    name: String, words: String, unit: String? = nil, caseID: String? = nil,
    minimum: Double? = nil, maximum: Double? = nil, isShare: Bool = false,
    formula: String? = nil
  ) {
    self.name = name
    self.words = words
    self.unit = unit
    self.caseID = caseID
    self.minimum = minimum
    self.maximum = maximum
    self.isShare = isShare
    self.formula = formula
  }
}

/// What a case has of its own where the suite says otherwise.
public struct CaseSettings: Sendable, Hashable, Codable {
  /// Planned repeats; nil for the suite's.
  public var repeats: Int?
  /// How answers are sampled; nil for the suite's.
  public var options: GenerationSettings?
  /// The least score of an attempt that passes; nil if no assertion may fail.
  public var threshold: Double?
  /// The least score of the case over its repeats; nil if it counts in the suite's rate.
  public var passRate: Double?
  /// How the repeats make that score; nil for the suite's way, or else their mean.
  public var reducer: CaseReducer?
  /// Earlier ids of the case, the oldest first; nil where there are none.
  ///
  /// A baseline in which the case still has one of them is compared with it.
  public var aliases: [String]?

  /// Creates settings of which there are none.
  public init() {}
}
