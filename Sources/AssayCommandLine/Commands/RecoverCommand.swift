import EvalFindings
import EvalRecords
import EvalSessions
import ResultStore
import SystemBasics

/// `assay recover`: copies the readable part of a damaged result database to a new one.
struct RecoverCommand: Command {
  let specification = CommandSpecification(
    name: "recover", summary: "Checks a result database; saves the readable part of a damaged one.",
    positionals: "[FILE]", positionalCount: 0...1,
    options: [Self.out, Self.check, Options.reports],
    details: """
      FILE is the database (default: REPORTS/results.sqlite), which the command never changes. The
      new database also gets the attempts in files beside FILE, such as FILE.pending-12.jsonl. The
      exit status is 0 if the file is intact, 1 if it is damaged, and 3 if nothing can be saved.
      """,
    examples: [
      .init("recover --check", "Checks the result database."),
      .init("recover broken.sqlite --out saved.sqlite", "Saves the readable runs to a new file."),
    ])

  private static let out = OptionKey<String?>.text(
    "out", "FILE", default: "FILE.recovered", .command, "the new database")
  private static let check = OptionKey<Bool>.flag("check", .command, "only check the file")

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    let path = arguments.positionals.first ?? arguments.database
    let problems = Self.problems(of: path)
    guard !problems.isEmpty else {
      _ = try openStore(path, access: .reading)
      context.console.output("\(path): intact\n")
      for file in PendingAttempts.files(beside: path) {
        context.console.output(
          "  \(VisibleText.line(file)): attempts that the next command that writes to the database "
            + "adds\n")
      }
      return .passed
    }
    context.console.output("\(path): damaged\n")
    for problem in problems.prefix(10) {
      context.console.output("  \(VisibleText.line(problem))\n")
    }
    if problems.count > 10 { context.console.output("  and \(problems.count - 10) more\n") }
    if arguments.has(Self.check) { return .failed }
    let out = try arguments[Self.out] ?? "\(path).recovered"
    guard !FileManager.default.fileExists(atPath: out) else {
      throw SessionFailure(.usage, "\(out) already exists; choose another file with --out")
    }
    let report = try perform { () throws -> SalvageReport in
      // Open the damaged file first: if that fails, no new file is created.
      _ = try ResultStore(path: path, access: .reading)
      return try ResultStore.salvage(from: path, into: try ResultStore(path: out))
    }
    context.console.output(
      "\(out): saved \(report.runs.count.counted("run")) with "
        + "\(report.attempts.counted("attempt"))\n")
    for loss in report.losses { context.console.output("  lost: \(VisibleText.line(loss))\n") }
    return .failed
  }

  /// Returns the problems of a file.
  ///
  /// There are no problems if the file is intact, or if it can't be opened for a reason other than
  /// damage.
  private static func problems(of path: String) -> [String] {
    do {
      return try ResultStore(path: path, access: .reading).integrityProblems()
    } catch let error as StoreError where error.problem == .damaged {
      return [error.reason.isEmpty ? "it can't be read" : error.reason]
    } catch {
      return []
    }
  }
}
