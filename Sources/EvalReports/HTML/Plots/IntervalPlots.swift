import EvalFindings
import EvalRecords
import EvalStatistics

/// Plots of intervals: of a share, of a share and its baseline, and of a change.
enum IntervalPlots {
  /// Draws a share as a filled dot, with the baseline's share, if there is one, as an open dot
  /// above it.
  static func share(
    _ share: Share, baseline: Share?, needed: Double?, isBad: Bool, scale: PlotScale,
    to w: inout HTMLWriter
  ) {
    let height = baseline == nil ? 14.0 : 22.0
    w.silentPlot(width: scale.end + 4, height: height) { w in
      w.line("axis-soft", scale.start, height - 1, scale.end, height - 1)
      if let needed, needed >= scale.low {
        w.line(
          "gate", scale(needed), 0, scale(needed), height, dash: "2 2")
      }
      if let baseline, baseline.count > 0 {
        w.line("interval-base", scale(baseline.low), 6, scale(baseline.high), 6)
        w.circle(
          "dot-base", scale(baseline.value), 6, radius: 2.6)
      }
      guard share.count > 0 else { return }
      let y = baseline == nil ? 7.0 : 15.0
      let mark = isBad ? " bad" : ""
      w.line("interval" + mark, scale(share.low), y, scale(share.high), y, width: 1.5)
      w.circle("dot" + mark, scale(share.value), y, radius: 2.8)
    }
  }

  /// Draws a change with its interval, on an axis from −limit to +limit with a hairline at zero.
  static func change(
    _ change: Double, low: Double, high: Double, limit: Double, verdict: ComparisonVerdict,
    to w: inout HTMLWriter
  ) {
    let scale = PlotScale(low: -limit, high: limit, start: 4, end: 152)
    w.silentPlot(width: 156, height: 16) { w in
      w.line("axis-soft", 78, 0, 78, 16)
      let name = verdict.plotClass
      w.line("interval" + name, scale(low), 8, scale(high), 8, width: 1.5)
      if low < -limit { arrow(name, x: scale.start, direction: -1, to: &w) }
      if high > limit { arrow(name, x: scale.end, direction: 1, to: &w) }
      if abs(change) <= limit { w.circle("dot" + name, scale(change), 8, radius: 3) }
    }
  }

  private static func arrow(
    _ name: String, x: Double, direction: Double, to w: inout HTMLWriter
  ) {
    let (tip, back) = (x + 3 * direction, x - 3 * direction)
    w.area(
      "dot" + name, "M\(HTMLWriter.point(tip, 8))L\(HTMLWriter.point(back, 4.5))V11.5Z")
  }

  /// A round limit for an axis of changes, which goes from −limit to +limit.
  static func limit(of bounds: [Double]) -> Double {
    let widest = bounds.filter(\.isFinite).map { abs($0) }.max() ?? 0
    return [0.02, 0.04, 0.08, 0.16, 0.32, 0.5].first { $0 >= widest * 0.95 } ?? 1
  }

  /// One row of the figure next to the verdict.
  struct HeadRow {
    let name: String
    /// The rate or probability with its interval, or `nil` if there is no sample.
    let estimate: (value: Double, low: Double, high: Double)?
    let isBaseline: Bool
    let isBad: Bool
    let needed: Double?

    init(name: String, share: Share, isBaseline: Bool, isBad: Bool, needed: Double?) {
      self.name = name
      estimate = share.count > 0 ? (share.value, share.low, share.high) : nil
      (self.isBaseline, self.isBad, self.needed) = (isBaseline, isBad, needed)
    }

    init(name: String, _ record: EstimateRecord, isBaseline: Bool, isBad: Bool) {
      self.name = name
      estimate = (record.value, record.low, record.high)
      (self.isBaseline, self.isBad, needed) = (isBaseline, isBad, nil)
    }

    /// The value in words, or `–` if there is none.
    var percent: String { estimate.map { NumberText.percent($0.value) } ?? "–" }
  }

  /// Draws the figure next to the verdict, with one rate in each row.
  ///
  /// - Parameter isFromZero: Whether the axis begins at 0 and ends above the highest interval, as
  ///   for a rate that is bad. Otherwise it ends at 1, as for pass rates.
  static func head(_ rows: [HeadRow], isFromZero: Bool = false, to w: inout HTMLWriter) {
    let lowest = rows.flatMap { [$0.estimate?.low ?? 1, $0.needed ?? 1] }.min() ?? 0
    let highest = rows.compactMap { $0.estimate?.high }.max() ?? 1
    let scale =
      isFromZero
      ? PlotScale(
        low: 0, high: [0.1, 0.2, 0.4, 0.6, 0.8].first { $0 >= highest } ?? 1, start: 136, end: 290)
      : PlotScale.shares(from: lowest - 0.01, start: 136, end: 290)
    let height = 26.0 + 32 * Double(rows.count) + 26
    let spoken = rows.map { row in
      "\(row.name): \(row.percent)"
        + (row.estimate.map {
          ", interval \(NumberText.percent($0.low)) to \(NumberText.percent($0.high))"
        } ?? "")
        + (row.needed.map { ", needs \(NumberText.percent($0))" } ?? "")
    }
    w.plot(
      width: 302, height: height, label: spoken.joined(separator: "; "),
      values: .down(spoken, from: 38, to: 6 + 32 * Double(rows.count))
    ) { w in
      let gates = Set(rows.compactMap(\.needed))
      func y(_ number: Int) -> Double { 38 + 32 * Double(number) }
      let isGateOfAll = rows.allSatisfy { $0.isBaseline || $0.needed != nil }
      if let needed = gates.first, gates.count == 1, isGateOfAll {
        gate(needed, from: 22, to: height - 26, scale, to: &w)
      } else {
        for rows in stretches(rows.map(\.needed)) {
          gate(rows.needed, from: y(rows.first) - 12, to: y(rows.last) + 10, scale, to: &w)
        }
      }
      // A long name needs the whole width of the plot. So if any name is long, draw every name
      // above its row.
      let isLong = rows.contains { $0.name.count > 12 }
      for (number, row) in rows.enumerated() {
        let y = y(number)
        w.label(
          ClippedText.line(row.name, limit: 36), "label-soft", 0,
          isLong ? y - 9 : y + 4, size: 11, anchor: "start")
        w.label(
          row.percent, "label" + (row.isBad ? " fill-bad" : ""), 124, y + 4, size: 11,
          anchor: "end", isBold: !row.isBaseline)
        guard let estimate = row.estimate else { continue }
        let line = row.isBaseline ? "interval-base" : "interval" + (row.isBad ? " bad" : "")
        w.line(line, scale(estimate.low), y, scale(estimate.high), y, width: 2)
        if row.isBaseline {
          w.circle(
            "dot-base", scale(estimate.value), y, radius: 4.5)
        } else {
          w.circle("dot" + (row.isBad ? " bad" : ""), scale(estimate.value), y, radius: 4.5)
        }
      }
      axis(scale, y: height - 26, to: &w)
    }
  }

  /// Groups neighboring rows with the same gate, so that they share one line and one label.
  private static func stretches(
    _ gates: [Double?]
  ) -> [(needed: Double, first: Int, last: Int)] {
    var stretches: [(needed: Double, first: Int, last: Int)] = []
    for (number, needed) in gates.enumerated() {
      guard let needed else { continue }
      if let last = stretches.last, last.needed == needed, last.last == number - 1 {
        stretches[stretches.count - 1].last = number
      } else {
        stretches.append((needed, number, number))
      }
    }
    return stretches
  }

  /// Draws a dashed line at a gate's required rate, with its label on top.
  private static func gate(
    _ needed: Double, from top: Double, to bottom: Double, _ scale: PlotScale,
    to w: inout HTMLWriter
  ) {
    // Half of the longest label, `gate 99.9 %`, must fit before the plot's right edge.
    w.label(
      "gate \(NumberText.percent(needed, decimals: Sentence.decimals(needed)))", "gate-text",
      min(scale(needed), scale.end - 24), top - 4, size: 10.5)
    w.line("gate", scale(needed), top, scale(needed), bottom, dash: "3 3")
  }

  private static func axis(_ scale: PlotScale, y: Double, to w: inout HTMLWriter) {
    w.line("axis", scale.start, y, scale.end, y)
    let span = scale.high - scale.low
    let step = span > 0.55 ? 0.2 : span > 0.25 ? 0.1 : span > 0.12 ? 0.05 : 0.02
    var value = scale.high
    while value > scale.low - 1e-9 {
      w.line("axis", scale(value), y, scale(value), y + 4)
      w.label(NumberText.fixed(value * 100, 0), "tick", scale(value), y + 15)
      value -= step
    }
  }
}
