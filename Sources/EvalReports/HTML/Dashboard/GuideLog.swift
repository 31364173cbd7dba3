import EvalRecords
import EvalStatistics

/// The nights on which a guide, a bound, the instructions or the prompt changed, with the effect on
/// each suite.
struct GuideLog: PageSection {
  let view: NightView
  let id = "guides"
  let title = "Guide edits"

  private static let maximumRows = 60

  var isEmpty: Bool { view.changes.isEmpty }

  func write(to w: inout HTMLWriter) {
    let shown = Array(view.changes.prefix(Self.maximumRows))
    let limit = IntervalPlots.limit(of: shown.flatMap { [$0.change.low, $0.change.high] })
    let span = NumberText.fixed(limit * 100, 0)
    w.section(
      id, title,
      lede: "Every night on which a text changed, with the effect on each suite that uses it."
    ) { w in
      w.table(
        "Guide edits",
        [
          .init(view.axis.unit), .init("guide"), .init("edit"),
          .number("prompt, tokens"), .init("passing in"), .number("before"),
          .number("after"), .init("change, −\(span)…+\(span) pp"),
          .number(EffectMethod.Adjustment.heading),
          .init("verdict"),
        ]
      ) { w in
        for change in shown { row(change, limit: limit, to: &w) }
      }
      if view.changes.count > shown.count {
        w.note(
          "\(NumberText.count(view.changes.count - shown.count, "earlier edit")) not listed.")
      }
    }
  }

  private func row(_ change: GuideChange, limit: Double, to w: inout HTMLWriter) {
    let effect = change.change
    let verdict = effect.verdict(adjustedP: change.adjustedP, higherIsBetter: true)
    let mark = verdict.className == "bad" ? " bad" : verdict.className == "good" ? " good" : ""
    w.element("tr", .class(mark == " bad" ? "worse" : "")) { w in
      w.rowHeader(view.runName(change.entry), class: "nowrap")
      w.element("td", .class("mono")) { w in
        for edit in change.edits.prefix(3) {
          w.element("span", .class("item"), text: VisibleText.line(edit.place))
        }
        let more = change.edits.count - 3
        if more > 0 { w.element("span", .class("item faint"), text: "and \(more) more") }
      }
      w.element("td", .class("edit")) { w in
        for edit in change.edits.prefix(3) {
          w.element("span", .class("item"), text: edit.summary)
        }
        if change.edits.count > 1 {
          w.element(
            "span", .class("item faint"),
            text: "the effect of \(change.edits.count) texts that changed together")
        }
      }
      w.cell(change.promptTokens.map { NumberText.signed($0, 0) } ?? "–", "number")
      w.cell(VisibleText.line(view.name(change.slice)))
      w.cell(effect.before.percent, "number")
      w.cell(effect.after.percent, "number main" + mark)
      w.element("td") { w in
        IntervalPlots.change(
          effect.change, low: effect.low, high: effect.high, limit: limit, verdict: verdict,
          to: &w)
        w.element(
          "span", .class("unseen"), text: "\(NumberText.points(effect.change)) \(effect.interval)")
      }
      w.cell(NumberText.pValue(change.adjustedP), "number")
      w.element("td") { w in w.tag(verdict) }
    }
  }
}
