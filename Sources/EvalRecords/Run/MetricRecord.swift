/// A number that is computed for every attempt of a suite or of one of its test cases, or from the
/// means of other metrics.
public struct MetricRecord: Sendable, Hashable, Codable {
  /// The name, unique in the suite.
  public var name: String
  /// A description of the measurement.
  public var words: String
  /// The unit, or `nil` if there is none.
  public var unit: String?
  /// The test case to which the metric applies, or `nil` for all test cases.
  public var caseID: String?
  /// The minimum mean that the gate allows, or `nil` if there is none.
  public var minimum: Double?
  /// The maximum mean that the gate allows, or `nil` if there is none.
  public var maximum: Double?
  /// Whether the values are shares, which reports show in percent.
  public var isShare: Bool
  /// The formula over the means of other metrics, or `nil` if the metric is computed for every
  /// attempt.
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

extension MetricRecord {
  /// The name, what is measured, and the bounds: `latency: latency, at most 300`.
  package var definition: String {
    let bounds = [("at least", minimum), ("at most", maximum)].compactMap { words, bound in
      bound.map { "\(words) \($0)" }
    }
    let place = caseID.map { " in \($0)" } ?? ""
    return (["\(name): \(formula ?? words)\(place)"] + bounds).joined(separator: ", ")
  }
}

/// A test case's own settings, which replace the suite's.
public struct CaseSettings: Sendable, Hashable, Codable {
  /// The number of planned repeats, or `nil` to use the suite's number.
  public var repeats: Int?
  /// The settings for sampling answers, or `nil` to use the suite's settings.
  public var options: GenerationSettings?
  /// The minimum score of a passing attempt, or `nil` if no assertion may fail.
  public var threshold: Double?
  /// The minimum score of the test case over its repeats, or `nil` if the test case counts towards
  /// the suite's rate.
  public var passRate: Double?
  /// The rule that combines the repeats into the score of the test case, or `nil` to use the
  /// suite's rule or, if the suite has no rule, the mean.
  public var reducer: CaseReducer?
  /// Earlier ids of the test case, the oldest first, or `nil` if there are none.
  ///
  /// If a baseline has a test case with one of these ids, Assay compares this test case with that
  /// one.
  public var aliases: [String]?

  /// Creates empty settings.
  public init() {}
}
