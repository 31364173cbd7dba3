import EvalRecords
import EvalReports
import EvalSessions
import EvalStatistics
import EvalSuites
import Foundation
import ResultStore

/// `assay lab`: one edit at a time, to find which one did it, or which damage nobody notices.
struct LabCommand: Command {
  let specification = CommandSpecification(
    name: "lab", summary: "Finds the edit that did it, or the damage that no case notices.",
    positionals: "BASE [CANDIDATE]", positionalCount: 1...2,
    options: RunOptions.specifications + [
      .option("suites", "PATH", repeatable: true, "where suites are (default: evals)"),
      .option("case", "ID", repeatable: true, "only this case"),
      .option("tag", "TAG", repeatable: true, "only cases with this tag"),
    ] + ComparisonRules.specifications + [
      .option("limit", "N", "the most damages that are tried (default 24)"),
      .option(
        "survivors", "HOW", allowed: ["pass", "fail"],
        "whether a damage that no case notices fails (default pass)"),
    ],
    details: """
      With BASE and CANDIDATE, both SUITE:VARIANT, each edit between the two is tried alone, and all
      the others without it: which edit moved the numbers? With BASE alone, a suite's name or
      SUITE:VARIANT, its guides are damaged one at a time, as a careless edit would: a bound dropped,
      a way out dropped, an out branch deleted, guides swapped. What no case notices needs a case.
      α is divided among the edits; each damage is judged at α.
      """)

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    var options = try RunOptions(
      arguments, cores: ProcessInfo.processInfo.activeProcessorCount)
    // The same edits are tried again and again, and a lab counts no nights.
    options.isCached = !arguments.has("no-cache")
    guard options.choice.ids.count == 1, options.choice.ids != ["stub"] else {
      throw UsageError(
        "`lab` asks one backend that reads guides; the stub answers the same whatever they say")
    }
    let rules = try ComparisonRules(arguments)
    let plan = try Self.plan(arguments, in: context)
    guard !plan.trials.isEmpty else {
      let reason =
        plan.question == .culprit
        ? "the two variants are the same" : "there is nothing to damage"
      throw SessionFailure(.nothingSelected, "\(plan.suite.id): \(reason)")
    }
    if plan.omitted > 0 {
      context.console.notes(
        "\(plan.omitted) more damages are not tried; --limit \(plan.trials.count + plan.omitted) "
          + "tries all\n")
    }
    let comparison = plan.comparison(rules)
    let outcome = try await RunSession(
      options: options, context: context, tellsFailures: false
    ).run([plan.suite], comparing: comparison)
    let comparisons = try CompareCommand.comparisons(
      of: outcome.run, outcome.attempts,
      pooling: try openStore(options.database, access: .reading))
    let result = plan.result(comparisons.map(\.record), comparison)
    let status = Self.status(
      of: outcome.run, result, failsSurvivors: arguments.value("survivors") == "fail")
    try ReportWriter(
      reports: options.reports, database: options.database, output: options.output,
      context: context
    ).publish(
      ReportDocument(
        run: outcome.run, attempts: outcome.attempts, gates: [], comparisons: comparisons),
      lab: result, status: status, duration: outcome.duration)
    return status
  }

  private static func status(
    of run: RunRecord, _ result: LabResult, failsSurvivors: Bool
  ) -> ExitStatus {
    if run.status == .interrupted { return .interrupted }
    let isSurvived = result.question == .survivors && !result.answers.isEmpty
    return failsSurvivors && isSurvived ? .failed : .passed
  }

  private static func plan(
    _ arguments: ParsedArguments, in context: ProgramContext
  ) throws -> LabPlan {
    let names = try arguments.positionals.map { try Name($0) }
    guard let base = names.first else { throw UsageError("`lab` needs a suite") }
    if let candidate = names.dropFirst().first {
      try arguments.refuse(["limit", "survivors"], "is of a lab of one variant, which damages it")
      guard base.suite == candidate.suite else {
        throw UsageError(
          "`\(base.suite)` and `\(candidate.suite)` are different suites; the lab takes variants of one"
        )
      }
      guard base.variant != nil, candidate.variant != nil, base.variant != candidate.variant else {
        throw UsageError("two different SUITE:VARIANT are allowed")
      }
    }
    let suites = try RunSession.load(arguments.all("suites"), in: context)
    let selected: [Suite]
    do throws(SelectionError) {
      let named = names.filter { $0.variant != nil }.map(\.text)
      selected = try Selection(
        suites: [base.suite], cases: arguments.all("case"), tags: arguments.all("tag"),
        variants: named.isEmpty ? .defaults : .named(named)
      ).apply(to: suites)
    } catch {
      throw SessionFailure(.nothingSelected, error.description)
    }
    func variant(_ name: Name) throws -> (Suite, SuiteVariant) {
      guard let suite = selected.first,
        let variant = suite.variants.first(where: { name.variant == nil || $0.id == name.variant })
      else {
        throw SessionFailure(.nothingSelected, "no case is selected, so nothing ran")
      }
      return (suite, variant)
    }
    let (suite, before) = try variant(base)
    if let candidate = names.dropFirst().first {
      return LabPlan(suite, from: before, to: try variant(candidate).1)
    }
    let limit = try arguments.integer("limit", in: 1...1000) ?? 24
    return LabPlan(suite, damaging: before, limit: limit)
  }

  /// A suite's name, or that of one of its variants.
  private struct Name {
    let text: String
    let suite: String
    let variant: String?

    init(_ text: String) throws(UsageError) {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }) else {
        throw UsageError("`\(text)`: SUITE or SUITE:VARIANT is allowed")
      }
      self.text = text
      suite = parts[0]
      variant = parts.count == 2 ? parts[1] : nil
    }
  }
}
