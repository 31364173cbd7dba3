import EvalFindings
import EvalRecords
import EvalSessions
import EvalStatistics
import ResultStore
import SystemBasics

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
      REPORTS/baselines/acknowledged.yaml, which belongs in git, in place of older entries about the
      finding. Until the date passes, runs with this finding end with exit status 0 and say that it
      is acknowledged, unless the finding grows beyond the limit in the entry, other test cases
      newly fail, or another finding appears.
      """,
    examples: [
      .init(
        "acknowledge 'pass rate' --until 2026-12-31 --reason \"waiting for the new guides\"",
        "Acknowledges that the pass rate regressed in the last run."),
      .init(
        "acknowledge 'gate: pass rate' --suite menu --until 2026-12-31 --reason \"new model\"",
        "Acknowledges that the suite menu missed its gate."),
    ])

  private static let reason = OptionKey<String?>.text(
    "reason", "TEXT", .command, "the reason, kept with the entry (required)")
  private static let until = OptionKey<String?>.text(
    "until", "DATE", .command, "the last day of the acknowledgement, as in 2026-12-31 (required)")

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    guard let reason = try arguments[Self.reason], reason.contains(where: { !$0.isWhitespace })
    else {
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
    let judged = try Self.judged(run, in: store, arguments, context)
    let all = judged.redFindings
    let findings = try Self.chosen(from: all, of: run, arguments)
    let texts = findings.map { finding in
      let entry = Acknowledgement(
        suite: finding.slice.suite, variant: finding.slice.variant,
        backend: finding.slice.backend, quantity: finding.name, limit: finding.limit,
        cases: finding.casesToList, reason: reason, since: today, until: until)
      context.console.output("\(Self.words(finding))\n")
      return AcknowledgementFile.text(of: entry, remark: "run \(run.id): \(finding.words)")
    }
    let (path, replaced) = try AcknowledgementFile.add(
      texts, in: arguments.reports,
      replacing: { entry in findings.contains { $0.isOf(entry) } })
    let older = replaced.counted("older entry", plural: "older entries")
    let remark = replaced == 0 ? "" : " in place of \(older)"
    context.console.output(
      "\(path): \(texts.count.counted("entry", plural: "entries")) until \(until)\(remark); commit "
        + "the file to keep \(texts.count == 1 ? "it" : "them")\n")
    let entries = try AcknowledgementFile(in: [arguments.reports]).entries
      .filter { $0.since <= today && today <= $0.until }
    for finding in all {
      let own = entries.filter(finding.isOf)
      if own.isEmpty || own.contains(where: finding.exceeds) {
        context.console.output(Self.stillRed(finding, among: all))
      }
    }
    for words in Self.lasting(in: judged) {
      context.console.output(
        VisibleText.line("still red: \(words); that can't be acknowledged, so mend it") + "\n")
    }
    return .passed
  }

  /// Returns the line about a finding that still fails the run.
  private static func stillRed(_ finding: RedFinding, among all: [RedFinding]) -> String {
    let isAlone = Set(all.map(\.slice)).count == 1
    let name = isAlone ? finding.name : "\(finding.name) of \(finding.slice.suite)"
    return VisibleText.line("still red: \(name); acknowledge it too, or mend it") + "\n"
  }

  /// Returns what fails the run although every finding is acknowledged, in words.
  private static func lasting(in judged: JudgedRun) -> [String] {
    let gates = judged.gates.filter { $0.redFindings() == nil }.map { gate in
      let errors = "\(gate.errors) of \(gate.attempts.counted("attempt")) ended in a backend error"
      // Beside backend errors, other misses say nothing.
      let reasons = gate.errors * 100 > gate.attempts ? [errors] : gate.reasons
      return "the gate of \(gate.suite) on \(gate.backend), because "
        + (reasons.isEmpty ? "it has no attempts" : reasons.joined(separator: ", and "))
    }
    let isAllowed = judged.run.details.judging?.allowsNotComparable == true
    return gates
      + judged.compared.compactMap { baseline, record in
        switch record.verdict(without: { _ in true }) {
        case .broken: "the comparison of \(baseline.suite), because backend errors broke it"
        case .notComparable where !isAllowed:
          "\(baseline.suite), because it is not comparable with its reference"
        default: nil
        }
      }
  }

  /// Judges a stored run.
  private static func judged(
    _ run: RunRecord, in store: ResultStore, _ arguments: ParsedArguments,
    _ context: ProgramContext
  ) throws -> JudgedRun {
    let plan = ReferencePlan(
      rule: nil, choice: try run.choice, loaded: [],
      history: try HistoryFile(reports: arguments.reports).read {
        context.console.tell(warning: $0)
      },
      judging: Judging())
    return try JudgedRun(stored: run, plan, isOld: false, in: store)
  }

  /// Returns the findings of a run that the arguments choose.
  private static func chosen(
    from everything: [RedFinding], of run: RunRecord, _ arguments: ParsedArguments
  ) throws -> [RedFinding] {
    let suites = try arguments[Options.suite]
    let all = everything.filter { suites.isEmpty || suites.contains($0.slice.suite) }
    let list = all.map(words)
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
