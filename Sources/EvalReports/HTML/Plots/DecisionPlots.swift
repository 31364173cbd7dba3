import EvalFindings

/// Plots of decision probabilities: a strip with one mark for each test case, and a curve of the
/// probability that arrays stop after each number of elements.
enum DecisionPlots {
  /// A row of a strip plot.
  struct Strip {
    let name: String
    /// The probability of each test case, from 0 to 1.
    let values: [Double]
    let mean: Double
    /// Whether a high probability is bad news.
    let isBad: Bool
  }

  /// Draws strips on one scale from 0 to 1: a tick for each test case, and a dot for the mean.
  static func strips(_ strips: [Strip], caption: String, to w: inout HTMLWriter) {
    let pitch = 26.0
    let bottom = 6 + pitch * Double(strips.count)
    let scale = PlotScale(low: 0, high: 1, start: 190, end: 540)
    let spoken = strips.map { strip in
      let (low, high) = (strip.values.min() ?? 0, strip.values.max() ?? 0)
      return "\(strip.name): mean \(NumberText.percent(strip.mean)), test cases from "
        + "\(NumberText.percent(low)) to \(NumberText.percent(high))"
    }
    w.figure(
      caption, " · each tick is a test case, the dot their mean", region: "\(caption): strips"
    ) { w in
      w.plot(
        width: 560, height: bottom + 20, label: spoken.joined(separator: "; "),
        values: .down(spoken, from: 6 + pitch / 2, to: bottom - pitch / 2)
      ) { w in
        for value in [0, 0.25, 0.5, 0.75, 1.0] {
          w.line("axis-soft", scale(value), 2, scale(value), bottom)
          w.label(
            value == 1 ? "100 %" : NumberText.fixed(value * 100, 0), "tick", scale(value),
            bottom + 14)
        }
        for (number, strip) in strips.enumerated() {
          let y = 6 + pitch * (Double(number) + 0.5)
          w.label(
            ClippedText.line(strip.name, limit: 28), "label", 182, y + 4, size: 11, anchor: "end")
          for value in strip.values {
            w.line("interval-base", scale(value), y - 7, scale(value), y + 7)
          }
          let isBad = strip.isBad && strip.mean >= 0.005
          w.circle("dot" + (isBad ? " bad" : ""), scale(strip.mean), y, radius: 3.6)
        }
      }
    }
  }

  /// Draws the probability that an array stops after each number of elements, with the expected
  /// lengths as a band.
  ///
  /// Each point is the probability of stopping after a number of elements, given that the array has
  /// reached that number.
  static func stops(
    _ points: [(index: Int, share: Double)], before: [(index: Int, share: Double)],
    allowed: ClosedRange<Int>?, caption: String, to w: inout HTMLWriter
  ) {
    let last = max(
      points.map(\.index).max() ?? 0, min(allowed?.upperBound ?? 0, DecisionSummary.maximumIndex), 4
    )
    let x = PlotScale(low: 0, high: Double(last), start: 40, end: 340)
    let y = PlotScale(low: 0, high: 1, start: 110, end: 10)
    let spoken = points.map { "after \($0.index): \(NumberText.percent($0.share))" }
    let told = (0...last).map { length in
      let found = points.first { $0.index == length }.map { NumberText.percent($0.share) }
      return "after \(length): \(found ?? "not reached")"
        + (before.first { $0.index == length }.map { ", baseline \(NumberText.percent($0.share))" }
          ?? "")
    }
    let note = allowed == nil ? "" : "; the expected lengths are shaded"
    w.figure(caption, " · stops after n elements" + note, region: "\(caption): stops") { w in
      w.plot(
        width: 356, height: 134, label: "\(caption), stops: \(spoken.joined(separator: ", "))",
        values: .across(told, from: 40, to: 340)
      ) { w in
        if let allowed {
          let (low, high) = (Double(allowed.lowerBound), Double(min(allowed.upperBound, last)))
          w.rectangle(
            "band", x: x(low - 0.5), y: 10, width: x(high + 0.5) - x(low - 0.5), height: 100)
        }
        for value in [0, 0.5, 1.0] {
          w.line("axis-soft", 40, y(value), 340, y(value))
          w.label(
            NumberText.fixed(value * 100, 0), "tick", 34, y(value) + 3.5, anchor: "end")
        }
        for length in 0...last where last <= 12 || length % 2 == 0 {
          w.label("\(length)", "tick", x(Double(length)), 126)
        }
        for (points, name) in [(before, "column-base"), (points, "curve")]
        where points.count > 1 {
          w.curve(name, points.map { (x(Double($0.index)), y($0.share)) })
        }
        for point in points {
          let isOutside = allowed.map { !$0.contains(point.index) } ?? (point.index == 0)
          let isBad = isOutside && point.share >= 0.005
          w.circle(
            "dot" + (isBad ? " bad" : ""), x(Double(point.index)), y(point.share), radius: 3)
        }
      }
    }
  }
}
