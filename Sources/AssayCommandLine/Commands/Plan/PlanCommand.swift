import EvalRecords
import EvalReports
import EvalRunner
import EvalStatistics
import EvalSuites

/// `assay plan`: what a run could show, before anything runs.
struct PlanCommand: Command {
  let specification = CommandSpecification(
    name: "plan", summary: "Shows what a run could find, before anything runs.",
    positionals: "[SUITE …]", positionalCount: 0...10_000,
    options: SelectionOptions.specifications + [
      .option(
        "backend", letter: "b", "NAME", allowed: ["local", "stub"], repeatable: true,
        "whose gates are meant (default local)"),
      .option("repeats", letter: "r", "N", "attempts per case (default: what the suite says)"),
      .option("drop", "SHARE", "the drop of the pass rate that matters (default 0.0667, 1 in 15)"),
      .option("power", "SHARE", "the wanted chance to find it (default 0.8)"),
      .option("alpha", "P", "the chance of a false alarm, one-sided (default 0.05)"),
      .option(
        "history", "N", "a baseline of N attempts that all passed, instead of what is there"),
      .option("reports", "FOLDER", "where accepted baselines are (default reports)"),
      .option(
        "database", "FILE",
        "the database whose runs are pooled with the baseline (default REPORTS/results.sqlite)"),
      .option(
        "format", "FORMAT", allowed: ["text", "json"], "how the plan is told (default text)"),
      .flag("simulate", "show how often the tests call a regression, by simulation, and no plan"),
      .option("cases", "N", "the cases of a simulated suite (default 20)"),
      .option("trials", "N", "simulated comparisons of each kind (default 1000)"),
    ],
    details: """
      For each suite: the true pass rates at which its gate passes and misses, the smallest drop
      below the baseline that counting finds, the repeats that a drop takes, and whether there are
      enough cases for decision probabilities. The baseline is the accepted one, else the newest run,
      pooled with all earlier attempts that asked the same (guides, model, options) with other seeds
      and were judged by the same assertions. Nothing is run, and no model is needed.
      """)

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    let alpha = try arguments.share("alpha") ?? 0.05
    let power = try arguments.share("power") ?? 0.8
    let drop = try arguments.share("drop") ?? 1.0 / 15
    for (name, value) in [("alpha", alpha), ("power", power), ("drop", drop)] where value == 0 {
      throw UsageError("--\(name) 0: a share above 0 is allowed")
    }
    let isJSON = arguments.value("format") == "json"
    if arguments.has("simulate") {
      let table = AlarmTable(
        cases: try arguments.integer("cases", in: 1...10_000) ?? 20,
        trials: try arguments.integer("trials", in: 1...10_000_000) ?? 1_000, alpha: alpha)
      context.console.output(
        isJSON ? table.json + "\n" : table.text(style: context.console.outputStyle))
      return .passed
    }
    for name in ["cases", "trials"] where arguments.has(name) {
      throw UsageError("--\(name) is of a simulation; give --simulate with it")
    }
    let history = try arguments.integer("history", in: 1...1_000_000)
    let repeats = try arguments.integer("repeats", in: 1...1_000_000)
    let suites = try SelectionOptions.select(
      try RunSession.load(arguments.positionals, in: context), arguments)
    let backends = arguments.all("backend").isEmpty ? ["local"] : arguments.all("backend")
    var plans: [PlanReport] = []
    for suite in suites {
      for backend in backends {
        let baseline =
          history == nil
          ? try PlanBaseline(
            suite: suite.id, backend: backend, reports: arguments.reports,
            database: arguments.database) : nil
        plans.append(
          PlanReport(
            suite, backend: backend, repeats: repeats, baseline: baseline, history: history,
            drop: drop, alpha: alpha, power: power))
      }
    }
    context.console.output(
      isJSON
        ? PlanReport.json(plans) + "\n"
        : plans.map { $0.text(style: context.console.outputStyle) }.joined(separator: "\n"))
    return .passed
  }
}
