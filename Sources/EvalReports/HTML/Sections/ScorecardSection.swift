import EvalRecords
import EvalStatistics

/// The most telling rates of the judged suites, and the changes in the suites' time and tokens.
struct ScorecardSection: PageSection {
  let document: ReportDocument
  let id = "scorecard"
  let title = "Scorecard"

  private let nights: NightView?

  init(_ document: ReportDocument) {
    self.document = document
    nights = document.nights
  }

  var isEmpty: Bool { document.summary.tally.attempts == 0 }

  private static let maximumRows = 40

  func write(to w: inout HTMLWriter) {
    let rows = Array(document.ratesWorstFirst.prefix(Self.maximumRows))
    let hasBaseline = document.hasBaseline
    w.section(
      id, title,
      lede: hasBaseline
        ? "The changes since the baseline, with the comparison’s verdicts."
        : "Every rate with its count and its 95\u{A0}% interval."
    ) { w in
      if hasBaseline {
        writeChanges(rows, to: &w)
        writeCosts(to: &w)
      } else {
        writeRates(rows, to: &w)
      }
    }
  }

  private func writeRates(_ rows: [RateRow], to w: inout HTMLWriter) {
    let scale = PlotScale(low: 0, high: 1, start: 4, end: 244)
    w.table(
      "Rates of this run",
      [
        TableColumn("rate"), TableColumn("suite"), .number("counted"), .number("share"),
        .number("95 % CI"), TableColumn("0–100\u{A0}%"),
      ] + trendColumn, class: "natural flow"
    ) { w in
      for row in rows {
        w.element("tr", .class(row.isBad && !row.higherIsBetter ? "worse" : "")) { w in
          w.rowHeader(row.name, target: row.target)
          w.cell(row.scope, "quiet")
          w.cell(row.now.counts, "number quiet")
          w.cell(row.now.percent, "number main" + (row.isBad && !row.higherIsBetter ? " bad" : ""))
          w.cell(row.now.interval, "number faint", label: "95 % CI")
          w.element("td") { w in
            IntervalPlots.share(
              row.now, baseline: nil, needed: nil, isBad: row.isBad && !row.higherIsBetter,
              scale: scale, to: &w)
          }
          trend(row, isBad: row.isBad && !row.higherIsBetter, to: &w)
        }
      }
    }
  }

  /// The heading of the sparklines, if there is a history.
  private var trendColumn: [TableColumn] {
    nights.map { [TableColumn(NumberText.count($0.places.count, "night"))] } ?? []
  }

  private func trend(_ row: RateRow, isBad: Bool, to w: inout HTMLWriter) {
    guard let nights else { return }
    let values = nights.values { row.share(in: $0) }
    w.element("td") { w in
      Sparkline.write(
        values, events: nights.marks(for: row.slice).map(\.place), isBad: isBad, width: 110, to: &w)
    }
  }

  private func writeChanges(_ rows: [RateRow], to w: inout HTMLWriter) {
    let changes = rows.map { RateChange($0, in: document) }
    let moved = document.movedEffects(notIn: rows).prefix(Self.maximumRows)
    let limit = IntervalPlots.limit(
      of: changes.compactMap(\.interval).flatMap { [$0.low, $0.high] }
        + moved.flatMap { [$0.changeLow, $0.changeHigh] })
    let span = NumberText.fixed(limit * 100, 0)
    w.table(
      "Rates of the baseline and of this run",
      [
        TableColumn("rate"), TableColumn("suite"), .number("baseline"), .number("this run"),
        TableColumn("change, −\(span)…+\(span) pp"), .number("pp, 95 % CI"),
        .number(EffectMethod.Adjustment.heading),
        TableColumn("verdict"),
      ] + trendColumn, class: "natural tight flow"
    ) { w in
      for change in changes { write(change, limit: limit, to: &w) }
      for effect in moved { write(effect, limit: limit, to: &w) }
    }
    w.element(
      "p", .class("note"),
      text:
        "A row with a verdict shows the numbers that the comparison tested. If they aren’t those "
        + "of all attempts, the line below says what all attempts show.")
  }

  private func write(_ change: RateChange, limit: Double, to w: inout HTMLWriter) {
    let row = change.row
    if let effect = change.effect {
      let isWorse = effect.verdict.className == "bad"
      w.element("tr", .class(isWorse ? "worse" : "")) { w in
        w.rowHeader(
          change.name, class: "nowrap", note: change.remark, target: row.target)
        w.cell(row.scope, "quiet nowrap")
        w.cell(Self.percent(effect.baseline), "number quiet", label: "baseline")
        w.element(
          "td", .class("number main" + (isWorse ? " bad" : "")), .label("this run")
        ) { w in
          w.text(Self.percent(effect.candidate))
          w.element("span", .class("below"), text: Self.counts(effect.candidate))
        }
        w.changeCells(effect, limit: limit)
        w.cell(
          NumberText.pValue(effect.adjustedP ?? effect.pValue), "number",
          label: EffectMethod.Adjustment.heading)
        w.element("td") { w in w.tag(effect.verdict) }
        if effect.evidence == .counted {
          trend(row, isBad: isWorse, to: &w)
        } else if nights != nil {
          w.cell("")
        }
      }
      return
    }
    w.element("tr") { w in
      w.rowHeader(change.name, class: "nowrap", note: change.remark, target: row.target)
      w.cell(row.scope, "quiet nowrap")
      w.cell(change.before?.percent ?? "–", "number quiet", label: "baseline")
      w.share(change.now, "main", label: "this run")
      w.element("td") { w in
        guard let share = change.share else { return }
        IntervalPlots.change(
          share.change, low: share.low, high: share.high, limit: limit, verdict: .inconclusive,
          to: &w)
      }
      w.element("td", .class("number"), .label("change, pp")) { w in
        guard let share = change.share else { return w.text("–") }
        w.text(NumberText.points(share.change) + " ")
        w.element("span", .class("faint"), text: share.interval)
      }
      // No comparison tests this rate.
      w.cell("–", "number", label: EffectMethod.Adjustment.heading)
      w.element("td") { w in
        // The verdict is that of a suite, not that of the pooled rate.
        guard let place = row.judgedPlace(in: document.sliceFindings) else { return w.text("–") }
        w.tag(place.verdict)
        w.element("span", .class("faint"), text: place.words)
      }
      trend(row, isBad: false, to: &w)
    }
  }

  private static func percent(_ estimate: EstimateRecord) -> String {
    estimate.hits.map { NumberText.rate($0, of: estimate.count) }
      ?? NumberText.percent(estimate.value)
  }

  private static func counts(_ estimate: EstimateRecord) -> String {
    estimate.hits.map { Share($0, of: estimate.count).ratio }
      ?? NumberText.count(estimate.count, "test case")
  }

  /// Writes a row for a comparison's effect that isn't among the rates.
  private func write(_ effect: EffectRecord, limit: Double, to w: inout HTMLWriter) {
    let verdict = effect.verdict
    let isWorse = effect.verdict == .regressed
    w.element("tr", .class(isWorse ? "worse" : "")) { w in
      w.rowHeader(effect.title, target: "comparison")
      w.cell(effect.scope, "quiet")
      w.cell(NumberText.percent(effect.baseline.value), "number quiet", label: "baseline")
      w.cell(
        NumberText.percent(effect.candidate.value), "number main" + (isWorse ? " bad" : ""),
        label: "this run")
      w.changeCells(effect, limit: limit)
      w.cell(
        NumberText.pValue(effect.adjustedP ?? effect.pValue), "number",
        label: EffectMethod.Adjustment.heading)
      w.element("td") { w in w.tag(verdict) }
      if nights != nil { w.cell("") }
    }
  }

  // MARK: Cost

  private struct Cost {
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
    var hasMoved: Bool { verdict == .regressed || verdict == .improved }
  }

  private static let maximumCosts = 24

  /// Writes how time and tokens changed since the baseline.
  private func writeCosts(to w: inout HTMLWriter) {
    var costs: [Cost] = []
    for slice in document.judgedSlices {
      guard let before = document.before(slice.key), before.duration.count > 0 else { continue }
      func add(
        _ name: String, _ old: Quantiles, _ new: Quantiles, _ value: (Quantiles) -> Double,
        _ range: (Quantiles) -> ClosedRange<Double>, _ text: @escaping (Double) -> String,
        _ cost: KeyPath<HistoryEntry.Slice, Double>, isTime: Bool = false
      ) {
        guard
          let change = RatioChange(
            from: (value(old), range(old)), to: (value(new), range(new)))
        else { return }
        costs.append(
          Cost(
            name: name, scope: slice.name, before: value(old), after: value(new), change: change,
            nights: nights?.cost(cost, slice.key) ?? [], text: text, isTime: isTime))
      }
      let tokens = { (value: Double) in NumberText.fixed(value, 0) + "\u{A0}tok" }
      add(
        "Latency p50", before.duration, slice.duration, \.p50, \.medianRange, NumberText.duration,
        \.medianSeconds, isTime: true)
      add(
        "Latency p95", before.duration, slice.duration, \.p95, \.p95Range, NumberText.duration,
        \.p95Seconds, isTime: true)
      add(
        "Output tokens p50", before.tokens, slice.tokens, \.p50, \.medianRange, tokens,
        \.medianTokens)
      add(
        "Prompt tokens p50", before.promptTokens, slice.promptTokens, \.p50, \.medianRange, tokens,
        \.medianPromptTokens)
    }
    guard !costs.isEmpty else { return }
    let limit =
      [0.1, 0.2, 0.3, 0.5, 1].first { limit in
        costs.allSatisfy { abs($0.change.low) <= limit && abs($0.change.high) <= limit }
      } ?? 1
    let span = NumberText.fixed(limit * 100, 0)
    let columns: [TableColumn] =
      [
        TableColumn("cost"), TableColumn("suite"), .number("baseline"), .number("this run"),
        TableColumn("change, −\(span)…+\(span)\u{A0}%"), .number("%, 95 % CI"),
        TableColumn("verdict"),
      ] + trendColumn
    let shown = costs.prefix(Self.maximumCosts)
    let moved = shown.filter(\.hasMoved)
    if !moved.isEmpty {
      w.table(
        "Tokens of the baseline and of this run", columns, class: "natural tight flow"
      ) { w in
        for cost in moved { row(cost, limit: limit, to: &w) }
      }
    }
    if moved.count < shown.count {
      w.element("details") { w in
        let quiet = NumberText.count(shown.count - moved.count, "cost")
        w.element("summary", text: "\(quiet): times, and tokens that did not clearly change")
        w.element("div", .class("drill")) { w in
          w.table(
            "Times, and tokens that did not clearly change", columns, class: "natural tight flow"
          ) { w in
            for cost in shown where !cost.hasMoved { row(cost, limit: limit, to: &w) }
          }
        }
      }
    }
    w.element(
      "p", .class("note"),
      text:
        "The intervals of quantiles come from order statistics, and those of changes are computed "
        + "on a logarithmic scale. Times get no verdict, because they depend on what else the "
        + "machine does. Shorter answers also take less time.")
  }

  private func row(_ cost: Cost, limit: Double, to w: inout HTMLWriter) {
    let change = cost.change
    w.element("tr") { w in
      w.rowHeader(cost.name, target: "latency")
      w.cell(cost.scope, "quiet")
      w.cell(cost.text(cost.before), "number quiet", label: "baseline")
      w.cell(cost.text(cost.after), "number main", label: "this run")
      w.element("td") { w in
        IntervalPlots.change(
          change.value, low: change.low, high: change.high, limit: limit,
          verdict: cost.verdict ?? .ok, to: &w)
      }
      w.element("td", .class("number"), .label("change, %")) { w in
        w.text(NumberText.signed(change.value * 100, 1) + " ")
        w.element(
          "span", .class("faint"),
          text: "[\(NumberText.signed(change.low * 100, 1)), "
            + "\(NumberText.signed(change.high * 100, 1))]")
      }
      w.element("td") { w in
        if let verdict = cost.verdict { w.tag(verdict) } else { w.text("–") }
      }
      if let nights {
        w.element("td") { w in
          Sparkline.write(
            costs: cost.nights, events: nights.marks.map(\.place),
            isBad: cost.verdict == .regressed, width: 110, to: &w)
        }
      }
    }
  }
}
