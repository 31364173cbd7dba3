import EvalFindings
import EvalRecords
import EvalRunner
import EvalSessions
import EvalStatistics
import EvalSuites

/// `assay power`: estimates, before a run, how large a change it could detect.
struct PowerCommand: Command {
  let specification = CommandSpecification(
    name: "power", summary: "Estimates, before a run, how large a change it could detect.",
    positionals: "[SUITE …]", positionalCount: 0...10_000,
    options: Options.selection + [
      Options.backend, Options.repeats, Self.passRate, Self.drop, Self.power,
      Self.alpha, Self.trials, Options.reports, Options.database,
      Options.format,
    ],
    details: """
      For each suite, the command shows:
        - the true pass rates at which the suite very likely passes or misses its gate
        - the smallest drop below the baseline's pass rate that `assay run` finds
        - how many repeats a run needs to find a drop of --drop
        - whether the suite has enough test cases to compare decision probabilities
      The command needs no model: it simulates how `assay run` compares runs, including the second
      look. If you name several suites, it simulates a night with all of them. It takes the pass
      rate of each test case from --pass-rate, or else from the accepted baseline, or else from the
      newest complete run. `assay list` shows what would run.
      """,
    examples: [
      .init("power", "Shows the smallest drop that a run of each suite could find."),
      .init(
        "power evals/flashcards --pass-rate 0.95 --drop 0.1",
        "Shows how many repeats could find a drop from 95 % to 85 %."),
    ])

  private static let passRate = OptionKey<Double?>.share(
    "pass-rate", "SHARE", default: "the baseline's", .command,
    "the pass rate of each test case before the drop")
  private static let drop = OptionKey<Double?>.share(
    "drop", "SHARE", allowsZero: false, default: "0.0667, 1 in 15", .command,
    "the drop in the pass rate that a run should find")
  private static let power = OptionKey<Double?>.share(
    "power", "SHARE", allowsZero: false, default: "0.8", .command,
    "the desired probability of finding the drop")
  private static let alpha = OptionKey<Double?>.share(
    "alpha", "P", allowsZero: false, atMost: 0.5, default: "0.05", .command,
    "the probability of a false alarm, one-sided")
  private static let trials = OptionKey<Int?>.integer(
    "trials", "N", in: 1...10_000_000, default: "\(RulePower.usualTrials)", .command,
    "the number of simulated comparisons for each estimate")

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    let alpha = try arguments[Self.alpha] ?? 0.05
    let power = try arguments[Self.power] ?? 0.8
    let drop = try arguments[Self.drop] ?? 1.0 / 15
    let isJSON = try arguments[Options.format] == .json
    let trials = try arguments[Self.trials] ?? RulePower.usualTrials
    let assumed = try arguments[Self.passRate].map { PowerBaseline(passRate: $0) }
    if let rate = try arguments[Self.passRate], let drop = try arguments[Self.drop], drop > rate {
      throw UsageError(
        "--drop \(drop) is impossible from --pass-rate \(rate); a drop is at most the pass rate")
    }
    let repeats = try arguments[Options.repeats]
    let suites = try arguments.selected(
      from: try context.evaluation.suites(at: arguments.positionals))
    try arguments.checkBackends(in: context)
    let served = try ServedModels(arguments)
    let backends = served.otherBackends + served.ids
    let registered = context.evaluation.registered.backends.map(\.record)
    // The local engine and the stub repeat their answers. A server may not, unless a run has shown
    // that it does.
    func repeatsSeeds(_ backend: String) -> Bool {
      registered.first { $0.id == backend }?.isDeterministic ?? !served.ids.contains(backend)
    }
    var plans: [PowerReport] = []
    for suite in suites {
      for backend in backends {
        let baseline =
          try assumed
          ?? PowerBaseline(
            suite: suite, backend: backend, reports: arguments.reports,
            database: arguments.database)
        plans.append(
          PowerReport(
            suite, backend: backend, repeatsSeeds: repeatsSeeds(backend), suites: suites.count,
            repeats: repeats, baseline: baseline, drop: drop, alpha: alpha, power: power,
            trials: trials))
      }
    }
    context.console.output(
      isJSON
        ? PowerReport.json(plans) + "\n"
        : plans.map { $0.text(style: context.console.outputStyle) }.joined(separator: "\n"))
    return .passed
  }
}
