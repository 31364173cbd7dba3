import StructuredText

/// One run: its plan, its backends, and its times.
///
/// Together with the attempts, the record is self-contained: it can be read even after the suites
/// were edited or deleted.
public struct RunRecord: Sendable, Hashable, Codable {
  /// The state of a run.
  public enum Status: String, Sendable, Hashable, Codable, CaseIterable {
    /// A process is executing the run.
    case running
    /// The run reached its end.
    case complete
    /// The run stopped before its end; Assay never uses such a run as a baseline.
    case interrupted
  }

  /// The run's id; each new run in a database gets a higher number.
  public var id: Int
  /// A label, for example `nightly`.
  public var label: String
  /// The start time, ISO 8601 in UTC.
  public var startedAt: String
  /// The end time, or `nil` while the run is in progress.
  public var finishedAt: String?
  /// The state of the run.
  public var status: Status
  /// The version of Assay.
  public var toolVersion: String
  /// The commit of the suites' repository, if there is one.
  public var commit: String?
  /// The backends that answered.
  public var backends: [BackendRecord]
  /// The suites at the time of the run.
  public var suites: [SuiteRecord]
  /// The variants that the run compares, or `nil` if gates judge the run.
  public var comparison: VariantComparison?
  /// Further facts about the run.
  public var details: RunDetails

  /// Creates a record.
  public init(
    id: Int, label: String, startedAt: String, finishedAt: String? = nil, status: Status,
    toolVersion: String, commit: String? = nil, backends: [BackendRecord],
    suites: [SuiteRecord], comparison: VariantComparison? = nil,
    details: RunDetails = RunDetails()
  ) {
    self.id = id
    self.label = label
    self.startedAt = startedAt
    self.finishedAt = finishedAt
    self.status = status
    self.toolVersion = toolVersion
    self.commit = commit
    self.backends = backends
    self.suites = suites
    self.comparison = comparison
    self.details = details
  }
}

extension RunRecord {
  /// Returns whether attempts of a suite were skipped because the suite's gate was already settled.
  public func hasStoppedEarly(_ suite: String) -> Bool {
    details.earlyStops?.contains { $0.suite == suite } == true
  }
}

/// The comparison for which a run was started: candidate variants of the run's only suite against a
/// baseline variant.
public struct VariantComparison: Sendable, Hashable {
  /// The id of the variant that is the baseline.
  public var baseline: String
  /// The ids of the variants under test; each is compared with the baseline.
  public var candidates: [String]
  /// The largest change of a probability or rate that the comparison tolerates.
  public var margin: Double
  /// The chance of a false alarm in each comparison.
  public var alpha: Double

  /// Creates a comparison.
  public init(baseline: String, candidates: [String], margin: Double, alpha: Double) {
    self.baseline = baseline
    self.candidates = candidates
    self.margin = margin
    self.alpha = alpha
  }
}

extension VariantComparison: Codable {
  private enum CodingKeys: String, CodingKey {
    case baseline, candidate, candidates, margin, alpha
  }

  /// Creates a comparison from a decoder; older records have a single candidate under the key
  /// `candidate`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      baseline: try container.decode(String.self, forKey: .baseline),
      candidates: try container.decodeIfPresent([String].self, forKey: .candidates)
        ?? [container.decode(String.self, forKey: .candidate)],
      margin: try container.decode(Double.self, forKey: .margin),
      alpha: try container.decode(Double.self, forKey: .alpha))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(baseline, forKey: .baseline)
    try container.encode(candidates, forKey: .candidates)
    try container.encode(margin, forKey: .margin)
    try container.encode(alpha, forKey: .alpha)
  }
}

/// The identity of a backend: a model, or the stub.
public struct BackendRecord: Sendable, Hashable, Codable {
  /// The id that attempts refer to: `local`, `stub`.
  public var id: String
  /// The model's name.
  public var model: String
  /// The SHA-256 of the model file, if there is one.
  public var modelDigest: String?
  /// The number of parameters, if it is known.
  public var parameterCount: Int?
  /// Whether the numbers show only that the harness works, not how a production model behaves.
  public var isToy: Bool
  /// The engine and its kernel, for example `assay 0.1.0, avx2`.
  public var engine: String
  /// Whether the backend gives equal answers to equal requests with equal seeds.
  public var isDeterministic: Bool

  /// Creates a record.
  public init(
    id: String, model: String, modelDigest: String? = nil, parameterCount: Int? = nil,
    isToy: Bool = false, engine: String, isDeterministic: Bool
  ) {
    self.id = id
    self.model = model
    self.modelDigest = modelDigest
    self.parameterCount = parameterCount
    self.isToy = isToy
    self.engine = engine
    self.isDeterministic = isDeterministic
  }
}
