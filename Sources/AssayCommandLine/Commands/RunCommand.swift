import EvalRecords
import EvalReports
import EvalSessions
import EvalStatistics
import EvalSuites
import Foundation
import ResultStore

/// `assay run`: runs suites, stores, reports, and judges by gates and baselines.
struct RunCommand: Command {
  let specification = CommandSpecification(
    name: "run", summary: "Runs suites and reports on them.", positionals: "[SUITE …]",
    positionalCount: 0...10_000,
    options: RunOptions.specifications + SelectionOptions.specifications + [
      BaselineChoice.option,
      .option(
        "inconclusive", "HOW", allowed: ["pass", "fail"],
        "whether an inconclusive comparison fails (default pass)"),
    ],
    details: "SUITE is a suite file, or a folder under which suites are (default: evals).")

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    let options = try RunOptions(
      arguments, cores: ProcessInfo.processInfo.activeProcessorCount)
    let choice = try BaselineChoice(arguments.value("baseline"))
    let suites = try SelectionOptions.select(
      try RunSession.load(arguments.positionals, in: context), arguments)
    // A damaged baseline is told before anything runs.
    let accepted = try choice.load(
      suites: suites.map(\.id), reports: options.reports, database: options.database,
      asOf: try options.beginning(at: context.timestamp))
    let outcome = try await RunSession(
      options: options, context: context, baselineRule: arguments.value("baseline")
    ).run(suites)
    let file = HistoryFile(reports: options.reports)
    let history = try file.read { context.console.tell(warning: $0) }
    let store = try openStore(options.database, access: .reading)
    let baselines = try choice.completing(accepted, for: outcome.run, in: store, history)
    let comparisons = try baselines.map { baseline in
      try baseline.compare(with: outcome.run, outcome.attempts, pooling: store)
    }
    let status = Self.status(
      of: outcome.run, outcome.attempts, gates: outcome.gates,
      comparisons: comparisons.map(\.record),
      failsInconclusive: arguments.value("inconclusive") == "fail")
    let document = ReportDocument(
      run: outcome.run, attempts: outcome.attempts, gates: outcome.gates,
      comparisons: comparisons, baseline: SuiteBaseline.joined(baselines), history: history)
    try ReportWriter(
      reports: options.reports, database: options.database, output: options.output,
      context: context
    ).publish(document, status: status, duration: outcome.duration)
    // A part of the cases is no night: its rates would stand beside those of all of them.
    if !outcome.run.details.isPart {
      try file.draw(try file.add(document, exitStatus: Int(status.rawValue), to: history))
    }
    return status
  }

  /// The exit status of a run, as it ends and whenever its reports are made again.
  static func status(
    of run: RunRecord, _ attempts: [AttemptRecord], gates: [GateResultRecord],
    comparisons: [ComparisonRecord], failsInconclusive: Bool
  ) -> ExitStatus {
    if run.status == .interrupted { return .interrupted }
    if attempts.allSatisfy({ $0.outcome == .error && $0.failure?.kind == .backend }) {
      return .cannotRun
    }
    if gates.contains(where: { !$0.isPassed }) { return .failed }
    for comparison in comparisons {
      switch comparison.verdict {
      case .regressed, .broken: return .failed
      case .inconclusive where failsInconclusive: return .failed
      default: continue
      }
    }
    return .passed
  }
}

/// The options that select suites, variants and cases.
enum SelectionOptions {
  /// The declarations.
  static let specifications: [OptionSpecification] = [
    .option("suite", "ID", repeatable: true, "only this suite"),
    .option("case", "ID", repeatable: true, "only this case; SUITE/CASE names one exactly"),
    .option("tag", "TAG", repeatable: true, "only cases with this tag"),
    .option(
      "variant", "ID", repeatable: true,
      "this variant instead of the first; SUITE:VARIANT names one exactly, all means all"),
    .option("shard", "I/N", "only the I-th of N shares of the cases"),
  ]

  /// Applies the options.
  ///
  /// - Throws: `SessionFailure` for a name that nothing has, and where nothing is left.
  static func select(
    _ suites: [Suite], _ arguments: ParsedArguments
  ) throws -> [Suite] {
    var selection = Selection(
      suites: arguments.all("suite"), cases: arguments.all("case"), tags: arguments.all("tag"))
    let variants = arguments.all("variant")
    if variants == ["all"] {
      selection.variants = .all
    } else if !variants.isEmpty {
      selection.variants = .named(variants)
    }
    if let text = arguments.value("shard") {
      guard let shard = Shard(parsing: text) else {
        throw UsageError("--shard \(text): a share such as 2/5 is allowed")
      }
      selection.shard = shard
    }
    let selected: [Suite]
    do {
      selected = try selection.apply(to: suites)
    } catch {
      throw SessionFailure(.nothingSelected, error.description)
    }
    guard !selected.isEmpty else {
      throw SessionFailure(.nothingSelected, "no case is selected, so nothing ran")
    }
    return selected
  }
}

extension BaselineChoice {
  /// What `--baseline` may say.
  static let option = OptionSpecification.option(
    "baseline", "WHICH",
    "auto (default: the accepted one where there is one), main (else the last passing run of the "
      + "branch main or master; branch:NAME of another), none, or a run's number")
}
