import EvalRecords
import EvalStatistics

/// The pass rate of the test cases with each tag, by night.
struct TagTrends: PageSection {
  let view: NightView
  let id = "tags"
  let title = "Tags"

  private struct Row {
    let tag: String
    let cases: Int
    let values: [Share?]
    /// The newest rate minus the rate of the nights before it.
    let rise: Double

    init(_ tag: String, _ cases: Int, _ values: [Share?]) {
      (self.tag, self.cases, self.values) = (tag, cases, values)
      rise = NightPlot.rise(values) ?? 0
    }
  }

  private static let limit = 60
  private static let maximumRows = 20
  private let rows: [Row]

  init(_ view: NightView) {
    self.view = NightView(view, limit: Self.limit)
    let newest = view.history.entries.last { !$0.slices.isEmpty }
    var members: [String: [SliceKey: Set<String>]] = [:]
    for slice in newest?.judged ?? [] {
      for item in slice.cases {
        for tag in item.tags { members[tag, default: [:]][slice.key, default: []].insert(item.id) }
      }
    }
    let own = self.view
    rows = members.sorted { $0.key < $1.key }.map { tag, cases in
      let values = own.values { entry in
        Share(
          pooling: entry.slices.compactMap { slice in
            slice.isPart ? nil : cases[slice.key].map { slice.share(of: $0) }
          })
      }
      return Row(tag, cases.values.reduce(0) { $0 + $1.count }, values)
    }.sorted { $0.rise < $1.rise }
  }

  var isEmpty: Bool { rows.isEmpty }

  func write(to w: inout HTMLWriter) {
    w.section(
      id, title,
      lede: "The pass rate of the test cases with each tag; those that fell most come first."
    ) { w in
      w.table(
        "Pass rates by tag",
        [
          .init("tag"), .number("test cases"), .number("newest"), .number("95 % CI"),
          .number("night before"), .init("by night"),
        ]
      ) { w in
        for row in rows.prefix(Self.maximumRows) { write(row, to: &w) }
      }
      w.leftOut(rows.count - Self.maximumRows, "tag", "not listed")
    }
  }

  private func write(_ row: Row, to w: inout HTMLWriter) {
    let known = row.values.compactMap { $0 }
    w.element("tr") { w in
      w.rowHeader(row.tag)
      w.cell(NumberText.grouped(row.cases), "number quiet")
      if let newest = known.last { w.share(newest, "main") } else { w.cell("–", "number") }
      w.cell(known.last?.interval ?? "–", "number faint")
      w.cell(known.dropLast().last?.percent ?? "–", "number quiet")
      w.element("td") { w in
        Sparkline.write(row.values, events: [], isBad: row.rise < -0.05, width: 220, to: &w)
      }
    }
  }
}
