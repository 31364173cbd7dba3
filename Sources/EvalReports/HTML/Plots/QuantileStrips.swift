import EvalFindings
import EvalStatistics
import SystemBasics

/// Draws quantile strips on a logarithmic axis.
///
/// A hairline goes from the 5th to the 95th percentile, a bar covers the middle half, and a circle
/// marks the median. The baseline's strip is above this run's strip.
enum QuantileStrips {
  struct Row {
    let name: String
    let now: Quantiles
    let baseline: Quantiles?
  }

  static func write(_ rows: [Row], unit: String, to w: inout HTMLWriter) {
    let all = rows.flatMap { [$0.now, $0.baseline].compactMap { $0 } }.filter { $0.count > 0 }
    let positive = all.flatMap { [$0.p5, $0.p95] }.filter { $0 > 0 && $0.isFinite }
    guard let lowest = positive.min(), let highest = positive.max() else { return }
    let ticks = Self.ticks(from: lowest, to: highest)
    guard let first = ticks.first, let last = ticks.last else { return }
    let pitch = rows.contains { $0.baseline != nil } ? 30.0 : 22.0
    let bottom = 8 + pitch * Double(rows.count)
    func x(_ value: Double) -> Double {
      let scale = PlotScale(low: log10(first), high: log10(last), start: 172, end: 610)
      return scale(value > 0 ? log10(value) : log10(first))
    }
    func words(_ value: Quantiles) -> String {
      [("median", value.p50), ("p5", value.p5), ("p95", value.p95)]
        .map { "\($0.0) \(NumberText.plain($0.1, $0.1 < 10 ? 2 : 0))" }.joined(separator: ", ")
    }
    let told = rows.map { row in
      "\(VisibleText.line(row.name)), \(unit): \(words(row.now))"
        + (row.baseline.map { "; baseline \(words($0))" } ?? "")
    }
    w.plot(
      width: 640, height: bottom + 18, isFluid: true,
      label: "Quantiles per suite; the table next to the plot has medians and p95 values",
      values: .down(told, from: 8 + pitch / 2, to: bottom - pitch / 2)
    ) { w in
      for tick in ticks {
        w.line("axis-soft", x(tick), 4, x(tick), bottom)
        let text = tick < 1 ? NumberText.plain(tick, 1) : NumberText.grouped(Int(tick))
        w.label(tick == last ? "\(text) \(unit)" : text, "tick", x(tick), bottom + 13)
      }
      for (number, row) in rows.enumerated() {
        let y = 8 + pitch * (Double(number) + 0.5)
        w.label(
          ClippedText.line(row.name, limit: 26), "label", 164, y + 4, size: 11,
          anchor: "end")
        if let baseline = row.baseline, baseline.count > 0 {
          strip(baseline, "interval-base", "dot-base", y: y - 4.5, x: x, to: &w)
          strip(row.now, "interval", "ring", y: y + 4.5, x: x, to: &w)
        } else {
          strip(row.now, "interval", "ring", y: y, x: x, to: &w)
        }
      }
    }
  }

  private static func strip(
    _ quantiles: Quantiles, _ line: String, _ ring: String, y: Double, x: (Double) -> Double,
    to w: inout HTMLWriter
  ) {
    guard quantiles.count > 0 else { return }
    w.line(line, x(quantiles.p5), y, x(quantiles.p95), y)
    w.line(line, x(quantiles.p25), y, x(quantiles.p75), y, width: 4)
    w.circle(ring, x(quantiles.p50), y, radius: 2.6)
  }

  /// The ticks that enclose the values, from the series 0.1, 0.3, 1, 3, 10 and so on.
  private static func ticks(from lowest: Double, to highest: Double) -> [Double] {
    var all: [Double] = []
    for power in -1...9 {
      for factor in [1.0, 3.0] { all.append(factor * pow(10, Double(power))) }
    }
    let start = all.lastIndex { $0 <= lowest } ?? 0
    let end = all.firstIndex { $0 >= highest } ?? all.count - 1
    return end > start ? Array(all[start...end]) : Array(all[start...min(start + 1, all.count - 1)])
  }
}
