import EvalFindings
import EvalRecords
import EvalSessions
import EvalStatistics
import EvalSuites
import ResultStore
import SystemBasics

/// `assay compare`: compares two variants of a suite, or two stored sides.
///
/// If both sides are variants, the command runs them now, on the same test cases and seeds, unless
/// the user gives `--stored`. Stored sides come from the database or from files.
struct CompareCommand: Command {
  let specification = CommandSpecification(
    name: "compare", summary: "Compares variants, runs, branches and files.",
    positionals: "BASE CANDIDATE", positionalCount: 2...2,
    options: Options.running + [
      Options.suites, Options.testCase, Options.tag, Options.margin, Options.alpha,
      Options.inconclusive, Options.allowNotComparable, Options.reuse, Self.stored,
      Self.decisionsOnly,
    ],
    details: """
      If both sides are SUITE:VARIANT, the command runs them now, on the same test cases and seeds.
      With --stored, or if a side is something else, it takes both sides from stored results:
        12             the run with this number
        SUITE:VARIANT  that variant in the newest complete run that contains it
        BRANCH         the newest complete run of whole suites on a git branch,
                       other than the run on the other side; branch:BRANCH if
                       something else has the same name
        FILE[:RUN]     an accepted baseline (REPORTS/baselines/SUITE.jsonl),
                       a file that `assay export` wrote, or a result database
      If the sides are stored, the command compares the first variants of all suites that both sides
      have, unless a side names a suite or a variant.
      """,
    examples: [
      .init(
        "compare flashcards:default flashcards:shorter",
        "Runs two variants of a suite on the same test cases and seeds, and compares them."),
      .init(
        "compare main 42",
        "Compares run 42 with the newest complete run of whole suites on the branch main."),
    ])

  private static let stored = OptionKey<Bool>.flag(
    "stored", .judging,
    "take the results of both variants from the database instead of running them")

  static let decisionsOnly = OptionKey<Bool>.flag(
    "decisions-only", .judging,
    "stop each answer after the last decision whose probability is compared, and compare only "
      + "measured probabilities; needs a local model, and stores nothing")

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    let options = try RunOptions(arguments, in: context)
    let rules = try ComparisonRules(arguments)
    let names = arguments.positionals
    let result: Result
    if case (.variant(let suite, let base), .variant(let other, let candidate)) =
      (SideName(names[0]), SideName(names[1])), !arguments.has(Self.stored)
    {
      guard suite == other else {
        // If a suite doesn't exist, its name is the mistake.
        _ = try selected(base, base, of: suite, arguments, in: context)
        _ = try selected(candidate, candidate, of: other, arguments, in: context)
        throw UsageError(
          "`\(names[0])` and `\(names[1])` belong to different suites; compare variants of one "
            + "suite"
        )
      }
      guard base != candidate else {
        throw UsageError("`\(names[0])` is compared with itself; name two variants")
      }
      let selected = try selected(base, candidate, of: suite, arguments, in: context)
      let comparison = VariantComparison(
        baseline: base, candidates: [candidate], margin: rules.margin, alpha: rules.alpha)
      if arguments.has(Self.decisionsOnly) {
        try arguments.refuse(
          [
            Options.resume, Options.record, Options.replay, Options.cache, Options.reuse,
            Options.stopEarly, Options.label, Options.trace,
          ], "can't be combined with --decisions-only, which stores nothing")
        return try await DecisionsOnly(options: options, rules: rules, context: context).run(
          selected, comparison, judging: Judging(arguments))
      }
      result = try await variants(selected, comparison, options, in: context)
    } else {
      let allowed = ([Options.reports, Options.database] + Options.output)
        .map(\.specification.name)
      try arguments.refuse(
        (Options.running
          + [
            Options.reuse, Options.suites, Options.testCase, Options.tag, Self.decisionsOnly,
          ])
          .filter { !allowed.contains($0.specification.name) },
        "only applies to variants that are run now; these sides are stored")
      let stored = try StoredComparison(
        names[0], names[1], database: options.settings.database, rules: rules)
      result = Result(
        run: stored.run, attempts: stored.attempts, comparisons: stored.comparisons,
        folder: stored.folder, file: stored.file)
    }
    let judging = try Judging(arguments)
    let status = Self.status(
      of: result.run, result.attempts, result.comparisons, judging: judging)
    let document = ReportDocument(
      run: result.run, attempts: result.attempts, gates: [], comparisons: result.comparisons,
      judging: judging)
    try ReportWriter(
      reports: options.settings.reports,
      database: result.file ?? options.settings.database,
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
    /// The folder for the reports, or `nil` if they go into the run's folder.
    var folder: String?
    /// The file that contains the run, or `nil` if the run is in the database.
    var file: String?
  }

  /// Returns the exit status of a comparison.
  static func status(
    of run: RunRecord, _ attempts: [AttemptRecord], _ comparisons: [ReportComparison],
    judging: Judging
  ) -> ExitStatus {
    judging.status(
      of: Conclusion(
        run, attempts, gates: [], verdicts: comparisons.map(\.record.verdict),
        hasNewlyFailing: comparisons.contains { $0.record.hasNewlyFailing }))
  }

  // MARK: Two variants

  /// Returns the suite with the two variants and the selected test cases.
  private func selected(
    _ base: String, _ candidate: String, of suite: String, _ arguments: ParsedArguments,
    in context: ProgramContext
  ) throws -> [Suite] {
    let suites = try context.evaluation.suites(at: arguments[Options.suites])
    let selection = Selection(
      suites: [suite], cases: try arguments[Options.testCase], tags: try arguments[Options.tag],
      variants: .named(["\(suite):\(base)", "\(suite):\(candidate)"]))
    do throws(SelectionError) {
      return try selection.apply(to: suites)
    } catch {
      throw SessionFailure(.nothingSelected, error.description)
    }
  }

  private func variants(
    _ selected: [Suite], _ comparison: VariantComparison, _ options: RunOptions,
    in context: ProgramContext
  ) async throws -> Result {
    let outcome = try await options.run(selected, comparing: comparison, in: context)
    return Result(
      run: outcome.run, attempts: outcome.attempts,
      comparisons: try VariantComparisons.comparisons(
        of: outcome.run, outcome.attempts,
        pooling: try openStore(options.settings.database, access: .reading)),
      duration: outcome.duration)
  }
}

extension ComparisonRules {
  /// Creates the rules from the options of a command.
  ///
  /// - Throws: `UsageError` if the value of `--margin` or `--alpha` is out of range.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    self.init()
    margin = try arguments[Options.margin] ?? margin
    alpha = try arguments[Options.alpha] ?? alpha
  }
}
