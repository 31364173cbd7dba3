import EvalRecords

/// Cases with their repeats: the ones that did not always pass first, the others folded.
struct CasesSection: PageSection {
  let document: ReportDocument
  let id = "cases"
  let title = "Cases"

  /// Runs with fewer cases show every row; larger ones only those that did not always pass.
  private static let showAllUpTo = 120
  private static let maximumRows = 800
  private static let maximumRowsPerSlice = 200

  init(_ document: ReportDocument) { self.document = document }

  var isEmpty: Bool { document.summary.slices.allSatisfy(\.cases.isEmpty) }

  /// The fragment of a slice's table.
  func target(_ key: SliceKey) -> String? {
    document.summary.slices.firstIndex { $0.key == key && !$0.cases.isEmpty }.map { "c-\($0 + 1)" }
  }

  func write(to w: inout HTMLWriter) {
    let slices = document.summary.slices
    let showsAll = slices.reduce(0) { $0 + $1.cases.count } <= Self.showAllUpTo
    var budget = Self.maximumRows
    w.section(
      id, title,
      lede: "A row is a case, a cell one repeat of it: low and pale passed, high and dark did not. "
        + "The worst cases come first."
    ) { w in
      for (number, slice) in slices.enumerated() where !slice.cases.isEmpty {
        write(slice, id: "c-\(number + 1)", showsAll: showsAll, budget: &budget, to: &w)
      }
    }
  }

  private func write(
    _ slice: SliceSummary, id: String, showsAll: Bool, budget: inout Int, to w: inout HTMLWriter
  ) {
    let ordered = slice.cases.enumerated().sorted { left, right in
      let (first, second) = (left.element.tally, right.element.tally)
      let (a, b) = (first.rate ?? 0, second.rate ?? 0)
      return a == b ? left.offset < right.offset : a < b
    }.map(\.element)
    let isWorthy = { (summary: CaseSummary) in
      summary.tally.notPassed > 0 || summary.tally.attempts == 0
    }
    let rows = Array(
      (showsAll ? ordered : ordered.filter(isWorthy))
        .prefix(min(Self.maximumRowsPerSlice, max(0, budget))))
    budget -= rows.count
    let hidden = slice.cases.count - rows.count
    let hiddenBad = ordered.count(where: isWorthy) - rows.count(where: isWorthy)
    // What passed its gate waits to be asked for, unless it is all there is.
    let isOpen = slice.gate.map { !$0.isPassed } ?? showsAll || document.summary.slices.count == 1
    w.element("details", .id(id), isOpen ? .init("open", nil) : nil) { w in
      w.element("summary") { w in
        w.element("b", text: slice.name)
        w.text(" · \(NumberText.count(slice.cases.count, "case"))")
        if let repeats = slice.suite?.repeats, repeats > 0 { w.text(" × \(repeats)") }
        w.text(" · \(slice.share.counts) attempts pass")
        if slice.gate?.isPassed == false {
          w.element("span", .class("bad"), text: " · gate missed")
        }
      }
      w.element("div", .class("drill")) { w in
        table(slice, rows: rows, hidden: hidden, hiddenBad: hiddenBad, to: &w)
      }
    }
  }

  private func table(
    _ slice: SliceSummary, rows: [CaseSummary], hidden: Int, hiddenBad: Int,
    to w: inout HTMLWriter
  ) {
    if let guards = slice.suite?.guards, !guards.isEmpty {
      w.element("p", .class("note"), text: "Guards: " + guards)
    }
    if !rows.isEmpty {
      let baseline = document.before(slice.key)
      var columns: [TableColumn] = [
        TableColumn("case"), TableColumn("repeats"), .number("passing"), .number("95 % CI"),
      ]
      let hasTitles = rows.contains { !$0.title.isEmpty }
      if hasTitles { columns.insert(TableColumn("input"), at: 1) }
      if baseline != nil { columns.append(.number("baseline")) }
      columns.append(TableColumn("repeats that did not pass"))
      w.table("Cases of \(VisibleText.line(slice.name))", columns) { w in
        for summary in rows { row(summary, baseline: baseline, hasTitles: hasTitles, to: &w) }
      }
    }
    if hidden > 0 {
      let all = hidden - hiddenBad
      let texts = [
        all > 0 ? "\(NumberText.count(all, "case")) passed every repeat." : "",
        hiddenBad > 0
          ? "\(NumberText.count(hiddenBad, "case")) that did not always pass are only in the table "
            + "of all attempts: the page has room for \(rows.count) here." : "",
      ]
      w.element("p", .class("note"), text: texts.filter { !$0.isEmpty }.joined(separator: " "))
    }
  }

  private func row(
    _ summary: CaseSummary, baseline: SliceSummary?, hasTitles: Bool, to w: inout HTMLWriter
  ) {
    let share = Share(summary.tally.passed, of: summary.tally.attempts)
    let attempts = document.summary.attempts[summary.range]
    let isBad = summary.tally.passed * 2 < summary.tally.attempts
    w.element("tr", .class(isBad ? "w" : "")) { w in
      w.rowHeader(VisibleText.line(summary.id), class: "m nw")
      if hasTitles {
        w.cell(ClippedText(VisibleText.line(summary.title), limit: 90).text, "dim2 in")
      }
      w.element("td") { w in RepeatStrip.write(attempts, to: &w) }
      if share.count == 0 {
        w.cell("not run", "n dim")
        w.cell("", "n")
      } else {
        w.cell("\(share.hits)/\(share.count)", "n k" + (isBad ? " bad" : ""))
        w.cell(share.interval, "n dim")
      }
      if let baseline {
        let before = baseline.cases.first { $0.id == summary.id }?.tally
        w.cell(before.map { "\($0.passed)/\($0.attempts)" } ?? "new", "n dim2")
      }
      w.element("td", .class("dim2 nw")) { w in seeds(attempts, to: &w) }
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
    w.element("span", .class("dim"), text: " · \(word) \(seeds)\(bad.count > 2 ? ", …" : "")")
  }
}
