import EvalFindings
import EvalRecords

/// A step plot of how many answers the engine decoded together over the course of a run.
enum WidthPlot {
  private static let width = 712.0
  private static let height = 110.0

  static func write(_ widths: BatchWidths, to w: inout HTMLWriter) {
    let means = widths.means
    guard let highest = means.max(), highest > 0 else { return }
    let x = PlotScale(low: 0, high: widths.duration, start: 36, end: width - 8)
    let y = PlotScale(low: 0, high: highest, start: height - 22, end: 12)
    let mean = widths.load.reduce(0, +) / widths.duration
    let spoken =
      "Answers decoded together over \(NumberText.duration(widths.duration)): "
      + "\(NumberText.fixed(mean, 1)) on average, \(NumberText.fixed(highest, 1)) at most"
    w.element("h4", text: "Answers decoded together")
    w.scrollRegion("Answers decoded together over time") { w in
      let told = means.enumerated().map { index, mean in
        "\(NumberText.duration(Double(index) * widths.interval)): \(NumberText.fixed(mean, 1))"
      }
      w.plot(
        width: width, height: height, isFluid: true, label: spoken,
        values: .across(told, from: 36, to: width - 8)
      ) { w in
        w.line("axis", 36, y(0), width - 8, y(0))
        w.label(NumberText.fixed(highest, 1), "tick", 30, 16, anchor: "end")
        w.label("0", "tick", 30, y(0) + 3, anchor: "end")
        let steps = means.enumerated().flatMap { index, mean in
          [index, index + 1].map { HTMLWriter.point(x(Double($0) * widths.interval), y(mean)) }
        }
        let ends = [36, width - 8].map { HTMLWriter.point($0, y(0)) }
        w.area("ribbon", "M\(ends[0]) L\(steps.joined(separator: " L")) L\(ends[1])Z")
        w.line("gate", 36, y(mean), width - 8, y(mean), dash: "3 3")
        w.label("0 s", "tick", 36, height - 6, anchor: "start")
        w.label(
          NumberText.duration(widths.duration), "tick", width - 8, height - 6, anchor: "end")
      }
    }
    w.note("\(spoken) (dashed: the average).")
  }
}
