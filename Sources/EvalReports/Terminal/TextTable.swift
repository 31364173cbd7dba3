import EvalFindings

/// A table for a terminal: each column is as wide as its widest cell, and two spaces separate the
/// columns.
package struct TextTable {
  /// The alignment of a column's cells.
  package enum Alignment {
    case left
    case right
  }

  /// One cell: its text, and its style.
  package struct Cell {
    /// The text.
    package let text: String
    /// Adds colors to the text, but not to the padding.
    let paint: (String) -> String

    /// Creates a cell, with `paint` to add colors to its text.
    package init(_ text: String, paint: @escaping (String) -> String = { $0 }) {
      self.text = text
      self.paint = paint
    }
  }

  /// The columns' headings and alignments.
  package let columns: [(title: String, alignment: Alignment)]
  /// The rows, each with as many cells as there are columns.
  package var rows: [[Cell]]

  package init(columns: [(title: String, alignment: Alignment)], rows: [[Cell]] = []) {
    self.columns = columns
    self.rows = rows
  }

  /// The lines of the table, without trailing spaces.
  ///
  /// - Parameter style: The style of the headings.
  package func lines(style: TextStyle) -> [String] {
    let header = columns.map { Cell($0.title, paint: style.dim) }
    let widths = columns.indices.map { column in
      ([header] + rows).map { $0[column].text.displayWidth }.max() ?? 0
    }
    return ([header] + rows).map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let isLast = column == row.count - 1
        let padding = String(repeating: " ", count: widths[column] - cell.text.displayWidth)
        if column > 0 { line += "  " }
        switch columns[column].alignment {
        case .left: line += cell.paint(cell.text) + (isLast ? "" : padding)
        case .right: line += padding + cell.paint(cell.text)
        }
      }
      return line.trimmingSpaces
    }
  }
}

extension String {
  /// The text without trailing spaces.
  fileprivate var trimmingSpaces: String {
    var copy = self
    while copy.last == " " { copy.removeLast() }
    return copy
  }
}
