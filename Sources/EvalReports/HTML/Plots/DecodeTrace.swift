import EvalFindings
import EvalRecords
import SystemBasics

/// The decode trace of one attempt: a strip of steps with the probability mass that the mask
/// removed, and a table of candidate tokens before and after the mask.
struct DecodeTrace {
  private let steps: [TokenStep]
  private let index: Int
  /// The index of the decisive step, or `nil` if no step was sampled.
  ///
  /// The decisive step is the last decision or, if there is none, the least certain sampled step.
  private let decisive: Int?
  /// The decisive step of the baseline's answer to the same test case and repeat.
  private let decisiveBefore: (step: TokenStep, number: Int)?

  private static let maximumCells = 28
  private static let maximumCandidates = 6

  init(_ attempt: AttemptRecord, _ index: Int, before: AttemptRecord? = nil) {
    self.index = index
    steps = attempt.trace
    decisive = Self.decisive(attempt)
    decisiveBefore = before.flatMap { before in
      Self.decisive(before).map { (before.trace[$0], $0 + 1) }
    }
  }

  private static func decisive(_ attempt: AttemptRecord) -> Int? {
    let sampled = attempt.trace.indices.filter { !attempt.trace[$0].isForced }
    let decided = attempt.decisions.last { sampled.contains($0.step) }?.step
    return decided
      ?? sampled.min { left, right in
        (attempt.trace[left].chosen?.sampled ?? 1) < (attempt.trace[right].chosen?.sampled ?? 1)
      }
  }

  func write(to w: inout HTMLWriter) {
    w.element(
      "h4",
      text: "Decode trace: the dark part of each step is the probability mass that the mask "
        + "removed")
    var slopes: [StepSlope] = []
    if let decisive, steps[decisive].candidates.count > 1 {
      slopes.append(StepSlope(steps[decisive], title: "Step \(decisive + 1)"))
    }
    if let (step, number) = decisiveBefore, step.candidates.count > 1 {
      slopes.append(StepSlope(step, title: "Step \(number), baseline"))
    }
    w.element("div", .class("row")) { w in
      // The strip fills the width that the slopes leave free.
      strip(width: 1060 - 354 * Double(slopes.count), to: &w)
      for slope in slopes { slope.write(to: &w) }
    }
    let lines = lines
    let shown = Self.window(of: lines, around: decisive)
    w.table(table(lines[shown]), class: "trace natural")
    let hidden = lines.indices.filter { !shown.contains($0) }.reduce(0) { $0 + lines[$1].count }
    w.leftOut(hidden, "step")
  }

  // MARK: Rows

  /// Whether the trace recorded entropies.
  private var hasEntropy: Bool { steps.contains { $0.rawEntropy != nil } }

  /// The steps as lines of the table, with a single line for successive steps that are nearly
  /// certain.
  private var lines: [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    while start < steps.count {
      var end = start
      while end < steps.count, end != decisive, isSure(steps[end]) { end += 1 }
      if end - start >= Self.shortestRun {
        lines.append(start..<end)
        start = end
      } else {
        lines.append(start..<(start + 1))
        start += 1
      }
    }
    return lines
  }

  private static let shortestRun = 2

  /// Whether the model was nearly certain of the chosen token, and the mask removed almost nothing.
  private func isSure(_ step: TokenStep) -> Bool {
    guard Self.removed(step) < 0.005 else { return false }
    return step.isForced || (step.chosen.map { $0.raw >= 0.95 && $0.sampled >= 0.95 } ?? false)
  }

  /// The lines to show: at most ``DrillDownPlan/traceRows``, around the decisive step.
  private static func window(of lines: [Range<Int>], around decisive: Int?) -> Range<Int> {
    let place = decisive.flatMap { step in lines.firstIndex { $0.contains(step) } } ?? 0
    let count = DrillDownPlan.traceRows
    let start = max(0, min(place - count / 2, lines.count - count))
    return start..<min(lines.count, start + count)
  }

  private func path(_ step: TokenStep) -> String {
    ClippedText(VisibleText.line(step.path), limit: 60).text
  }

  /// A table with a row for each line; successive steps that were nearly certain share a line.
  private func table(_ lines: ArraySlice<Range<Int>>) -> ReportTable {
    let rows = lines.map { (line: $0, step: steps[$0.lowerBound], isOne: $0.count == 1) }
    return ReportTable(
      "Decode trace of attempt \(index)", rows, isFact: false,
      attributes: {
        [.class(!$0.isOne ? "faint" : $0.line.lowerBound == decisive ? "decisive" : "")]
      }
    ) { table in
      table.cells("step", .number) {
        $0.isOne
          ? .init(.text("\($0.line.upperBound)"), .faint)
          : .init(.text("\($0.line.lowerBound + 1)–\($0.line.upperBound)"))
      }
      table.cells("token", .name) { row in
        .init(.unknown, style: "token") { w in
          w.text(row.isOne ? Self.short(row.step.text) : text(row.line))
        }
      }
      table.cells("choice") {
        guard $0.isOne else { return .init(.text("sure")) }
        return $0.step.isForced ? .init(.text("forced"), .faint) : .init(.text("sampled"))
      }
      table.column("path", style: "mono nowrap") { .text(path($0.step)) }
      table.cells("likeliest candidates, before → after the mask; struck out: forbidden") { row in
        guard row.isOne else {
          return .init(.text("each at least 0.95, before and after the mask"))
        }
        return .init(.unknown, style: "candidates") { w in
          for candidate in candidates(of: row.step) {
            w.element("span", .class("option")) { w in candidateText(candidate, row.step, to: &w) }
          }
        }
      }
      table.column("legal", .number) { $0.isOne ? .count($0.step.legalCount) : .text("") }
      table.column("mass removed", .number) {
        .fixed($0.line.map { Self.removed(steps[$0]) }.max() ?? 0, 2)
      }
      table.cells(hasEntropy ? "entropy, bits" : "surprise, bits", .number) {
        guard $0.isOne else { return .init(.text("")) }
        let bits = hasEntropy ? Self.entropy(of: $0.step) : $0.step.chosen.map(Self.bits) ?? "–"
        return .init(.text(bits), .quiet)
      }
    }
  }

  /// The text of successive steps.
  private func text(_ line: Range<Int>) -> String {
    let text = VisibleText.line(line.map { steps[$0].text }.joined())
    return ClippedText(text.replacingEdgeSpaces(), limit: 28).marked
  }

  /// Returns the first six of the candidates that were chosen or have a probability of at least
  /// 0.005.
  private func candidates(of step: TokenStep) -> [TokenCandidate] {
    let telling = step.candidates.filter {
      $0.raw >= 0.005 || $0.sampled >= 0.005 || $0.text == step.text
    }
    return Array(telling.prefix(Self.maximumCandidates))
  }

  /// The entropy of a step before and after the mask: `1.94 → 0.98`.
  private static func entropy(of step: TokenStep) -> String {
    guard let raw = step.rawEntropy, let masked = step.maskedEntropy else { return "–" }
    return "\(NumberText.fixed(raw, 2)) → \(NumberText.fixed(masked, 2))"
  }

  // MARK: Strip

  /// Draws the decisive step, and as many of the steps before and after it as fit.
  private func strip(width limit: Double, to w: inout HTMLWriter) {
    let widths = steps.map { max(34, 10 + 7.3 * Double(Self.short($0.text).count)) }
    let middle = decisive ?? 0
    var cells = middle..<(middle + 1)
    var width = widths[middle] + 4
    func fits(_ next: Int, _ limit: Double) -> Bool {
      steps.indices.contains(next) && cells.count < Self.maximumCells
        && width + widths[next] + 4 <= limit
    }
    while fits(cells.lowerBound - 1, 0.8 * limit) {
      cells = (cells.lowerBound - 1)..<cells.upperBound
      width += widths[cells.lowerBound] + 4
    }
    while fits(cells.upperBound, limit) {
      width += widths[cells.upperBound] + 4
      cells = cells.lowerBound..<(cells.upperBound + 1)
    }
    w.scrollRegion("Steps of attempt \(index)") { w in
      w.silentPlot(width: width, height: 118) { w in
        var x = 0.0
        for index in cells {
          let isDecisive = index == decisive
          let removed = Self.removed(steps[index])
          let cell = widths[index]
          w.rectangle(
            isDecisive ? "kept decisive" : "kept", x: x, y: 14, width: cell, height: 80)
          w.rectangle(
            isDecisive ? "fill-bad" : "fill-base", x: x, y: 14, width: cell, height: 80 * removed)
          w.label(NumberText.fixed(removed, 2), "tick", x + cell / 2, 10)
          w.label(
            Self.short(steps[index].text), "label-token" + (isDecisive ? " fill-bad" : ""),
            x + cell / 2, 110,
            size: 12, isBold: isDecisive)
          x += cell + 4
        }
      }
    }
  }

  private func candidateText(
    _ candidate: TokenCandidate, _ step: TokenStep, to w: inout HTMLWriter
  ) {
    let text = Self.short(candidate.text)
    if !candidate.isAllowed {
      w.element("s", text: text)
      w.element("span", .class("unseen"), text: " (forbidden)")
    } else if candidate.text == step.text {
      w.element("b", text: text)
    } else {
      w.text(text)
    }
    let after = NumberText.fixed(candidate.sampled, 2)
    w.element(
      "span", .class(candidate.isAllowed ? "quiet" : "faint"),
      text: " \(NumberText.fixed(candidate.raw, 2)) → \(candidate.isAllowed ? after : "0")")
  }

  private static func removed(_ step: TokenStep) -> Double {
    step.keptMass.isFinite ? min(max(1 - step.keptMass, 0), 1) : 0
  }

  /// The surprisal of the chosen token before the mask, in bits.
  private static func bits(_ candidate: TokenCandidate) -> String {
    candidate.raw > 0 && candidate.raw <= 1 ? NumberText.fixed(-log2(candidate.raw), 2) : "–"
  }

  /// A token on one line, or `■` for the end of the answer, which has no text.
  static func short(_ text: String) -> String {
    guard !text.isEmpty else { return "■" }
    return ClippedText(VisibleText.line(text).replacingEdgeSpaces(), limit: 24).marked
  }
}

extension TokenStep {
  /// The chosen candidate, or `nil` if the trace didn't keep it.
  fileprivate var chosen: TokenCandidate? { candidates.first { $0.text == text } }
}

extension String {
  /// The text with `␣` for each space at its beginning, because many tokens begin with a space.
  fileprivate func replacingEdgeSpaces() -> String {
    let spaces = prefix { $0 == " " }.count
    return String(repeating: "␣", count: spaces) + dropFirst(spaces)
  }
}
