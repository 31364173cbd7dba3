import EvalRecords
import EvalReports
import EvalSessions
import Foundation
import ResultStore

/// `assay merge`: merges the shards of a run, made on several machines, into one run.
struct MergeCommand: Command {
  let specification = CommandSpecification(
    name: "merge",
    summary: "Merges the shards of a run, and writes reports on the merged run.",
    positionals: "FILE[:RUN] …", positionalCount: 1...10_000,
    options: [
      Options.baseline, Options.inconclusive, Options.allowNotComparable, Self.history,
      Options.reports, Options.database,
      Options.format,
    ],
    details: """
      FILE is the result database of one shard, which `assay run --shard I/N` wrote; the command
      merges its last run, or the run with the number RUN. The shards must have the same suites,
      options, models, version and commit. The merged run is compared with the accepted baselines in
      REPORTS/baselines or, if that folder has none of a suite, in reports/baselines, even if the
      shards were compared with nothing. If you merge the same shards again, the command adds
      nothing, and the comparison stays the same. The command exits with the status of the merged
      run: 2 if test cases are missing.
      """,
    examples: [
      .init("merge shard-*/results.sqlite", "Merges the shards, and writes the reports."),
      .init(
        "merge a.sqlite:3 b.sqlite:5 --history",
        "Merges one run of each database, and adds the result to the history."),
    ])

  private static let history = OptionKey<Bool>.flag(
    "history", .results,
    "add the run to REPORTS/history.jsonl, and draw the dashboard, as `assay run` does")

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    let shards = try arguments.positionals.map(Self.shard)
    let merge: RunMerge
    do throws(RunMerge.Refusal) {
      merge = try RunMerge(shards)
    } catch {
      throw SessionFailure(.usage, error.description)
    }
    if !merge.missingCases.isEmpty {
      let shown = merge.missingCases.prefix(5).joined(separator: ", ")
      let more = merge.missingCases.count > 5 ? " and \(merge.missingCases.count - 5) more" : ""
      context.console.tell(warning: "no shard has \(shown)\(more); the run is not complete")
    }
    do throws(OutputFolder.Failure) {
      try OutputFolder(path: arguments.reports).prepare()
    } catch {
      throw SessionFailure(.cannotRun, error.description)
    }
    let store = try openStore(arguments.database)
    let stored = try perform { try store.add(merge.run, merge.attempts) }
    context.console.notes(
      stored.wasThere
        ? "run \(stored.id) already consists of these shards\n"
        : "run \(stored.id): \(merge.attempts.count.counted("attempt")) from "
          + "\(shards.count.counted("shard"))\n")
    var run = try perform { try store.run(stored.id) }
    if !stored.wasThere {
      let plan = try ReferencePlan(
        arguments, try BaselineChoice(arguments[Options.baseline]), suites: run.suites.map(\.id),
        folders: [arguments.reports, arguments.usualReports], in: context)
      let kept = try zip(arguments.positionals, shards).map { argument, shard in
        (
          name: shard.name, run: shard.run,
          store: try openStore(StoredRun.parts(ofFile: argument).path, access: .reading)
        )
      }
      run = try References.keep(
        try References.plan(plan, takingOver: kept), for: run,
        judge: context.evaluation.judge(ofStored: run), in: store
      ).run
    }
    return try ReportCommand.publish(
      run, of: store, arguments, addsToHistory: arguments.has(Self.history), in: context)
  }

  /// Returns the run that an argument names.
  private static func shard(_ argument: String) throws -> RunShard {
    let (path, number) = StoredRun.parts(ofFile: argument)
    let store = try openStore(path, access: .reading)
    let run = try StoredRun.find(number, in: store)
    return RunShard(
      name: "\(path), run \(run.id)", run: run,
      attempts: try perform { try store.attempts(run: run.id) })
  }
}
