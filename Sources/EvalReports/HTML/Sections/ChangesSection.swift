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
        w.element("div") { w in table(to: &w) }
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
          .init("aria-pressed", "false"), text: "\(NumberText.grouped(count)) \(direction.word)")
      }
      w.element(
        "span", .class("js"), .hidden,
        text: " · ↑ ↓ next test case, Enter opens it, Esc closes it")
    }
  }

  private func table(to w: inout HTMLWriter) {
    let hasSuites = Set(shown.map(\.slice.key)).count > 1
    let measured = shown.contains { $0.probability != nil }
    let quantities = Set(shown.compactMap { $0.probability?.quantity })
    var columns: [ReportTable.Column] = [.init("test case"), .init("input")]
    if hasSuites { columns.append(.init("suite")) }
    columns += [.init("baseline"), .init("this run")]
    if measured {
      let name = quantities.count == 1 ? quantities.first?.title(.measured) ?? "" : "probability"
      columns.append(.init(VisibleText.line(name) + ", ○ before ● after"))
    }
    columns.append(.init("change"))
    w.table("Test cases on both sides", columns, class: "natural changes") { w in
      for (number, change) in shown.enumerated() {
        row(change, number, hasSuites: hasSuites, measured: measured, to: &w)
      }
    }
  }

  private func row(
    _ change: ChangedCase, _ number: Int, hasSuites: Bool, measured: Bool, to w: inout HTMLWriter
  ) {
    let direction = change.direction
    w.element(
      "tr", .class(direction == .broken ? "worse" : ""), .init("data-change", direction.rawValue),
      .init("data-i", "\(number)")
    ) { w in
      w.rowHeader(change.summary.id, class: "mono")
      w.cell(ClippedText(VisibleText.line(change.input), limit: 80).text, "quiet input")
      if hasSuites { w.cell(VisibleText.line(change.slice.name), "quiet") }
      for side in [change.pairs.map(\.baseline), change.pairs.map(\.candidate)] {
        w.element("td", .class("nowrap")) { w in
          RepeatStrip.write(side[...], to: &w)
          w.element(
            "span", .class(side.count > RepeatStrip.limit ? "" : "unseen"),
            text: "\(side.count { $0.outcome == .pass }) of \(side.count) pass")
        }
      }
      if measured {
        w.element("td", .class("nowrap")) { w in
          if let value = change.probability {
            Dumbbell.write(value.baseline, value.candidate, to: &w)
            w.element(
              "span", .class("below"),
              text: hasManyQuantities ? VisibleText.line(value.quantity.title(.measured)) : "")
          }
        }
      }
      w.element("td", .class("nowrap")) { w in
        w.element("span", .class("tag " + direction.className), text: direction.word)
      }
    }
  }

  private var hasManyQuantities: Bool {
    Set(shown.compactMap { $0.probability?.quantity }).count > 1
  }
}

extension ChangedCase {
  /// The input as text.
  var input: String { summary.record?.input ?? "" }
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

extension ChangedCase.Direction {
  /// The direction as the list names it.
  fileprivate var word: String { rawValue }

  fileprivate var className: String {
    switch self {
    case .broken: "bad"
    case .fixed: "good"
    case .same: "same"
    }
  }
}
