import EvalFindings
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
    w.section(
      id, title,
      lede: "Every night on which a text changed, with the effect on each suite that uses it."
    ) { w in
      w.table(table(shown, limit: limit))
      if view.changes.count > shown.count {
        w.note(
          "\(NumberText.count(view.changes.count - shown.count, "earlier edit")) not listed.")
      }
    }
  }

  private func table(_ shown: [GuideChange], limit: Double) -> ReportTable {
    func verdict(_ change: GuideChange) -> ComparisonVerdict {
      change.change.verdict(adjustedP: change.adjustedP, higherIsBetter: true)
    }
    func list(_ items: [String], _ last: String?, to w: inout HTMLWriter) {
      for item in items { w.element("span", .class("item"), text: item) }
      if let last { w.element("span", .class("item faint"), text: last) }
    }
    return ReportTable(
      "Guide edits", shown, isWorse: { verdict($0).news == .bad }
    ) { table in
      table.column(view.axis.unit, .name, style: "nowrap") { .text(view.runName($0.entry)) }
      table.cells("guide") { change in
        let (shown, more) = (change.edits.prefix(3), change.edits.count - 3)
        return .init(.unknown, style: "mono") { w in
          list(
            shown.map { VisibleText.line($0.place) }, more > 0 ? "and \(more) more" : nil, to: &w)
        }
      }
      table.cells("edit") { change in
        .init(.unknown, style: "edit") { w in
          list(
            change.edits.prefix(3).map(\.summary),
            change.edits.count > 1
              ? "the effect of \(change.edits.count) texts that changed together" : nil, to: &w)
        }
      }
      table.column("prompt, tokens", .number) {
        $0.promptTokens.map { .number($0, NumberText.signed($0, 0)) } ?? .unknown
      }
      table.column("passing in") { .text(view.name($0.slice)) }
      table.column("before", .number) { .text($0.change.before.percent) }
      table.cells("after", .number) { change in
        let news = verdict(change).news
        return .init(
          .text(change.change.after.percent), news == .bad ? .bad : .main,
          style: news == .good ? "good" : "")
      }
      table.picture(ReportTable.changeTitle(limit)) { change, w in
        let effect = change.change
        IntervalPlots.change(
          effect.change, low: effect.low, high: effect.high, limit: limit,
          verdict: verdict(change), to: &w)
        w.element(
          "span", .class("unseen"), text: "\(NumberText.points(effect.change)) \(effect.interval)")
      }
      table.column(EffectMethod.Adjustment.heading, .number) { .p($0.adjustedP) }
      table.column("verdict") { .verdict(verdict($0)) }
    }
  }
}
