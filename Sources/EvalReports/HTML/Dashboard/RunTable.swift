import EvalFindings
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
      w.table(table(Array(places[split...].reversed())))
      w.leftOut(places[..<split].count { $0 != nil }, "earlier run", "not listed")
    }
  }

  private func table(_ places: [Int?]) -> ReportTable {
    let rows = places.map { index in index.map { view.history.entries[$0] } }
    func isLinked(_ entry: HistoryEntry) -> Bool { view.history.linked.contains(entry.identity) }
    func text(_ entry: HistoryEntry?, _ text: (HistoryEntry) -> String) -> ReportValue {
      .text(entry.map(text) ?? "")
    }
    return ReportTable("Runs, the newest first", rows) { table in
      table.cells("run", .name) { entry in
        guard let entry else { return .init(.text("–"), style: "faint") }
        return .init(.text("\(entry.run)")) { w in
          isLinked(entry)
            ? w.element("a", .report(of: entry, "report.html"), text: "\(entry.run)")
            : w.text("\(entry.run)")
        }
      }
      table.cells("date") { entry in
        entry.map { .init(.text(NightAxis.date($0.startedAt)), style: "nowrap") }
          ?? .init(.text("did not run"), .faint, span: 8)
      }
      table.column("commit", style: "mono") {
        text($0) { String(VisibleText.line($0.commit ?? "–").prefix(9)) }
      }
      table.column("guides", style: "mono") { text($0, guides) }
      table.cells("passing", .number) { entry in
        guard let entry, !entry.isMeasured else {
          return .init(text(entry) { $0.share.percent }, entry?.exitStatus == 0 ? .main : .bad)
        }
        let attempts = NumberText.count(entry.share.count, "attempt")
        let isOver = entry.status == .complete
        return .init(
          .text(isOver ? "could not run" : "\(entry.status.rawValue) after \(attempts)"), .faint,
          span: 3)
      }
      table.column("95 % CI", .number, .faint) { text($0) { $0.share.interval } }
      table.column("attempts", .number, .quiet) { text($0) { NumberText.grouped($0.share.count) } }
      table.cells("gate") { $0.map(gate) ?? .init(.unknown) }
      table.cells("files") { entry in
        .init(.unknown, style: "nowrap") { w in
          guard let entry, isLinked(entry) else { return }
          w.element("a", .report(of: entry, "report.html"), text: "report")
          w.text(" ")
          w.element("a", .report(of: entry, "junit.xml"), text: "junit")
          w.text(" ")
          w.element("a", .report(of: entry, "results.jsonl"), text: "rows")
        }
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

  private func gate(_ entry: HistoryEntry) -> ReportTable.Cell {
    let isBad = ![0, 2].contains(entry.exitStatus)
    let words =
      switch entry.exitStatus {
      case 0 where entry.ending == .open:
        "\((entry.state ?? .notJudged).glyph) \((entry.state ?? .notJudged).word.lowercased())"
      case 0: "✓ passed"
      case 1: "✗ failed"
      case 2: "! stopped"
      default: "✗ error, exit \(entry.exitStatus)"
      }
    return .init(.text(words), isBad ? .bad : .quiet, style: "nowrap")
  }
}
