import EvalFindings
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
    let newest = view.history.entries.last(where: \.isMeasured)
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
      w.table(table)
      w.leftOut(rows.count - Self.maximumRows, "tag", "not listed")
    }
  }

  private var table: ReportTable {
    func known(_ row: Row) -> [Share] { row.values.compactMap(\.self) }
    return ReportTable("Pass rates by tag", Array(rows.prefix(Self.maximumRows))) { table in
      table.column("tag", .name) { .text($0.tag) }
      table.column("test cases", .number, .quiet) { .count($0.cases) }
      table.column("newest", .number, .main) { known($0).last.map { .share($0) } ?? .unknown }
      table.column("95 % CI", .number, .faint) { known($0).last.map { .interval($0) } ?? .unknown }
      table.column("night before", .number, .quiet) {
        .text(known($0).dropLast().last?.percent ?? "–")
      }
      table.picture("by night") { row, w in
        Sparkline.write(row.values, events: [], isBad: row.rise < -0.05, width: 220, to: &w)
      }
    }
  }
}
