import EvalFindings
import EvalRecords
import EvalReports
import EvalSessions
import ResultStore
import StructuredText
import SystemBasics

/// `assay show`: shows one attempt with its prompt, output, verdicts, decisions and trace.
struct ShowCommand: Command {
  let specification = CommandSpecification(
    name: "show",
    summary:
      "Shows one attempt: its prompt and answer, verdicts, and the probabilities of decisions.",
    positionals: "SUITE/CASE[#N]", positionalCount: 1...1,
    options: [
      Self.run, Self.variant, Self.backend, Self.prompt, Self.steps, Self.replay, Self.model,
      Options.reports, Options.database,
    ],
    details: """
      N is the number of the repeat, counted from zero. Without N, the command shows the first
      attempt that did not pass, or the first attempt if all passed. The last line has the
      outcome. --replay exits with 1 if the result differs.
      """,
    examples: [
      .init(
        "show flashcards/short-text", "Shows a test case's first attempt that did not pass."),
      .init(
        "show flashcards/short-text#2 --replay",
        "Repeats the third attempt, and reports whether the result is the same."),
    ])

  static let run = OptionKey<Int?>.integer(
    "run", "N", in: 1...Int.max, default: "the last one", .selection, "the number of the run")
  private static let variant = OptionKey<String?>.text(
    "variant", "ID", .selection, "only attempts with this variant")
  private static let backend = OptionKey<String?>.text(
    "backend", "NAME", .selection, "only attempts on this backend")
  private static let prompt = OptionKey<Bool>.flag("prompt", .command, "show the whole prompt")
  private static let steps = OptionKey<Bool>.flag(
    "trace", .command, "show every decoding step, with the tokens that the mask allowed")
  private static let replay = OptionKey<Bool>.flag(
    "replay", .command,
    "repeat the attempt on the same model, and report whether the result is the same")
  private static let model = OptionKey<String?>.text(
    "model", letter: "m", "FILE", default: "the bundled toy", .command,
    "the model file for --replay")

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    let address = try Address(arguments.positionals[0])
    if !arguments.has(Self.replay) {
      try arguments.refuse([Self.model], "only applies to --replay")
    }
    let store = try openStore(arguments.database, access: .reading)
    let number = try arguments[Self.run]
    let run = try StoredRun.find(number.map { "\($0)" }, in: store)
    let filter = AttemptFilter(
      suite: address.suite, variant: try arguments[Self.variant],
      backend: try arguments[Self.backend], caseID: address.caseID, includesTraces: true)
    let attempts = try perform { try store.attempts(run: run.id, filter) }
      .filter { address.number == nil || $0.key.repeatIndex == address.number }
    guard let attempt = attempts.first(where: { $0.outcome != .pass }) ?? attempts.first else {
      let made = try perform {
        try store.attempts(
          run: run.id,
          .init(suite: address.suite, caseID: address.caseID, includesTraces: false))
      }
      throw SessionFailure(
        .nothingSelected,
        "run \(run.id) has no attempt \(arguments.positionals[0])"
          + Self.reason(address, filter, run, made.map(\.key)))
    }
    if arguments.has(Self.replay) {
      let replay = Replay(of: attempt, in: run)
      let outcome = try await replay.carryOut(
        model: arguments[Self.model], in: context.evaluation)
      context.console.output(
        ReplayText(replay: replay, outcome: outcome, style: context.console.outputStyle).text)
      return outcome.difference == nil ? .passed : .failed
    }
    context.console.output(
      AttemptText(
        attempt: attempt, style: context.console.outputStyle,
        showsPrompt: arguments.has(Self.prompt), showsSteps: arguments.has(Self.steps)
      ).text)
    return .passed
  }

  /// Returns the end of the error for an attempt that a run lacks: the reason, and what there is.
  ///
  /// - Parameters:
  ///   - address: The attempt.
  ///   - filter: The variant and the backend, if they are given.
  ///   - run: The run.
  ///   - made: The keys of all the run's attempts at the test case.
  private static func reason(
    _ address: Address, _ filter: AttemptFilter, _ run: RunRecord, _ made: [AttemptKey]
  ) -> String {
    guard !made.isEmpty else {
      let name = "\(address.suite)/\(address.caseID)"
      let known = run.suites.flatMap { suite in suite.cases.map { "\(suite.id)/\($0.id)" } }
      let near = NearestName.nearest(to: name, among: known.filter { $0 != name })
      return near.map { "; did you mean \($0)?" } ?? "; --run N shows an attempt of another run"
    }
    for (what, name, known) in [
      ("variant", filter.variant, made.map(\.variant)),
      ("backend", filter.backend, made.map(\.backend)),
    ] {
      guard let name, !known.contains(name) else { continue }
      return " with the \(what) `\(name)`; "
        + NearestName.hint(for: name, among: Set(known).sorted(), what: "its \(what)s are")
    }
    let rest = made.filter {
      $0.variant == filter.variant ?? $0.variant && $0.backend == filter.backend ?? $0.backend
    }
    if let last = rest.map(\.repeatIndex).max() { return "; the last one is #\(last)" }
    let pairs = Set(made.map { "`\($0.variant)` on `\($0.backend)`" }).sorted()
    return " with this variant on this backend; there are \(pairs.joined(separator: ", "))"
  }

  /// The parts of `SUITE/CASE#N`.
  struct Address: Equatable {
    var suite: String
    var caseID: String
    var number: Int?

    init(_ text: String) throws(UsageError) {
      let wrong = UsageError("`\(text)`: expected SUITE/CASE or SUITE/CASE#N; N counts from 0")
      let parts = text.split(separator: "#", omittingEmptySubsequences: false)
      let names = parts[0].split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count <= 2, names.count == 2, !names[0].isEmpty, !names[1].isEmpty else {
        throw wrong
      }
      (suite, caseID) = (String(names[0]), String(names[1]))
      if parts.count == 2 {
        guard let number = Int(parts[1]), number >= 0 else { throw wrong }
        self.number = number
      }
    }
  }
}

/// One attempt as text for a terminal.
struct AttemptText {
  let attempt: AttemptRecord
  let style: TextStyle
  let showsPrompt: Bool
  let showsSteps: Bool

  var text: String {
    let key = attempt.key
    var lines = [
      style.bold("\(key.address)") + "  \(key.variant) on \(key.backend)"
        + (isGenerated ? ", seed \(attempt.seed)" : "")
    ]
    if !measures.isEmpty { lines.append(measures.joined(separator: ", ")) }
    if let pressure = attempt.details.pressure {
      let parts = [
        ("white space", pressure.whitespace), ("segmentation", pressure.segmentation),
        ("preface", pressure.preface),
      ].map { "\($0.0) \(Self.number($0.1, 2))" }
      lines.append(
        "content pressure \(Self.number(pressure.content, 2)) nats, format pressure "
          + "\(Self.number(pressure.format, 2)) (\(parts.joined(separator: ", ")))")
    }
    lines += ["", style.dim("prompt")]
    let lookalikes = attempt.details.lookalikes ?? []
    let prompt = VisibleText.marking(lookalikes, in: attempt.renderedPrompt).linesByFeed
    let shown = showsPrompt ? prompt[...] : prompt.suffix(6)
    if shown.count < prompt.count {
      lines.append(
        style.dim("  … \((prompt.count - shown.count).counted("line")) before; --prompt shows them")
      )
    }
    lines += shown.map { "  " + VisibleText.line(String($0)) }
    if !lookalikes.isEmpty {
      lines.append(
        style.dim(
          "  \(lookalikes.count.counted("place")) with `\\u{…}` in place of a first character: "
            + "text that looks like a control token, but isn't one"))
    }
    lines += ["", style.dim("output")]
    let pretty = (try? JSONValue(parsing: attempt.output))?.prettyText ?? attempt.output
    lines += pretty.linesByFeed.filter { !$0.isEmpty }.map { "  " + VisibleText.line(String($0)) }
    lines += decisions + trace + verdicts + [""]
    if let failure = attempt.failure {
      lines.append(style.worse(VisibleText.line("\(failure.kind.rawValue): \(failure.message)")))
    }
    lines.append(outcome)
    return lines.map { $0 + "\n" }.joined()
  }

  /// Whether a model generated the answer during the run.
  private var isGenerated: Bool {
    ![BackendRecord.recordedID, "stub"].contains(attempt.key.backend)
  }

  /// The measured numbers; an answer that no model generated has few of them.
  private var measures: [String] {
    let known = attempt.measures
    var measures: [String] = []
    if let count = known.outputTokens {
      measures.append("\(count.counted("token")) (\(attempt.forcedTokens) forced)")
    }
    if let count = known.promptTokens { measures.append("\(count) in the prompt") }
    if let seconds = known.seconds, isGenerated || seconds > 0 {
      measures.append("\(Self.number(seconds, 3)) s")
    }
    if let pressure = known.pressure {
      measures.append("pressure \(Self.number(pressure, 2)) nats")
    }
    return measures
  }

  /// The outcome, with the number of failed assertions.
  private var outcome: String {
    if attempt.outcome == .pass { return style.good("✓ pass") }
    let failed = attempt.verdicts.count { $0.verdict == .fail }
    let count = attempt.verdicts.count
    let words =
      failed == 0
      ? "" : ": \(failed) of \(count.counted("assertion")) failed"
    return style.worse("✗ \(attempt.outcome.rawValue)\(words)")
  }

  private var verdicts: [String] {
    guard !attempt.verdicts.isEmpty else { return [] }
    var table = TextTable(columns: [
      ("verdict", .left), ("assertion", .left), ("expected", .left), ("was", .left),
    ])
    for verdict in attempt.verdicts {
      let (mark, paint): (String, (String) -> String) =
        switch verdict.verdict {
        case .pass: ("✓ pass", { $0 })
        case .fail: ("✗ fail", style.worse)
        case .vacuous: ("∅ vacuous", style.bold)
        case .unknown: ("? unknown", style.bold)
        }
      table.rows.append([
        .init(mark, paint: paint), .init(VisibleText.line(verdict.assertion)),
        .init(VisibleText.line(verdict.expected)), .init(VisibleText.line(verdict.actual)),
      ])
    }
    return [""] + table.lines(style: style).map { "  " + $0 }
  }

  private var decisions: [String] {
    guard !attempt.decisions.isEmpty else { return [] }
    var table = TextTable(columns: [
      ("step", .right), ("decision", .left), ("option", .left), ("raw", .right),
      ("masked", .right), ("sampled", .right), ("", .left),
    ])
    for decision in attempt.decisions {
      var place = decision.path
      if decision.kind == .array { place += ", \(decision.index) so far" }
      if !decision.isResolved { place += ", \(Self.number(decision.unresolved, 2)) unresolved" }
      if decision.chosen == nil { place += ", cut off before" }
      for (number, option) in decision.options.prefix(12).enumerated() {
        let isChosen = option.option == decision.chosen
        table.rows.append([
          .init(number == 0 ? "\(decision.step)" : ""),
          .init(number == 0 ? VisibleText.line(place) : ""),
          .init(VisibleText.line(option.option.name), paint: isChosen ? style.bold : { $0 }),
          .init(Self.number(option.raw, 4)), .init(Self.number(option.masked, 4)),
          .init(Self.number(option.sampled, 4)), .init(isChosen ? "◀" : ""),
        ])
      }
    }
    let legend =
      "raw and masked: the option's probability before and after the mask; sampled: with the "
      + "sampling options; ◀: chosen"
    return [""] + (table.lines(style: style) + [style.dim(legend)]).map { "  " + $0 }
  }

  private var trace: [String] {
    guard !attempt.trace.isEmpty else {
      if !isGenerated { return [] }
      let reason =
        attempt.details.droppedSteps.map {
          "the trace of \($0) steps was not kept: the run's budget was used up (--trace-budget)"
        } ?? "no trace was kept; `run --trace all` keeps every trace"
      return ["", style.dim("  \(reason)")]
    }
    guard showsSteps else {
      let forced = attempt.trace.count(where: \.isForced)
      return [
        "",
        style.dim(
          "  \(attempt.trace.count.counted("decoding step")), \(forced) of them forced; --trace "
            + "shows them"),
      ]
    }
    let hasEntropy = attempt.trace.contains { $0.rawEntropy != nil }
    var columns: [(String, TextTable.Alignment)] = [
      ("step", .right), ("token", .left), ("path", .left), ("legal", .right), ("kept", .right),
    ]
    if hasEntropy { columns.append(("entropy, bits", .right)) }
    columns.append(("candidates before → after the mask", .left))
    var table = TextTable(columns: columns)
    for (number, step) in attempt.trace.enumerated() {
      let candidates = step.candidates.prefix(4).map { candidate in
        let after = candidate.isAllowed ? Self.number(candidate.sampled, 2) : "✗"
        return "\(VisibleText.line(candidate.text)) \(Self.number(candidate.raw, 2)) → \(after)"
      }
      var row: [TextTable.Cell] = [
        .init("\(number)"), .init(VisibleText.line(step.text), paint: style.bold),
        .init(VisibleText.line(step.path)), .init("\(step.legalCount)"),
        .init(Self.number(step.keptMass, 3)),
      ]
      if hasEntropy {
        let ends = [step.rawEntropy, step.maskedEntropy].map {
          $0.map { Self.number($0, 2) } ?? "–"
        }
        row.append(.init(ends.joined(separator: " → ")))
      }
      row.append(.init(step.isForced ? "forced" : candidates.joined(separator: " · ")))
      table.rows.append(row)
    }
    var legend = [
      "legal: the number of tokens that the mask allows",
      "kept: their share of the model's probability",
      "candidates: the likeliest tokens, each with its probability before → after the mask (✗: not "
        + "allowed)",
    ]
    if hasEntropy { legend.insert("entropy: before → after the mask", at: 2) }
    return [""] + (table.lines(style: style) + legend.map(style.dim)).map { "  " + $0 }
  }

  private static func number(_ value: Double, _ decimals: Int) -> String {
    value.text(decimals: decimals)
  }
}
