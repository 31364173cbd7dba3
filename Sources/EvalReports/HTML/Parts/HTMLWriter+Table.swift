import EvalFindings
import EvalRecords

extension ReportTable.Cell {
  /// Whether the cell shows nothing.
  fileprivate var isEmpty: Bool {
    if case .text("") = value { draw == nil && note.isEmpty } else { false }
  }

  /// Whether the note needs a row of its own.
  fileprivate var hasLongNote: Bool { note.count > 60 }
}

extension HTMLWriter {
  /// Writes a table, and adds it to the page's facts.
  ///
  /// It scrolls horizontally if the page is narrow, unless `scrolls` is false, as for a table of a
  /// few narrow columns.
  mutating func table(_ table: ReportTable, class name: String = "natural", scrolls: Bool = true) {
    func content(to w: inout HTMLWriter) {
      w.element("table", .class(name)) { w in
        w.element("caption", .class("unseen"), text: table.caption)
        w.element("thead") { w in
          w.element("tr") { w in w.headers(table.columns(on: .page)) }
        }
        w.element("tbody") { w in
          // Only tables whose rows become lists on narrow pages have labels before their numbers.
          for (row, cells) in table.rows(on: .page) {
            w.row(row, cells, hasLabels: name.contains("flow"))
          }
        }
      }
    }
    if scrolls { scrollRegion(table.caption, content: content) } else { content(to: &self) }
    newline()
    if table.isFact { add(fact: table.json) }
  }

  private mutating func row(
    _ row: ReportTable.Row, _ cells: [(column: ReportTable.Column, cell: ReportTable.Cell)],
    hasLabels: Bool
  ) {
    let names = [row.isWorse ? "worse" : "", row.isPart ? "part" : ""].filter { !$0.isEmpty }
    element("tr", row.attributes + [.class(names.joined(separator: " "))]) { w in
      var covered = 0
      for (place, (column, var cell)) in cells.enumerated() {
        // The name of a part is long, and the cells after it are often empty.
        if row.isPart, column.kind == .name {
          cell.span += cells[(place + 1)...].prefix { $0.cell.isEmpty }.count
        }
        if covered == 0 { w.cell(cell, column, hasLabels ? column.title : nil) }
        covered = covered > 0 ? covered - 1 : cell.span - 1
      }
    }
    // A long note below the name would make the column of names wide, or the row high.
    for (column, cell) in cells where column.kind == .name && cell.hasLongNote {
      element("tr", .class("remark")) { w in
        w.element("td", .init("colspan", "\(cells.count)")) { w in
          w.element("span", .class("below"), text: VisibleText.line(cell.note))
        }
      }
    }
  }

  private mutating func cell(
    _ cell: ReportTable.Cell, _ column: ReportTable.Column, _ label: String?
  ) {
    if column.kind == .name, cell.draw == nil {
      // A name that continues the one above isn't written again.
      if case .unknown = cell.value { return self.cell("") }
      return rowHeader(
        cell.value.text(on: .page), class: cell.style, note: cell.hasLongNote ? "" : cell.note,
        target: cell.target, span: cell.span)
    }
    // A cell that covers several columns is a remark, and no number.
    let isNumber = column.kind == .number && cell.span == 1
    let tone =
      switch cell.tone {
      case .plain, .good: ""
      case .main: "main"
      case .bad: isNumber ? "main bad" : "bad"
      case .quiet: "quiet"
      case .faint: "faint"
      }
    let isTag = if case .verdict = cell.value { true } else { false }
    let names = [isNumber ? "number" : "", isTag ? "" : tone, cell.style]
      .filter { !$0.isEmpty }.joined(separator: " ")
    func content(_ w: inout HTMLWriter) {
      if let draw = cell.draw { draw(&w) } else { w.value(cell.value) }
      if !cell.note.isEmpty {
        w.element("span", .class("below"), text: VisibleText.line(cell.note))
      }
    }
    if column.kind == .name {
      return element("th", .init("scope", "row"), .class(names), content: content)
    }
    element(
      "td", .class(names), cell.span > 1 ? .init("colspan", "\(cell.span)") : nil,
      column.isSortable ? cell.value.sortKey.map { HTMLAttribute("data-v", $0) } : nil,
      isNumber ? label.map { .init("data-l", $0) } : nil, content: content)
  }

  /// Writes a value, with the less important part of it in a lighter color.
  private mutating func value(_ value: ReportValue) {
    switch value {
    case .verdict(let verdict, _): tag(verdict)
    case .share(let share):
      text(share.percent)
      element("span", .class("ratio"), text: " " + share.ratio)
    case .estimate(let estimate):
      text(estimate.percent)
      element("span", .class("below"), text: estimate.basis)
    case .change(let change, let low?, let high?):
      text(NumberText.points(change) + " ")
      element(
        "span", .class("faint"), text: "[\(NumberText.points(low)), \(NumberText.points(high))]")
    default: text(VisibleText.line(value.text(on: .page)))
    }
  }
}
