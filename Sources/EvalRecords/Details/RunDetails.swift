/// The optional facts about a run.
///
/// Every property is optional: see `Details`.
public struct RunDetails: Details {
  /// The run's share of the test cases, for example `2/5`, or `nil` for all test cases.
  public var shard: String?
  /// The branch of the suites' repository, if it is known.
  public var branch: String?
  /// The baseline that the command requested, or `nil` for the accepted baselines.
  public var baselineRule: String?
  /// The references of the suites, or `nil` if no comparison was requested.
  ///
  /// Runs of Assay 0.1 have none, because they kept no copies of their references.
  public var references: [ReferenceRecord]?
  /// The times at which the run was accepted as the baseline of suites, ISO 8601 in UTC, keyed by
  /// suite id, or `nil` if it never was.
  public var acceptances: [String: String]?
  /// The options that turn the conclusion into an exit status, or `nil` for the defaults.
  public var judging: Judging?
  /// The acknowledgements by which the run is judged, or `nil` if there are none.
  public var acknowledgements: [Acknowledgement]?
  /// The suites that had an accepted baseline but no longer existed when the run began, or `nil` if
  /// there were none.
  public var vanishedBaselines: [String]?
  /// Whether the run has all suites of the folder of suites, or `nil` if it doesn't.
  public var isOfAllSuites: Bool?
  /// The options that selected only some test cases, for example `--tag short`, or `nil` if all
  /// test cases were selected.
  public var selection: [String]?
  /// The variants that the command chose with `--variant`, or `nil` for the first one of each
  /// suite.
  public var variants: [String]?
  /// The command-line options that decided which answers the run has, keyed by name, so that its
  /// reports can advise commands that ask for the same answers; or `nil` if there were none or if
  /// an older version of Assay made the run.
  ///
  /// A flag has one empty value.
  public var options: [String: [String]]?
  /// The numbers of traces that were kept and dropped.
  public var traces: TraceUse?
  /// The reason why the run stopped early, or `nil` if it didn't stop early or if its process ended
  /// without recording a reason.
  public var ending: String?
  /// The gates that were settled before all their attempts were made.
  public var earlyStops: [EarlyStopRecord]?
  /// The version of the measurement protocol, or `nil` for version 1.
  public var measurementProtocol: Int?
  /// The locations of the suites, keyed by suite id, or `nil` if no suite is inside the repository.
  ///
  /// Without a repository, the locations are relative to the working directory.
  public var sources: [String: SuiteSource]?
  /// The work of the models that ran in Assay's process, keyed by backend id.
  public var evaluations: [String: EvaluationUse]?
  /// The machine that made the attempts: its processor and the number of cores, or `nil` if the
  /// record doesn't say.
  public var machine: String?
  /// The answers that the run reused from earlier runs, or `nil` if it reused none.
  public var reuse: ReuseRecord?
  /// The processor time of judging and storing, or `nil` if it was not measured.
  public var profile: TimeProfile?

  /// The models that the run selected, keyed by backend id, or `nil` if it selected none or if an
  /// older version of Assay made the run.
  ///
  /// Neither the stub nor imported answers count as a model.
  public var selectedModels: [String: SelectedModel]?

  /// The trials of a lab, or `nil` for any other run.
  public var lab: LabRecord?

  /// The requests to served models, keyed by backend id.
  public var served: [String: ServedUse]?
  /// The id of the run that this run takes a second look at, or `nil` if there is none.
  public var secondLookOf: Int?
  /// The run whose stored answers this run judges anew, or `nil` for a run that made its own
  /// attempts.
  public var recheckOf: RunOrigin?

  /// Creates empty details.
  public init() {}

  /// The processor time of the run by phase, including its local models, or `nil` if it was not
  /// measured.
  public var wholeProfile: TimeProfile? {
    let models = (evaluations ?? [:]).sorted { $0.key < $1.key }.compactMap(\.value.profile)
    let all = models + [profile].compactMap(\.self)
    return all.isEmpty ? nil : all.reduce(TimeProfile(), +)
  }

  /// Whether a served model became unusable before the plan was complete.
  public var hasEndedBackend: Bool { served?.values.contains { $0.ending != nil } ?? false }

  /// Whether something that the run should be compared with is gone, was replaced or doesn't fit.
  ///
  /// A run that selects test cases on purpose may leave out suites.
  public var lacksReference: Bool {
    references?.contains { $0.remark?.preventsComparison == true } == true
      || !isPart && vanishedBaselines?.isEmpty == false
  }

  /// Whether the run has only some of the test cases, so that its rates can't be compared with the
  /// rates of whole runs.
  public var isPart: Bool { shard != nil || selection?.isEmpty == false }

  /// Returns whether the run's rates of a suite can be pooled with those of other runs, and drawn
  /// next to them.
  ///
  /// A part of the test cases, or a run that stopped because its results had decided the gate, is
  /// no fair sample of the suite.
  ///
  /// - Parameters:
  ///   - suite: The suite's id.
  ///   - backend: The backend, or `nil` if the run must be whole on all of them.
  public func isWhole(_ suite: String, on backend: String? = nil) -> Bool {
    !isPart
      && earlyStops?.contains {
        $0.suite == suite && (backend == nil || $0.backend == backend)
      } != true
  }
}

/// The run from which the attempts of another run come.
public struct RunOrigin: Sendable, Hashable, Codable {
  /// The number of the run that made the attempts.
  public var run: Int
  /// The start time of that run, ISO 8601 in UTC, because another database may use its number for
  /// another run.
  public var startedAt: String

  /// Creates an origin.
  public init(run: Int, startedAt: String) {
    self.run = run
    self.startedAt = startedAt
  }
}

extension RunRecord {
  /// Whether the run is one of whole suites in their default variants, like a night.
  package var isOfWholeSuites: Bool { isOfWholeVariants && details.variants == nil }

  /// Whether the run is one of whole suites, in their default variants or in named ones.
  ///
  /// A comparison of variants, a lab, a second look, and a run of some test cases are not.
  package var isOfWholeVariants: Bool {
    comparison == nil && !details.isPart && details.secondLookOf == nil && details.lab == nil
  }

  /// The run that made the attempts: this run, or the run whose answers this run judges anew.
  ///
  /// Both runs have the same draws, so they count as evidence only once.
  package var origin: RunOrigin { details.recheckOf ?? RunOrigin(run: id, startedAt: startedAt) }
}

/// The location of a suite and its test cases in their repository, for annotations in code reviews.
public struct SuiteSource: Sendable, Hashable, Codable {
  /// The suite's file, relative to the repository.
  public var file: String
  /// The file of the test cases, relative to the repository, or `nil` if the suite's file contains
  /// them.
  public var caseFile: String?
  /// The first line of each test case, keyed by test case id.
  public var lines: [String: Int]
  /// The location of the guides, or `nil` if it is unknown.
  public var guides: GuideSource?

  /// Creates a source.
  public init(
    file: String, caseFile: String? = nil, lines: [String: Int], guides: GuideSource? = nil
  ) {
    self.file = file
    self.caseFile = caseFile
    self.lines = lines
    self.guides = guides
  }
}

/// The location of a schema's guides in their repository.
public struct GuideSource: Sendable, Hashable, Codable {
  /// The file of the schema, relative to the repository.
  public var file: String
  /// The line of each guide, keyed by its place: `DraftCardSet.cards`.
  public var lines: [String: Int]

  /// Creates a location.
  public init(file: String, lines: [String: Int]) {
    self.file = file
    self.lines = lines
  }
}

/// The use of a run's budget for traces.
public struct TraceUse: Sendable, Hashable, Codable {
  /// The budget in bytes.
  public var budget: Int
  /// The bytes that were used.
  public var bytes: Int
  /// The number of traces that were kept.
  public var kept: Int
  /// The number of requested traces that were dropped.
  public var dropped: Int

  /// Creates a record.
  public init(budget: Int, bytes: Int = 0, kept: Int = 0, dropped: Int = 0) {
    self.budget = budget
    self.bytes = bytes
    self.kept = kept
    self.dropped = dropped
  }
}
