import EvalFindings
import EvalRecords
import SystemBasics

/// A plot of the mask's pressure at each step of an answer.
///
/// The color of a step shows whether the likeliest forbidden token was white space.
///
/// A step's pressure is −ln of the probability that the mask kept at that step. The attempt's
/// record splits the pressure of each step into format and content, by token. The plot is coarser:
/// the likeliest forbidden token decides the color of the whole step.
struct PressurePlot {
  private struct Step {
    let number: Int
    let nats: Double
    let isFormat: Bool
  }

  private let steps: [Step]
  private let count: Int
  private let total: PressureRecord?

  /// The pressure below which the plot leaves out a step.
  private static let least = 0.02
  private static let highest = 6.0

  init(_ attempt: AttemptRecord) {
    count = attempt.trace.count
    total = attempt.details.pressure
    steps = attempt.trace.enumerated().compactMap { number, step in
      guard step.keptMass.isFinite, step.keptMass > 0 else { return nil }
      let nats = -log(min(step.keptMass, 1))
      guard nats >= Self.least else { return nil }
      let wanted = step.candidates.filter { !$0.isAllowed }.max { $0.raw < $1.raw }
      let isFormat = wanted.map { !$0.text.isEmpty && $0.text.allSatisfy(\.isWhitespace) } ?? false
      return Step(number: number, nats: min(nats, Self.highest), isFormat: isFormat)
    }
  }

  func write(to w: inout HTMLWriter) {
    guard !steps.isEmpty, count > 1 else { return }
    let x = PlotScale(low: 0, high: Double(count - 1), start: 36, end: 700)
    let highest = max(steps.map(\.nats).max() ?? 1, 1)
    let y = PlotScale(low: 0, high: highest, start: 66, end: 8)
    var caption = "Pressure along the answer, nats"
    if let total {
      caption +=
        ": format \(NumberText.fixed(total.format, 1)), content "
        + "\(NumberText.fixed(total.content, 1))"
    }
    w.element("h4", text: caption)
    w.scrollRegion("\(caption), by step") { w in
      w.silentPlot(width: 712, height: 86) { w in
        w.line("axis", 36, 66, 700, 66)
        w.label(NumberText.fixed(highest, 1), "tick", 30, 12, anchor: "end")
        w.label("0", "tick", 30, 69, anchor: "end")
        w.label("1", "tick", 36, 80)
        w.label("\(count)", "tick", 700, 80)
        for step in steps {
          let place = x(Double(step.number))
          w.line(
            step.isFormat ? "gate" : "stroke-bad", place, 66, place, y(step.nats), width: 2)
        }
      }
    }
    w.note(
      "A step is ochre if the likeliest forbidden token was white space (format), and red if "
        + "it was anything else, such as a key or an enum case.")
  }
}
