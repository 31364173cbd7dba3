import EvalFindings
import EvalRecords
import EvalSessions
import ResultStore
import SystemBasics

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
      nothing, and the comparison stays the same, unless --baseline asks for another one. The
      command exits with the status of the merged run: 2 if test cases are missing, and 4 if a suite
      with a baseline no longer exists.
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
    let before: RunRecord? = try perform {
      guard let id = try store.id(ofRunLike: merge.run, merge.attempts) else { return nil }
      return try store.run(id)
    }
    // A run must not be stored before it is known what to compare it with. Otherwise, a second
    // merge would find the run without any reference.
    var plan: ReferencePlan?
    if try before?.needsReferences(arguments) ?? true {
      plan = try Self.plan(for: merge.run, of: shards, arguments, stored: before, in: context)
    }
    var run: RunRecord
    if let before {
      run = before
      context.console.notes("run \(run.id) already consists of these shards\n")
    } else {
      let id = try perform { try store.add(merge.run, merge.attempts).id }
      run = try perform { try store.run(id) }
      context.console.notes(
        "run \(id) in \(arguments.database): \(merge.attempts.count.counted("attempt")) from "
          + "\(shards.count.counted("shard")) (\(Self.names(shards)))\n")
    }
    if let plan {
      run.details.vanishedBaselines = Self.vanished(merge.run, plan.choice, arguments, in: context)
      run = try References.keep(
        plan, for: run, judge: context.evaluation.judge(ofStored: run), in: store
      ).run
    }
    return try ReportCommand.publish(
      run, of: store, arguments, addsToHistory: arguments.has(Self.history), in: context)
  }

  /// Returns the names of the first shards: `a.sqlite, run 1; b.sqlite, run 1`.
  private static func names(_ shards: [RunShard]) -> String {
    let more = shards.count - 4
    return shards.prefix(4).map { VisibleText.line($0.name) }.joined(separator: "; ")
      + (more > 0 ? " and \(more) more" : "")
  }

  /// Returns the request to compare a merged run with references.
  ///
  /// - Parameters:
  ///   - run: The merged run.
  ///   - shards: The shards, in the order of the arguments.
  ///   - arguments: The checked arguments.
  ///   - stored: The run as an earlier merge stored it, or `nil` if this is the first merge.
  ///   - context: The program's context.
  private static func plan(
    for run: RunRecord, of shards: [RunShard], _ arguments: ParsedArguments, stored: RunRecord?,
    in context: ProgramContext
  ) throws -> ReferencePlan {
    let plan = try ReferencePlan(
      arguments, try BaselineChoice(arguments[Options.baseline]), suites: run.suites.map(\.id),
      kind: BaselineKind(of: run), folders: [arguments.reports, arguments.usualReports],
      stored: stored?.details.judging,
      in: context)
    let kept = try zip(arguments.positionals, shards).map { argument, shard in
      (
        name: shard.name, run: shard.run,
        store: try openStore(StoredRun.parts(ofFile: argument).path, access: .reading)
      )
    }
    return try References.plan(plan, takingOver: kept)
  }

  /// Returns the suites that have a baseline but no longer exist, or `nil` if there are none.
  ///
  /// Those that the shards found count too, because this machine may lack the baselines.
  private static func vanished(
    _ run: RunRecord, _ choice: BaselineChoice, _ arguments: ParsedArguments,
    in context: ProgramContext
  ) -> [String]? {
    guard choice == .accepted(elseBranches: choice.branches) else { return nil }
    let folder = context.evaluation.workingDirectory
    let base = URL(fileURLWithPath: folder, isDirectory: true)
    let search = VanishedSuites(of: run, in: folder)
    var found = Set(run.details.vanishedBaselines ?? [])
    for reports in [arguments.reports, arguments.usualReports] {
      let path = URL(fileURLWithPath: reports, relativeTo: base).standardizedFileURL.path
      found.formUnion(
        search.ids(in: path) {
          Set(((try? context.evaluation.suites(at: [])) ?? []).map(\.id))
        })
    }
    return found.isEmpty ? nil : found.sorted()
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

extension RunRecord {
  /// Returns whether a merge that finds this run already stored must choose its references.
  ///
  /// That is so if no merge has chosen any, or if the arguments ask for another comparison.
  fileprivate func needsReferences(_ arguments: ParsedArguments) throws(UsageError) -> Bool {
    let rule = try arguments[Options.baseline]
    guard let references = details.references else {
      return details.baselineRule != "none" || rule != "none"
    }
    return arguments.has(Options.baseline)
      && (rule != details.baselineRule || references.allSatisfy { $0.digest == nil })
  }
}
