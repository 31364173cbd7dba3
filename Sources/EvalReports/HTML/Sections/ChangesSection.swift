import EvalFindings
import EvalRecords
import StructuredText

/// The test cases on both sides of a comparison, those that changed first, and a pane in which the
/// script shows the answers of both sides.
///
/// Without scripts, the section is a plain table. ``ChangeData`` holds what the pane shows.
struct ChangesSection: PageSection {
  let document: ReportDocument
  let id = "changes"
  let title = "Inputs"

  private let changes: [ChangedCase]
  private let shown: ArraySlice<ChangedCase>

  /// The maximum number of rows.
  static let maximumRows = 400

  init(_ document: ReportDocument) {
    self.document = document
    changes = document.changes
    shown = changes.prefix(Self.maximumRows)
  }

  var isEmpty: Bool { changes.isEmpty }

  func write(to w: inout HTMLWriter) {
    w.section(
      id, title,
      lede:
        "Each test case with its repeats in the baseline and in this run, those that changed most "
        + "first. A tall bar is a failed repeat."
    ) { w in
      buttons(to: &w)
      w.element("div", .class("pair")) { w in
        w.element("div") { w in w.table(table, class: "natural changes") }
        w.element(
          "div", .id("pane"), .class("pane js"), .init("role", "region"),
          .init("aria-label", "The answers of both sides"), .init("tabindex", "-1"), .hidden,
          text: "")
      }
      w.leftOut(changes.count - shown.count, "test case", "changed less, and not shown")
    }
    ChangeData(changes: shown).write(to: &w)
  }

  /// Writes the number of test cases in each direction.
  ///
  /// With scripts, the numbers are buttons that filter the list.
  private func buttons(to w: inout HTMLWriter) {
    let counts = ChangedCase.Direction.allCases.map { direction in
      (direction, changes.count { $0.direction == direction })
    }
    w.element("p", .class("note filters")) { w in
      w.text("Test cases: ")
      for (number, (direction, count)) in counts.enumerated() {
        if number > 0 { w.text(" · ") }
        w.element(
          "button", .init("type", "button"), .init("data-change", direction.rawValue),
          .init("aria-pressed", "false"), text: "\(NumberText.grouped(count)) \(direction.rawValue)"
        )
      }
      w.element(
        "span", .class("js"), .hidden,
        text: " · ↑ ↓ next test case, Enter opens it, Esc closes it")
    }
  }

  private var table: ReportTable {
    let quantities = Set(shown.compactMap { $0.probability?.quantity })
    return ReportTable(
      "Test cases on both sides", Array(shown.enumerated()), isFact: false,
      isWorse: { $0.element.direction == .broken },
      attributes: {
        [
          .init("data-change", $0.element.direction.rawValue), .init("data-i", "\($0.offset)"),
        ]
      }
    ) { table in
      table.column("test case", .name, style: "mono") { .text($0.element.summary.id) }
      table.column("input", .text, .quiet, style: "input") {
        .text(ClippedText(VisibleText.line($0.element.input), limit: 80).text)
      }
      if Set(shown.map(\.slice.key)).count > 1 {
        table.column("suite", .text, .quiet) { .text($0.element.slice.name) }
      }
      for (title, isBefore) in [("baseline", true), ("this run", false)] {
        table.cells(title) { row in
          let attempts = row.element.pairs.map { isBefore ? $0.baseline : $0.candidate }
          return .init(.unknown, style: "nowrap") { w in
            RepeatStrip.write(attempts[...], to: &w)
            w.element(
              "span", .class(attempts.count > RepeatStrip.limit ? "" : "unseen"),
              text: "\(attempts.count { $0.outcome == .pass }) of \(attempts.count) pass")
          }
        }
      }
      if let first = quantities.first {
        let name = quantities.count == 1 ? first.title(.measured) : "probability"
        table.cells(VisibleText.line(name) + ", ○ before ● after") { row in
          let value = row.element.probability
          return .init(
            .unknown, note: quantities.count > 1 ? value?.quantity.title(.measured) ?? "" : "",
            style: "nowrap"
          ) { w in
            if let value { Dumbbell.write(value.baseline, value.candidate, to: &w) }
          }
        }
      }
      table.cells("change", cell: { .init(.unknown, style: "nowrap", draw: $0.element.draw(to:)) })
    }
  }
}

extension CaseRecord {
  /// The input as text: the value of the only variable, or each variable with its name.
  var input: String {
    let members = variables.object?.members ?? []
    if members.count == 1, let text = members[0].value.string { return text }
    return members.map { "\($0.key): \($0.value.string ?? $0.value.compactText)" }
      .joined(separator: "\n")
  }
}

extension ChangedCase {
  /// The input as text.
  var input: String { summary.record?.input ?? "" }

  /// Writes the direction, to which the style sheet adds a symbol.
  fileprivate func draw(to w: inout HTMLWriter) {
    let name =
      switch direction {
      case .broken: "bad"
      case .fixed: "good"
      case .same: "same"
      }
    w.element("span", .class("tag " + name), text: direction.rawValue)
  }
}
