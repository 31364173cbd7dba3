import EvalRecords

/// The section on the cost of each suite's attempts, night by night: time and tokens.
///
/// The section shows, for example, that a suite is faster only because its answers became shorter,
/// or that a longer guide made every attempt cost more.
struct CostTrends: PageSection {
  let view: NightView
  let id = "costs"
  let title = "Costs"

  private static let limit = 60
  private static let maximumRows = 40

  private let costs: [(title: String, value: KeyPath<HistoryEntry.Slice, Double>)] = [
    ("latency p50", \.medianSeconds), ("latency p95", \.p95Seconds),
    ("output tokens p50", \.medianTokens), ("prompt tokens p50", \.medianPromptTokens),
  ]

  init(_ view: NightView) { self.view = NightView(view, limit: Self.limit) }

  /// The suites with measured costs.
  private var keys: [SliceKey] {
    view.keys.filter { key in
      costs.contains { cost in view.cost(cost.value, key).contains { $0 != nil } }
    }
  }

  var isEmpty: Bool { keys.isEmpty }

  func write(to w: inout HTMLWriter) {
    let keys = keys
    w.section(
      id, title,
      lede: "Each cell shows the cost of an attempt on the newest night and, below it, the "
        + "lowest and the highest cost of all nights shown. Shorter answers are faster, so check "
        + "the quality above first."
    ) { w in
      w.table(
        "Time and tokens per attempt, by suite",
        [TableColumn("suite")]
          + costs.flatMap { [.number($0.title), TableColumn("\($0.title), by night").silent] },
        class: "natural tight"
      ) { w in
        for key in keys.prefix(Self.maximumRows) { row(key, to: &w) }
      }
      w.leftOut(keys.count - Self.maximumRows, "suite", "not listed")
    }
  }

  /// Returns a range in words, in which a shared unit appears only once: `372–400 ms`.
  private static func range(_ low: String, _ high: String) -> String {
    let parts = [low, high].map { $0.split(separator: "\u{A0}") }
    let isShort = parts.allSatisfy { $0.count == 2 } && parts[0].last == parts[1].last
    return "\(isShort ? String(parts[0][0]) : low)–\(high)"
  }

  private func row(_ key: SliceKey, to w: inout HTMLWriter) {
    w.element("tr") { w in
      w.rowHeader(view.name(key), class: "nowrap")
      for (number, cost) in costs.enumerated() {
        let values = view.cost(cost.value, key)
        let known = values.compactMap { $0 }
        let text = number < 2 ? NumberText.duration : { NumberText.fixed($0, 0) }
        w.element("td", .class("number main")) { w in
          guard let newest = known.last, let low = known.min(), let high = known.max() else {
            return w.text("–")
          }
          w.text(text(newest))
          guard text(low) != text(high) else { return }
          w.element("span", .class("below"), text: Self.range(text(low), text(high)))
        }
        w.element("td") { w in
          Sparkline.write(
            costs: values, events: view.marks(for: key).map(\.place), isBad: false, width: 100,
            to: &w)
        }
      }
    }
  }
}
