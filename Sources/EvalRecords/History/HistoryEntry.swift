/// One run in the history: the facts that the dashboard needs, without the attempts.
///
/// An entry is one line of `history.jsonl`. A job without a database can keep its trends by passing
/// that file from night to night.
public struct HistoryEntry: Sendable, Hashable {
  /// A backend and its model.
  package struct Backend: Sendable, Hashable {
    package var id: String
    package var model: String
    /// The SHA-256 of the model file.
    package var digest: String?
    package var engine: String
    package var isToy: Bool

    /// Creates a backend.
    package init(
      id: String, model: String, digest: String? = nil, engine: String, isToy: Bool
    ) {
      (self.id, self.model, self.digest, self.engine) = (id, model, digest, engine)
      self.isToy = isToy
    }
  }

  /// The number of attempts at a test case, and how many of them passed.
  package struct CaseCount: Sendable, Hashable {
    package var id: String
    package var passed: Int
    package var made: Int
    /// The test case's tags, or an empty array if an older version of Assay wrote the line.
    package var tags: [String] = []
    /// The digest of what the counts rest on (``SuiteRecord/basis(of:in:measured:)``), or `nil` if
    /// it is unknown.
    package var basis: String? = nil

    /// Creates the counts of a test case.
    package init(
      id: String, passed: Int, made: Int, tags: [String] = [], basis: String? = nil
    ) {
      (self.id, self.passed, self.made, self.tags) = (id, passed, made, tags)
      self.basis = basis
    }
  }

  /// How many attempts were made, and how many of them passed.
  package struct Total: Sendable, Hashable {
    package var passed: Int
    package var made: Int

    /// Creates a total.
    package init(passed: Int, made: Int) { (self.passed, self.made) = (passed, made) }
  }

  /// The first step that a run's report advises.
  package struct Step: Sendable, Hashable {
    /// The step as an imperative sentence without a full stop, with names between backticks.
    package var words: String
    /// The command that carries out the step, or `nil` if there is none.
    package var command: String?

    /// Creates a step.
    package init(
      words: String, command: String? = nil
    ) {
      (self.words, self.command) = (words, command)
    }
  }

  /// A rate other than the pass rate.
  package struct Measure: Sendable, Hashable {
    /// The counted quantity, as in `RateRow`.
    package var quantity: Quantity
    package var hits: Int
    package var count: Int
    /// The 95 % interval, or `nil` if an older version of Assay wrote the line.
    package var interval: ClosedRange<Double>?

    /// Creates a measure.
    package init(
      quantity: Quantity, hits: Int, count: Int, interval: ClosedRange<Double>? = nil
    ) {
      (self.quantity, self.hits, self.count, self.interval) = (quantity, hits, count, interval)
    }
  }

  /// A suite in one variant on one backend.
  package struct Slice: Sendable, Hashable {
    package var key: SliceKey
    package var schemaName: String
    /// The pass rate that the slice's gate requires, or `nil` if no gate judges the slice.
    package var needed: Double?
    /// The key of the guides' texts in `texts`.
    package var guides: String
    package var cases: [CaseCount]
    package var measures: [Measure]
    /// The median time of an attempt, in seconds.
    package var medianSeconds: Double
    package var p95Seconds: Double
    /// The median number of output tokens of an attempt.
    package var medianTokens: Double
    package var medianPromptTokens: Double
    /// The verdict against the reference, or `nil` if there was no reference or if an older version
    /// of Assay wrote the line.
    package var verdict: ComparisonVerdict?
    /// Whether the slice passed its gate, or `nil` if no gate judges the slice or if an older
    /// version of Assay wrote the line.
    package var isReached: Bool?
    /// Whether the run stopped before it had made all attempts, because their results had decided
    /// the gate; such a rate is no fair sample.
    package var isPart = false
    /// Whether the suite was compared with an accepted baseline, or `nil` if no comparison was
    /// requested or if an older version of Assay wrote the line.
    package var hasBaseline: Bool? = nil
    /// The number of attempts that ended with a backend error, or `nil` if an older version of
    /// Assay wrote the line.
    package var errors: Int? = nil
    /// The attempts of the reference that the suite was compared with, or `nil` if there was none
    /// or if an older version of Assay wrote the line.
    package var reference: Total? = nil
    /// The results of the comparison's quantities and of the gate's conditions, without those that
    /// nobody can judge, or `nil` if an older version of Assay wrote the line.
    package var results: [CriterionResult]? = nil

    /// Creates a slice.
    package init(
      key: SliceKey, schemaName: String, needed: Double? = nil, guides: String,
      cases: [CaseCount], measures: [Measure], medianSeconds: Double, p95Seconds: Double,
      medianTokens: Double, medianPromptTokens: Double, verdict: ComparisonVerdict? = nil,
      isReached: Bool? = nil, isPart: Bool = false, hasBaseline: Bool? = nil, errors: Int? = nil,
      reference: Total? = nil, results: [CriterionResult]? = nil
    ) {
      (self.key, self.schemaName, self.needed, self.guides) = (key, schemaName, needed, guides)
      (self.cases, self.measures, self.medianSeconds, self.p95Seconds) = (
        cases, measures, medianSeconds, p95Seconds
      )
      (self.medianTokens, self.medianPromptTokens, self.verdict, self.isReached) = (
        medianTokens, medianPromptTokens, verdict, isReached
      )
      (self.isPart, self.hasBaseline, self.errors, self.reference) = (
        isPart, hasBaseline, errors, reference
      )
      self.results = results
    }

    package var passed: Int { cases.reduce(0) { $0 + $1.passed } }
    package var made: Int { cases.reduce(0) { $0 + $1.made } }
  }

  /// The run's number.
  public package(set) var run: Int
  /// The run's label.
  public package(set) var label: String
  /// The time when the run began, as ISO 8601 in UTC.
  public package(set) var startedAt: String
  /// The time when the run ended, or `nil` if the run didn't end.
  public package(set) var finishedAt: String?
  /// The status of the run.
  public package(set) var status: RunRecord.Status
  /// The exit status of the command that made the run.
  public package(set) var exitStatus: Int
  /// The headline of the run's report.
  public package(set) var verdict: String
  /// The state that the headline begins with, or `nil` if an older version of Assay wrote the line.
  package var state: RunState?
  /// The day since when the run's findings are acknowledged, or `nil` if they aren't.
  package var acknowledgedSince: String? = nil
  /// The first step of the run's report, or `nil` if there is none or if an older version of Assay
  /// wrote the line.
  package var step: Step? = nil
  /// The causes of failures that the report lists first, as sentences without a full stop; empty if
  /// there are none or if an older version of Assay wrote the line.
  package var causes: [String] = []
  /// The variants that were chosen in place of each suite's first one; empty if none were, or if an
  /// older version of Assay wrote the line.
  package var variants: [String] = []
  /// The commit, if it is known.
  public package(set) var commit: String?
  /// The branch, if it is known.
  public package(set) var branch: String?
  /// The version of Assay that made the run.
  public package(set) var toolVersion: String
  package var backends: [Backend]
  package var slices: [Slice]
  /// The texts of guides by key; a line of the file leaves out texts that an earlier line has.
  package var texts: [String: [GuideText]]

  /// Creates an entry.
  package init(
    run: Int, label: String, startedAt: String, finishedAt: String? = nil,
    status: RunRecord.Status, exitStatus: Int, verdict: String, state: RunState? = nil,
    acknowledgedSince: String? = nil, step: Step? = nil, commit: String? = nil,
    branch: String? = nil, toolVersion: String, backends: [Backend], slices: [Slice],
    texts: [String: [GuideText]]
  ) {
    (self.run, self.label, self.startedAt, self.finishedAt) = (run, label, startedAt, finishedAt)
    (self.status, self.exitStatus, self.verdict, self.state) = (status, exitStatus, verdict, state)
    (self.acknowledgedSince, self.step, self.commit, self.branch) = (
      acknowledgedSince, step, commit, branch
    )
    (self.toolVersion, self.backends, self.slices, self.texts) = (
      toolVersion, backends, slices, texts
    )
  }

  /// The slices that a gate judges, and all slices of the backends that no gate judges.
  package var judged: [Slice] {
    let gated = Set(slices.filter { $0.needed != nil }.map(\.key.backend))
    return slices.filter { $0.needed != nil || !gated.contains($0.key.backend) }
  }

  /// The number of the judged slices' attempts.
  var made: Int { judged.reduce(0) { $0 + $1.made } }

  /// Whether pages can draw the run's rates together with the rates of other nights.
  ///
  /// The run must be complete and have attempts. Its command must not have ended with exit status
  /// 3, which means that no attempt could run, or that a file could not be written.
  package var isMeasured: Bool {
    status == .complete && exitStatus != 3 && judged.contains { $0.made > 0 }
  }

  /// Whether the run is one of each suite's first variant, like a night without `--variant`.
  ///
  /// Lines of older versions don't name the chosen variants. They show at least whether a suite ran
  /// in several ones.
  package var isOfFirstVariants: Bool {
    variants.isEmpty && Set(slices.map { [$0.key.suite, $0.key.backend] }).count == slices.count
  }

  /// How the run ended.
  package enum Ending {
    /// The run passed: every gate and comparison that was asked for is in order.
    case passed
    /// The command ended with exit status 0, but its report doesn't say that the run passed.
    case open
    /// The command ended with another exit status.
    case failed
  }

  /// How the run ended, as its report says it.
  ///
  /// For a line of an older version of Assay, only the exit status decides.
  package var ending: Ending {
    guard exitStatus == 0 else { return .failed }
    switch state {
    case nil, .passed, .improved, .unchanged: return .passed
    default: return .open
    }
  }

  /// The slice with a key.
  package func slice(_ key: SliceKey) -> Slice? { slices.first { $0.key == key } }

  /// Returns whether the run has a slice, measured on the same model as in another run.
  package func has(_ key: SliceKey, onModelOf other: HistoryEntry) -> Bool {
    func model(_ entry: HistoryEntry) -> [String?]? {
      entry.backends.first { $0.id == key.backend }.map { [$0.model, $0.digest] }
    }
    return slice(key) != nil && model(self) == model(other)
  }

  /// The identity of a run: the number alone is not enough, because each new database begins at 1.
  package var identity: [String] { ["\(run)", startedAt] }

  /// The number and the start of the run, which decide its place in the order of runs.
  package var moment: RunOrder.Moment { RunOrder.Moment(run: run, startedAt: startedAt) }

  /// Returns whether the entry describes the run of a record.
  public func isOf(_ record: RunRecord) -> Bool {
    run == record.id && startedAt == record.startedAt
  }

  /// Whether the entry has every backend of a run, with the same models.
  package func hasModels(of run: RunRecord) -> Bool {
    run.backends.allSatisfy(hasModel)
  }

  /// Whether the entry has a backend with the same id and model.
  package func hasModel(_ backend: BackendRecord) -> Bool {
    backends.contains {
      $0.id == backend.id && $0.model == backend.model && $0.digest == backend.modelDigest
    }
  }
}
