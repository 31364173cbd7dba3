import EvalReports
import EvalRunner
import EvalSuites
import Foundation

/// `assay list`: what would run, without running it.
struct ListCommand: Command {
  let specification = CommandSpecification(
    name: "list", summary: "Shows what would run, and checks the suites.",
    positionals: "[SUITE …]", positionalCount: 0...10_000,
    options: SelectionOptions.specifications + [
      .option(
        "backend", letter: "b", "NAME", allowed: ["local", "stub"], repeatable: true,
        "who would answer (default local)"),
      .option("repeats", letter: "r", "N", "attempts per case"),
      .flag("cases", "list every case"),
    ])

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    let paths = arguments.positionals.isEmpty ? ["evals"] : arguments.positionals
    let suites = try SelectionOptions.select(try RunSession.load(paths), arguments)
    let backends = arguments.all("backend").isEmpty ? ["local"] : arguments.all("backend")
    let repeats = try arguments.integer("repeats", in: 1...1_000_000)
    let style = context.console.outputStyle
    var table = TextTable(columns: [
      ("suite", .left), ("cases", .right), ("variants", .left), ("repeats", .right),
      ("attempts", .right), ("guards", .left),
    ])
    for suite in suites {
      let plan = RunPlan(suites: [suite], backends: backends, repeats: repeats)
      table.rows.append(
        [
          suite.id, "\(suite.cases.count)", suite.variants.map(\.id).joined(separator: " "),
          "\(repeats ?? suite.repeats)", "\(plan.attemptCount)", VisibleText.line(suite.guards),
        ].map { TextTable.Cell($0) })
    }
    var lines = table.lines(style: style)
    if arguments.has("cases") {
      for suite in suites {
        lines += suite.cases.map { "\(suite.id)/\($0.id)  \(VisibleText.line($0.title))" }
      }
    }
    let plan = RunPlan(suites: suites, backends: backends, repeats: repeats)
    lines.append(
      "\(suites.count) suites, \(suites.reduce(0) { $0 + $1.cases.count }) cases, "
        + "\(plan.attemptCount) attempts on \(backends.joined(separator: " and "))")
    context.console.output(lines.map { $0 + "\n" }.joined())
    return .passed
  }
}
