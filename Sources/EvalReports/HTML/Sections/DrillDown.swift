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
          text: "seed \(attempt.seed), \(NumberText.count(attempt.outputTokens, "token")), "
            + "\(NumberText.duration(attempt.duration))\(attempt.batchWords)")
      }
      w.element("p", .class("note")) { w in
        w.text("Variant \(attempt.key.variant) on \(attempt.key.backend). Inspect: ")
        w.command(document.showCommand(for: attempt, namesRun: true))
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
    w.table(
      "Assertions on \(FailuresSection.name(attempt)), attempt \(index)",
      [
        .init("assertion"), .init("expected"), .init("got"),
        .init("verdict"),
      ],
      class: ""
    ) { w in
      for verdict in attempt.verdicts.prefix(60) {
        w.element("tr", .class(verdict.verdict == .fail ? "worse" : "")) { w in
          w.element("th", .init("scope", "row")) { w in
            w.quoting(ClippedText(VisibleText.line(verdict.assertion), limit: 200).text)
            w.element(
              "span", .class("below mono"),
              text: ClippedText(VisibleText.line(verdict.path), limit: 200).text)
          }
          for (text, name) in [(verdict.expected, "quiet"), (verdict.actual, "main")] {
            w.element("td", .class(name)) { w in
              w.quoting(ClippedText(VisibleText.line(text), limit: 200).text)
            }
          }
          switch verdict.verdict {
          case .pass: w.cell("✓ pass", "quiet nowrap")
          case .fail: w.cell("✗ fail", "bad nowrap")
          case .vacuous: w.cell("∅ vacuous", "quiet nowrap")
          case .unknown: w.cell("? unknown", "quiet nowrap")
          }
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
    var columns: [ReportTable.Column] = [
      .init("where"), .init("option"), .number("before the mask"),
      .number("after the mask"), .number("after temperature"),
    ]
    if !earlier.isEmpty { columns.append(.number("baseline")) }
    columns.append(.init("observed"))
    w.table("Decisions of \(FailuresSection.name(attempt)), attempt \(index)", columns) { w in
      for decision in attempt.decisions.prefix(limit) {
        for (number, option) in decision.options.prefix(12).enumerated() {
          let isTaken = option.option == decision.chosen
          w.element("tr", .class(isTaken ? "worse" : "")) { w in
            if number > 0 {
              w.cell("")
            } else {
              w.rowHeader(
                VisibleText.line(decision.path) + Self.suffix(decision)
                  + Self.pressure(of: decision, in: attempt), class: "mono nowrap")
            }
            w.cell(ClippedText(VisibleText.line(option.option.name), limit: 80).text, "mono")
            w.cell(NumberText.percent(option.raw), "number quiet")
            w.cell(NumberText.percent(option.masked), "number quiet")
            w.cell(NumberText.percent(option.sampled), "number main")
            if !earlier.isEmpty {
              let same = earlier.first {
                $0.kind == decision.kind && $0.path == decision.path && $0.index == decision.index
              }
              w.cell(
                same?.sampledProbability(of: option.option).map { NumberText.percent($0) } ?? "–",
                "number quiet")
            }
            w.cell(isTaken ? "● chosen" : "", "quiet")
          }
        }
      }
    }
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
