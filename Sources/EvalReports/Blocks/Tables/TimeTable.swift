import EvalFindings
import EvalRecords

extension TimeProfile {
  /// The phases that took time, with their seconds and shares, longest first.
  fileprivate var rows: [(phase: Phase, seconds: Double, share: Double)] {
    let total = total
    guard total > 0 else { return [] }
    return Phase.allCases.map { ($0, self[$0], self[$0] / total) }.filter { $0.1 > 0 }
      .sorted { ($0.1, $1.0.rawValue) > ($1.1, $0.0.rawValue) }
  }

  /// The profile as lines for the terminal.
  package var lines: [String] {
    let table = ReportTable.time(self)
    return table.rows.isEmpty
      ? []
      : ["processor time: \(NumberText.fixed(total, 2)) s"]
        + table.lines(TextStyle(isOn: false)).map { "  " + $0 }
  }
}

extension ReportTable {
  /// The processor time of each phase.
  static func time(_ profile: TimeProfile) -> ReportTable {
    var table = ReportTable(
      caption: "Processor time by phase",
      columns: [
        Column("phase", .name), Column("seconds", .number), Column("share", .number),
        Column("work", on: [.page]),
      ])
    table.rows = profile.rows.map { phase, seconds, share in
      Row(cells: [
        Cell(.text(phase.words)), Cell(.number(seconds, NumberText.fixed(seconds, 2))),
        Cell(.number(share, NumberText.percent(share))), Cell(.text(phase.explanation), .quiet),
      ])
    }
    return table
  }
}
