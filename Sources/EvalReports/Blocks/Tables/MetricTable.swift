import EvalFindings
import EvalRecords
import EvalStatistics

extension ReportTable {
  /// The metrics of a run, with their means and quantiles; without rows if there are none.
  static func metrics(_ summary: RunSummary) -> ReportTable {
    let all = summary.slices.flatMap { slice in
      summary.metrics(of: slice).map { (slice: slice, metric: $0) }
    }
    return ReportTable("Metrics", all) { table in
      table.column("metric", .name) { .text($0.metric.record.name) }
      table.column("suite") { .text($0.slice.name) }
      table.column("measured from", .text, .quiet, on: [.page]) { .text($0.metric.record.words) }
      table.column("attempts", .number) { .count($0.metric.values.count) }
      table.column("mean", .number) {
        .number($0.metric.derived ?? $0.metric.mean, $0.metric.meanText)
      }
      for (title, quantile) in [("p5", \Quantiles.p5), ("median", \.p50), ("p95", \.p95)] {
        table.column(title, .number, .quiet) { row in
          let value = row.metric.values[keyPath: quantile]
          return .number(value, row.metric.text(value))
        }
      }
      table.column("unit") { .text($0.metric.record.unit ?? "") }
    }
  }
}
