/// Mean probabilities of branches by the branch that the input should take.
struct DecisionMatrix {
  private let path: String
  private let slice: String
  private let expected: [String]
  private let options: [String]
  private let cells: [[DecisionSummary.Row?]]

  private static let limit = 12

  /// Makes a matrix; nil where a choice has no expectation, or too many options for a matrix.
  init?(_ rows: [DecisionSummary.Row], path: String, slice: String) {
    var expected: [String] = []
    var options: [String] = []
    for row in rows {
      guard let wanted = row.expected else { return nil }
      if !expected.contains(wanted) { expected.append(wanted) }
      if !options.contains(row.option) { options.append(row.option) }
    }
    guard !rows.isEmpty, expected.count <= Self.limit, options.count <= Self.limit else {
      return nil
    }
    // Rows in the order of the columns, so that what is right stands on the diagonal.
    let known = options.filter { expected.contains($0) }
    self.expected = known + expected.filter { !options.contains($0) }
    self.options = options
    self.path = path
    self.slice = slice
    cells = self.expected.map { wanted in
      options.map { option in
        rows.first { $0.expected == wanted && $0.option == option }
      }
    }
  }

  func write(before: DecisionMatrix?, to w: inout HTMLWriter) {
    w.element("h4") { w in
      w.text("Mean probability of each branch at ")
      w.element("code", text: VisibleText.line(path))
      w.text(", by the expected one")
    }
    w.element("div", .class("row")) { w in
      figure("As sampled", isSmall: false, to: &w) { $0.sampled }
      if let before {
        before.figure("As sampled, baseline", isSmall: true, to: &w) { $0.sampled }
      }
      figure("Before the mask", isSmall: true, to: &w) { $0.raw }
    }
  }

  private func figure(
    _ caption: String, isSmall: Bool, to w: inout HTMLWriter,
    value: (DecisionSummary.Row) -> Double
  ) {
    w.element("figure") { w in
      w.element("figcaption") { w in
        w.element("b", text: caption)
        w.text(", %")
      }
      w.scrollRegion("\(caption): branch probabilities at \(path), \(slice)") { w in
        w.element("table", .class("cm" + (isSmall ? " s" : ""))) { w in
          w.element("caption", .class("vh"), text: "\(caption), percent, expected by option")
          w.element("thead") { w in
            w.element("tr") { w in
              var columns = [TableColumn("expected").silent]
              columns += options.map { TableColumn(VisibleText.line($0)) }
              w.headers(columns)
            }
          }
          w.element("tbody") { w in
            for (row, wanted) in expected.enumerated() {
              w.element("tr") { w in
                w.rowHeader(wanted)
                for (column, option) in options.enumerated() {
                  cell(cells[row][column].map(value), isRight: option == wanted, to: &w)
                }
              }
            }
          }
        }
      }
    }
  }

  private func cell(_ share: Double?, isRight: Bool, to w: inout HTMLWriter) {
    guard let share else { return w.cell("·", "z") }
    let text = NumberText.fixed(share * 100, 1)
    let level = share < 0.0005 ? "z" : "h\(BranchesSection.level(share))"
    w.cell(text, isRight ? "h0 dg" : level)
  }
}
