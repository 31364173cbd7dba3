import EvalFindings
import EvalStatistics

/// The section that counts, for each expected enum case, which enum cases the model chose.
struct BranchesSection: PageSection {
  let document: ReportDocument
  let id = "branches"
  let title = "Enum cases"

  /// The maximum number of enum cases in a matrix.
  static let matrixLimit = 12
  private static let maximumMatrices = 12

  var isEmpty: Bool { document.summary.confusions.isEmpty }

  func write(to w: inout HTMLWriter) {
    let all = document.summary.confusions
    w.section(
      id, title,
      lede: "Each row is an expected enum case, and each column is an enum case that the model "
        + "chose. Correct cells are outlined. The darker a wrong cell, the larger its share of the "
        + "row's attempts."
    ) { w in
      for confusion in all.prefix(Self.maximumMatrices) { write(confusion, to: &w) }
      w.leftOut(all.count - Self.maximumMatrices, "branch point")
    }
  }

  private func write(_ confusion: ConfusionSummary, to w: inout HTMLWriter) {
    let before = document.confusionBefore(confusion)
    w.element("h3") { w in
      w.text(confusion.sliceName + " ")
      w.element("code", text: confusion.path)
    }
    w.element("div", .class("row")) { w in
      if confusion.branches.count <= Self.matrixLimit {
        Self.matrix(confusion, caption: "This run", isSmall: false, to: &w)
        if let before { Self.matrix(before, caption: "Baseline", isSmall: true, to: &w) }
      } else {
        pairs(confusion, to: &w)
      }
      w.element("div", .class("grow")) { w in
        w.table(recall(confusion, before: before), class: "natural tight")
      }
    }
  }

  /// Writes the counts of one place as a matrix.
  static func matrix(
    _ confusion: ConfusionSummary, caption: String, isSmall: Bool, to w: inout HTMLWriter
  ) {
    let hasNone = confusion.counts.contains { $0.last ?? 0 > 0 }
    let rows = confusion.branches.indices.filter { confusion.counts[$0].contains { $0 > 0 } }
    HeatMatrix(
      caption: caption, note: " · \(NumberText.count(confusion.total, "attempt"))",
      region: "Confusion, \(confusion.sliceName) \(confusion.path), \(caption)",
      spoken:
        "Expected case by chosen case, \(confusion.sliceName) \(confusion.path), \(caption)",
      columns: confusion.branches + (hasNone ? ["no value"] : []),
      rows: rows.map { confusion.branches[$0] }, isSmall: isSmall
    ).write(to: &w) { row, column in
      let counts = confusion.counts[rows[row]]
      let count = counts[column]
      let share = Double(count) / Double(max(1, counts.reduce(0, +)))
      let isRight = rows[row] == column
      return HeatMatrix.Cell(
        text: count == 0 && !isRight ? "·" : NumberText.grouped(count),
        level: count == 0 ? nil : HeatLevel.of(share), isRight: isRight)
    }
  }

  /// Writes the pairs of expected and wrong branches, most frequent first.
  ///
  /// The pairs replace a matrix that would be too wide.
  private func pairs(_ confusion: ConfusionSummary, to w: inout HTMLWriter) {
    var pairs: [(row: Int, column: Int, count: Int)] = []
    for (row, counts) in confusion.counts.enumerated() {
      for (column, count) in counts.enumerated() where column != row && count > 0 {
        pairs.append((row, column, count))
      }
    }
    pairs.sort { ($1.count, $0.row, $0.column) < ($0.count, $1.row, $1.column) }
    w.element("div") { w in
      w.table(
        ReportTable(
          "Wrong branches, \(confusion.sliceName) \(confusion.path)", Array(pairs.prefix(40))
        ) { table in
          table.column("expected", .name, style: "mono") { .text(confusion.branches[$0.row]) }
          table.column("chosen", style: "mono") { .text(confusion.name($0.column)) }
          table.column("attempts", .number) { .count($0.count) }
        })
      if pairs.count > 40 {
        w.note("\(pairs.count - 40) rarer pairs are not listed.")
      }
    }
  }

  private func recall(_ confusion: ConfusionSummary, before: ConfusionSummary?) -> ReportTable {
    let rows = confusion.branches.indices.filter { confusion.recall($0).count > 0 }
    // The baseline may have different branches, for example no fallback case.
    func earlier(_ branch: Int) -> Share? {
      before.flatMap { run in
        run.branches.firstIndex(of: confusion.branches[branch]).map { run.recall($0) }
      }
    }
    let lowest = rows.flatMap { [confusion.recall($0).low, earlier($0)?.low ?? 1] }.min() ?? 0
    let scale = PlotScale.shares(from: lowest, start: 4, end: 96)
    let isBad = { confusion.recall($0).high < 0.95 }
    return ReportTable(
      "Recall and precision, \(confusion.sliceName) \(confusion.path)", rows, isWorse: isBad
    ) { table in
      table.cells("expected", .name) {
        .init(
          .text(confusion.branches[$0]), note: $0 == confusion.outBranch ? "fallback case" : "",
          style: "mono nowrap")
      }
      if before != nil {
        table.column("baseline", .number, .quiet) { .text(earlier($0)?.percent ?? "–") }
      }
      table.cells("recall", .number) {
        .init(.share(confusion.recall($0)), isBad($0) ? .bad : .main)
      }
      table.column("95 % CI", .number, .faint) { .interval(confusion.recall($0)) }
      table.picture(scale.spanText) { branch, w in
        IntervalPlots.share(
          confusion.recall(branch), baseline: earlier(branch), needed: nil, isBad: isBad(branch),
          scale: scale, to: &w)
      }
      table.column("precision", .number, .quiet) {
        let precision = confusion.precision($0)
        return .text(precision.count == 0 ? "–" : precision.percent)
      }
    }
  }
}

extension ConfusionSummary {
  /// The name of a column of the counts.
  fileprivate func name(_ column: Int) -> String {
    column < branches.count ? branches[column] : "no value"
  }
}
