import EvalFindings
import EvalRecords
import EvalReports
import EvalRunner
import EvalSessions
import EvalSuites
import StructuredText
import SystemBasics

/// `assay list`: shows what would run, without running it.
struct ListCommand: Command {
  let specification = CommandSpecification(
    name: "list", summary: "Shows what would run, without running it, and checks the suites.",
    positionals: "[SUITE …]", positionalCount: 0...10_000,
    options: Options.selection + [
      Options.failed, Options.backend, Options.models, Options.repeats, Self.cases, Self.prompts,
      Options.reports, Options.database, Options.format,
    ],
    details: """
      The number of attempts is test cases × variants × models × repeats; each attempt calls a model
      once. The command reads and checks the suites as `assay run` does, but loads no model.
      `assay power` shows which changes the run could find.

      --prompts writes the requests instead, as JSON Lines: one line for each test case in each
      variant, with its prompt, instructions, schema, options, and a seed for each repeat. An app's
      tests can record the answers of Apple's model to them, and `assay import` judges those.
      """,
    examples: [
      .init(
        "list", "Counts the suites and test cases that would run, and the model calls."),
      .init(
        "list --case 'menu/*' --variant all --cases",
        "Lists the test cases of one suite, and counts the calls for all its variants."),
    ])

  private static let prompts = OptionKey<Bool>.flag(
    "prompts", .command, "write the requests as JSON Lines, for a recorder")
  private static let cases = OptionKey<Bool>.flag("cases", .command, "list every test case")

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    let loaded = try context.evaluation.suites(at: arguments.positionals)
    context.console.warn(of: loaded)
    let suites = try arguments.selected(
      from: arguments.has(Options.failed)
        ? try FailedCases.lastRun(in: arguments.database).selected(from: loaded) : loaded)
    context.console.warn(ofKeywordsIn: suites)
    if arguments.has(Self.prompts) {
      let plan = RunPlan(
        suites: suites, backends: [BackendRecord.recordedID],
        repeats: try arguments[Options.repeats])
      for job in plan.jobs { context.console.output(job.promptLine.compactText + "\n") }
      return .passed
    }
    try arguments.checkBackends(in: context)
    let served = try ServedModels(arguments)
    let backends = served.otherBackends + served.ids
    let repeats = try arguments[Options.repeats]
    if !backends.contains("local"), !served.onlyNamesServedModels {
      try arguments.refuse([Options.models], "only applies to the local backend; add -b local")
    }
    let models = served.count
    let plans = suites.map { suite in
      SuitePlan(
        suite: suite, models: models,
        calls: RunPlan(suites: [suite], backends: ["one"], repeats: repeats).attemptCount * models,
        repeats: repeats ?? suite.repeats)
    }
    if try arguments[Options.format] == .json {
      context.console.output(JSONValue.array(plans.map(\.json)).prettyText + "\n")
      return .passed
    }
    context.console.output(
      Self.lines(
        plans, showsCases: arguments.has(Self.cases), style: context.console.outputStyle,
        backends: backends
      ).map { $0 + "\n" }.joined())
    return .passed
  }

  /// The planned work for one suite.
  private struct SuitePlan {
    let suite: Suite
    let models: Int
    let calls: Int
    let repeats: Int

    var json: JSONValue {
      [
        "suite": .string(suite.id), "title": .string(suite.title),
        "guards": .string(suite.guards), "file": .string(suite.path),
        "caseFile": suite.caseFile.map { .string($0) } ?? .null,
        "cases": .array(suite.cases.map { .string($0.id) }),
        "variants": .array(suite.variants.map { .string($0.id) }),
        "models": .number(JSONNumber(models)), "repeats": .number(JSONNumber(repeats)),
        "calls": .number(JSONNumber(calls)),
      ]
    }
  }

  private static func lines(
    _ plans: [SuitePlan], showsCases: Bool, style: TextStyle, backends: [String]
  ) -> [String] {
    var table = TextTable(columns: [
      ("suite", .left), ("cases", .right), ("variants", .left), ("models", .right),
      ("repeats", .right), ("calls", .right), ("guards", .left),
    ])
    for plan in plans {
      table.rows.append(
        [
          plan.suite.id, "\(plan.suite.cases.count)",
          plan.suite.variants.map(\.id).joined(separator: " "), "\(plan.models)",
          "\(plan.repeats)", "\(plan.calls)", VisibleText.line(plan.suite.guards),
        ].map { TextTable.Cell($0) })
    }
    var lines = table.lines(style: style)
    if showsCases {
      for suite in plans.map(\.suite) {
        lines += suite.cases.map { "\(suite.id)/\($0.id)  \(VisibleText.line($0.title))" }
      }
    }
    lines += plans.compactMap { plan in
      plan.suite.caseFile.map {
        "\(plan.suite.id): \(plan.suite.cases.count.counted("test case")) selected from "
          + VisibleText.line($0)
      }
    }
    let cases = plans.reduce(0) { $0 + $1.suite.cases.count }
    let calls = plans.reduce(0) { $0 + $1.calls }
    lines.append(
      "\(plans.count.counted("suite")), \(cases.counted("test case")), "
        + "\(calls.counted("model call")) on "
        + backends.joined(separator: " and "))
    return lines
  }
}
