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
              higherIsBetter: true, size: (258, 120), scale: scale,
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
      w.table(
        "Stable periods",
        [.init("suite"), .init("newest run against the baseline"), .init("periods")]
      ) { w in
        for key in view.worstFirst(after: newest).prefix(Self.maximumRows) {
          row(key, newest, to: &w)
        }
      }
      w.leftOut(view.keys.count - Self.maximumRows, "suite", "not listed")
    }
  }

  private func row(_ key: SliceKey, _ newest: HistoryEntry?, to w: inout HTMLWriter) {
    let stretches = view.stretches(key)
    let slice = newest?.slice(key)
    let isWorse = slice?.verdict == .regressed
    guard !stretches.isEmpty || isWorse else { return }
    w.element("tr", .class(isWorse ? "worse" : "")) { w in
      w.rowHeader(view.name(key), class: "nowrap")
      w.element("td", .class("nowrap")) { w in w.outcome(of: slice) }
      w.element("td") { w in
        if stretches.count > 12 {
          w.element(
            "span", .class("stretch faint"),
            text: NumberText.count(
              stretches.count - 12, "earlier period"))
        }
        for (stretch, first, last) in stretches.suffix(12) {
          let names = [view.axis.names[first], view.axis.names[last]]
          w.element("span", .class("stretch")) { w in
            w.element(
              "span", .class("faint"), text: first == last ? names[0] : names.joined(separator: "–")
            )
            w.text(" ")
            w.element("b", text: stretch.share.percent)
            w.text(" ")
            w.element("span", .class("faint"), text: "[\(stretch.share.interval)]")
            if stretch.direction != 0, !stretch.isOver {
              w.text(" ")
              w.element(
                "span", .class("faint"), text: stretch.direction < 0 ? "↓ lower" : "↑ higher")
            }
          }
          w.text(" ")
        }
      }
    }
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
          guard series.count < 400,
            seen.insert(Seen(key: slice.key, quantity: quantity)).inserted
          else { continue }
          series.append(
            Series(
              quantity: quantity, key: slice.key, values: view.measure(quantity, slice.key)))
        }
      }
    }
    let telling = series.filter(\.isTelling).enumerated().sorted { left, right in
      (right.element.worsening, left.offset) < (left.element.worsening, right.offset)
    }.map(\.element)
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
