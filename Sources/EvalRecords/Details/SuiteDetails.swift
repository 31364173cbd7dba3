/// The optional facts about a suite.
///
/// Every property is optional: see `Details`.
public struct SuiteDetails: Details {
  /// The form in which the suite's inputs and outputs are stored; nil for the texts themselves.
  public var store: TextKeeping?
  /// The plan that this run covers only in part; nil if it covers the whole plan.
  public var plan: SuitePlan?
  /// The suite's metrics, with the bounds on their means.
  public var metrics: [MetricRecord]?
  /// The settings of individual test cases, by id.
  public var cases: [String: CaseSettings]?
  /// The options that a variant sets itself, by variant id.
  public var variantOptions: [String: SettingsEdit]?
  /// The repeats whose seeds are new in each run; nil if there are none.
  public var fresh: FreshBlock?

  /// The maximum number of elements that the suite's `count` assertions allow arrays, by path with
  /// `[*]` for elements.
  public var arrayMaximums: [String: Int]?

  /// Creates empty details.
  public init() {}
}

/// The forms in which a suite's texts can be stored.
public enum TextKeeping: String, Sendable, Hashable, Codable, CaseIterable {
  /// The texts themselves.
  case texts
  /// Only their SHA-256 digests: Assay writes no input and no output to the database or a report.
  case digests
}

/// A suite's place in a plan that several machines share, so that their runs can be merged.
public struct SuitePlan: Sendable, Hashable, Codable {
  /// The suite's position among the selected suites, from zero.
  public var position: Int
  /// The ids of all selected test cases in suite order, including the test cases of other shares.
  public var cases: [String]

  /// Creates a plan.
  public init(position: Int, cases: [String]) {
    self.position = position
    self.cases = cases
  }
}
