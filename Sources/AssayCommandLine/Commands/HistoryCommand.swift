import EvalRecords
import EvalReports
import Foundation
import ResultStore

/// `assay history`: the runs of a database, the newest first.
struct HistoryCommand: Command {
  let specification = CommandSpecification(
    name: "history", summary: "Lists the stored runs, the newest first.", positionals: "",
    positionalCount: 0...0,
    options: [
      .option("limit", "N", "how many runs to show (default 20)"),
      .option("reports", "FOLDER", "where reports are (default reports)"),
      .option("database", "FILE", "the result database (default REPORTS/results.sqlite)"),
    ])

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    let limit = try arguments.integer("limit", in: 1...100_000) ?? 20
    let reports = arguments.value("reports") ?? "reports"
    let store = try openStore(
      arguments.value("database") ?? "\(reports)/results.sqlite", access: .reading)
    let runs = try perform { try store.runs() }.sorted { $0.id > $1.id }.prefix(limit)
    var table = TextTable(columns: [
      ("run", .right), ("started", .left), ("label", .left), ("status", .left),
      ("suites", .right), ("passing", .right), ("backends", .left),
    ])
    for run in runs {
      let counts = try perform { try store.attemptCounts(run: run.id) }
      let made = counts.filter { $0.key != .skipped }.values.reduce(0, +)
      table.rows.append(
        [
          "\(run.id)", run.startedAt, VisibleText.line(run.label), run.status.rawValue,
          "\(run.suites.count)", "\(counts[.pass] ?? 0)/\(made)",
          run.backends.map { "\($0.id) (\(VisibleText.line($0.model)))" }.joined(separator: ", "),
        ].map { TextTable.Cell($0) })
    }
    context.console.output(
      table.lines(style: context.console.outputStyle).map { $0 + "\n" }.joined())
    return .passed
  }
}
