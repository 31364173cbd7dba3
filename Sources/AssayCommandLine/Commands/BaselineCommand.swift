import EvalRecords
import EvalReports
import EvalSessions
import Foundation
import ResultStore

/// `assay baseline`: accepts a run as what later ones are compared with.
struct BaselineCommand: Command {
  let specification = CommandSpecification(
    name: "baseline", summary: "Accepts a run as the baseline of its suites, or lists baselines.",
    positionals: "accept|list [RUN]", positionalCount: 1...2,
    options: [
      .option("suite", "ID", repeatable: true, "only this suite of the run"),
      .option("reason", "TEXT", "why the run is accepted; it is kept with the baseline"),
      .option("reports", "FOLDER", "where reports are (default reports)"),
      .option("database", "FILE", "the result database (default REPORTS/results.sqlite)"),
    ],
    details: """
      `accept` takes the run with this number, or the last complete one, and writes
      REPORTS/baselines/SUITE.jsonl for git. `assay run` compares with it from then on.
      """)

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    let reports = arguments.value("reports") ?? "reports"
    switch arguments.positionals[0] {
    case "accept": return try accept(arguments, reports, in: context)
    case "list":
      try arguments.refuse(["suite", "reason", "database"], "is of `assay baseline accept`")
      guard arguments.positionals.count == 1 else {
        throw UsageError("`assay baseline list` takes no run")
      }
      return try list(reports, in: context)
    case let verb:
      throw UsageError("`assay baseline \(verb)`: accept or list is allowed")
    }
  }

  private func accept(
    _ arguments: ParsedArguments, _ reports: String, in context: ProgramContext
  ) throws -> ExitStatus {
    let store = try openStore(arguments.value("database") ?? "\(reports)/results.sqlite")
    let run = try Self.run(arguments, of: store)
    let known = run.suites.map(\.id)
    let wanted = arguments.all("suite").isEmpty ? known : arguments.all("suite")
    for suite in wanted where !known.contains(suite) {
      throw SessionFailure(
        .nothingSelected,
        "run \(run.id) has no suite `\(suite)`; it has \(known.joined(separator: ", "))")
    }
    let reason = arguments.value("reason") ?? "accepted without a reason"
    let attempts = try perform { () throws -> [AttemptRecord] in
      try store.acceptBaseline(
        run: run.id, suites: wanted, reason: reason, at: context.timestamp)
      return try store.attempts(run: run.id)
    }
    for suite in wanted {
      let file = BaselineFile(
        suite: suite, run: run, attempts: attempts, reason: reason,
        acceptedAt: context.timestamp)
      let path = BaselineFile.path(ofSuite: suite, in: reports)
      do throws(OutputFolder.Failure) {
        try OutputFolder(path: "\(reports)/baselines").replace(path, with: file.text)
      } catch {
        throw SessionFailure(.cannotRun, error.description)
      }
      context.console.output(
        "\(path): run \(run.id), \(file.attempts.count.counted("attempt")); commit it to keep it\n")
    }
    return .passed
  }

  private static func run(
    _ arguments: ParsedArguments, of store: ResultStore
  ) throws -> RunRecord {
    if arguments.positionals.count > 1 {
      let text = arguments.positionals[1]
      guard let id = Int(text) else {
        throw UsageError("`assay baseline accept \(text)`: the number of a run is allowed")
      }
      let run = try perform { try store.run(id) }
      guard run.status == .complete else {
        throw SessionFailure(.usage, "run \(id) did not end, so it can't be a baseline")
      }
      return run
    }
    let suite = arguments.all("suite").first
    guard
      let run = try perform({
        try store.latestRun(matching: RunFilter(suite: suite, status: .complete))
      })
    else {
      throw SessionFailure(.nothingSelected, "there is no complete run to accept")
    }
    return run
  }

  private func list(_ reports: String, in context: ProgramContext) throws -> ExitStatus {
    let files = try BaselineFile.all(in: reports)
    guard !files.isEmpty else {
      context.console.output("there are no baselines in \(reports)/baselines\n")
      return .passed
    }
    for file in files {
      let models = file.run.backends.map { "\($0.id) (\($0.model))" }.joined(separator: ", ")
      context.console.output(
        "\(file.run.suites.first?.id ?? "")  run \(file.run.id), \(file.attempts.count.counted("attempt")) "
          + "on \(models), accepted \(file.acceptedAt): \(VisibleText.line(file.reason))\n")
    }
    return .passed
  }
}
