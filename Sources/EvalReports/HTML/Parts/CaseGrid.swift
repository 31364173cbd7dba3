import EvalRecords
import EvalStatistics

/// A grid of test cases by night, in which each cell shows the number of failed attempts.
///
/// A shaded cell without a number means that no attempt failed. A blank cell without a shade means
/// that nothing ran that night. `·` means that the night's run didn't measure the test case.
///
/// The suites that got worse come first. Suites without failures are collapsed. If any suite
/// changed, the suites that didn't change are collapsed too.
struct CaseGrid {
  private let view: NightView
  private let entries: [HistoryEntry?]
  private let slices: [HistoryEntry.Slice]
  private let title: (SliceKey, String) -> String?
  private let link: (SliceKey, String?) -> HTMLAttribute?
  private let columns: Int
  /// Whether any test case has a title to show after its id.
  private let hasTitles: Bool

  /// The maximum number of test cases that the grid shows.
  ///
  /// A note says how many test cases the grid leaves out.
  private static let maximumRows = 320
  private static let maximumRowsPerSuite = 60

  /// Creates a grid whose last night is that of the newest run.
  ///
  /// - Parameters:
  ///   - view: The nights.
  ///   - title: Returns the title of a test case, if it is known.
  ///   - link: Returns a link to the details of a test case or, if the id is `nil`, to those of the
  ///     whole suite.
  init(
    _ view: NightView, title: @escaping (SliceKey, String) -> String? = { _, _ in nil },
    link: @escaping (SliceKey, String?) -> HTMLAttribute? = { _, _ in nil }
  ) {
    self.title = title
    self.link = link
    self.view = view
    entries = view.entries
    let slices = view.history.entries.last { !$0.slices.isEmpty }?.judged ?? []
    let ranks = Dictionary(
      view.worstFirst.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    self.slices = slices.enumerated().sorted { left, right in
      (ranks[left.element.key] ?? .max, left.offset)
        < (ranks[right.element.key] ?? .max, right.offset)
    }.map(\.element)
    hasTitles = slices.contains { slice in
      slice.cases.contains { title(slice.key, $0.id).map { !$0.isEmpty } ?? false }
    }
    columns = entries.count + (hasTitles ? 7 : 6)
  }

  var isEmpty: Bool { slices.isEmpty }

  /// The number of test cases, with those that the grid only counts.
  var cases: Int { slices.reduce(0) { $0 + $1.cases.count } }

  /// The number of test cases in each state, over all suites.
  var states: [GridRow.State: Int] {
    slices.flatMap(rows).reduce(into: [:]) { $0[$1.state, default: 0] += 1 }
  }

  func write(to w: inout HTMLWriter) {
    let moved = Set(slices.map(\.key).filter { view.stretches($0).count > 1 })
    var budget = Self.maximumRows
    var hidden = 0
    var folded: [(slice: HistoryEntry.Slice, rows: [GridRow], hidden: Int)] = []
    var open: [(slice: HistoryEntry.Slice, rows: [GridRow], quiet: Int)] = []
    for slice in slices {
      let rows = self.rows(slice)
      let telling = rows.filter { $0.failures > 0 || $0.now.count == 0 }
      let shown = Array(telling.prefix(max(0, min(budget, Self.maximumRowsPerSuite))))
      budget -= shown.count
      hidden += telling.count - shown.count
      if !shown.isEmpty, moved.isEmpty || moved.contains(slice.key) {
        open.append((slice, shown, rows.count - telling.count))
      } else {
        folded.append((slice, shown, telling.count - shown.count))
      }
    }
    if !open.isEmpty {
      table("Test cases by night", to: &w) { w in
        for (slice, rows, quiet) in open { body(slice, rows, quiet: quiet, to: &w) }
      }
    }
    if !folded.isEmpty {
      w.element("h3", text: "Other suites")
      for (slice, rows, hidden) in folded { fold(slice, rows, hidden: hidden, to: &w) }
    }
    w.element(
      "p", .id("read"), .class("note js"), .init("role", "status"), .hidden,
      text: "To read a cell here, point at it, or focus the table and use the arrow keys. Enter "
        + "opens the test case.")
    GridKey(view).write(to: &w)
    if hidden > 0 {
      w.element(
        "p", .class("note"),
        text: "\(NumberText.count(hidden, "more test case")) \(hidden == 1 ? "is" : "are") not "
          + "drawn; the grid shows those with the largest changes.")
    }
  }

  // MARK: Rows

  private func rows(_ slice: HistoryEntry.Slice) -> [GridRow] {
    // Index each night's test cases by id once, rather than for each test case.
    let nights = entries.map { entry -> [String: HistoryEntry.CaseCount]? in
      guard let entry, entry.isMeasured, let other = entry.slice(slice.key) else { return nil }
      return Dictionary(other.cases.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }
    return slice.cases.map { item in
      GridRow(
        id: item.id, tags: item.tags,
        cells: nights.map { night in night?[item.id].map { Share($0.passed, of: $0.made) } })
    }.enumerated().sorted { left, right in
      let (first, second) = (left.element, right.element)
      if first.fall != second.fall { return first.fall > second.fall }
      if first.failures != second.failures { return first.failures > second.failures }
      return left.offset < right.offset
    }.map(\.element)
  }

  // MARK: Writing

  private func table(
    _ caption: String, to w: inout HTMLWriter, body: (inout HTMLWriter) -> Void
  ) {
    w.scrollRegion(caption, opensAtEnd: true) { w in
      w.element("table", .class("heat")) { w in
        w.element("caption", .class("unseen"), text: "Failed attempts, \(caption.lowercased())")
        header(to: &w)
        body(&w)
      }
    }
  }

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

  /// Writes a suite as one line that expands.
  ///
  /// - Parameters:
  ///   - slice: The suite.
  ///   - rows: The test cases to show.
  ///   - hidden: The number of test cases that failed or didn't run, but that the grid doesn't
  ///     draw.
  private func fold(
    _ slice: HistoryEntry.Slice, _ rows: [GridRow], hidden: Int, to w: inout HTMLWriter
  ) {
    let share = slice.share
    let values = view.passing(slice.key)
    w.element("details", .class("fold"), .init("data-n", VisibleText.line(slice.key.suite))) { w in
      w.element("summary") { w in
        w.element("b", text: VisibleText.line(name(slice)) + " ")
        w.element(
          "span", .class("where"),
          text: "newest run: \(share.percent) of \(NumberText.count(share.count, "attempt"))")
        Sparkline.write(
          values, events: view.marks(for: slice.key).map(\.place), isBad: false, width: 120, to: &w)
      }
      w.element("div", .class("level")) { w in
        if let link = link(slice.key, nil) {
          w.element("p", .class("note")) { w in
            w.element("a", link, text: "Test cases of this suite in the newest report")
          }
        }
        if rows.isEmpty {
          w.element(
            "p", .class("note"),
            text: hidden > 0
              ? NumberText.count(hidden, "test case") + " with failures "
                + (hidden == 1 ? "is not drawn." : "are not drawn.")
              : "Every test case passed every attempt of these nights.")
        } else {
          table("\(VisibleText.line(name(slice))), by night", to: &w) { w in
            w.element("tbody") { w in for row in rows { write(row, slice.key, to: &w) } }
          }
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
        for _ in 0..<(hasTitles ? 2 : 1) { w.cell("") }
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
        w.headers([TableColumn("test case").sortable])
        if hasTitles { w.headers([TableColumn("input").silent]) }
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
          TableColumn.number(entries.count > 1 ? "newest" : "passing").sortable,
          TableColumn.number("all nights").sortable, TableColumn.number("flips").sortable,
          TableColumn("change").sortable,
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
    w.element(
      "tr", .init("data-n", VisibleText.line(key.suite)), .init("data-s", row.state.rawValue),
      .init("data-at", CaseAddress.text(key, row.id, isOnly: view.name(key) == key.suite)),
      row.tags.isEmpty ? nil : .init("data-t", VisibleText.line(row.tags.joined(separator: " ")))
    ) { w in
      w.rowHeader(
        ClippedText(VisibleText.line(row.id), limit: 60).text, class: "nowrap",
        link: link(key, row.id))
      if hasTitles {
        w.cell(ClippedText.line(title(key, row.id) ?? "", limit: 34), "case-title")
      }
      for (place, cell) in row.cells.enumerated() {
        let newest = place == row.cells.count - 1 ? " newest" : ""
        guard let cell, cell.count > 0 else {
          w.cell(entries[place] == nil ? "" : "·", "none" + newest)
          continue
        }
        let failed = cell.count - cell.hits
        let level = failed == 0 ? 0 : HeatLevel.of(Double(failed) / Double(cell.count))
        w.cell(failed == 0 ? "" : "\(failed)", "heat-\(level)\(newest)")
      }
      w.cell(
        row.now.count == 0 ? "not run" : "\(row.now.hits)/\(row.now.count)", "number extra",
        sortedBy: NumberText.plain(row.now.value, 4))
      w.cell(row.all.percent, "number extra", sortedBy: NumberText.plain(row.all.value, 4))
      w.cell("\(row.flips)", "number faint extra")
      w.element(
        "td", .class("extra nowrap"), .init("data-v", NumberText.plain(-row.fall, 4))
      ) { w in
        guard let change = row.change else { return }
        w.element(
          "span", .class(change.isWorse ? "bad" : "good"),
          text: "\(change.isWorse ? "▼ worse" : "▲ better") since \(view.placeName(change.place))")
      }
    }
  }
}
