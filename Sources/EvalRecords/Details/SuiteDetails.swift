/// What may be known of a suite beside what every suite has.
///
/// Every property is optional: see `Details`.
public struct SuiteDetails: Details {
  /// What is stored of inputs and outputs; nil if everything is.
  public var store: TextKeeping?
  /// The plan of which the run has a share; nil if it has all.
  public var plan: SuitePlan?
  /// The numbers that are measured in every attempt, with the bounds of their means.
  public var metrics: [MetricRecord]?
  /// What cases have of their own, by case id.
  public var cases: [String: CaseSettings]?
  /// The options that variants have of their own, by variant id.
  public var variantOptions: [String: SettingsEdit]?
  /// The repeats whose seeds are those of one night; nil where there are none.
  public var fresh: FreshBlock?

  /// Creates details of which there are none.
  public init() {}
}

/// What is stored of the texts of a suite's attempts.
public enum TextKeeping: String, Sendable, Hashable, Codable, CaseIterable {
  /// The texts.
  case texts
  /// Only their SHA-256: no input and no output is written to the database or a report.
  case digests
}

/// A suite's place in a plan that several machines share, so that their runs can be put together.
public struct SuitePlan: Sendable, Hashable, Codable {
  /// The suite's position among the selected suites, from zero.
  public var position: Int
  /// The ids of all selected cases, those of other shares included, in the suite's order.
  public var cases: [String]

  /// Creates a plan.
  public init(position: Int, cases: [String]) {
    self.position = position
    self.cases = cases
  }
}
