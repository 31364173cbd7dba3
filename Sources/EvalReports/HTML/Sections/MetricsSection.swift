import EvalFindings

/// The section on metrics, with their means and quantiles.
struct MetricsSection: PageSection {
  let id = "metrics"
  let title = "Metrics"
  private let table: ReportTable

  init(_ document: ReportDocument) { table = .metrics(document.summary) }

  var isEmpty: Bool { table.rows.isEmpty }

  func write(to w: inout HTMLWriter) {
    w.section(
      id, title,
      lede: "A metric gives each attempt a number. A gate may bound the mean of these numbers."
    ) { w in w.table(table) }
  }
}
