import EvalRecords
import EvalStatistics

/// The values of a metric in one slice.
package struct MetricSummary: Sendable {
  package let record: MetricRecord
  /// The mean, or 0 if there are no values.
  package let mean: Double
  /// The quantiles of the values.
  package let values: Quantiles

  /// The value of a formula over means, or `nil` if the metric isn't a formula or has no value.
  package var derived: Double?

  /// The mean or the value of the formula, as reports show it.
  package var meanText: String { derived.map { number($0) } ?? text(mean) }

  /// A value of the metric as reports show it.
  package func text(_ value: Double) -> String { values.count == 0 ? "–" : number(value) }

  private func number(_ value: Double) -> String {
    if record.isShare { return NumberText.percent(value) }
    var text = NumberText.plain(value, 3)
    while text.contains("."), text.hasSuffix("0") { text.removeLast() }
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}

extension RunSummary {
  /// The metrics of a slice in the suite's order, including metrics without data.
  package func metrics(of slice: SliceSummary) -> [MetricSummary] {
    (slice.suite?.details.metrics ?? []).map { record in
      let values = slice.range.compactMap { attempts[$0].details.metrics?[record.name] }
      return MetricSummary(
        record: record,
        mean: values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count),
        values: Quantiles(values), derived: slice.gate?.derivedMetrics[record.name])
    }
  }
}
