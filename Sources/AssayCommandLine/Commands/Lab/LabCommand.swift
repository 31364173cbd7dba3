import EvalFindings
import EvalRecords
import EvalSessions
import EvalStatistics
import EvalSuites
import ResultStore
import SystemBasics

/// `assay lab`: finds which guide edit caused a change, or which mutations no test case notices.
struct LabCommand: Command {
  let specification = CommandSpecification(
    name: "lab",
    summary:
      "Finds which guide edit caused a change, or which damaged guides no test case notices.",
    positionals: "BASE [CANDIDATE]", positionalCount: 1...2,
    // A lab writes no JUnit.
    options: Options.running.filter {
      $0.specification.name != Options.junitDialect.specification.name
    } + [
      Options.suites, Options.testCase, Options.tag, Options.margin, Options.alpha, Self.limit,
      Self.survivors,
    ],
    details: """
      With BASE and CANDIDATE (both SUITE:VARIANT), the command finds the edit that caused a change.
      For each edit between the two variants, it tries a variant with only this edit, and a variant
      with all other edits.

      With BASE alone (SUITE or SUITE:VARIANT), the command finds damage that no test case notices.
      It damages the guides as a careless edit would, one mutation at a time:
        - drop a bound
        - drop the sentences about a bound, or about missing data
        - drop a whole guide
        - drop the fallback case of an enum
        - swap two guides
      A mutation survives if no test case notices it. The suite then lacks a test case or an
      assertion.

      --alpha sets α, the maximum probability of a false alarm. Each mutation is tested at α, and so
      is CANDIDATE. The variants with only some of its edits share α: if there are 10, each of them
      is tested at α / 10.
      """,
    examples: [
      .init(
        "lab flashcards:default flashcards:shorter",
        "Finds the edit between two variants that caused a change."),
      .init("lab flashcards --limit 10", "Tries ten mutations of the guides of a suite."),
    ])

  private static let limit = OptionKey<Int?>.integer(
    "limit", "N", in: 1...1000, default: "24", .command, "the maximum number of mutations to try")
  private static let survivors = OptionKey<PassOrFail>.choice(
    "survivors", "HOW", default: .pass, .judging,
    "whether the lab passes or fails if a mutation survives")

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    var options = try RunOptions(arguments, in: context)
    // Repeating a lab sends mostly the same requests, so use the cache.
    options.settings.isCached = !arguments.has(Options.noCache)
    guard options.settings.backends.ids.count == 1, options.settings.backends.ids != ["stub"] else {
      throw UsageError(
        "`lab` needs exactly one backend, which must read guides; the stub ignores them")
    }
    let rules = try ComparisonRules(arguments)
    let plan = try Self.plan(arguments, in: context)
    guard !plan.trials.isEmpty else {
      let reason =
        plan.question == .culprit
        ? "the two variants are the same" : "there is nothing to mutate"
      throw SessionFailure(.nothingSelected, "\(plan.suite.id): \(reason)")
    }
    if plan.omitted > 0 {
      context.console.notes(
        "\(plan.omitted.counted("more mutation")) \(plan.omitted == 1 ? "is" : "are") not tried; "
          + "--limit \(plan.trials.count + plan.omitted) tries all\n")
    }
    let comparison = plan.comparison(rules)
    let failsSurvivors = try arguments[Self.survivors] == .fail
    let record = plan.record(rules, failsSurvivors: failsSurvivors)
    options.settings.lab = record
    options.failures = .none
    let outcome = try await options.run([plan.suite], comparing: comparison, in: context)
    let comparisons = try VariantComparisons.comparisons(
      of: outcome.run, outcome.attempts,
      pooling: try openStore(options.settings.database, access: .reading))
    let result = LabResult(record, comparison, comparisons.map(\.record))
    let status = Self.status(
      of: outcome.run, outcome.attempts, comparisons, result, failsSurvivors: failsSurvivors)
    try ReportWriter(
      reports: options.settings.reports, database: options.settings.database,
      output: options.output,
      context: context
    ).publish(
      ReportDocument(
        run: outcome.run, attempts: outcome.attempts, gates: [], comparisons: comparisons,
        lab: result, failsSurvivors: failsSurvivors),
      lab: result, status: status, duration: outcome.duration)
    return status
  }

  /// Returns the exit status of a lab, for `assay lab` and `assay report`.
  static func status(
    of run: RunRecord, _ attempts: [AttemptRecord], _ comparisons: [ReportComparison],
    _ result: LabResult, failsSurvivors: Bool
  ) -> ExitStatus {
    // What a lab finds makes it fail only if the user says so, but it needs attempts to find
    // anything.
    let conclusion = Conclusion(
      run, attempts, gates: [], verdicts: comparisons.map(\.record.verdict))
    switch conclusion {
    case .defect, .nothingRan, .interrupted: return Judging().status(of: conclusion)
    default: break
    }
    let isSurvived = result.question == .survivors && !result.answers.isEmpty
    return failsSurvivors && isSurvived ? .failed : .passed
  }

  private static func plan(
    _ arguments: ParsedArguments, in context: ProgramContext
  ) throws -> LabPlan {
    let names = try arguments.positionals.map { try Name($0) }
    guard let base = names.first else { throw UsageError("`lab` needs a suite") }
    if let candidate = names.dropFirst().first {
      try arguments.refuse(
        [limit, survivors], "only applies to mutations; leave out CANDIDATE")
      guard base.suite == candidate.suite else {
        throw UsageError(
          "`\(base.suite)` and `\(candidate.suite)` are different suites; the lab compares "
            + "variants of one suite"
        )
      }
      guard base.variant != nil, candidate.variant != nil, base.variant != candidate.variant else {
        throw UsageError("to compare, name two different variants: SUITE:VARIANT SUITE:VARIANT")
      }
    }
    let suites = try context.evaluation.suites(at: arguments[Options.suites])
    let named = names.filter { $0.variant != nil }.map(\.text)
    let selection = Selection(
      suites: [base.suite], cases: try arguments[Options.testCase],
      tags: try arguments[Options.tag], variants: named.isEmpty ? .defaults : .named(named))
    let selected: [Suite]
    do throws(SelectionError) {
      selected = try selection.apply(to: suites)
    } catch {
      throw SessionFailure(.nothingSelected, error.description)
    }
    func variant(_ name: Name) throws -> (Suite, SuiteVariant) {
      guard let suite = selected.first,
        let variant = suite.variants.first(where: { name.variant == nil || $0.id == name.variant })
      else {
        throw SessionFailure(.nothingSelected, "no test case is selected, so nothing ran")
      }
      return (suite, variant)
    }
    let (suite, before) = try variant(base)
    if let candidate = names.dropFirst().first {
      return LabPlan(suite, from: before, to: try variant(candidate).1)
    }
    let limit = try arguments[limit] ?? 24
    return LabPlan(suite, damaging: before, limit: limit)
  }

  /// The name of a suite or of one of its variants.
  private struct Name {
    let text: String
    let suite: String
    let variant: String?

    init(_ text: String) throws(UsageError) {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }) else {
        throw UsageError("`\(text)`: expected SUITE or SUITE:VARIANT")
      }
      self.text = text
      suite = parts[0]
      variant = parts.count == 2 ? parts[1] : nil
    }
  }
}
