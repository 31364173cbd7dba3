/// Cases × nights: how many attempts of each case failed on each night.
///
/// Cells say the number, so that shade is never all there is: blank is 0, `·` is not run. Suites in
/// which nothing moved are one row each.
struct CaseGrid {
  private let view: NightView
  private let entries: [HistoryEntry?]
  private let slices: [HistoryEntry.Slice]
  private let name: (SliceKey) -> String
  private let title: (SliceKey, String) -> String?
  private let link: (SliceKey, String?) -> HTMLAttribute?
  private let columns: Int
  /// Whether any case has a title beside its name.
  private let hasTitles: Bool

  /// The most rows of cases; what is left out is counted.
  private static let maximumRows = 160

  /// Makes a grid; its last column is the newest run.
  ///
  /// - Parameters:
  ///   - view: The nights.
  ///   - title: The title of a case, where one is known.
  ///   - link: Where there is more of a suite's cases, or of the one that is named.
  init(
    _ view: NightView, title: @escaping (SliceKey, String) -> String? = { _, _ in nil },
    link: @escaping (SliceKey, String?) -> HTMLAttribute? = { _, _ in nil }
  ) {
    self.title = title
    self.link = link
    self.view = view
    entries = view.entries
    slices = view.history.entries.last { !$0.slices.isEmpty }?.judged ?? []
    name = view.name
    hasTitles = slices.contains { slice in
      slice.cases.contains { title(slice.key, $0.id).map { !$0.isEmpty } ?? false }
    }
    columns = entries.count + (hasTitles ? 6 : 5)
  }

  var isEmpty: Bool { slices.isEmpty }

  private struct Row {
    let id: String
    let cells: [Share?]
    let now: Share
    let before: Share
    let flips: Int

    /// How much more often the case fails than it did.
    var worsening: Double {
      before.count > 0 && now.count > 0 ? before.value - now.value : 0
    }
    var failures: Int { cells.reduce(0) { $0 + ($1.map { $0.count - $0.hits } ?? 0) } }
  }

  func write(to w: inout HTMLWriter) {
    let moved = Set(slices.map(\.key).filter { view.stretches($0).count > 1 })
    var budget = Self.maximumRows
    var hidden = 0
    var folded: [HistoryEntry.Slice] = []
    w.scrollRegion("Cases by night") { w in
      w.element("table", .class("heat")) { w in
        w.element(
          "caption", .class("unseen"), text: "Failed attempts, by case and night")
        header(to: &w)
        for slice in slices {
          let rows = self.rows(slice)
          let isQuiet = rows.allSatisfy { $0.failures == 0 }
          guard !isQuiet, moved.isEmpty || moved.contains(slice.key) else {
            folded.append(slice)
            continue
          }
          let telling = rows.filter { $0.failures > 0 || $0.now.count == 0 }
          let shown = Array(telling.prefix(max(0, budget)))
          budget -= shown.count
          hidden += telling.count - shown.count
          guard !shown.isEmpty else { continue }
          w.element("tbody") { w in
            group(
              "\(name(slice.key)), \(NumberText.count(slice.cases.count, "case"))",
              link: link(slice.key, nil), to: &w)
            for row in shown { write(row, slice.key, link: link(slice.key, row.id), to: &w) }
            let quiet = rows.count - telling.count
            if quiet > 0 {
              w.element("tr") { w in
                w.element(
                  "th", .init("scope", "row"), .init("colspan", "\(columns)"), .class("faint"),
                  text: "\(NumberText.count(quiet, "case")) passed every attempt of these nights")
              }
            }
          }
        }
        if !folded.isEmpty {
          w.element("tbody") { w in
            group("Suites without change (one row each)", to: &w)
            for slice in folded {
              write(wholeRow(slice), slice.key, link: link(slice.key, nil), to: &w)
            }
          }
        }
      }
    }
    w.element(
      "p", .id("read"), .class("note js"), .init("role", "status"), .hidden,
      text: "Point at a cell, or focus the table and use the arrow keys; Enter opens the case.")
    key(to: &w)
    if hidden > 0 {
      w.element(
        "p", .class("note"),
        text: "\(NumberText.count(hidden, "more case")) \(hidden == 1 ? "is" : "are") not drawn; "
          + "those with the largest changes are.")
    }
  }

  // MARK: Rows

  private func rows(_ slice: HistoryEntry.Slice) -> [Row] {
    // Each night's cases by name, once for the whole slice.
    let nights = entries.map { entry -> [String: HistoryEntry.CaseCount]? in
      guard let entry, entry.isMeasured, let other = entry.slice(slice.key) else { return nil }
      return Dictionary(other.cases.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }
    let rows = slice.cases.map { item in
      row(
        item.id,
        nights.map { night in night?[item.id].map { Share($0.passed, of: $0.made) } })
    }
    return rows.enumerated().sorted { left, right in
      let (first, second) = (left.element, right.element)
      if (first.worsening > 0.1) != (second.worsening > 0.1) { return first.worsening > 0.1 }
      if first.worsening > 0.1, first.worsening != second.worsening {
        return first.worsening > second.worsening
      }
      if first.failures != second.failures { return first.failures > second.failures }
      return left.offset < right.offset
    }.map(\.element)
  }

  private func wholeRow(_ slice: HistoryEntry.Slice) -> Row {
    row(
      "\(name(slice.key)), \(NumberText.count(slice.cases.count, "case"))",
      entries.map { entry in entry.flatMap { $0.isMeasured ? $0.slice(slice.key)?.share : nil } })
  }

  private func row(_ id: String, _ cells: [Share?]) -> Row {
    let known = cells.dropLast().compactMap { $0 }
    let states = cells.compactMap { $0 }.map { $0.hits == $0.count }
    return Row(
      id: id, cells: cells, now: (cells.last ?? nil) ?? Share(0, of: 0),
      before: Share(known.reduce(0) { $0 + $1.hits }, of: known.reduce(0) { $0 + $1.count }),
      flips: zip(states.dropFirst(), states).count { $0 != $1 })
  }

  // MARK: Writing

  private func header(to w: inout HTMLWriter) {
    let names = view.names
    w.element("thead") { w in
      let marks = Dictionary(
        view.marks.map { ($0.place, $0.label) }, uniquingKeysWith: { first, _ in first })
      if !marks.isEmpty {
        w.element("tr", .class("events"), .init("aria-hidden", "true")) { w in
          for _ in 0..<(hasTitles ? 2 : 1) { w.cell("") }
          for place in names.indices { w.cell(marks[place] == nil ? "" : "▼") }
          for _ in 0..<4 { w.cell("") }
        }
      }
      w.element("tr") { w in
        w.element("th", .init("scope", "col")) { w in
          w.element("span", .class("unseen"), text: "case")
        }
        if hasTitles { w.headers([TableColumn("input").silent]) }
        for (place, name) in names.enumerated() {
          let isLast = place == names.count - 1
          let isShown = isLast || (place % 5 == 0 && place < names.count - 3)
          let text = name ?? "not run"
          w.element("th", .init("scope", "col"), .class(isLast ? "newest" : "")) { w in
            w.element("span", .class(isShown && name != nil ? "night-name" : "unseen"), text: text)
          }
        }
        w.headers([
          .number(entries.count > 1 ? "newest" : "passing"), .number("95 % CI"), .number("flips"),
          TableColumn("mark").silent,
        ])
      }
    }
  }

  private func group(_ text: String, link: HTMLAttribute? = nil, to w: inout HTMLWriter) {
    let text = VisibleText.line(text)
    w.element("tr", .class("group")) { w in
      w.element("th", .init("scope", "rowgroup"), .init("colspan", "\(columns)")) { w in
        if let link { w.element("a", link, text: text) } else { w.text(text) }
      }
    }
  }

  private func write(
    _ row: Row, _ key: SliceKey, link: HTMLAttribute?, to w: inout HTMLWriter
  ) {
    w.element("tr") { w in
      w.rowHeader(
        ClippedText(VisibleText.line(row.id), limit: 60).text, class: "nowrap", link: link)
      if hasTitles {
        let title = VisibleText.line(title(key, row.id) ?? "")
        let clipped = ClippedText(title, limit: 34)
        w.cell(clipped.fullLength == nil ? clipped.text : clipped.text + "…", "case-title")
      }
      for (place, cell) in row.cells.enumerated() {
        let newest = place == row.cells.count - 1 ? " newest" : ""
        guard let cell, cell.count > 0 else {
          w.cell(entries[place] == nil ? "" : "·", "none" + newest)
          continue
        }
        let failed = cell.count - cell.hits
        let level =
          failed == 0 ? 0 : HeatLevel.of(Double(failed) / Double(cell.count))
        w.cell(failed == 0 ? "" : "\(failed)", "heat-\(level)\(newest)")
      }
      w.cell(row.now.count == 0 ? "not run" : "\(row.now.hits)/\(row.now.count)", "number extra")
      w.cell(row.now.interval, "number faint extra")
      w.cell("\(row.flips)", "number faint extra")
      w.element("td", .class("extra")) { w in
        guard row.before.count > 0, row.now.count > 0 else { return }
        let change = ShareChange(from: row.before, to: row.now)
        guard change.pValue < 0.01 else { return }
        w.tag(change.change < 0 ? .worse : .better)
      }
    }
  }

  private func key(to w: inout HTMLWriter) {
    w.element("p", .class("key")) { w in
      for (level, text) in ["0 fail", "≤ 5 %", "≤ 10 %", "≤ 20 %", "≤ 35 %", "more"].enumerated() {
        w.element("span") { w in
          w.element("i", .class("heat-\(level)"), text: "")
          w.text(" \(text)")
        }
      }
      w.element("span", text: "· not run")
      w.element("span", text: "▼ worse, ▲ better: p < 0.01 against the nights before, unadjusted")
    }
    let marks = view.marks
    guard !marks.isEmpty else { return }
    w.element(
      "p", .class("key"),
      text: "▼ " + marks.suffix(12).map { VisibleText.line($0.label) }.joined(separator: " · "))
  }
}
