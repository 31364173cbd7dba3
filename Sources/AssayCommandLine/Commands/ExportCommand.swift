import EvalFindings
import EvalRecords
import EvalReports
import EvalSessions
import ResultStore
import SystemBasics

/// `assay export`: writes stored runs as JSON Lines or CSV.
struct ExportCommand: Command {
  let specification = CommandSpecification(
    name: "export", summary: "Writes stored runs as JSON Lines or CSV.", positionals: "[RUN …]",
    positionalCount: 0...10_000,
    options: [Self.format, Self.out, Options.reports, Options.database],
    details: """
      RUN is the number of a run; without RUN, the command writes all runs. The formats:
        jsonl  one line for each run, each attempt with its decoding steps, and each
               accepted baseline; `assay import` restores the same records
        csv    one row for each attempt; an apostrophe precedes each field that a
               spreadsheet would take for a formula
      """,
    examples: [
      .init("export 12 --out run-12.jsonl", "Writes everything about run 12 to a file."),
      .init("export --format csv > attempts.csv", "Writes a row for every stored attempt."),
    ])

  private enum Format: String, CaseIterable {
    case jsonl
    case csv
  }

  private static let format = OptionKey<Format>.choice(
    "format", "FORMAT", default: .jsonl, .command, "the format of the file")
  private static let out = OptionKey<String?>.text(
    "out", "FILE", default: "standard output", .command, "the file to write")

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    let store = try openStore(arguments.database, access: .reading)
    var ids: [Int] = []
    for text in arguments.positionals {
      let id = try StoredRun.find(text, in: store).id
      if !ids.contains(id) { ids.append(id) }
    }
    if arguments.positionals.isEmpty { ids = try perform { try store.runIDs() } }
    guard !ids.isEmpty else {
      throw SessionFailure(
        .nothingSelected, "\(store.path): there is no run yet; run `assay run` first")
    }
    let isCSV = try arguments[Self.format] == .csv
    guard let file = try arguments[Self.out] else {
      try perform { try Self.write(ids, of: store, isCSV) { context.console.output($0) } }
      return .passed
    }
    var text = ""
    try perform { try Self.write(ids, of: store, isCSV) { text += $0 } }
    do throws(OutputFolder.Failure) {
      try OutputFolder(path: OutputFolder.folder(of: file)).replace(file, with: text)
    } catch {
      throw SessionFailure(.cannotRun, error.description)
    }
    context.console.notes("\(file): \(ids.count.counted("run"))\n")
    return .passed
  }

  private static func write(
    _ ids: [Int], of store: ResultStore, _ isCSV: Bool, to write: (String) -> Void
  ) throws {
    guard isCSV else {
      return try store.exportArchive(runs: ids) { write($0 + "\n") }
    }
    var table = AttemptTable()
    for id in ids {
      table.add(try store.run(id), try store.attempts(run: id, .init(includesTraces: false)))
    }
    write(table.text)
  }
}
