import EvalFindings
import EvalRecords
import EvalStatistics

/// The mean probabilities of the options at each decision.
struct DecisionsSection: PageSection {
  let document: ReportDocument
  let id = "decisions"
  let title = "Decisions"

  private static let maximumSlices = 20
  private static let maximumRows = 30

  var isEmpty: Bool { document.summary.decisions.isEmpty }

  func write(to w: inout HTMLWriter) {
    let all = document.summary.decisions
    w.section(
      id, title,
      lede: "Assay measures the probability of each option in every attempt, wherever the schema "
        + "leaves a choice. Repeats of a test case are not independent here, so the sample "
        + "consists of test cases."
    ) { w in
      for summary in all.prefix(Self.maximumSlices) { write(summary, to: &w) }
      w.leftOut(all.count - Self.maximumSlices, "suite")
    }
  }

  private func write(_ summary: DecisionSummary, to w: inout HTMLWriter) {
    let before = document.decisionsBefore(summary.slice)
    let arrays = summary.rows.filter { $0.option == .end }
    let others = summary.rows.filter { $0.kind != .array }
    w.element("h3", text: summary.sliceName)
    if summary.unresolvedCount > 0 {
      let left = NumberText.grouped(summary.unresolvedCount)
      w.note(
        "Left out: \(left) of \(NumberText.count(summary.count, "decision")). More than "
          + "\(NumberText.percent(DecisionRecord.mostUnresolved, decimals: 0)) of their "
          + "probability is unresolved.")
    }
    for finding in document.summary.maskFindings where finding.slice == summary.slice {
      w.element("p", .class("found"), text: finding.words)
    }
    if summary.formatCount > 0 {
      w.note(
        "The format, rather than the model, may have made "
          + "\(NumberText.count(summary.formatCount, "decision")): before an array ended or the "
          + "model chose a branch, the mask removed at least half of the probability because of "
          + "white space, segmentation or text before the value.")
    }
    plots(arrays, summary, before: before, to: &w)
    if !arrays.isEmpty {
      table(
        "Probability that the array ends, \(summary.sliceName)", "array",
        arrays, before: before, to: &w
      ) { row in row.index == 0 ? "stays empty" : "stops after \(row.index)" }
    }
    for path in others.map(\.path).distinct {
      let rows = others.filter { $0.path == path }
      if let matrix = DecisionMatrix(rows, path: path, slice: summary.sliceName) {
        let earlier = before?.rows.filter { $0.kind != .array && $0.path == path } ?? []
        matrix.write(
          before: DecisionMatrix(earlier, path: path, slice: summary.sliceName),
          samplesNothing: summary.samplesNothing, to: &w)
      } else {
        table(
          "Probability of options at \(path), \(summary.sliceName)", "choice", rows,
          before: before, to: &w
        ) { row in
          VisibleText.line(row.option.name + (row.expected.map { " (expected \($0))" } ?? ""))
        }
      }
    }
  }

  /// Draws curves that show where arrays stop, and strips with a tick for each test case.
  ///
  /// The strips show the probabilities of empty arrays and of the expected branches.
  private func plots(
    _ arrays: [DecisionSummary.Row], _ summary: DecisionSummary, before: DecisionSummary?,
    to w: inout HTMLWriter
  ) {
    let paths = arrays.map(\.path).distinct
    let empty = arrays.filter { $0.index == 0 && $0.ofCases.count > 1 }.map { row in
      DecisionPlots.Strip(
        name: "\(row.path) stays empty", values: row.ofCases.map(\.sampled), mean: row.sampled,
        isBad: true)
    }
    let right = summary.rows.filter { row in
      row.expected.map { row.option == .branch($0) } == true && row.ofCases.count > 1
    }
    let cases = right.map { row in
      DecisionPlots.Strip(
        name: "expected: \(row.option.name)",
        values: row.ofCases.map { summary.samplesNothing ? $0.masked : $0.sampled },
        mean: summary.samplesNothing ? row.masked : row.sampled, isBad: false)
    }
    guard !empty.isEmpty || !cases.isEmpty || !paths.isEmpty else { return }
    w.element("div", .class("row")) { w in
      for path in paths.prefix(4) {
        stops(path, arrays.filter { $0.path == path }, summary, before: before, to: &w)
      }
      let strips = Array((empty + cases).prefix(12))
      if !strips.isEmpty {
        DecisionPlots.strips(strips, caption: summary.sliceName, to: &w)
      }
    }
  }

  private func stops(
    _ path: String, _ rows: [DecisionSummary.Row], _ summary: DecisionSummary,
    before: DecisionSummary?, to w: inout HTMLWriter
  ) {
    let lengths = document.summary.lengths.first { $0.slice == summary.slice && $0.path == path }
    let allowed = lengths.flatMap { lengths -> ClosedRange<Int>? in
      guard lengths.isBounded else { return nil }
      let low = max(0, lengths.minimum ?? 0)
      return low...max(low, lengths.maximum ?? LengthSummary.lastBin)
    }
    func points(_ rows: [DecisionSummary.Row]) -> [(index: Int, share: Double)] {
      rows.filter { $0.option == .end && $0.path == path }
        .sorted { $0.index < $1.index }.map { (index: $0.index, share: $0.sampled) }
    }
    DecisionPlots.stops(
      points(rows), before: points(before?.rows ?? []), allowed: allowed,
      caption: "\(summary.sliceName) \(path)", to: &w)
  }

  private func table(
    _ caption: String, _ first: String, _ rows: [DecisionSummary.Row], before: DecisionSummary?,
    to w: inout HTMLWriter, name: (DecisionSummary.Row) -> String
  ) {
    let scale = PlotScale(low: 0, high: 1, start: 4, end: 150)
    let table = ReportTable(
      caption, Array(rows.prefix(Self.maximumRows)), isFact: false,
      isWorse: { $0.kind == .array && $0.index == 0 }
    ) { table in
      table.column(first, .name, style: "mono nowrap") { .text($0.path) }
      table.column("option", .text, .main, style: "nowrap") { .text(name($0)) }
      table.column("test cases", .number, .faint) { .count($0.cases) }
      table.column("before the mask", .number, .quiet) { .percent($0.raw) }
      table.column("after the mask", .number, .quiet) { .percent($0.masked) }
      if let before {
        table.column("baseline", .number, .quiet) { .percent(before.row(like: $0)?.sampled) }
      }
      table.column("after temperature", .number, .main) { .percent($0.sampled) }
      table.picture("mean, and range over test cases") { row, w in
        w.silentPlot(width: 154, height: 14) { w in
          w.line("axis-soft", scale.start, 13, scale.end, 13)
          w.line("interval", scale(row.lowest), 7, scale(row.highest), 7)
          w.circle("dot", scale(row.sampled), 7, radius: 2.8)
        }
      }
      table.column("observed", .number, .quiet) { .text(Share($0.taken, of: $0.attempts).counts) }
    }
    w.table(table)
    w.leftOut(rows.count - Self.maximumRows, "option")
  }
}
