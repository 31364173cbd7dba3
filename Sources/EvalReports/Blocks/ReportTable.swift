import EvalFindings
import StructuredText

/// A table of a report: its columns, and rows of typed values.
///
/// The page, the Markdown summary and the terminal write the same table, each in its own form, and
/// the page also holds the values as JSON. Some of them may leave out a column or a row.
struct ReportTable {
  /// A report that shows tables.
  enum Medium: CaseIterable {
    case page
    case markdown
    case terminal
  }

  /// A column of a table.
  struct Column {
    /// The kinds of columns, which decide how a column is aligned.
    enum Kind {
      /// The names of the rows.
      case name
      case text
      case number
      /// Drawings, which only the page has.
      case picture
    }

    let title: String
    let kind: Kind
    let media: Set<Medium>
    /// Whether readers of the page can sort the table by the column.
    let isSortable: Bool
    /// Whether only screen readers get the title.
    let isSilent: Bool

    init(
      _ title: String, _ kind: Kind = .text, on media: Set<Medium> = Set(Medium.allCases),
      isSortable: Bool = false, isSilent: Bool = false
    ) {
      (self.title, self.kind, self.isSortable, self.isSilent) = (title, kind, isSortable, isSilent)
      self.media = kind == .picture ? [.page] : media
    }
  }

  /// A cell: a value, and how to show it.
  struct Cell {
    /// How much a cell stands out.
    enum Tone {
      case plain
      /// The most important number of the row.
      case main
      /// The most important number of the row, which is bad news.
      case bad
      /// Good news.
      case good
      case quiet
      case faint
    }

    let value: ReportValue
    var tone = Tone.plain
    /// A text below the value, on the page only.
    var note = ""
    /// The further classes of the cell in the page's style sheet, such as `mono nowrap`.
    var style = ""
    /// The element of the page to which the name of a row links.
    var target: String?
    /// The number of columns that the cell covers on the page.
    var span = 1
    /// Writes the cell on the page, if the value itself isn't enough.
    var draw: ((inout HTMLWriter) -> Void)?

    init(
      _ value: ReportValue, _ tone: Tone = .plain, note: String = "", style: String = "",
      target: String? = nil, span: Int = 1, draw: ((inout HTMLWriter) -> Void)? = nil
    ) {
      (self.value, self.tone, self.note, self.style) = (value, tone, note, style)
      (self.target, self.span, self.draw) = (target, span, draw)
    }
  }

  /// A row with a cell for each column.
  struct Row {
    var cells: [Cell]
    /// Whether the row is bad news.
    var isWorse = false
    /// Whether the row belongs to the row above, also if a reader sorts the table.
    var isPart = false
    var media = Set(Medium.allCases)
    /// The attributes of the row on the page.
    var attributes: [HTMLAttribute?] = []
  }

  /// The name of the table on the page and in the page's facts.
  let caption: String
  let columns: [Column]
  var rows: [Row] = []
  /// Whether the page's facts contain the table.
  var isFact = true

  /// The columns of a report.
  func columns(on medium: Medium) -> [Column] { columns.filter { $0.media.contains(medium) } }

  /// The rows of a report, each with the cells of its columns.
  func rows(on medium: Medium) -> [(row: Row, cells: [(column: Column, cell: Cell)])] {
    rows.filter { $0.media.contains(medium) }.map { row in
      var cells: [(column: Column, cell: Cell)] = []
      for (column, cell) in zip(columns, row.cells) where column.media.contains(medium) {
        cells.append((column, cell))
      }
      return (row, cells)
    }
  }

  /// The table in the page's facts: the titles of its columns, and the values of its rows.
  var json: JSONValue {
    func isFact(_ column: Column) -> Bool { column.kind != .picture }
    let titles = columns(on: .page).filter(isFact).map { column in
      JSONValue.string(VisibleText.line(column.title))
    }
    let values = rows(on: .page).map { row in
      JSONValue.array(row.cells.filter { isFact($0.column) }.map { $0.cell.value.json })
    }
    return [
      "caption": .string(VisibleText.line(caption)), "columns": .array(titles),
      "rows": .array(values),
    ]
  }
}

extension ReportTable {
  /// The columns of a table that has a row for each of some items.
  struct Columns<Item> {
    fileprivate let items: [Item]
    fileprivate var columns: [Column] = []
    fileprivate var cells: [[Cell]]

    /// Adds a column with a cell for each item.
    mutating func cells(
      _ title: String, _ kind: Column.Kind = .text, on media: Set<Medium> = Set(Medium.allCases),
      isSortable: Bool = false, cell: (Item) -> Cell
    ) {
      columns.append(Column(title, kind, on: media, isSortable: isSortable))
      for (row, item) in items.enumerated() { cells[row].append(cell(item)) }
    }

    /// Adds a column whose cells all look the same.
    mutating func column(
      _ title: String, _ kind: Column.Kind = .text, _ tone: Cell.Tone = .plain,
      on media: Set<Medium> = Set(Medium.allCases), style: String = "", isSortable: Bool = false,
      value: (Item) -> ReportValue
    ) {
      cells(title, kind, on: media, isSortable: isSortable) { item in
        Cell(value(item), tone, style: style)
      }
    }

    /// Adds a column of drawings.
    mutating func picture(_ title: String, draw: @escaping (Item, inout HTMLWriter) -> Void) {
      cells(title, .picture) { item in Cell(.unknown) { w in draw(item, &w) } }
    }
  }

  /// Creates a table that has a row for each item.
  ///
  /// - Parameters:
  ///   - caption: The name of the table.
  ///   - items: The items.
  ///   - isFact: Whether the page's facts contain the table.
  ///   - isWorse: Returns whether a row is bad news.
  ///   - isPart: Returns whether a row belongs to the row above.
  ///   - media: Returns the reports that have a row.
  ///   - attributes: Returns the attributes of a row on the page.
  ///   - columns: Adds the columns.
  init<Item>(
    _ caption: String, _ items: [Item], isFact: Bool = true,
    isWorse: (Item) -> Bool = { _ in false }, isPart: (Item) -> Bool = { _ in false },
    media: (Item) -> Set<Medium> = { _ in Set(Medium.allCases) },
    attributes: (Item) -> [HTMLAttribute?] = { _ in [] },
    columns: (inout Columns<Item>) -> Void
  ) {
    var table = Columns(items: items, cells: [[Cell]](repeating: [], count: items.count))
    columns(&table)
    self.init(caption: caption, columns: table.columns, isFact: isFact)
    rows = zip(items, table.cells).map { item, cells in
      Row(
        cells: cells, isWorse: isWorse(item), isPart: isPart(item), media: media(item),
        attributes: attributes(item))
    }
  }
}
