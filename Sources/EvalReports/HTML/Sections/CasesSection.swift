import EvalRecords
import EvalStatistics

/// The test cases of each suite with their repeats, worst first; suites that passed their gate are
/// collapsed.
struct CasesSection: PageSection {
  let document: ReportDocument
  let id = "cases"
  let title = "Test cases"

  private let rows: CaseRows

  init(_ document: ReportDocument, _ rows: CaseRows) {
    self.document = document
    self.rows = rows
  }

  var isEmpty: Bool { document.summary.slices.allSatisfy(\.cases.isEmpty) }

  func write(to w: inout HTMLWriter) {
    w.section(
      id, title,
      lede:
        "Each row is a test case, and each bar is a repeat: tall and dark if it failed, split if "
        + "it ended in an error, short and pale if it passed. The worst test cases come first."
    ) { w in
      for slice in document.summary.slices {
        if let table = rows[slice.key] { write(slice, table, to: &w) }
      }
    }
  }

  private func write(_ slice: SliceSummary, _ table: CaseRows.Table, to w: inout HTMLWriter) {
    // A suite that passed its gate is collapsed, unless it is the only one. A suite that no gate
    // judges is open if every test case of the run has a row.
    let isOpen =
      slice.gate.map { !$0.isPassed } ?? rows.showsAll || document.summary.slices.count == 1
    w.element("details", .id(table.id), isOpen ? .init("open", nil) : nil) { w in
      w.element("summary") { w in
        w.element("b", text: slice.name)
        w.text(" · \(NumberText.count(slice.cases.count, "test case"))")
        if let repeats = slice.suite?.repeats, repeats > 0 { w.text(" × \(repeats)") }
        w.text(" · \(slice.share.passing("attempt"))")
        if document.isMissed(slice) {
          w.element("span", .class("bad"), text: " · gate missed")
        }
      }
      w.element("div", .class("drill")) { w in
        self.table(slice, table, to: &w)
      }
    }
  }

  private func table(_ slice: SliceSummary, _ table: CaseRows.Table, to w: inout HTMLWriter) {
    let rows = table.rows
    if let suite = slice.suite, !suite.title.isEmpty {
      w.element("p", .class("note")) { w in
        w.element("code", text: suite.schemaName)
        w.text(" " + suite.title)
      }
    }
    if let guards = slice.suite?.guards, !guards.isEmpty {
      w.element("p", .class("note"), text: "Guards: " + guards)
    }
    if !rows.isEmpty {
      let baseline = document.before(slice.key)
      var columns: [TableColumn] = [
        TableColumn("test case"), TableColumn("repeats"), .number("passing"), .number("95 % CI"),
      ]
      let hasTitles = rows.contains { !$0.summary.shownInput.isEmpty }
      if hasTitles { columns.insert(TableColumn("input"), at: 1) }
      if baseline != nil { columns.append(.number("baseline")) }
      columns.append(.number("time p50"))
      columns.append(TableColumn("failed repeats"))
      w.table("Test cases of \(VisibleText.line(slice.name))", columns) { w in
        for (place, summary) in rows {
          row(
            summary, id: "\(table.id)-\(place + 1)", address: slice.address(of: summary.id),
            baseline: baseline, hasTitles: hasTitles, to: &w)
        }
      }
    }
    let hidden = slice.cases.count - rows.count
    if hidden > 0 {
      let hiddenBad = table.hiddenBad
      let all = hidden - hiddenBad
      let texts = [
        all > 0 ? "\(NumberText.count(all, "test case")) passed every repeat." : "",
        hiddenBad > 0
          ? "\(NumberText.count(hiddenBad, "test case")) that did not always pass "
            + "\(hiddenBad == 1 ? "is" : "are") only in the table of all attempts, because the "
            + "page has room for only \(rows.count) here." : "",
      ]
      w.element("p", .class("note"), text: texts.filter { !$0.isEmpty }.joined(separator: " "))
    }
  }

  private func row(
    _ summary: CaseSummary, id: String, address: String, baseline: SliceSummary?, hasTitles: Bool,
    to w: inout HTMLWriter
  ) {
    let share = summary.share
    let attempts = document.summary.attempts[summary.range]
    let isBad = summary.tally.passed * 2 < summary.tally.attempts
    w.element("tr", .id(id), .init("data-at", address), .class(isBad ? "worse" : "")) { w in
      w.rowHeader(VisibleText.line(summary.id), class: "mono nowrap")
      if hasTitles {
        w.cell(ClippedText(VisibleText.line(summary.shownInput), limit: 90).text, "quiet input")
      }
      w.element("td") { w in RepeatStrip.write(attempts, to: &w) }
      if share.count == 0 {
        w.cell("not run", "number faint")
        w.cell("", "number")
      } else {
        w.cell("\(share.hits)/\(share.count)", "number main" + (isBad ? " bad" : ""))
        w.cell(share.interval, "number faint")
      }
      if let baseline {
        let before = baseline.cases.first { $0.id == summary.id }?.tally
        w.cell(before.map { "\($0.passed)/\($0.attempts)" } ?? "new", "number quiet")
      }
      let seconds = Quantiles(attempts.filter { $0.outcome != .skipped }.map(\.duration))
      w.cell(seconds.count == 0 ? "–" : NumberText.duration(seconds.p50), "number quiet")
      w.element("td", .class("quiet nowrap")) { w in seeds(attempts, to: &w) }
    }
  }

  private func seeds(_ attempts: ArraySlice<AttemptRecord>, to w: inout HTMLWriter) {
    let bad = attempts.indices.filter {
      attempts[$0].outcome == .fail || attempts[$0].outcome == .error
    }
    for (position, index) in bad.prefix(6).enumerated() {
      if position > 0 { w.text(" ") }
      let text = "#\(attempts[index].key.repeatIndex)"
      if document.drillDowns.attempts.contains(index) {
        w.element("a", .fragment("a-\(index)"), text: text)
      } else {
        w.text(text)
      }
    }
    if bad.count > 6 { w.text(" and \(bad.count - 6) more") }
    let seeds = bad.prefix(2).map { "\(attempts[$0].seed)" }.joined(separator: ", ")
    guard !seeds.isEmpty else { return }
    let word = bad.count == 1 ? "seed" : "seeds"
    w.element("span", .class("faint"), text: " · \(word) \(seeds)\(bad.count > 2 ? ", …" : "")")
  }
}

extension CaseSummary {
  /// The title for the column “input” or, if there is none, the input itself.
  fileprivate var shownInput: String { title.isEmpty ? record?.input ?? "" : title }
}
