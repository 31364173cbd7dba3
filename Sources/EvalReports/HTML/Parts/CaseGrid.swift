import EvalFindings
import EvalRecords
import EvalStatistics

/// A grid of test cases by night, in which each cell shows the number of failed attempts.
///
/// A shaded cell without a number means that no attempt failed. A blank cell without a shade means
/// that nothing ran that night. `·` means that the night's run didn't measure the test case.
///
/// The suites that got worse come first.
struct CaseGrid {
  private let view: NightView
  private let entries: [HistoryEntry?]
  /// All test cases by suite, the worst first.
  let suites: [(slice: HistoryEntry.Slice, rows: [GridRow])]
  private let link: (SliceKey, String?) -> HTMLAttribute?
  private let columns: Int
  private let isChanged: (SliceKey, String) -> Bool

  /// The maximum number of test cases that the grid shows.
  ///
  /// A note says how many test cases the grid leaves out.
  private static let maximumRows = 120
  private static let maximumRowsPerSuite = 30

  /// Creates a grid whose last night is that of the newest run.
  ///
  /// `link` leads to the details of a test case or, without an id, to those of the whole suite.
  /// `isChanged` says whether a test case changed against the baseline.
  init(
    _ view: NightView, link: @escaping (SliceKey, String?) -> HTMLAttribute? = { _, _ in nil },
    isChanged: @escaping (SliceKey, String) -> Bool = { _, _ in false }
  ) {
    self.link = link
    self.isChanged = isChanged
    self.view = view
    let entries = view.entries
    self.entries = entries
    let slices = Self.slices(view)
    let ranks = Dictionary(first: view.worstFirst.enumerated().map { ($1, $0) })
    suites = slices.sorted { ranks[$0.key] ?? .max < ranks[$1.key] ?? .max }
      .map { ($0, Self.rows($0, on: entries)) }
    columns = entries.count + 5
  }

  private static func slices(_ view: NightView) -> [HistoryEntry.Slice] {
    view.history.entries.last { !$0.slices.isEmpty }?.judged ?? []
  }

  /// Whether the grid of a view has no test cases.
  static func isEmpty(_ view: NightView) -> Bool { slices(view).isEmpty }

  func write(to w: inout HTMLWriter) {
    var budget = Self.maximumRows
    var hidden = 0
    w.element(
      "p", .id("read"), .class("note js"), .init("role", "status"), .hidden,
      text: "To read a cell here, point at it, or focus the table and use the arrow keys.")
    w.scrollRegion("Test cases by night", opensAtEnd: true) { w in
      w.element("table", .class(entries.count > 30 ? "heat dense" : "heat")) { w in
        w.element(
          "caption", .class("unseen"), text: "Failed attempts, test cases by night")
        header(to: &w)
        for (slice, rows) in suites {
          let telling = rows.filter { $0.failures > 0 || $0.now.count == 0 }
          let room = max(0, min(budget, Self.maximumRowsPerSuite))
          let shown =
            telling.count <= room ? telling[...] : changedFirst(telling, slice.key).prefix(room)
          budget -= shown.count
          hidden += telling.count - shown.count
          body(slice, Array(shown), quiet: rows.count - telling.count, to: &w)
        }
      }
    }
    GridKey(view: view).write(to: &w)
    if hidden > 0 {
      w.element(
        "p", .class("note static"),
        text: "\(NumberText.count(hidden, "more test case")) \(hidden == 1 ? "is" : "are") not "
          + "drawn; the grid shows those that changed first.")
    }
  }

  // MARK: Rows

  /// The rows that changed against the baseline or the previous run, and then the others.
  private func changedFirst(_ rows: [GridRow], _ key: SliceKey) -> [GridRow] {
    func hasChanged(_ row: GridRow) -> Bool {
      row.hasNewResult || isChanged(key, row.id)
    }
    return rows.filter(hasChanged) + rows.filter { !hasChanged($0) }
  }

  private static func rows(
    _ slice: HistoryEntry.Slice, on entries: [HistoryEntry?]
  ) -> [GridRow] {
    // Index each night's test cases by id once, rather than for each test case.
    let nights = entries.map { entry -> [String: HistoryEntry.CaseCount]? in
      guard let entry, entry.isMeasured, let other = entry.slice(slice.key) else { return nil }
      return Dictionary(first: other.cases.map { ($0.id, $0) })
    }
    return slice.cases.map { item in
      GridRow(
        id: item.id, tags: item.tags,
        cells: nights.map { night in night?[item.id].map { Share($0.passed, of: $0.made) } },
        among: slice.cases.count)
    }.sorted { ($0.fall, $0.failures) > ($1.fall, $1.failures) }
  }

  // MARK: Writing

  private func body(
    _ slice: HistoryEntry.Slice, _ rows: [GridRow], quiet: Int, to w: inout HTMLWriter
  ) {
    w.element("tbody") { w in
      w.element("tr", .class("group")) { w in
        w.element("th", .init("scope", "rowgroup"), .init("colspan", "\(columns)")) { w in
          w.element("span", .class("stay")) { w in
            let text = VisibleText.line(name(slice))
            if let link = link(slice.key, nil) {
              w.element("a", link, text: text)
            } else {
              w.text(text)
            }
            if let since = view.worseSince(slice.key) {
              w.element("span", .class("bad"), text: " ▼ worse since \(since)")
            }
          }
        }
      }
      for row in rows { write(row, slice.key, to: &w) }
      guard quiet > 0 else { return }
      w.element("tr") { w in
        w.element(
          "th", .init("scope", "row"), .init("colspan", "\(columns)"), .class("faint")
        ) { w in
          w.element(
            "span", .class("stay"),
            text: "\(NumberText.count(quiet, "test case")) passed every attempt of these nights")
        }
      }
    }
  }

  private func name(_ slice: HistoryEntry.Slice) -> String {
    "\(view.name(slice.key)), \(NumberText.count(slice.cases.count, "test case"))"
  }

  private func header(to w: inout HTMLWriter) {
    let (names, dates) = (view.names, view.dates)
    let marks = Set(view.marks.map(\.place))
    w.element("thead") { w in
      w.element("tr", .class("events"), .init("aria-hidden", "true")) { w in
        w.cell("")
        for place in names.indices {
          w.element("td") { w in
            if marks.contains(place) {
              w.text("▼")
            } else if isShown(place), view.axis.hasNumbers {
              w.element("span", .class("night-name"), text: dates[place] ?? "")
            }
          }
        }
        for _ in 0..<4 { w.cell("") }
      }
      w.element("tr") { w in
        w.headers([.init("test case")])
        for (place, name) in names.enumerated() {
          let isLast = place == names.count - 1
          let text = name.map { "\(view.axis.unit) \($0)" } ?? "not run"
          w.element(
            "th", .init("scope", "col"), .class(isLast ? "newest" : ""), report(place)
          ) { w in
            if isShown(place), let name {
              w.element("span", .class("night-name"), text: name)
            } else {
              w.element("span", .class("unseen"), text: text)
            }
          }
        }
        w.headers([
          .init(entries.count > 1 ? "newest" : "passing", .number),
          .init("all nights", .number), .init("flips", .number), .init("change"),
        ])
      }
    }
  }

  /// The address of a night's report, or none if the night has no report.
  private func report(_ place: Int) -> HTMLAttribute? {
    guard let entry = entries[place], view.history.linked.contains(entry.identity) else {
      return nil
    }
    return .own("data-h", "\(entry.run)/report.html")
  }

  private func isShown(_ place: Int) -> Bool {
    place == entries.count - 1 || (place % 5 == 0 && place < entries.count - 3)
  }

  private func write(_ row: GridRow, _ key: SliceKey, to w: inout HTMLWriter) {
    w.element("tr", .init("data-at", address(row.id, in: key))) { w in
      w.rowHeader(
        ClippedText(VisibleText.line(row.id), limit: 60).text, class: "nowrap",
        link: link(key, row.id))
      for (place, cell) in row.cells.enumerated() {
        let newest = place == row.cells.count - 1 ? " newest" : ""
        guard let cell, cell.count > 0 else {
          w.cell(entries[place] == nil ? "" : "·", "none" + newest)
          continue
        }
        let failed = cell.count - cell.hits
        // The shades are fifths, so that one failure of three is lighter than two.
        let level = failed == 0 ? 0 : min(5, 1 + (5 * failed - 1) / cell.count)
        w.cell(failed == 0 ? "" : "\(failed)", "heat-\(level)\(newest)")
      }
      w.cell(row.now.count == 0 ? "not run" : "\(row.now.hits)/\(row.now.count)", "number extra")
      w.cell(row.all.percent, "number extra")
      w.cell("\(row.flips)", "number faint extra")
      w.element("td", .class("extra nowrap")) { w in
        guard let change = row.change else { return }
        // The heading of the suite already says since when most of its test cases are worse.
        let since = "since \(view.placeName(change.place))"
        w.element(
          "span", .class(change.isWorse ? "bad" : "good"),
          text: (change.isWorse ? "▼ worse" : "▲ better")
            + (change.isWorse && view.worseSince(key).map { "since \($0)" } == since
              ? "" : " \(since)"))
      }
    }
  }

  /// The address of a test case, by which the page and the reports of its nights find it.
  func address(_ id: String, in key: SliceKey) -> String {
    CaseAddress.text(key, id, isOnly: view.name(key) == key.suite)
  }
}
