import EvalRecords
import EvalReports
import EvalSessions
import EvalStatistics
import EvalSuites
import Foundation
import ResultStore

/// `assay compare`: two variants of a suite, run now on the same cases and seeds, or two of what is
/// stored in the database and in files.
struct CompareCommand: Command {
  let specification = CommandSpecification(
    name: "compare", summary: "Compares variants, runs, branches and files.",
    positionals: "BASE CANDIDATE", positionalCount: 2...2,
    options: RunOptions.specifications + [
      .option("suites", "PATH", repeatable: true, "where suites are (default: evals)"),
      .option("case", "ID", repeatable: true, "only this case"),
      .option("tag", "TAG", repeatable: true, "only cases with this tag"),
    ] + ComparisonRules.specifications + [
      .option(
        "inconclusive", "HOW", allowed: ["pass", "fail"],
        "whether an inconclusive comparison fails (default pass)"),
      .flag("stored", "take two SUITE:VARIANT from the database instead of running them"),
    ],
    details: """
      Two SUITE:VARIANT are run now, on the same cases and seeds. Any other two are stored ones:
        12               the run of this number
        SUITE:VARIANT    that variant in the newest complete run that has it
        BRANCH           the newest complete run on a git branch; branch:BRANCH where the name is
                         that of something else too
        FILE[:RUN]       an accepted baseline (REPORTS/baselines/SUITE.jsonl), what `assay export`
                         wrote, or another result database
      Of stored ones all suites are compared that both have, by their first variants, unless a side
      names a suite or a variant.
      """)

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    let options = try RunOptions(
      arguments, cores: ProcessInfo.processInfo.activeProcessorCount)
    let rules = try ComparisonRules(arguments)
    let names = arguments.positionals
    let result: Result
    if case (.variant(let suite, let base), .variant(let other, let candidate)) =
      (SideName(names[0]), SideName(names[1])), !arguments.has("stored")
    {
      guard suite == other else {
        throw UsageError(
          "`\(names[0])` and `\(names[1])` are of different suites; compare variants of one")
      }
      guard base != candidate else {
        throw UsageError("`\(names[0])` is compared with itself; name two variants")
      }
      result = try await variants(
        base, candidate, of: suite, arguments, options, rules, in: context)
    } else {
      let ofReports = ["reports", "database"] + OutputOptions.specifications.map(\.name)
      try arguments.refuse(
        (RunOptions.specifications.map(\.name) + ["suites", "case", "tag"])
          .filter { !ofReports.contains($0) },
        "is of variants that are run; here nothing is")
      result = try stored(names[0], names[1], options, rules)
    }
    let status = Self.status(
      of: result.run, result.comparisons,
      failsInconclusive: arguments.value("inconclusive") == "fail")
    let document = ReportDocument(
      run: result.run, attempts: result.attempts, gates: [], comparisons: result.comparisons)
    try ReportWriter(
      reports: options.reports, database: result.file ?? options.database,
      output: options.output, context: context
    ).publish(
      document, folder: result.folder, status: status, duration: result.duration)
    return status
  }

  private struct Result {
    var run: RunRecord
    var attempts: [AttemptRecord]
    var comparisons: [ReportComparison]
    var duration: Double?
    /// The folder of the reports; nil for that of the run.
    var folder: String?
    /// The file that has the run; nil for the database.
    var file: String?
  }

  /// The exit status of a comparison.
  static func status(
    of run: RunRecord, _ comparisons: [ReportComparison], failsInconclusive: Bool
  ) -> ExitStatus {
    if run.status == .interrupted { return .interrupted }
    let verdicts = comparisons.map(\.record.verdict)
    if verdicts.contains(.regressed) || verdicts.contains(.broken) { return .failed }
    if verdicts.contains(.notComparable) { return .usage }
    if failsInconclusive, verdicts.contains(.inconclusive) { return .failed }
    return .passed
  }

  // MARK: Two variants

  private func variants(
    _ base: String, _ candidate: String, of suite: String, _ arguments: ParsedArguments,
    _ options: RunOptions, _ rules: ComparisonRules, in context: ProgramContext
  ) async throws -> Result {
    let suites = try RunSession.load(arguments.all("suites"), in: context)
    let selected: [Suite]
    do throws(SelectionError) {
      selected = try Selection(
        suites: [suite], cases: arguments.all("case"), tags: arguments.all("tag"),
        variants: .named(["\(suite):\(base)", "\(suite):\(candidate)"])
      ).apply(to: suites)
    } catch {
      throw SessionFailure(.nothingSelected, error.description)
    }
    let outcome = try await RunSession(options: options, context: context).run(
      selected,
      comparing: VariantComparison(
        baseline: base, candidates: [candidate], margin: rules.margin, alpha: rules.alpha))
    return Result(
      run: outcome.run, attempts: outcome.attempts,
      comparisons: try Self.comparisons(
        of: outcome.run, outcome.attempts,
        pooling: try openStore(options.database, access: .reading)),
      duration: outcome.duration)
  }

  /// Compares the variants that a run was made to compare, on each backend.
  ///
  /// What earlier runs have of the base is pooled with it.
  ///
  /// - Returns: One comparison for each backend and candidate; none where the run compares nothing.
  static func comparisons(
    of run: RunRecord, _ attempts: [AttemptRecord], pooling store: ResultStore
  ) throws(SessionFailure) -> [ReportComparison] {
    guard let comparison = run.comparison, let suite = run.suites.first else { return [] }
    var rules = ComparisonRules()
    rules.margin = comparison.margin
    rules.alpha = comparison.alpha
    var comparisons: [ReportComparison] = []
    for backend in run.backends {
      func side(_ variant: String) -> ComparisonSide {
        ComparisonSide(
          run: run, attempts: attempts,
          selection: ComparisonSelection(
            suite: suite.id, variant: variant, backend: backend.id))
      }
      let baseline = try side(comparison.baseline).pooling(store, before: run.id)
      comparisons += comparison.candidates.map { candidate in
        ReportComparison(
          Comparison.compare(baseline: baseline, candidate: side(candidate), rules: rules),
          baselineVariant: suite.variants.first { $0.id == comparison.baseline },
          candidateVariant: suite.variants.first { $0.id == candidate })
      }
    }
    return comparisons
  }

  // MARK: What is stored

  private func stored(
    _ base: String, _ candidate: String, _ options: RunOptions, _ rules: ComparisonRules
  ) throws -> Result {
    let (before, after) = try SideFinder.sides(base, candidate, database: options.database)
    let (run, attempts) = after.part
    let suites = try Self.suites(of: before, and: after)
    // Runs of another database or file have other numbers: none of this one's is earlier.
    let store =
      after.file == options.database ? try openStore(options.database, access: .reading) : nil
    let comparisons = try suites.map { suite in
      var baseline = SuiteBaseline(suite: suite, run: before.run, attempts: before.attempts)
      baseline.variant = before.variant
      baseline.origin = before.origin
      return try baseline.compare(
        with: run, attempts, variant: after.variant, origin: after.origin, rules: rules,
        pooling: store)
    }
    // The candidate run's own reports stay as they are.
    return Result(
      run: run, attempts: attempts, comparisons: comparisons,
      folder: "\(before.slug)-\(after.slug)", file: after.file)
  }

  /// The suites that are compared: those of both sides, or the one that a side names.
  private static func suites(
    of before: ComparedSide, and after: ComparedSide
  ) throws(SessionFailure) -> [String] {
    if let left = before.suite, let right = after.suite, left != right {
      throw SessionFailure(
        .usage, "`\(before.name)` is of the suite `\(left)`, `\(after.name)` of `\(right)`")
    }
    let named = before.suite ?? after.suite
    for side in [before, after] {
      let ids = side.run.suites.map(\.id)
      if let named, !ids.contains(named) {
        throw SessionFailure(
          .usage,
          "`\(side.name)` has no suite `\(named)`; it has \(ids.joined(separator: ", "))")
      }
    }
    let earlier = Set(before.run.suites.map(\.id))
    let shared = after.run.suites.map(\.id)
      .filter { earlier.contains($0) && (named ?? $0) == $0 }
    guard !shared.isEmpty else {
      throw SessionFailure(
        .usage, "`\(before.name)` and `\(after.name)` have no suite in common")
    }
    return shared
  }
}

extension ComparisonRules {
  /// The declarations of the options that set rules.
  static let specifications: [OptionSpecification] = [
    .option("margin", "SHARE", "the change that is tolerated (default 0.01)"),
    .option("alpha", "P", "the chance of a false alarm (default 0.05)"),
  ]

  /// Reads the options.
  ///
  /// - Throws: `UsageError` for a number that is no share.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    self.init()
    margin = try arguments.share("margin") ?? margin
    alpha = try arguments.share("alpha") ?? alpha
  }
}

extension ParsedArguments {
  /// The share that an option has, between 0 and 1.
  func share(_ name: String) throws(UsageError) -> Double? {
    guard let text = value(name) else { return nil }
    guard let number = Double(text), number >= 0, number < 1 else {
      throw UsageError("--\(name) \(text): a number from 0 to 1 is allowed")
    }
    return number
  }
}
