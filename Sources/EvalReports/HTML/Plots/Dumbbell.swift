import EvalFindings

/// A probability on both sides of a comparison: a ring for the baseline, a dot for this run, and
/// the line between them.
enum Dumbbell {
  private static let width = 150.0

  static func write(_ baseline: Double, _ candidate: Double, to w: inout HTMLWriter) {
    let scale = PlotScale(low: 0, high: 1, start: 6, end: width - 6)
    let (left, right) = (scale(baseline), scale(candidate))
    let isStill = abs(candidate - baseline) < 0.01
    let mark = isStill ? "" : candidate > baseline ? " bad" : " good"
    w.silentPlot(width: width, height: 16) { w in
      w.line("axis-soft", 6, 8, width - 6, 8)
      w.line("interval" + mark, left, 8, right, 8)
      w.circle("ring", left, 8, radius: 3.5)
      w.circle("dot" + mark, right, 8, radius: 3.8)
    }
    w.element(
      "span", .class("unseen"),
      text: "\(NumberText.percent(baseline)) before, \(NumberText.percent(candidate)) after")
  }
}
