import EvalRecords
import EvalReports
import EvalRunner
import Foundation
import ResultStore

/// `assay report`: makes the reports of a stored run again.
struct ReportCommand: Command {
  let specification = CommandSpecification(
    name: "report", summary: "Writes the reports of a stored run.", positionals: "[RUN]",
    positionalCount: 0...1,
    options: [
      .option(
        "baseline", "WHICH",
        "auto (default: what was accepted when the run began), none, or a run's number"),
      .option(
        "inconclusive", "HOW", allowed: ["pass", "fail"],
        "whether an inconclusive comparison fails (default pass)"),
      .option("reports", "FOLDER", "where reports go (default reports)"),
      .option("database", "FILE", "the result database (default REPORTS/results.sqlite)"),
      .option(
        "format", "FORMAT", allowed: ["text", "json"], "how results are told (default text)"),
    ],
    details: """
      RUN is the run's number; without one the last run is taken. The exit status is that of the run.
      """)

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    let choice = try BaselineChoice(arguments.value("baseline"))
    let reports = arguments.value("reports") ?? "reports"
    let database = arguments.value("database") ?? "\(reports)/results.sqlite"
    let store = try openStore(database, access: .reading)
    let run = try StoredRun.find(arguments.positionals.first, in: store)
    let attempts = try perform { try store.attempts(run: run.id) }
    let failsInconclusive = arguments.value("inconclusive") == "fail"
    let writer = ReportWriter(
      reports: reports, database: database, isJSON: arguments.value("format") == "json",
      context: context)
    if run.comparison != nil {
      let comparisons = CompareCommand.comparisons(of: run, attempts)
      let status = CompareCommand.status(
        of: run, comparisons, failsInconclusive: failsInconclusive)
      let document = ReportDocument(run: run, attempts: attempts, comparisons: comparisons)
      try writer.publish(document, status: status, duration: nil)
      return status
    }
    let gates = GateResultRecord.results(
      suites: run.suites, backends: run.backends.map(\.id), attempts: attempts)
    let comparisons = try choice.load(
      suites: run.suites.map(\.id), reports: reports, database: database, asOf: run.startedAt
    ).map { $0.compare(with: run, attempts) }
    let document = ReportDocument(
      run: run, attempts: attempts, gates: gates, comparisons: comparisons)
    let status = RunCommand.status(
      of: run, attempts, gates: gates, comparisons: comparisons.map(\.record),
      failsInconclusive: failsInconclusive)
    try writer.publish(document, status: status, duration: nil)
    return status
  }
}

/// Finds runs in a database.
enum StoredRun {
  /// The run with a number, or the last one.
  static func find(_ text: String?, in store: ResultStore) throws -> RunRecord {
    if let text {
      guard let id = Int(text), id > 0 else {
        throw UsageError("`\(text)`: the number of a run is allowed; `assay history` lists them")
      }
      return try perform { try store.run(id) }
    }
    guard let run = try perform({ try store.latestRun() }) else {
      throw CommandFailure(.nothingSelected, "\(store.path): there is no run yet")
    }
    return run
  }
}
