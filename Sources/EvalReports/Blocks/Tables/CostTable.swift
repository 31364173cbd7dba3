import EvalRecords
import EvalStatistics

/// The time or the tokens of a suite, in the baseline and in this run.
struct SuiteCost {
  let name: String
  let scope: String
  let before: Double
  let after: Double
  let change: RatioChange
  /// The values night by night, ending with this run, or an empty array if there is no history.
  let nights: [Double?]
  let text: (Double) -> String
  /// Whether the cost depends on what else the machine does, so that a change says nothing about
  /// the suite.
  let isTime: Bool

  /// The verdict on the change, or `nil` for times.
  var verdict: ComparisonVerdict? {
    isTime ? nil : change.low > 0 ? .regressed : change.high < 0 ? .improved : .ok
  }
  /// Whether the tokens clearly changed.
  var hasMoved: Bool { verdict == .regressed || verdict == .improved }

  /// The costs of the judged suites.
  static func all(in document: ReportDocument) -> [SuiteCost] {
    var costs: [SuiteCost] = []
    let time: (Double) -> String = { NumberText.duration($0) }
    let tokens: (Double) -> String = { NumberText.fixed($0, 0) + "\u{A0}tok" }
    for slice in document.judgedSlices {
      guard let before = document.before(slice.key), before.duration.count > 0 else { continue }
      func add(
        _ name: String, _ quantiles: KeyPath<SliceSummary, Quantiles>,
        _ value: KeyPath<Quantiles, Double>, _ range: KeyPath<Quantiles, ClosedRange<Double>>,
        _ cost: KeyPath<HistoryEntry.Slice, Double>, isTime: Bool = false
      ) {
        let (old, new) = (before[keyPath: quantiles], slice[keyPath: quantiles])
        guard
          let change = RatioChange(
            from: (old[keyPath: value], old[keyPath: range]),
            to: (new[keyPath: value], new[keyPath: range]))
        else { return }
        costs.append(
          SuiteCost(
            name: name, scope: slice.name, before: old[keyPath: value],
            after: new[keyPath: value], change: change,
            nights: document.nights?.cost(cost, slice.key) ?? [],
            text: isTime ? time : tokens,
            isTime: isTime))
      }
      add("Latency p50", \.duration, \.p50, \.medianRange, \.medianSeconds, isTime: true)
      add("Latency p95", \.duration, \.p95, \.p95Range, \.p95Seconds, isTime: true)
      add("Output tokens p50", \.tokens, \.p50, \.medianRange, \.medianTokens)
      add("Prompt tokens p50", \.promptTokens, \.p50, \.medianRange, \.medianPromptTokens)
    }
    return costs
  }
}

extension ReportTable {
  /// The changes of time and tokens.
  ///
  /// `limit` is the largest change that the drawings show.
  static func costs(
    _ caption: String, _ costs: [SuiteCost], limit: Double, _ nights: NightView?
  ) -> ReportTable {
    let span = NumberText.fixed(limit * 100, 0)
    let columns: [Column] = [
      Column("cost", .name), Column("suite"), Column("baseline", .number),
      Column("this run", .number), Column("change, −\(span)…+\(span)\u{A0}%", .picture),
      Column("change, %", .number), Column("verdict"),
    ]
    var table = ReportTable(caption: caption, columns: columns + nightColumn(nights))
    table.rows = costs.map { cost -> Row in
      var cells: [Cell] = [
        Cell(.text(cost.name), target: "latency"), Cell(.text(cost.scope), .quiet),
        Cell(.number(cost.before, cost.text(cost.before)), .quiet),
        Cell(.number(cost.after, cost.text(cost.after)), .main),
        Cell(.unknown) { w in
          IntervalPlots.change(
            cost.change.value, low: cost.change.low, high: cost.change.high, limit: limit,
            verdict: cost.verdict ?? .ok, to: &w)
        }, Cell(.ratio(cost.change)), .verdict(cost.verdict),
      ]
      if let nights {
        cells.append(
          Cell(.unknown) { w in
            Sparkline.write(
              costs: cost.nights, events: nights.marks.map(\.place),
              isBad: cost.verdict == .regressed, width: 110, to: &w)
          })
      }
      return Row(cells: cells)
    }
    return table
  }
}
