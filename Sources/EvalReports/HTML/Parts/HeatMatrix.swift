import EvalFindings

/// The shades of table cells: the larger the share in a cell, the stronger its shade.
enum HeatLevel {
  /// The level of a share above 0.
  ///
  /// Level 1 goes up to 5 percent, level 2 to 10, level 3 to 20, level 4 to 35, and level 5 to 100.
  static func of(_ share: Double) -> Int {
    1 + ([0.05, 0.1, 0.2, 0.35].firstIndex { share <= $0 } ?? 4)
  }
}

/// A table of expected values (rows) and actual values (columns).
///
/// The correct cells are outlined, and the other cells are shaded.
struct HeatMatrix {
  struct Cell {
    let text: String
    /// The shade, or `nil` if there is nothing to shade.
    let level: Int?
    /// Whether the column is the correct one for the row.
    let isRight: Bool
  }

  let caption: String
  /// The second part of the caption, in lighter type.
  let note: String
  /// The name of the scrolling region around the table.
  let region: String
  /// The caption for screen readers.
  let spoken: String
  let columns: [String]
  let rows: [String]
  let isSmall: Bool

  func write(to w: inout HTMLWriter, cell: (_ row: Int, _ column: Int) -> Cell) {
    w.figure(caption, note, region: region) { w in
      w.element("table", .class("confusion" + (isSmall ? " small" : ""))) { w in
        w.element("caption", .class("unseen"), text: spoken)
        w.element("thead") { w in
          w.element("tr") { w in
            w.headers(
              [ReportTable.Column("expected", isSilent: true)]
                + columns.map { ReportTable.Column(VisibleText.line($0)) })
          }
        }
        w.element("tbody") { w in
          for (row, name) in rows.enumerated() {
            w.element("tr") { w in
              w.rowHeader(name)
              for column in columns.indices {
                let cell = cell(row, column)
                w.cell(
                  cell.text,
                  cell.isRight ? "heat-0 diagonal" : cell.level.map { "heat-\($0)" } ?? "none")
              }
            }
          }
        }
      }
    }
  }
}
