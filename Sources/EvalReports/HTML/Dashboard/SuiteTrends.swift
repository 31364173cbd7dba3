import EvalFindings
import EvalRecords
import EvalStatistics

/// The rates of the worst suites, drawn on one scale, and the stable periods of all suites.
struct SuiteTrends: PageSection {
  let view: NightView
  let id = "suites"
  let title = "Suites"

  /// The maximum number of suites with a plot.
  ///
  /// The table lists more suites.
  private static let maximumPlots = 16
  private static let maximumRows = 200

  var isEmpty: Bool { view.keys.isEmpty }

  func write(to w: inout HTMLWriter) {
    let keys = Array(view.worstFirst.prefix(Self.maximumPlots))
    let series = keys.map { ($0, view.passing($0)) }.filter { $0.1.contains { $0 != nil } }
    let scale = RateScale(series.flatMap { $0.1.compactMap { $0 } })
    w.section(id, title) { w in
      w.element("div", .class("multiples")) { w in
        for (key, values) in series {
          let cases = view.history.entries.last { $0.slice(key) != nil }?.slice(key)?.cases.count
          w.figure(
            VisibleText.line(view.name(key)), ", \(NumberText.count(cases ?? 0, "test case"))"
          ) { w in
            NightPlot(
              values: values, names: view.dates, events: view.marks(for: key),
              modelChanges: view.modelChanges(of: key), higherIsBetter: true, size: (258, 120),
              scale: scale,
              spoken: NightPlot.spoken(view.name(key), values, view.names)
            ).write(to: &w)
          }
        }
      }
      w.leftOut(view.keys.count - Self.maximumPlots, "suite", "not drawn; the plots show the worst")
      w.element("h3", text: "Stable periods")
      w.element(
        "p", .class("lede"),
        text:
          "Each period pools the nights between two changes of the rate, over the test cases that "
          + "all nights have. A new period starts when the rate shifts by more than its normal "
          + "variation from night to night.")
      let newest = view.history.entries.last
      w.table(periods(view.worstFirst(after: newest), newest))
      w.leftOut(view.keys.count - Self.maximumRows, "suite", "not listed")
    }
  }

  private func periods(_ keys: [SliceKey], _ newest: HistoryEntry?) -> ReportTable {
    func isWorse(_ key: SliceKey) -> Bool { newest?.slice(key)?.verdict == .regressed }
    let rows = keys.prefix(Self.maximumRows).filter { !view.stretches($0).isEmpty || isWorse($0) }
    return ReportTable("Stable periods", rows, isWorse: isWorse) { table in
      table.column("suite", .name, style: "nowrap") { .text(view.name($0)) }
      table.cells("newest run against the baseline") { key in
        .init(.unknown, style: "nowrap") { $0.outcome(of: newest?.slice(key)) }
      }
      table.cells("periods") { key in
        .init(.unknown) { w in
          let stretches = view.stretches(key)
          if stretches.count > 12 {
            let more = NumberText.count(stretches.count - 12, "earlier period")
            w.element("span", .class("stretch faint"), text: more)
          }
          for stretch in stretches.suffix(12) { write(stretch, to: &w) }
        }
      }
    }
  }

  private func write(_ period: NightView.Stretch, to w: inout HTMLWriter) {
    let (first, last) = (view.axis.names[period.first], view.axis.names[period.last])
    w.element("span", .class("stretch")) { w in
      w.element(
        "span", .class("faint"), text: period.first == period.last ? first : "\(first)–\(last)")
      w.text(" ")
      w.element("b", text: period.stretch.share.percent)
      w.text(" ")
      w.element("span", .class("faint"), text: "[\(period.stretch.share.interval)]")
      if period.stretch.direction != 0, !period.stretch.isOver {
        w.text(" ")
        w.element(
          "span", .class("faint"), text: period.stretch.direction < 0 ? "↓ lower" : "↑ higher")
      }
    }
    w.text(" ")
  }
}

/// Empty arrays, wrong branches and the recall of fallback cases over time.
struct QualityTrends: PageSection {
  let view: NightView
  let id = "quality"
  let title = "Quality"

  private struct Series {
    let quantity: Quantity
    let key: SliceKey
    let values: [Share?]

    /// The amount by which the newest rate is worse than the pooled rate of the earlier nights.
    ///
    /// The value is negative if the rate improved. If there are no earlier nights, their rate
    /// counts as 0.
    var worsening: Double {
      guard let newest = values.compactMap(\.self).last else { return -1 }
      let change = NightPlot.rise(values) ?? newest.value
      return quantity.isGoodInReports ? -change : change
    }

    /// Whether the rate was less than perfect on any night; the page shows only such rates.
    var isTelling: Bool {
      values.contains { share in
        share.map { quantity.isGoodInReports ? $0.hits < $0.count : $0.hits > 0 } ?? false
      }
    }
  }

  private static let maximumPlots = 9
  private let series: [Series]
  private let leftOut: Int

  init(_ view: NightView) {
    self.view = view
    var series: [Series] = []
    struct Seen: Hashable {
      var key: SliceKey
      var quantity: Quantity
    }
    var seen: Set<Seen> = []
    for entry in view.history.entries.suffix(2).reversed() {
      for slice in entry.judged {
        for quantity in slice.measures.map(\.quantity) {
          if case .arrayLength = quantity { continue }
          guard seen.insert(Seen(key: slice.key, quantity: quantity)).inserted else { continue }
          series.append(
            Series(
              quantity: quantity, key: slice.key, values: view.measure(quantity, slice.key)))
        }
      }
    }
    let telling = series.filter(\.isTelling).sorted { $0.worsening > $1.worsening }
    self.series = Array(telling.prefix(Self.maximumPlots))
    leftOut = telling.count - self.series.count
  }

  var isEmpty: Bool { series.isEmpty }

  func write(to w: inout HTMLWriter) {
    w.section(id, title) { w in
      w.element("div", .class("multiples three")) { w in
        for item in series {
          let name = name(item)
          w.figure(name, ", % in \(VisibleText.line(view.name(item.key)))") { w in
            NightPlot(
              values: item.values, names: view.dates, events: view.marks(for: item.key),
              modelChanges: view.modelChanges(of: item.key),
              higherIsBetter: item.quantity.isGoodInReports, size: (288, 128),
              scale: RateScale(item.values.compactMap { $0 }),
              spoken: NightPlot.spoken(name, item.values, view.names)
            ).write(to: &w)
          }
        }
      }
      w.leftOut(leftOut, "rate", "not drawn; the plots show those that worsened most")
    }
  }

  private func name(_ series: Series) -> String {
    let name =
      switch series.quantity {
      case .emptyArray(let path): "Empty arrays \(path)"
      case .missingArray(let path): "Missing arrays \(path)"
      case .wrongBranch(let path): "Wrong branch at \(path)"
      case .missedBranch(let branch, let path): "Recall of \(path) \(branch)"
      case .arrayLength(let path): "Array length \(path)"
      case .shortArray(let minimum, let path): "Fewer than \(minimum) at \(path)"
      case .failedAssertion(let name, _): "Failures of \(name)"
      case .passRate: "Passing"
      case .validOutput: "Valid output"
      }
    return VisibleText.line(name)
  }
}
