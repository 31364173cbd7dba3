import EvalRecords

extension ReportTable.Cell {
  /// Whether the note needs a row of its own.
  fileprivate var hasLongNote: Bool { note.count > 60 }
}

extension HTMLWriter {
  /// Writes a table, and adds it to the page's facts.
  mutating func table(_ table: ReportTable, class name: String = "natural") {
    let columns = table.columns(on: .page)
    self.table(table.caption, columns, class: name) { w in
      for (row, cells) in table.rows(on: .page) {
        let names = [row.isWorse ? "worse" : "", row.isPart ? "part" : ""].filter { !$0.isEmpty }
        w.element("tr", .class(names.joined(separator: " "))) { w in
          for (column, cell) in cells { w.cell(cell, column) }
        }
        // A long note below the name would make the column of names wide, or the row high.
        for (column, cell) in cells where column.kind == .name && cell.hasLongNote {
          w.element("tr", .class("remark")) { w in
            w.element("td", .init("colspan", "\(columns.count)")) { w in
              w.element("span", .class("below"), text: VisibleText.line(cell.note))
            }
          }
        }
      }
    }
    add(fact: table.json)
  }

  private mutating func cell(_ cell: ReportTable.Cell, _ column: ReportTable.Column) {
    if column.kind == .name, cell.draw == nil {
      return rowHeader(
        cell.value.text(on: .page), class: cell.isUnbroken ? "nowrap" : "",
        note: cell.hasLongNote ? "" : cell.note, target: cell.target)
    }
    let tone =
      switch cell.tone {
      case .plain, .good: ""
      case .main: "main"
      case .bad: column.kind == .number ? "main bad" : "bad"
      case .quiet: "quiet"
      case .faint: "faint"
      }
    let isTag = if case .verdict = cell.value { true } else { false }
    let names = [
      column.kind == .number ? "number" : "", isTag ? "" : tone,
      cell.isUnbroken ? "nowrap" : "",
    ].filter { !$0.isEmpty }.joined(separator: " ")
    let label = column.kind == .number ? column.title : nil
    func content(_ w: inout HTMLWriter) {
      if let draw = cell.draw { draw(&w) } else { w.value(cell.value) }
      if !cell.note.isEmpty {
        w.element("span", .class("below"), text: VisibleText.line(cell.note))
      }
    }
    if column.kind == .name {
      return element("th", .init("scope", "row"), .class("suite"), content: content)
    }
    element(
      "td", .class(names),
      column.isSortable ? cell.value.sortKey.map { HTMLAttribute("data-v", $0) } : nil,
      .label(label),
      content: content)
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
