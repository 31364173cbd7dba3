import EvalRecords
import EvalRunner
import ResultStore

/// The settings of an evaluation: the backends, the number of attempts, the limits, and the places
/// for results.
package struct EvaluationSettings: Sendable {
  /// The selected backends and their models.
  package var backends: BackendChoice
  /// The number of attempts per test case, or `nil` to use the numbers that the suites and the test
  /// cases set.
  package var repeats: Int?
  /// The seed of all suites, or `nil` to use each suite's own seed.
  package var seed: UInt64?
  /// The number of additional attempts per test case, or `nil` for none.
  ///
  /// The seeds of these attempts are derived from ``freshSeed``.
  package var freshRepeats: Int?
  /// The seed of the additional attempts, or `nil` to derive it from the date.
  package var freshSeed: UInt64?
  /// The maximum number of concurrent test cases.
  package var jobs: Int
  /// The time limit for an answer, or `nil` for no limit.
  package var timeLimit: Duration?
  /// The rule for retrying attempts after backend errors.
  package var retries: RetryPolicy
  /// The maximum number of answers requested per minute, or `nil` for no limit.
  package var callsPerMinute: Int?
  /// The limits on the resources that the run may use.
  package var budget: RunBudget
  /// The maximum chance of a wrong decision when a suite stops early because its gate is settled,
  /// or `nil` to make all attempts.
  package var earlyStoppingAlpha: Double?
  /// Whether to use cached answers and keep new answers.
  package var isCached: Bool
  /// Whether to reuse the answers of stored runs.
  package var reusesAnswers = false
  /// The share of the reusable answers that is computed anew, to prove that the stored ones are
  /// right.
  package var auditShare = ReusePlan.usualShare
  /// Whether to measure the processor time of each phase.
  package var isProfiled: Bool
  /// The attempts whose decoding steps are kept.
  package var traces: Runner.TraceKeeping
  /// Whether suites may run external programs.
  package var allowsCommands: Bool
  /// The maximum number of bytes for decoding steps.
  package var traceBudget: Int
  /// The run's label.
  package var label: String
  /// The number of the run to continue, or `nil` for a new run.
  package var resume: Int?
  /// The folder of reports.
  package var reports: String
  /// The result database.
  package var database: String
  /// The command-line options that commands in reports repeat, keyed by name (see
  /// ``RunDetails/options``).
  package var options: [String: [String]] = [:]
  /// The options that select only some of the test cases, as given on the command line, for example
  /// `--tag smoke`.
  package var selection: [String]
  /// The variants that the command line names, or an empty array for the first one of each suite.
  package var variants: [String] = []
  /// The run's share of the test cases, for example `2/5`, or `nil` for all test cases.
  package var shard: String?
  /// The suites that are compared with a reference; these suites don't stop early.
  package var comparedSuites: Set<String> = []
  /// The id of the run whose suspected quantities this run checks, or `nil` if this run isn't a
  /// second look.
  package var secondLookOf: Int?
  /// The edits or mutations that this run tries, or `nil` if this run isn't a lab.
  package var lab: LabRecord?
  /// The suites that have an accepted baseline but no longer exist.
  package var vanishedBaselines: [String] = []
  /// Whether the run has all suites of the folder of suites.
  package var isOfAllSuites = false

  /// Creates settings with the documented defaults.
  ///
  /// - Parameters:
  ///   - backends: The selected backends and their models.
  ///   - jobs: The maximum number of concurrent test cases.
  ///   - reports: The folder of reports.
  ///   - database: The result database, or `nil` for `results.sqlite` in the folder of reports.
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
    isProfiled = false
    traces = .failing
    allowsCommands = false
    traceBudget = AttemptKeeper.defaultBudget
    label = "run"
    selection = []
  }

  /// Returns the start time of the run, which is in the past if the run is continued.
  ///
  /// - Parameter now: The current time, ISO 8601 in UTC.
  package func beginning(at now: String) throws(SessionFailure) -> String {
    guard let resume else { return now }
    let store = try openStore(database, access: .reading)
    return try perform { try store.run(resume).startedAt }
  }

  /// Returns the number of additional attempts and their seed, or `nil` for none.
  ///
  /// - Parameter time: The start time of the run. The default seed is derived from its date, so
  ///   that every day has different but reproducible seeds.
  func fresh(at time: String) -> (repeats: Int, seed: UInt64)? {
    guard let freshRepeats else { return nil }
    let day = UInt64(time.prefix(10).filter(\.isNumber)) ?? 0
    return (freshRepeats, freshSeed ?? day)
  }
}
