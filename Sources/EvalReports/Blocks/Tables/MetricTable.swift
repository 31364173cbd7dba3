import EvalRecords
import EvalStatistics

extension ReportTable {
  /// The metrics of a run, with their means and quantiles; without rows if there are none.
  static func metrics(_ summary: RunSummary) -> ReportTable {
    var table = ReportTable(
      caption: "Metrics",
      columns: [
        Column("metric", .name), Column("suite"), Column("measured from", on: [.page]),
        Column("attempts", .number), Column("mean", .number), Column("p5", .number),
        Column("median", .number), Column("p95", .number), Column("unit"),
      ])
    for slice in summary.slices {
      for metric in summary.metrics(of: slice) {
        let values = metric.values
        func number(_ value: Double) -> Cell { Cell(.number(value, metric.text(value)), .quiet) }
        table.rows.append(
          Row(cells: [
            Cell(.text(metric.record.name)), Cell(.text(slice.name)),
            Cell(.text(metric.record.words), .quiet), Cell(.count(values.count)),
            Cell(.number(metric.derived ?? metric.mean, metric.meanText)), number(values.p5),
            number(values.p50), number(values.p95), Cell(.text(metric.record.unit ?? "")),
          ]))
      }
    }
    return table
  }
}
