import EvalFindings
import EvalRecords

/// The mean probabilities of branches, by the branch that the test case expects.
struct DecisionMatrix {
  private let path: String
  private let slice: String
  private let expected: [String]
  private let options: [DecisionOption]
  private let cells: [[DecisionSummary.Row?]]

  private static let limit = 12

  /// Creates a matrix, or returns `nil` if there are no rows, if a row has no expected branch, or
  /// if there are too many branches.
  init?(_ rows: [DecisionSummary.Row], path: String, slice: String) {
    let wanted = rows.compactMap(\.expected)
    let (expected, options) = (wanted.distinct, rows.map(\.option).distinct)
    guard !rows.isEmpty, wanted.count == rows.count, expected.count <= Self.limit,
      options.count <= Self.limit
    else { return nil }
    // Put the rows in the order of the columns, so that correct choices are on the diagonal.
    let known = options.compactMap { option -> String? in
      if case .branch(let name) = option, expected.contains(name) { name } else { nil }
    }
    self.expected = known + expected.filter { !known.contains($0) }
    self.options = options
    self.path = path
    self.slice = slice
    cells = self.expected.map { wanted in
      options.map { option in
        rows.first { $0.expected == wanted && $0.option == option }
      }
    }
  }

  func write(before: DecisionMatrix?, samplesNothing: Bool, to w: inout HTMLWriter) {
    w.element("h4") { w in
      w.text("Mean probability of each branch at ")
      w.element("code", text: VisibleText.line(path))
      w.text(", by expected branch")
    }
    w.element("div", .class("row")) { w in
      // If nothing is sampled, each probability is 0 or 1, which the counts already show. So show
      // the probability after the mask instead.
      let name = samplesNothing ? "After the mask" : "As sampled"
      func value(_ row: DecisionSummary.Row) -> Double {
        samplesNothing ? row.masked : row.sampled
      }
      figure(name, isSmall: false, to: &w, value: value)
      if let before { before.figure("\(name), baseline", isSmall: true, to: &w, value: value) }
      if !samplesNothing { figure("After the mask", isSmall: true, to: &w) { $0.masked } }
      if cells.joined().contains(where: { $0.map { $0.raw >= 0.0005 } ?? false }) {
        figure("Before the mask", isSmall: true, to: &w) { $0.raw }
      } else {
        w.note(
          "Before the mask, the model gave each branch less than 0.05\u{A0}%: the mask "
            + "removed nearly all of its probability.")
      }
    }
  }

  private func figure(
    _ caption: String, isSmall: Bool, to w: inout HTMLWriter,
    value: (DecisionSummary.Row) -> Double
  ) {
    HeatMatrix(
      caption: caption, note: ", %",
      region: "\(caption): branch probabilities at \(path), \(slice)",
      spoken: "\(caption), percent, by expected branch and option, \(slice) \(path)",
      columns: options.map(\.name),
      rows: expected,
      isSmall: isSmall
    ).write(to: &w) { row, column in
      guard let share = cells[row][column].map(value) else {
        return HeatMatrix.Cell(text: "·", level: nil, isRight: false)
      }
      return HeatMatrix.Cell(
        text: NumberText.fixed(share * 100, 1), level: share < 0.0005 ? nil : HeatLevel.of(share),
        isRight: options[column] == .branch(expected[row]))
    }
  }
}
