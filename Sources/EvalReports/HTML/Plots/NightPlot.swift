import EvalFindings
import EvalStatistics

/// A plot of a rate over many nights.
///
/// The rate is a line, and its interval is a ribbon. Dashed lines mark events, such as edits.
/// Nights without a complete run leave gaps, and a new line begins where the model changes.
struct NightPlot {
  /// The value at each place of the axis, or `nil` where nothing was measured.
  let values: [Share?]
  /// The name of each place, or `nil` where nothing ran.
  let names: [String?]
  /// The places of events with their labels.
  let events: [(place: Int, label: String)]
  /// The places from which on another model answered.
  let modelChanges: Set<Int>
  let higherIsBetter: Bool
  /// The width and height of the drawing, in SVG units.
  let size: (width: Double, height: Double)
  /// The axis of the rate; plots that readers compare have the same axis.
  let scale: RateScale
  let spoken: String

  private var left: Double { 34 }
  private var right: Double { size.width - 8 }
  private var top: Double { 8 }
  private var bottom: Double { size.height - 20 }

  private func x(_ place: Int) -> Double {
    guard values.count > 1 else { return (left + right) / 2 }
    return left + Double(place) * (right - left) / Double(values.count - 1)
  }

  private func y(_ value: Double) -> Double {
    PlotScale(low: scale.low, high: scale.high, start: bottom, end: top)(value)
  }

  /// The value at each place in words, which the script shows for the place that readers point at.
  private var told: [String] {
    zip(names, values).map { name, share in
      guard let name else { return "not run" }
      return "\(name): " + (share.map { "\($0.percent), \($0.ratio)" } ?? "not measured")
    }
  }

  func write(to w: inout HTMLWriter) {
    w.plot(
      width: size.width, height: size.height, isFluid: true, label: spoken,
      values: .across(told, from: left, to: right)
    ) { w in
      for tick in scale.ticks {
        w.line("axis-soft", left, y(tick), right, y(tick))
        w.label(
          NumberText.fixed(tick * 100, scale.decimals), "tick", left - 6, y(tick) + 3.5,
          anchor: "end")
      }
      for event in events {
        w.line(
          "gate", x(event.place), top - 4, x(event.place), bottom, dash: "1 2")
      }
      for run in runs { draw(run, to: &w) }
      last(to: &w)
      ticks(to: &w)
    }
  }

  /// The ranges of successive places with values of one model.
  private var runs: [Range<Int>] {
    var runs: [Range<Int>] = []
    var start: Int?
    for place in values.indices {
      if let first = start, values[place] == nil || modelChanges.contains(place) {
        runs.append(first..<place)
        start = nil
      }
      if values[place] != nil { start = start ?? place }
    }
    if let start { runs.append(start..<values.count) }
    return runs
  }

  private func draw(_ run: Range<Int>, to w: inout HTMLWriter) {
    func point(_ place: Int, _ value: Double) -> String { HTMLWriter.point(x(place), y(value)) }
    let shares = run.compactMap { place in values[place].map { (place, $0) } }
    if shares.count == 1, let (place, share) = shares.first {
      w.line("interval-base", x(place), y(share.low), x(place), y(share.high))
      w.circle("dot-soft", x(place), y(share.value), radius: 1.8)
      return
    }
    let upper = shares.map { point($0.0, $0.1.high) }.joined(separator: " ")
    let lower = shares.reversed().map { point($0.0, $0.1.low) }.joined(separator: " ")
    w.area("ribbon", "M\(upper) L\(lower)Z")
    w.curve("curve", shares.map { (x($0.0), y($0.1.value)) })
  }

  /// Draws the newest value with its number.
  private func last(to w: inout HTMLWriter) {
    guard let place = values.lastIndex(where: { $0 != nil }), let share = values[place] else {
      return
    }
    let isBad = isWorse
    let mark = isBad ? " bad" : ""
    w.circle("dot" + mark, x(place), y(share.value), radius: 3.2)
    // Draw the number below the nearby part of the line or, if there is no room, above that part.
    let beside = (0...place).filter { x($0) > x(place) - 42 }.compactMap { values[$0]?.value }.map(
      y)
    let (highest, lowest) = (beside.min() ?? 0, beside.max() ?? 0)
    w.label(
      NumberText.fixed(share.value * 100, 1), "label" + (isBad ? " fill-bad" : ""), x(place) - 7,
      lowest + 14 < bottom - 1 ? lowest + 14 : highest - 7, size: 11, anchor: "end", isBold: true)
  }

  /// Whether the newest interval is wholly on the worse side of the rate over up to seven values
  /// before it.
  private var isWorse: Bool {
    let all = values.compactMap { $0 }
    guard let newest = all.last, all.count > 1 else { return false }
    let pooled = Share(pooling: all.dropLast().suffix(7))
    return higherIsBetter ? newest.high < pooled.value : newest.low > pooled.value
  }

  private func ticks(to w: inout HTMLWriter) {
    let room = (right - left) / 44
    let step = max(1, Int((Double(values.count) / max(room, 1)).rounded(.up)))
    let nice = [1, 2, 5, 10, 20, 30, 50, 100, 200, 500].first { $0 >= step } ?? step
    var before: String?
    for place in stride(from: 0, to: values.count, by: nice) {
      // Several runs of one day share one label.
      guard let name = names[place], name != before else { continue }
      before = name
      w.label(
        name, "tick", min(max(x(place), left), right - 3.2 * Double(name.count)), size.height - 5)
    }
  }
}

/// The axis of a rate over time, with round numbers at its ends.
struct RateScale {
  let low: Double
  let high: Double
  let step: Double

  /// Creates an axis that covers the intervals of the values.
  init(_ shares: [Share]) {
    let (lowest, highest) = (shares.map(\.low).min() ?? 0, shares.map(\.high).max() ?? 1)
    let steps = [0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.25]
    for step in steps {
      let low = max(0, (lowest / step + 1e-9).rounded(.down) * step)
      let high = min(1, (highest / step - 1e-9).rounded(.up) * step)
      if high - low <= 4.001 * step {
        self.step = step
        (self.low, self.high) = (low, max(high, low + step))
        return
      }
    }
    (low, high, step) = (0, 1, 0.25)
  }

  var decimals: Int { step < 0.01 ? 1 : 0 }

  /// The ticks, from the upper end of the axis down.
  var ticks: [Double] {
    var ticks: [Double] = []
    var tick = high
    while tick > low - step / 2, ticks.count < 8 {
      ticks.append(max(tick, low))
      tick -= step
    }
    return ticks
  }
}
