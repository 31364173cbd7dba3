import EvalFindings
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
      guard let before = document.before(slice.key) else { continue }
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
    ReportTable(caption, costs) { table in
      table.cells("cost", .name) { .init(.text($0.name), target: "latency") }
      table.column("suite", .text, .quiet) { .text($0.scope) }
      table.column("baseline", .number, .quiet) { .number($0.before, $0.text($0.before)) }
      table.column("this run", .number, .main) { .number($0.after, $0.text($0.after)) }
      table.picture(changeTitle(limit, unit: "\u{A0}%")) { cost, w in
        IntervalPlots.change(
          cost.change.value, low: cost.change.low, high: cost.change.high, limit: limit,
          verdict: cost.verdict ?? .ok, to: &w)
      }
      table.column("change, %", .number) { .ratio($0.change) }
      table.cells("verdict") { .verdict($0.verdict) }
      guard let nights else { return }
      table.picture(nights.title) { cost, w in
        Sparkline.write(
          costs: cost.nights, events: nights.marks.map(\.place),
          isBad: cost.verdict == .regressed, width: 110, to: &w)
      }
    }
  }
}
