import EvalRecords
import EvalReports
import EvalSessions
import Foundation
import ResultStore

/// `assay salvage`: what can be read of a damaged result database, in a new one.
struct SalvageCommand: Command {
  let specification = CommandSpecification(
    name: "salvage", summary: "Checks a result database; saves what can be read of a damaged one.",
    positionals: "[FILE]", positionalCount: 0...1,
    options: [
      .option("out", "FILE", "the new database (default: FILE.salvaged)"),
      .flag("check", "only check the file"),
      .option("reports", "FOLDER", "where reports are (default reports)"),
    ],
    details: """
      FILE is the database (default REPORTS/results.sqlite); it is only read, and stays as it is. The
      exit status is 0 where the file is sound, 1 where it is damaged, and 3 where nothing can be
      saved of it.
      """)

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    let path = arguments.positionals.first ?? arguments.database
    let problems = Self.problems(of: path)
    guard !problems.isEmpty else {
      _ = try openStore(path, access: .reading)
      context.console.output("\(path): sound\n")
      return .passed
    }
    context.console.output("\(path): damaged\n")
    for problem in problems.prefix(10) {
      context.console.output("  \(VisibleText.line(problem))\n")
    }
    if problems.count > 10 { context.console.output("  and \(problems.count - 10) more\n") }
    if arguments.has("check") { return .failed }
    let out = arguments.value("out") ?? "\(path).salvaged"
    guard !FileManager.default.fileExists(atPath: out) else {
      throw SessionFailure(.usage, "\(out) is there already; --out FILE names another one")
    }
    let report = try perform { () throws -> SalvageReport in
      // The damaged file first: where nothing can be read, nothing is made.
      _ = try ResultStore(path: path, access: .reading)
      return try ResultStore.salvage(from: path, into: try ResultStore(path: out))
    }
    context.console.output(
      "\(out): saved \(report.runs.count.counted("run")) with \(report.attempts.counted("attempt"))\n"
    )
    for loss in report.losses { context.console.output("  lost: \(VisibleText.line(loss))\n") }
    return .failed
  }

  /// What is wrong with a file; empty where it is sound, or where it cannot be opened for another
  /// reason.
  private static func problems(of path: String) -> [String] {
    do {
      return try ResultStore(path: path, access: .reading).integrityProblems()
    } catch let error as StoreError where error.problem == .damaged {
      return [error.reason.isEmpty ? "it cannot be read" : error.reason]
    } catch {
      return []
    }
  }
}
