import EvalRecords
import EvalStatistics

/// The runs, newest first, each with its reports.
///
/// Each of the last ninety places on the time axis (`NightAxis`) has a row, even the empty place of
/// a night on which nothing ran.
struct RunTable: PageSection {
  let view: NightView
  let id = "runs"
  let title = "Runs"

  private static let maximumRows = 90

  var isEmpty: Bool { view.history.entries.isEmpty }

  func write(to w: inout HTMLWriter) {
    let places = view.axis.places
    let split = max(0, places.count - Self.maximumRows)
    w.section(id, title) { w in
      w.table(
        "Runs, the newest first",
        [
          .init("run"), .init("date"), .init("commit"), .init("guides"),
          .number("passing"), .number("95 % CI"), .number("attempts"), .init("gate"),
          .init("files"),
        ]
      ) { w in
        for place in (split..<places.count).reversed() {
          if let index = places[place] {
            row(view.history.entries[index], to: &w)
          } else {
            w.element("tr") { w in
              w.rowHeader("–", class: "faint")
              w.element("td", .init("colspan", "8"), .class("faint"), text: "did not run")
            }
          }
        }
      }
      w.leftOut(places[..<split].count { $0 != nil }, "earlier run", "not listed")
    }
  }

  private func row(_ entry: HistoryEntry, to w: inout HTMLWriter) {
    let isLinked = view.history.linked.contains(entry.identity)
    let share = entry.share
    w.element("tr") { w in
      w.element("th", .init("scope", "row")) { w in
        if isLinked {
          w.element("a", .report(of: entry, "report.html"), text: "\(entry.run)")
        } else {
          w.text("\(entry.run)")
        }
      }
      w.cell(NightAxis.date(entry.startedAt), "nowrap")
      w.cell(String(VisibleText.line(entry.commit ?? "–").prefix(9)), "mono")
      w.cell(guides(entry), "mono")
      if entry.isMeasured {
        w.cell(share.percent, "number main" + (entry.exitStatus == 0 ? "" : " bad"))
        w.cell(share.interval, "number faint")
        w.cell(NumberText.grouped(share.count), "number quiet")
      } else {
        w.element(
          "td", .init("colspan", "3"), .class("faint"),
          text: entry.status == .complete
            ? "could not run"
            : "\(entry.status.rawValue) after "
              + NumberText.count(share.count, "attempt"))
      }
      gate(entry, to: &w)
      w.element("td", .class("nowrap")) { w in
        guard isLinked else { return }
        w.element("a", .report(of: entry, "report.html"), text: "report")
        w.text(" ")
        w.element("a", .report(of: entry, "junit.xml"), text: "junit")
        w.text(" ")
        w.element("a", .report(of: entry, "results.jsonl"), text: "rows")
      }
    }
  }

  /// Returns a key for all guides of a run; runs with the same guides have the same key.
  private func guides(_ entry: HistoryEntry) -> String {
    let keys = Set(entry.judged.map(\.guides)).sorted()
    if keys.count < 2 { return String((keys.first ?? "–").prefix(7)) }
    let texts = keys.map { GuideText(place: $0, text: "", isProse: false) }
    return String(GuideText.key(of: texts).prefix(7))
  }

  private func gate(_ entry: HistoryEntry, to w: inout HTMLWriter) {
    switch entry.exitStatus {
    case 0 where entry.ending == .open:
      let state = entry.state ?? .notJudged
      w.cell("\(state.glyph) \(state.word.lowercased())", "quiet nowrap")
    case 0: w.cell("✓ passed", "quiet nowrap")
    case 1: w.cell("✗ failed", "bad nowrap")
    case 2: w.cell("! stopped", "quiet nowrap")
    default: w.cell("✗ error, exit \(entry.exitStatus)", "bad nowrap")
    }
  }
}
