import EvalRecords

/// The section on metrics, with their means and quantiles.
struct MetricsSection: PageSection {
  let document: ReportDocument
  let id = "metrics"
  let title = "Metrics"

  init(_ document: ReportDocument) { self.document = document }

  private var slices: [(SliceSummary, [MetricSummary])] {
    document.summary.slices.map { ($0, document.summary.metrics(of: $0)) }
      .filter { !$0.1.isEmpty }
  }

  var isEmpty: Bool { slices.isEmpty }

  func write(to w: inout HTMLWriter) {
    w.section(
      id, title,
      lede: "A metric gives each attempt a number. A gate may bound the mean of these numbers."
    ) { w in
      let columns: [TableColumn] = [
        TableColumn("metric"), TableColumn("suite"), TableColumn("measured from"),
        .number("attempts"),
        .number("mean"), .number("p5"), .number("median"), .number("p95"), TableColumn("unit"),
      ]
      w.table("Metrics", columns) { w in
        for (slice, metrics) in slices {
          for metric in metrics { row(metric, slice, to: &w) }
        }
      }
    }
  }

  private func row(_ metric: MetricSummary, _ slice: SliceSummary, to w: inout HTMLWriter) {
    w.element("tr") { w in
      w.rowHeader(metric.record.name)
      w.cell(VisibleText.line(slice.name))
      w.cell(VisibleText.line(metric.record.words), "quiet")
      w.cell("\(metric.values.count)", "number")
      w.cell(metric.meanText, "number")
      w.cell(metric.text(metric.values.p5), "number quiet")
      w.cell(metric.text(metric.values.p50), "number quiet")
      w.cell(metric.text(metric.values.p95), "number quiet")
      w.cell(VisibleText.line(metric.record.unit ?? ""))
    }
  }
}
