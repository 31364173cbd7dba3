import EvalRecords
import EvalRunner
import ResultStore

/// The settings of an evaluation: who answers, how often, within which limits, and where results go.
package struct EvaluationSettings: Sendable {
  /// Which backends answer, and on which models.
  package var backends: BackendChoice
  /// Attempts per case; nil for the number that each suite states.
  package var repeats: Int?
  /// The seed of all suites; nil for the seed that each suite states.
  package var seed: UInt64?
  /// Additional attempts per case, with seeds that no other day has; nil for none.
  package var freshRepeats: Int?
  /// The seed of the additional attempts; nil for one made from the date.
  package var freshSeed: UInt64?
  /// The most cases in work at a time.
  package var jobs: Int
  /// How long an answer may take; nil for no limit.
  package var timeLimit: Duration?
  /// When an attempt without a value is tried again.
  package var retries: RetryPolicy
  /// The most answers that are requested in a minute; nil for no limit.
  package var callsPerMinute: Int?
  /// The time, tokens and calls that the run may use.
  package var budget: RunBudget
  /// The chance of a wrong decision when gates stop early; nil if every attempt is made.
  package var earlyStoppingAlpha: Double?
  /// Whether cached answers are used, and new ones kept.
  package var isCached: Bool
  /// Whose decoding steps are kept.
  package var traces: Runner.TraceKeeping
  /// Whether suites may run external programs.
  package var allowsCommands: Bool
  /// The most bytes that kept decoding steps may take.
  package var traceBudget: Int
  /// A name for the run.
  package var label: String
  /// The interrupted run to continue; nil for a new one.
  package var resume: Int?
  /// The folder of reports.
  package var reports: String
  /// The result database.
  package var database: String
  /// The options that select a part of the cases, as they were given.
  package var selection: [String]
  /// The share of the cases, for example `2/5`; nil for all.
  package var shard: String?
  /// The suites that the run is compared with a reference of.
  package var comparedSuites: Set<String> = []
  /// The run of which this is the second look; nil for any other run.
  package var secondLookOf: Int?
  /// The suites that have an accepted baseline and are not there any more.
  package var vanishedBaselines: [String] = []

  /// Creates settings with the documented defaults.
  ///
  /// - Parameters:
  ///   - backends: Which backends answer.
  ///   - jobs: The most cases in work at a time.
  ///   - reports: The folder of reports.
  ///   - database: The result database; nil for `results.sqlite` in the folder of reports.
  package init(
    backends: BackendChoice = BackendChoice(), jobs: Int = 1, reports: String = "reports",
    database: String? = nil
  ) {
    self.backends = backends
    self.jobs = jobs
    self.reports = reports
    self.database = database ?? "\(reports)/results.sqlite"
    retries = RetryPolicy(limit: 0)
    budget = RunBudget()
    isCached = false
    traces = .failing
    allowsCommands = false
    traceBudget = AttemptKeeper.defaultBudget
    label = "run"
    selection = []
  }

  /// When the run begins, or began if it is continued: the time at which its baselines are chosen,
  /// now and whenever its reports are made again.
  ///
  /// - Parameter now: The current time, ISO 8601 in UTC.
  package func beginning(at now: String) throws(SessionFailure) -> String {
    guard let resume else { return now }
    let store = try openStore(database, access: .reading)
    return try perform { try store.run(resume).startedAt }
  }

  /// The additional attempts with fresh seeds; nil for none.
  ///
  /// - Parameter time: When the run begins, or began if it is continued: the date is the seed, so
  ///   that every night has its own, and anybody can repeat it.
  func fresh(at time: String) -> (repeats: Int, seed: UInt64)? {
    guard let freshRepeats else { return nil }
    let day = UInt64(time.prefix(10).filter(\.isNumber)) ?? 0
    return (freshRepeats, freshSeed ?? day)
  }
}
