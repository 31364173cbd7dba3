import EvalRecords
import EvalReports
import EvalSessions
import EvalStatistics
import Foundation
import ResultStore

/// `assay acknowledge`: notes that the team knows a finding, so that it doesn't fail the night.
struct AcknowledgeCommand: Command {
  let specification = CommandSpecification(
    name: "acknowledge",
    summary: "Notes that a regression or a missed gate is known, so that it fails no run for now.",
    positionals: "[QUANTITY …]", positionalCount: 0...1000,
    options: [
      Self.reason, Self.until, Options.suite, ShowCommand.run, Options.reports, Options.database,
    ],
    details: """
      QUANTITY is a finding of the last run, as its report names it: a quantity that regressed, such
      as `pass rate`, or a missed part of a gate, such as `gate: pass rate`. Without QUANTITY, the
      run must have a single finding. The command adds an entry to
      REPORTS/baselines/acknowledged.yaml, which belongs in git. Until the date passes, runs with
      this finding end with exit status 0 and say that it is acknowledged, unless the finding grows
      beyond the limit in the entry or another finding appears.
      """,
    examples: [
      .init(
        "acknowledge 'pass rate' --until 2026-12-31 --reason \"waiting for the new guides\"",
        "Acknowledges that the pass rate regressed in the last run.")
    ])

  private static let reason = OptionKey<String?>.text(
    "reason", "TEXT", .command, "the reason, kept with the entry (required)")
  private static let until = OptionKey<String?>.text(
    "until", "DATE", .command, "the last day of the acknowledgement, as in 2026-12-31 (required)")

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    guard let reason = try arguments[Self.reason], !reason.isEmpty else {
      throw UsageError("--reason is missing: why can the finding wait?")
    }
    guard let until = try arguments[Self.until] else {
      throw UsageError("--until is missing: the last day of the acknowledgement")
    }
    guard AcknowledgementFile.isDate(until) else {
      throw UsageError("--until \(until): expected a date such as 2026-12-31")
    }
    let today = String(context.timestamp.prefix(10))
    guard until >= today else {
      throw UsageError("--until \(until): the date has passed; today is \(today)")
    }
    let store = try openStore(arguments.database, access: .reading)
    let run = try StoredRun.find(try arguments[ShowCommand.run].map(String.init), in: store)
    guard run.comparison == nil, run.status == .complete else {
      throw SessionFailure(
        .usage,
        run.comparison == nil
          ? "run \(run.id) is not complete; only the findings of a complete run can be acknowledged"
          : "run \(run.id) compares variants; only the findings of a run that gates and baselines "
            + "judge can be acknowledged")
    }
    let findings = try findings(of: run, in: store, arguments, context)
    let texts = findings.map { finding in
      let entry = Acknowledgement(
        suite: finding.slice.suite, variant: finding.slice.variant,
        backend: finding.slice.backend, quantity: finding.name, limit: finding.limit,
        reason: reason, since: today, until: until)
      context.console.output("\(Self.words(finding))\n")
      return AcknowledgementFile.text(of: entry, remark: "run \(run.id): \(finding.words)")
    }
    let path = try AcknowledgementFile.add(texts, in: arguments.reports)
    context.console.output(
      "\(path): \(texts.count.counted("entry", plural: "entries")) until \(until); commit the file "
        + "to keep \(texts.count == 1 ? "it" : "them")\n")
    return .passed
  }

  /// Returns the chosen findings of a run.
  private func findings(
    of run: RunRecord, in store: ResultStore, _ arguments: ParsedArguments,
    _ context: ProgramContext
  ) throws -> [RedFinding] {
    let plan = ReferencePlan(
      rule: nil, choice: try run.choice, loaded: [],
      history: try HistoryFile(reports: arguments.reports).read {
        context.console.tell(warning: $0)
      },
      judging: Judging())
    let suites = try arguments[Options.suite]
    let all = try JudgedRun(stored: run, plan, isOld: false, in: store).redFindings
      .filter { suites.isEmpty || suites.contains($0.slice.suite) }
    let list = all.map(Self.words)
    guard !all.isEmpty else {
      throw SessionFailure(
        .nothingSelected,
        "run \(run.id) has no regression and no missed gate that can be acknowledged")
    }
    let names = arguments.positionals
    if names.isEmpty {
      guard all.count == 1 else {
        throw SessionFailure(
          .usage, ["run \(run.id) has \(all.count) findings; name those to acknowledge:"] + list)
      }
      return all
    }
    for name in names where !all.contains(where: { $0.name == name }) {
      throw SessionFailure(
        .nothingSelected, ["run \(run.id) has no finding `\(name)`; it has:"] + list)
    }
    return all.filter { names.contains($0.name) }
  }

  private static func words(_ finding: RedFinding) -> String {
    let slice = finding.slice
    return VisibleText.line(
      "\(slice.suite) (\(slice.variant) on \(slice.backend)): \(finding.name), \(finding.words)")
  }
}
