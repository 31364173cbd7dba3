import EvalFindings
import EvalRecords
import StructuredText

/// One complete attempt: prompt, schema, raw output, decoded tree, verdicts, decisions and trace.
struct DrillDown {
  let document: ReportDocument
  let index: Int
  private let attempt: AttemptRecord
  private let slice: SliceSummary?

  init(_ document: ReportDocument, _ index: Int) {
    self.document = document
    self.index = index
    attempt = document.summary.attempts[index]
    slice = document.summary.slice(
      attempt.key.slice)
  }

  func write(isFirst: Bool, to w: inout HTMLWriter) {
    w.element("div", .class("drill"), .id("a-\(index)")) { w in
      w.element("h3") { w in
        w.text("\(FailuresSection.name(attempt)) ")
        w.element(
          "span", .class("faint"),
          text: numbers)
      }
      w.element("p", .class("note")) { w in
        w.text("Variant \(attempt.key.variant) on \(attempt.key.backend). Inspect: ")
        w.command(document.showCommand(for: attempt))
      }
      w.element("div", .class("two")) { w in
        w.element("div") { w in asked(isFirst: isFirst, to: &w) }
        w.element("div") { w in answered(to: &w) }
      }
      let before = document.attemptBefore(attempt)
      if let before { earlier(before, to: &w) }
      if !attempt.decisions.isEmpty { decisions(before, to: &w) }
      PressurePlot(attempt).write(to: &w)
      if !attempt.trace.isEmpty { DecodeTrace(attempt, index, before: before).write(to: &w) }
    }
  }

  /// The seed and the numbers that are known: `seed 7, 50 tokens, 1.2 s`.
  private var numbers: String {
    let measures = attempt.measures
    let known = [
      "seed \(attempt.seed)", measures.outputTokens.map { NumberText.count($0, "token") },
      measures.seconds.map { NumberText.duration($0) },
    ]
    return known.compactMap(\.self).joined(separator: ", ") + attempt.batchWords
  }

  private func asked(isFirst: Bool, to w: inout HTMLWriter) {
    w.element("h4", text: "Prompt as sent")
    if attempt.renderedPrompt.isEmpty {
      w.note("The backend did not record the prompt.")
    } else {
      w.preformatted(attempt.renderedPrompt)
    }
    w.element("h4", text: "Raw output")
    if attempt.output.isEmpty {
      w.note("There was no output.")
    } else {
      // Leave out the path of the whole value, because it would mark everything.
      let marks =
        attempt.output.utf8.count <= 4000
        ? JSONSpans.find(failingPaths.subtracting(["$"]), in: attempt.output) : []
      w.preformatted(attempt.output, marks: marks)
    }
    if let failure = attempt.failure {
      w.element("p") { w in
        w.element("span", .class("marked"), text: failure.kind.rawValue)
        w.text(" " + ClippedText(failure.message, limit: 1000).text)
      }
    }
    if isFirst, let schema = slice?.variant?.schema {
      w.element("details") { w in
        w.element("summary", text: "Schema as sent")
        w.preformatted((try? JSONValue(parsing: schema))?.prettyText ?? schema)
      }
    }
  }

  private func answered(to w: inout HTMLWriter) {
    if attempt.failure == nil, let value = try? JSONValue(parsing: attempt.output) {
      w.element("h4", text: "Decoded")
      ValueTree(failing: failingPaths).write(
        value, name: slice?.suite?.schemaName ?? "value", to: &w)
    }
    guard !attempt.verdicts.isEmpty else { return }
    w.element("h4", text: "Assertions")
    w.table(assertions, class: "")
  }

  private var assertions: ReportTable {
    func quoted(_ text: String) -> (inout HTMLWriter) -> Void {
      { w in w.quoting(ClippedText(VisibleText.line(text), limit: 200).text) }
    }
    return ReportTable(
      "Assertions on \(FailuresSection.name(attempt)), attempt \(index)",
      Array(attempt.verdicts.prefix(60)), isFact: false, isWorse: { $0.verdict == .fail }
    ) { table in
      table.cells("assertion", .name) { verdict in
        .init(.text(verdict.assertion)) { w in
          quoted(verdict.assertion)(&w)
          w.element(
            "span", .class("below mono"),
            text: ClippedText(VisibleText.line(verdict.path), limit: 200).text)
        }
      }
      table.cells("expected") { .init(.text($0.expected), .quiet, draw: quoted($0.expected)) }
      table.cells("got") { .init(.text($0.actual), .main, draw: quoted($0.actual)) }
      table.cells("verdict") {
        switch $0.verdict {
        case .pass: .init(.text("✓ pass"), .quiet, style: "nowrap")
        case .fail: .init(.text("✗ fail"), .bad, style: "nowrap")
        case .vacuous: .init(.text("∅ vacuous"), .quiet, style: "nowrap")
        case .unknown: .init(.text("? unknown"), .quiet, style: "nowrap")
        }
      }
    }
  }

  /// The paths at which an assertion failed.
  private var failingPaths: Set<String> {
    Set(attempt.verdicts.filter { $0.verdict == .fail }.map(\.path))
  }

  /// Writes the baseline's answer to the same test case and repeat.
  private func earlier(_ before: AttemptRecord, to w: inout HTMLWriter) {
    let word =
      switch before.outcome {
      case .pass: "✓ passed"
      case .fail: "✗ failed"
      case .error: "✗ ended in an error"
      case .skipped: "was not run"
      }
    w.fold("The same test case and repeat in the baseline \(word)") { w in
      if before.output.isEmpty {
        w.note("There was no output.")
      } else {
        w.preformatted(before.output, limit: 1500)
      }
    }
  }

  private func decisions(_ before: AttemptRecord?, to w: inout HTMLWriter) {
    let limit = 24
    w.element("h4", text: "Decisions")
    let earlier = before?.decisions ?? []
    let rows = attempt.decisions.prefix(limit).flatMap { decision in
      decision.options.prefix(12).enumerated().map { (decision: decision, number: $0, option: $1) }
    }
    let isTaken = { (row: (decision: DecisionRecord, number: Int, option: OptionProbability)) in
      row.option.option == row.decision.chosen
    }
    let table = ReportTable(
      "Decisions of \(FailuresSection.name(attempt)), attempt \(index)", rows, isFact: false,
      isWorse: isTaken
    ) { table in
      table.column("where", .name, style: "mono nowrap") {
        guard $0.number == 0 else { return .unknown }
        let pressure = Self.pressure(of: $0.decision, in: attempt)
        return .text($0.decision.path + Self.suffix($0.decision) + pressure)
      }
      table.column("option", style: "mono") {
        .text(ClippedText(VisibleText.line($0.option.option.name), limit: 80).text)
      }
      table.column("before the mask", .number, .quiet) { .percent($0.option.raw) }
      table.column("after the mask", .number, .quiet) { .percent($0.option.masked) }
      table.column("after temperature", .number, .main) { .percent($0.option.sampled) }
      if !earlier.isEmpty {
        table.column("baseline", .number, .quiet) { row in
          let same = earlier.first {
            $0.kind == row.decision.kind && $0.path == row.decision.path
              && $0.index == row.decision.index
          }
          return .percent(same?.sampledProbability(of: row.option.option))
        }
      }
      table.column("observed", .text, .quiet) { .text(isTaken($0) ? "● chosen" : "") }
    }
    w.table(table)
    w.leftOut(attempt.decisions.count - limit, "decision")
  }

  /// The remark on a decision under format pressure, or an empty string for any other decision.
  private static func pressure(
    of decision: DecisionRecord, in attempt: AttemptRecord
  ) -> String {
    attempt.decisionsUnderFormatPressure.contains(decision) ? ", under format pressure" : ""
  }

  private static func suffix(_ decision: DecisionRecord) -> String {
    var result = ""
    if decision.kind == .array {
      result +=
        decision.index == 0 ? ", empty or not" : ", after \(NumberText.grouped(decision.index))"
    }
    if !decision.isResolved { result += ", \(NumberText.percent(decision.unresolved)) unresolved" }
    if decision.chosen == nil { result += ", cut off before" }
    return result
  }
}
