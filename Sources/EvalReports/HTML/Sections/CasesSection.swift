import EvalFindings
import EvalRecords
import EvalStatistics

/// The test cases of each suite with their repeats, worst first; suites that passed their gate are
/// collapsed.
struct CasesSection: PageSection {
  let document: ReportDocument
  let id = "cases"
  let title = "Test cases"

  let rows: CaseRows

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
        if let words = document.lab?.words(slice.key.variant) { w.text(", \(words)") }
        w.text(" · \(NumberText.count(slice.cases.count, "test case"))")
        // Fresh attempts and repeats of single test cases are not part of this product.
        if let repeats = slice.suite?.repeats, repeats > 0,
          slice.tally.attempts == repeats * slice.cases.count
        {
          w.text(" × \(repeats)")
        }
        w.text(" · \(slice.share.passing("attempt"))")
        if document.isMissed(slice) {
          w.element("span", .class("bad"), text: " · gate missed")
        }
      }
      w.element("div", .class("drill")) { w in
        contents(slice, table, to: &w)
      }
    }
  }

  private func contents(_ slice: SliceSummary, _ table: CaseRows.Table, to w: inout HTMLWriter) {
    let rows = table.rows
    if let suite = slice.suite, !suite.title.isEmpty {
      w.element("p", .class("note")) { w in
        w.element("code", text: suite.schemaName)
        w.text(" " + suite.title)
      }
    }
    if let guards = slice.suite?.guards, !guards.isEmpty {
      w.element("p", .class("note")) { w in w.quoting("Guards: " + guards) }
    }
    if !rows.isEmpty { w.table(self.table(slice, table)) }
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
      w.note(texts.filter { !$0.isEmpty }.joined(separator: " "))
    }
  }

  private func table(_ slice: SliceSummary, _ table: CaseRows.Table) -> ReportTable {
    let rows = table.rows
    let isBad = { (row: (place: Int, summary: CaseSummary)) in
      row.summary.tally.passed * 2 < row.summary.tally.attempts
    }
    func attempts(_ summary: CaseSummary) -> ArraySlice<AttemptRecord> {
      document.summary.attempts[summary.range]
    }
    return ReportTable(
      "Test cases of \(VisibleText.line(slice.name))", rows, isFact: false, isWorse: isBad,
      attributes: {
        [
          .id("\(table.id)-\($0.place + 1)"),
          .init("data-at", slice.address(of: $0.summary.id)),
        ]
      }
    ) { table in
      table.column("test case", .name, style: "mono nowrap") { .text($0.summary.id) }
      if rows.contains(where: { $0.summary.record?.input.isEmpty == false }) {
        table.column("input", .text, .quiet, style: "input") {
          .text(ClippedText(VisibleText.line($0.summary.record?.input ?? ""), limit: 80).text)
        }
      }
      table.picture("repeats") { RepeatStrip.write(attempts($0.summary), to: &$1) }
      table.cells("passing", .number) { row in
        let share = row.summary.share
        return share.count == 0
          ? .init(.text("not run"), .faint)
          : .init(.text("\(share.hits)/\(share.count)"), isBad(row) ? .bad : .main)
      }
      // With three attempts or fewer, every interval spans most of the scale.
      if rows.contains(where: { $0.summary.tally.attempts > 3 }) {
        table.column("95 % CI", .number, .faint) {
          $0.summary.share.count == 0 ? .text("") : .interval($0.summary.share)
        }
      }
      if let baseline = document.before(slice.key) {
        table.column("baseline", .number, .quiet) { row in
          let before = baseline.cases.first { $0.id == row.summary.id }?.tally
          return .text(before.map { "\($0.passed)/\($0.attempts)" } ?? "new")
        }
      }
      table.column("time p50", .number, .quiet) { row in
        let made = attempts(row.summary).filter { $0.outcome != .skipped }
        return .seconds(Quantiles(made.compactMap(\.measures.seconds)).known?.p50)
      }
      table.cells("failed repeats") { row in
        .init(.unknown, .quiet, style: "nowrap") { failed(attempts(row.summary), to: &$0) }
      }
      table.column("why", .text, .quiet) { .text(why(attempts($0.summary))) }
    }
  }

  private func isBad(_ attempt: AttemptRecord) -> Bool {
    attempt.outcome == .fail || attempt.outcome == .error
  }

  /// Writes the numbers of the repeats that failed; the script opens any of them.
  private func failed(_ attempts: ArraySlice<AttemptRecord>, to w: inout HTMLWriter) {
    let bad = attempts.indices.filter { isBad(attempts[$0]) }
    for (position, index) in bad.prefix(6).enumerated() {
      if position > 0 { w.text(" ") }
      let text = "#\(attempts[index].key.repeatIndex)"
      if document.drillDowns.attempts.contains(index) {
        w.element("a", .fragment("a-\(index)"), text: text)
      } else {
        w.element("span", .class("repeat"), text: text)
      }
    }
    if bad.count > 6 { w.text(" and \(bad.count - 6) more") }
  }

  /// The most frequent reason why repeats failed, and the number of other reasons.
  private func why(_ attempts: ArraySlice<AttemptRecord>) -> String {
    var counts: [Int32: Int] = [:]
    for index in attempts.indices where isBad(attempts[index]) {
      counts[document.summary.clusterOfAttempt[index], default: 0] += 1
    }
    let first = counts.filter { $0.key >= 0 }
      .min { ($1.value, $0.key) < ($0.value, $1.key) }?.key
    let clusters = document.summary.clusterOfAttempt
    guard let first, let example = attempts.indices.first(where: { clusters[$0] == first })
    else { return "" }
    let cluster = document.summary.clusters[Int(first)]
    let title = ClippedText.line(cluster.title(of: attempts[example]), limit: 80)
    return title
      + (counts.count > 1 ? "; \(NumberText.count(counts.count - 1, "other reason"))" : "")
  }
}
