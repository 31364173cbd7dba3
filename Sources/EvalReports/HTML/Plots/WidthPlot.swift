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
        w.line("axis", 36, y(0), width - 8, y(0), stroke: "#65645c")
        w.label(NumberText.fixed(highest, 1), "tick", 30, 16, anchor: "end")
        w.label("0", "tick", 30, y(0) + 3, anchor: "end")
        var path = "M\(NumberText.coordinate(36)),\(NumberText.coordinate(y(0)))"
        for (index, mean) in means.enumerated() {
          let top = NumberText.coordinate(y(mean))
          path +=
            " L\(NumberText.coordinate(x(Double(index) * widths.interval))),\(top)"
            + " L\(NumberText.coordinate(x(Double(index + 1) * widths.interval))),\(top)"
        }
        path += " L\(NumberText.coordinate(width - 8)),\(NumberText.coordinate(y(0)))Z"
        w.element("path", .class("ribbon"), .init("fill", "#e9e7dd"), .init("d", path), text: "")
        w.line("gate", 36, y(mean), width - 8, y(mean), stroke: "#7a5a00", dash: "3 3")
        w.label("0 s", "tick", 36, height - 6, anchor: "start")
        w.label(
          NumberText.duration(widths.duration), "tick", width - 8, height - 6, anchor: "end")
      }
    }
    w.note("\(spoken) (dashed: the average).")
  }
}
