import EvalFindings
import EvalRecords
import EvalReports
import EvalSessions
import ResultStore
import SystemBasics

/// `assay history`: lists stored runs, shows trends of pass rates, and removes old runs.
struct HistoryCommand: Command {
  let specification = CommandSpecification(
    name: "history", summary: "Lists the stored runs, shows trends, and removes old runs.",
    positionals: "[trends|prune]", positionalCount: 0...1, verbs: ["trends", "prune"],
    options: [
      Self.limit, Self.label, Self.keep, Self.olderThan, Self.dryRun, Options.reports,
      Options.database,
    ],
    details: """
      Without a subcommand, the command lists the runs, newest first. `trends` shows the pass rate
      of each suite in each run of whole suites, from 0 to 100 %, with the oldest run on the left.
      Each model and each variant has a row of its own.

      `prune` removes runs from the database. Under REPORTS, it removes only the folders of these
      runs. With both --keep and --older-than, it removes a run only if both options allow it. It
      never removes
        - an accepted baseline
        - a run that a file in REPORTS/baselines was made from
        - a run that `--baseline main` uses for a suite without a baseline
        - a run that has not ended
      """,
    examples: [
      .init("history trends", "Shows the pass rates of the last 30 runs."),
      .init("history prune --keep 100 --dry-run", "Shows which runs would be removed."),
    ])

  private static let limit = OptionKey<Int?>.integer(
    "limit", "N", in: 1...100_000, default: "20; trends: 30", .command,
    "the maximum number of runs to show")
  private static let label = OptionKey<String?>.text(
    "label", "TEXT", .command, "only runs with this label")
  private static let keep = OptionKey<Int?>.integer(
    "keep", "N", in: 0...1_000_000, .command, "prune: keep the N newest runs")
  private static let olderThan = OptionKey<Int?>.integer(
    "older-than", "DAYS", in: 0...100_000, .command,
    "prune: remove only runs that began more than DAYS days ago")
  private static let dryRun = OptionKey<Bool>.flag(
    "dry-run", .command, "prune: only show what would be removed")

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    if arguments.positionals.first != "prune" {
      try arguments.refuse(
        [Self.keep, Self.olderThan, Self.dryRun], "only applies to `assay history prune`")
    }
    switch arguments.positionals.first {
    case nil: return try list(arguments, in: context)
    case "trends": return try trends(arguments, in: context)
    case "prune": return try prune(arguments, in: context)
    case let verb?:
      throw UsageError("there is no `assay history \(verb)`; use trends or prune")
    }
  }

  private func list(
    _ arguments: ParsedArguments, in context: ProgramContext
  ) throws -> ExitStatus {
    let limit = try arguments[Self.limit] ?? 20
    let store = try openStore(arguments.database, access: .reading)
    let heads = try perform { try store.runHeads() }.filter { try Self.isWanted($0, arguments) }
    var table = TextTable(columns: [
      ("run", .right), ("started", .left), ("label", .left), ("status", .left),
      ("suites", .right), ("passing", .right), ("backends", .left),
    ])
    for head in heads.reversed().prefix(limit) {
      let (run, counts) = try perform {
        (try store.run(head.id), try store.attemptCounts(run: head.id))
      }
      let made = counts.filter { $0.key != .skipped }.values.reduce(0, +)
      table.rows.append(
        [
          "\(run.id)", run.startedAt, VisibleText.line(run.label), run.status.rawValue,
          "\(run.suites.count)", "\(counts[.pass] ?? 0)/\(made)",
          run.backends.map { "\($0.id) (\(VisibleText.line($0.model)))" }.joined(separator: ", "),
        ].map { TextTable.Cell($0) })
    }
    show(table, in: context)
    return .passed
  }

  // MARK: Trends

  private func trends(
    _ arguments: ParsedArguments, in context: ProgramContext
  ) throws -> ExitStatus {
    let limit = try arguments[Self.limit] ?? 30
    let store = try openStore(arguments.database, access: .reading)
    let heads = try perform { try store.runHeads() }
      .filter { try $0.status == .complete && Self.isWanted($0, arguments) }
    guard !heads.isEmpty else {
      throw SessionFailure(.nothingSelected, "\(store.path): no complete run matches")
    }
    // A part of the test cases, a comparison or a lab would break the trend.
    var runs: [RunRecord] = []
    var omitted = 0
    for head in heads.reversed() where runs.count < limit {
      let run = try perform { try store.run(head.id) }
      if run.hasTrend { runs.append(run) } else { omitted += 1 }
    }
    runs.reverse()
    guard let first = runs.first, let last = runs.last else {
      throw SessionFailure(
        .nothingSelected, "\(store.path): no complete run of whole suites matches")
    }
    let counts = try perform { try store.suiteCounts(from: first.id) }
    let trends = SuiteTrend.trends(counts, runs: runs)
    let variants = Set(trends.map { [$0.suite, $0.variant] })
    let hasVariants = variants.count > Set(trends.map(\.suite)).count
    var columns: [(String, TextTable.Alignment)] = [("suite", .left)]
    if hasVariants { columns.append(("variant", .left)) }
    columns += [
      ("backend", .left), ("runs", .right), ("trend", .left), ("last", .right),
      ("passing", .right), ("lowest", .right), ("highest", .right),
    ]
    var table = TextTable(columns: columns)
    for trend in trends {
      let rates = trend.rates.compactMap(\.self)
      guard let newest = trend.newest, let low = rates.min(), let high = rates.max() else {
        continue
      }
      var cells = [VisibleText.line(trend.suite)]
      if hasVariants { cells.append(VisibleText.line(trend.variant)) }
      cells += [
        VisibleText.line(trend.backend), "\(rates.count)", trend.sparkline,
        NumberText.percent(Double(newest.passed) / Double(newest.attempts)),
        "\(newest.passed)/\(newest.attempts)", NumberText.percent(low), NumberText.percent(high),
      ]
      table.rows.append(cells.map { TextTable.Cell($0) })
    }
    context.console.output(
      "runs \(first.id) to \(last.id), \(first.startedAt) to \(last.startedAt)\n")
    show(table, in: context)
    if omitted > 0 {
      context.console.output(
        "left out: \(omitted.counted("run")) of some test cases, comparisons of variants or labs\n")
    }
    return .passed
  }

  // MARK: Prune

  private func prune(
    _ arguments: ParsedArguments, in context: ProgramContext
  ) throws -> ExitStatus {
    let keep = try arguments[Self.keep]
    let days = try arguments[Self.olderThan]
    guard keep != nil || days != nil else {
      throw UsageError("`assay history prune` needs --keep N or --older-than DAYS, or both")
    }
    let isDry = arguments.has(Self.dryRun)
    let store = try openStore(
      arguments.database, access: isDry ? .reading : .writing, waiting: context.lockWait)
    let heads = try perform { try store.runHeads() }
    let wanted = try heads.filter { try Self.isWanted($0, arguments) }
    let plan = Retention(
      newest: keep, since: days.map { context.evaluation.timestamp(daysAgo: $0) }
    ).plan(
      runs: wanted, referenced: try Self.referenced(heads, in: arguments.reports),
      first: try Self.first(heads, in: arguments.reports),
      others: heads.filter { !wanted.contains($0) }.map(\.id),
      reuse: try perform { try store.reuseRecords() })
    let size = Self.size(of: store.path)
    if !isDry, !plan.removed.isEmpty {
      try perform { try store.deleteRuns(plan.removed.map(\.id)) }
      do {
        try store.compact()
      } catch let error as StoreError where error.problem == .busy {
        context.console.tell(
          warning: "another process uses \(store.path); the file will shrink the next time that "
            + "`assay history prune` removes runs")
      } catch {
        throw SessionFailure(.cannotRun, "\(error)")
      }
    }
    report(plan, isDry: isDry, store, size, in: context)
    try removeFolders(of: plan.removed, isDry: isDry, arguments, in: context)
    return .passed
  }

  /// Removes the reports of runs that were removed, and redraws the dashboard without links to
  /// these reports.
  private func removeFolders(
    of runs: [RunHead], isDry: Bool, _ arguments: ParsedArguments, in context: ProgramContext
  ) throws {
    let reports = arguments.reports
    let folders = runs.map { RunFolder(reports: reports, run: $0) }
    guard !arguments.has(Options.database) else {
      if folders.contains(where: { FileManager.default.fileExists(atPath: $0.path) }) {
        context.console.output(
          "kept     the folders in \(reports): with --database, they may belong to another "
            + "database\n")
      }
      return
    }
    var removed = 0
    for folder in folders {
      switch folder.remove(isDry: isDry) {
      case .absent: break
      case .removed: removed += 1
      case .kept(let reason):
        context.console.output("kept     \(folder.path): \(VisibleText.line(reason))\n")
      }
    }
    guard removed > 0 else { return }
    context.console.output(
      "\(removed.counted("folder")) of reports "
        + "\(isDry ? "would be removed" : "removed")\n")
    let file = HistoryFile(reports: reports, program: context.evaluation.programName)
    if !isDry, FileManager.default.fileExists(atPath: file.path) {
      try file.draw(try file.read { context.console.tell(warning: $0) })
    }
  }

  private func report(
    _ plan: Retention.Plan, isDry: Bool, _ store: ResultStore, _ size: Int,
    in context: ProgramContext
  ) {
    let word = isDry ? "remove " : "removed"
    for run in plan.removed {
      context.console.output(
        "\(word)  run \(run.id)  \(run.startedAt)  \(VisibleText.line(run.label))\n")
    }
    for spared in plan.spared {
      let reason =
        switch spared.reason {
        case .referenced: "a baseline file was made from it"
        case .first: "later runs are compared with it"
        case .reused: "a later run reuses its answers"
        case .running: "it is still running"
        }
      context.console.output("kept     run \(spared.run.id)  \(reason)\n")
    }
    let count = plan.removed.count.counted("run")
    context.console.output(
      isDry
        ? "\(count) of \(store.path) would be removed (\(size >> 10) KiB now)\n"
        : "\(count) of \(store.path) removed, \(size >> 10) KiB before, "
          + "\(Self.size(of: store.path) >> 10) KiB now\n")
  }

  /// Returns the ids of the runs from which the baseline files in a folder of reports were made.
  private static func referenced(_ runs: [RunHead], in reports: String) throws -> Set<Int> {
    var ids: Set<Int> = []
    for baseline in try BaselineFile.all(in: reports) {
      let run = baseline.run
      if runs.contains(where: { $0.id == run.id && $0.startedAt == run.startedAt }) {
        ids.insert(run.id)
      }
    }
    return ids
  }

  /// Returns the ids of the first complete runs on the branch main or master.
  ///
  /// If a suite has no baseline, `--baseline main` compares its later runs with these runs.
  private static func first(_ runs: [RunHead], in reports: String) throws -> Set<Int> {
    let accepted = Set(try BaselineFile.all(in: reports).flatMap(\.run.suites).map(\.id))
    let history = try HistoryFile(reports: reports).read { _ in }
    let entries = history.firstRuns(branches: ["main", "master"], except: accepted)
    return Set(
      runs.filter { run in
        entries.contains { $0.run == run.id && $0.startedAt == run.startedAt }
      }.map(\.id))
  }

  // MARK: Words

  private static func isWanted(
    _ run: RunHead, _ arguments: ParsedArguments
  ) throws(UsageError) -> Bool {
    try arguments[label].map { $0 == run.label } ?? true
  }

  private static func size(of path: String) -> Int { FileStatus(path: path)?.size ?? 0 }

  private func show(_ table: TextTable, in context: ProgramContext) {
    context.console.output(
      table.lines(style: context.console.outputStyle).map { $0 + "\n" }.joined())
  }
}

extension RunRecord {
  /// Whether the run's rates belong into a trend.
  ///
  /// A run of named variants does, because each variant has its own trend.
  fileprivate var hasTrend: Bool {
    isOfWholeVariants && details.recheckOf == nil
  }
}

/// The pass rates of a variant of a suite on a model, by run.
struct SuiteTrend: Equatable {
  /// The suite's id.
  let suite: String
  /// The variant's id.
  let variant: String
  /// The backend's id with its model.
  let backend: String
  /// The pass rate in each run, or `nil` where the suite did not run.
  let rates: [Double?]
  /// The counts of the last run that included the suite, or `nil` if none did.
  let newest: SuiteCount?

  /// Returns the trends of all suites, variants and models, sorted by name.
  ///
  /// - Parameters:
  ///   - counts: The counts of the runs.
  ///   - runs: The runs, in the order of the rates.
  static func trends(_ counts: [SuiteCount], runs: [RunRecord]) -> [SuiteTrend] {
    let byID = Dictionary(runs.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let slices = Dictionary(grouping: counts.filter { byID[$0.run] != nil }) { count in
      let backend = byID[count.run]?.backends.first { $0.id == count.backend }
      return [count.suite, count.variant, backend?.modelName ?? count.backend]
    }
    return slices.keys.sorted { $0.lexicographicallyPrecedes($1) }.map { key in
      let byRun = Dictionary(
        (slices[key] ?? []).map { ($0.run, $0) }, uniquingKeysWith: { first, _ in first })
      return SuiteTrend(
        suite: key[0], variant: key[1], backend: key[2],
        rates: runs.map { run in
          byRun[run.id].map { Double($0.passed) / Double(max(1, $0.attempts)) }
        }, newest: runs.last { byRun[$0.id] != nil }.flatMap { byRun[$0.id] })
    }
  }

  /// The rates as text: one block per run, from `▁` for 0 % to `█` for 100 %, and a dot for each
  /// run without the suite.
  var sparkline: String {
    BlockTrend.text(rates, in: 0...1, gap: "·")
  }
}
