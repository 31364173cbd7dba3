import EvalFindings
import EvalStatistics

/// A word-sized plot of a number over the last nights.
///
/// The plot has gaps where nothing was measured, ticks at edits and other events, and a dot for the
/// newest night.
enum Sparkline {
  /// Draws a rate.
  static func write(
    _ values: [Share?], events: [Int], isBad: Bool, width: Double = 150,
    to w: inout HTMLWriter
  ) {
    draw(
      values.map { $0.flatMap { $0.count > 0 ? $0.value : nil } }, leastSpan: 0.2, events: events,
      isBad: isBad, width: width, to: &w)
  }

  /// Draws a cost, such as seconds or tokens.
  static func write(
    costs: [Double?], events: [Int], isBad: Bool, width: Double, to w: inout HTMLWriter
  ) {
    // Changes of less than a fifth of the highest cost don't fill the height.
    let highest = costs.compactMap { $0 }.max() ?? 0
    draw(
      costs, leastSpan: highest / 5, events: events, isBad: isBad, width: width, to: &w)
  }

  /// Draws values.
  ///
  /// - Parameter leastSpan: The smallest span of values that fills the height. A smaller span gives
  ///   a flatter line in the middle.
  private static func draw(
    _ values: [Double?], leastSpan: Double, events: [Int], isBad: Bool, width: Double,
    to w: inout HTMLWriter
  ) {
    let known = values.compactMap { $0 }
    guard known.count > 1, let low = known.min(), let high = known.max() else { return }
    let pitch = values.count > 1 ? (width - 8) / Double(values.count - 1) : 0
    let span = max(high - low, leastSpan)
    let middle = (low + high) / 2
    func y(_ value: Double) -> Double { 9 - (span > 0 ? (value - middle) / span * 13 : 0) }
    w.silentPlot(width: width, height: 18) { w in
      for place in events where values.indices.contains(place) {
        let x = 3 + Double(place) * pitch
        w.line("gate", x, 1, x, 17, dash: "1 2")
      }
      var path = ""
      var isOpen = false
      for (place, value) in values.enumerated() {
        guard let value else {
          isOpen = false
          continue
        }
        path += (isOpen ? "L" : "M") + HTMLWriter.point(3 + Double(place) * pitch, y(value))
        isOpen = true
      }
      w.curve("curve", path)
      if let last = values.last, let value = last {
        w.circle(
          "dot" + (isBad ? " bad" : ""), 3 + Double(values.count - 1) * pitch, y(value),
          radius: 2.2)
      }
    }
  }
}
