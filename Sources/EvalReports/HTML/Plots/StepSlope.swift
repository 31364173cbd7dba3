import EvalFindings
import EvalRecords

/// A plot of how the mask changed the probabilities at the decisive step of a trace.
///
/// Each candidate is a line. Its left end is the probability before the mask, and its right end is
/// the probability used for sampling.
struct StepSlope {
  private struct Mark {
    let candidate: TokenCandidate
    let text: String
    let isChosen: Bool
    var left: Double
    var right: Double
  }

  private let title: String
  private let marks: [Mark]
  private let scale: PlotScale

  private static let maximumCandidates = 6
  private static let lineHeight = 11.5

  init(_ step: TokenStep, title: String) {
    self.title = title
    let shown = step.candidates.prefix(Self.maximumCandidates)
      .filter { $0.raw.isFinite && $0.sampled.isFinite }
    let highest = shown.flatMap { [$0.raw, $0.sampled] }.max() ?? 1
    let scale = PlotScale(low: 0, high: max(min(highest, 1), 0.05), start: 146, end: 24)
    self.scale = scale
    var marks = shown.map { candidate in
      Mark(
        candidate: candidate, text: DecodeTrace.short(candidate.text),
        isChosen: candidate.text == step.text, left: scale(candidate.raw),
        right: scale(candidate.sampled))
    }
    Self.spread(&marks, \.left)
    Self.spread(&marks, \.right)
    self.marks = marks
  }

  /// Moves labels up, beginning with the lowest, so that they don't overlap.
  private static func spread(_ marks: inout [Mark], _ side: WritableKeyPath<Mark, Double>) {
    var ceiling = Double.infinity
    for index in marks.indices.sorted(by: { marks[$0][keyPath: side] > marks[$1][keyPath: side] }) {
      marks[index][keyPath: side] = min(marks[index][keyPath: side], ceiling)
      ceiling = marks[index][keyPath: side] - lineHeight
    }
  }

  func write(to w: inout HTMLWriter) {
    w.figure(title, region: "\(title): candidates") { w in
      w.silentPlot(width: 330, height: 158) { w in
        for (x, text) in [(120.0, "before the mask"), (210.0, "as sampled")] {
          w.label(text, "tick", x, 11)
          w.line("axis-soft", x, 18, x, 148)
        }
        for mark in marks { write(mark, to: &w) }
      }
    }
  }

  private func write(_ mark: Mark, to w: inout HTMLWriter) {
    let (raw, sampled) = (mark.candidate.raw, mark.candidate.sampled)
    let isAllowed = mark.candidate.isAllowed
    w.line(
      mark.isChosen ? "stroke-bad" : isAllowed ? "interval" : "interval-base", 120, scale(raw), 210,
      scale(sampled), width: mark.isChosen ? 2 : 1, dash: isAllowed ? nil : "2 3")
    let name = "label-token" + (mark.isChosen ? " fill-bad" : "")
    w.label(
      "\(mark.text) \(NumberText.fixed(raw, 2))", name, 114, mark.left + 4, size: 10.5,
      anchor: "end", isBold: mark.isChosen, isStruck: !isAllowed)
    guard isAllowed else { return }
    w.label(
      "\(NumberText.fixed(sampled, 2)) \(mark.text)", name, 216, mark.right + 4, size: 10.5,
      anchor: "start", isBold: mark.isChosen)
  }
}
