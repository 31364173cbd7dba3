/// The optional facts about a suite.
///
/// Every property is optional: see `Details`.
public struct SuiteDetails: Details {
  /// The form in which the suite's inputs and outputs are stored, or `nil` for the texts
  /// themselves.
  public var store: TextKeeping?
  /// The suite's place in the whole plan, or `nil` if this run covers the whole plan.
  public var plan: SuitePlan?
  /// The suite's metrics, with the bounds on their means.
  public var metrics: [MetricRecord]?
  /// The settings of individual test cases, keyed by test case id.
  public var cases: [String: CaseSettings]?
  /// The options that variants set themselves, keyed by variant id.
  public var variantOptions: [String: SettingsEdit]?
  /// The schemas by which answers are judged, keyed by variant id, for the variants whose requests
  /// contain a different schema.
  public var judgedSchemas: [String: String]?
  /// The settings with which each test case runs in each variant, or `nil` in runs of version 0.1;
  /// `SuiteRecord.effectiveSettings` reads them.
  public var effectiveSettings: EffectiveSettings?
  /// The places of the decisions before which the schema fixes the text, or `nil` in runs of
  /// version 0.1.
  public var fixedDecisions: FixedDecisionPlaces?
  /// The repeats that normally get new seeds every day, or `nil` if there are none.
  public var fresh: FreshBlock?

  /// The maximum lengths that the suite's `count` assertions allow for arrays, keyed by path.
  ///
  /// In the paths, `[*]` stands for any element.
  public var arrayMaximums: [String: Int]?

  /// The bounds that `count` assertions set on the lengths of arrays in single test cases, keyed by
  /// path, or `nil` if there are none or if an older version of Assay made the run.
  public var expectedLengths: [String: ExpectedLengths]?

  /// The identities of the assertions, or `nil` in runs of version 0.1, whose assertions are
  /// identified by their texts.
  public var assertions: AssertionIdentities?
  /// The new judgement of the attempts, or `nil` unless this is the copy of a reference that was
  /// judged anew.
  public var rejudgement: Rejudgement?

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
  /// The ids of all selected test cases in suite order, including the test cases of other shards.
  public var cases: [String]
  /// The digest of the inputs of all these test cases, and of the values that their assertions
  /// read, or `nil` if an older version of Assay made the run.
  public var inputs: String?
  /// The digest of the stub's answers to all these test cases, or `nil` if an older version of
  /// Assay made the run.
  public var stubAnswers: String?

  /// Creates a plan.
  public init(
    position: Int, cases: [String], inputs: String? = nil, stubAnswers: String? = nil
  ) {
    self.position = position
    self.cases = cases
    self.inputs = inputs
    self.stubAnswers = stubAnswers
  }
}
