import EvalFindings
import EvalRecords

extension ReportTable {
  /// The table in Markdown, with a line that says how many rows are left out.
  func markdown(limit: Int, noun: String, plural: String? = nil) -> String {
    let columns = columns(on: .markdown)
    let all = rows(on: .markdown)
    let text = MarkdownText.table(
      header: columns.map(\.title),
      alignment: columns.map { $0.kind == .number ? "r" : "l" }.joined(),
      rows: all.prefix(limit).map { row, cells in
        cells.map { column, cell in
          let isBold = row.isWorse && (column.kind == .name || cell.tone == .bad)
          let mark = isBold ? "**" : ""
          return mark + cell.value.markdown + mark
        }
      })
    guard all.count > limit else { return text }
    let rest = NumberText.count(
      all.count - limit, "more \(noun)", plural: plural.map { "more \($0)" })
    return text + "\n\n\(rest) in the full report."
  }

  /// The lines of the table in a terminal.
  func lines(_ style: TextStyle, limit: Int = .max) -> [String] {
    let columns = columns(on: .terminal)
    let plain: (String) -> String = { $0 }
    var table = TextTable(
      columns: columns.map { ($0.title, $0.kind == .number ? .right : .left) })
    for (_, cells) in rows(on: .terminal).prefix(limit) {
      table.rows.append(
        cells.map { _, cell in
          let paint: (String) -> String =
            switch cell.tone {
            case .bad: style.worse
            case .good: style.better
            case .main: style.bold
            case .faint: style.dim
            case .plain, .quiet: plain
            }
          return TextTable.Cell(
            VisibleText.line(cell.value.text(on: .terminal)), paint: paint)
        })
    }
    return table.lines(style: style)
  }
}

extension ReportValue {
  /// The value in a cell of Markdown.
  fileprivate var markdown: String {
    let text = text(on: .markdown)
    switch self {
    case .text, .verdict: return MarkdownText.escaped(text, limit: 200)
    // Numbers contain no markup.
    default: return text.replacing("<", with: "&lt;")
    }
  }
}

extension ReportTable.Cell {
  /// The cell with the verdict of a comparison, or with a dash if there is none.
  static func verdict(
    _ verdict: ComparisonVerdict?, words: String? = nil, note: String = ""
  ) -> ReportTable.Cell {
    guard let verdict else { return .init(.unknown) }
    let tone: Tone =
      switch verdict.news {
      case .bad: .bad
      case .good: .good
      case .same, .unknown: .faint
      }
    return .init(.verdict(verdict, words: words), tone, note: note)
  }
}
