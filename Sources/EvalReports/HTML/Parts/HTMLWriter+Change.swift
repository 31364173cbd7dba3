import EvalRecords

extension HTMLWriter {
  /// Writes the two cells of a change: a plot of its interval and its numbers in percentage points.
  ///
  /// - Parameters:
  ///   - effect: The change.
  ///   - limit: The largest change that the column's plots show.
  mutating func changeCells(_ effect: EffectRecord, limit: Double) {
    element("td") { w in
      IntervalPlots.change(
        effect.change, low: effect.changeLow, high: effect.changeHigh, limit: limit,
        verdict: effect.verdict, to: &w)
    }
    element("td", .class("number"), .label("change, pp")) { w in
      w.text(NumberText.points(effect.change) + " ")
      w.element(
        "span", .class("faint"),
        text: "[\(NumberText.points(effect.changeLow)), \(NumberText.points(effect.changeHigh))]")
    }
  }
}
