import EvalFindings
import EvalRecords
import EvalStatistics

extension ReportTable {
  /// The rates of a run that nothing was compared with.
  static func rates(_ rows: [RateRow], _ nights: NightView?) -> ReportTable {
    let scale = PlotScale(low: 0, high: 1, start: 4, end: 244)
    let isBad = { (row: RateRow) in row.isBad && !row.higherIsBetter }
    return ReportTable("Rates of this run", rows, isWorse: isBad) { table in
      table.cells("rate", .name) { .init(.text($0.name), target: $0.target) }
      table.column("suite", .text, .quiet) { .text($0.scope) }
      table.cells("share", .number) { .init(.share($0.now), isBad($0) ? .bad : .main) }
      table.column("95 % CI", .number, .faint) { .interval($0.now) }
      table.picture("0–100\u{A0}%") { row, w in
        IntervalPlots.share(
          row.now, baseline: nil, needed: nil, isBad: isBad(row), scale: scale, to: &w)
      }
      guard let nights else { return }
      table.picture(nights.title) { nights.draw($0, isBad: isBad($0), to: &$1) }
    }
  }

  /// The rates of the baseline and of this run, and effects that aren't among the rates.
  ///
  /// A row that no comparison tested has no p-value and no verdict. `limit` is the largest change
  /// that the drawings show.
  static func rates(
    _ caption: String, _ changes: [RateChange], _ moved: [EffectRecord], limit: Double,
    _ nights: NightView?
  ) -> ReportTable {
    enum Line {
      case rate(RateChange)
      case moved(EffectRecord)

      var change: RateChange? { if case .rate(let change) = self { change } else { nil } }
      var effect: EffectRecord? {
        switch self {
        case .rate(let change): change.effect
        case .moved(let effect): effect
        }
      }
      var isWorse: Bool { effect?.verdict.news == .bad }
    }
    let lines = changes.map { Line.rate($0) } + moved.map { .moved($0) }
    return ReportTable(caption, lines, isWorse: \.isWorse) { table in
      table.cells("rate", .name) { line in
        switch line {
        case .rate(let rate):
          .init(.text(rate.name), note: rate.remark, target: rate.row.target)
        case .moved(let effect): .init(.text(effect.title), target: "comparison")
        }
      }
      table.column("suite", .text, .quiet) { line in
        .text(line.change?.row.scope ?? line.effect?.scope ?? "")
      }
      table.column("baseline", .number, .quiet) { line in
        line.effect.map { .estimate($0.baseline) } ?? line.change?.before.map { .share($0) }
          ?? .unknown
      }
      table.cells("this run", .number) { line in
        .init(
          line.effect.map { .estimate($0.candidate) } ?? line.change.map { .share($0.now) }
            ?? .unknown, line.isWorse ? .bad : .main)
      }
      table.picture(changeTitle(limit)) { line, w in
        if let effect = line.effect {
          IntervalPlots.change(effect, limit: limit, to: &w)
        } else if let share = line.change?.share {
          IntervalPlots.change(
            share.change, low: share.low, high: share.high, limit: limit, verdict: .inconclusive,
            to: &w)
        }
      }
      table.column("change, pp", .number) { line in
        line.effect.map { .change($0.change, low: $0.changeLow, high: $0.changeHigh) }
          ?? line.change?.share.map { .change($0.change, low: $0.low, high: $0.high) } ?? .unknown
      }
      table.column(EffectMethod.Adjustment.heading, .number) { line in
        line.effect.map { .p($0.adjustedP ?? $0.pValue) } ?? .unknown
      }
      table.cells("verdict") { .verdict($0.effect?.verdict) }
      guard let nights else { return }
      table.picture(nights.title) { line, w in
        // The history counts attempts, so it has no nights of a measured probability.
        guard let change = line.change, change.effect?.evidence != .measured else { return }
        nights.draw(change.row, isBad: line.isWorse, to: &w)
      }
    }
  }
}

extension NightView {
  /// The title of a column of drawings, one for each night: `30 nights`.
  var title: String { NumberText.count(places.count, "night") }

  /// Draws a rate over the nights.
  fileprivate func draw(_ row: RateRow, isBad: Bool, to w: inout HTMLWriter) {
    Sparkline.write(
      values { row.share(in: $0) }, events: marks(for: row.slice).map(\.place), isBad: isBad,
      width: 110, to: &w)
  }
}
