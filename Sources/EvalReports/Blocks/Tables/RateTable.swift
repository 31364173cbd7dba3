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
  /// `limit` is the largest change that the drawings show.
  static func rates(
    _ caption: String, _ changes: [RateChange], _ moved: [EffectRecord], limit: Double,
    _ document: ReportDocument
  ) -> ReportTable {
    let nights = document.nights
    let columns: [Column] = [
      Column("rate", .name), Column("suite"), Column("baseline", .number),
      Column("this run", .number), Column(changeTitle(limit), .picture),
      Column("change, pp", .number), Column(EffectMethod.Adjustment.heading, .number),
      Column("verdict"),
    ]
    var table = ReportTable(
      caption: caption, columns: columns + (nights.map { [Column($0.title, .picture)] } ?? []))
    func tested(_ name: Cell, _ scope: String, _ effect: EffectRecord, _ trend: [Cell]) -> Row {
      let isWorse = effect.verdict.className == "bad"
      let cells: [Cell] = [
        name, Cell(.text(scope), .quiet), Cell(.estimate(effect.baseline), .quiet),
        Cell(.estimate(effect.candidate), isWorse ? .bad : .main),
        Cell(.unknown) { IntervalPlots.change(effect, limit: limit, to: &$0) },
        Cell(.change(effect.change, low: effect.changeLow, high: effect.changeHigh)),
        Cell(.p(effect.adjustedP ?? effect.pValue)), .verdict(effect.verdict),
      ]
      return Row(cells: cells + trend, isWorse: isWorse)
    }
    let empty: [Cell] = nights == nil ? [] : [Cell(.text(""))]
    table.rows = changes.map { change in
      let name = Cell(.text(change.name), note: change.remark, target: change.row.target)
      guard let effect = change.effect else { return untested(change, name, limit, document) }
      let isWorse = effect.verdict.className == "bad"
      return tested(
        name, change.row.scope, effect,
        effect.evidence == .counted ? trend(change.row, nights, isBad: isWorse) : empty)
    }
    table.rows += moved.map { effect in
      tested(Cell(.text(effect.title), target: "comparison"), effect.scope, effect, empty)
    }
    return table
  }

  /// A rate that no comparison tested; its verdict is that of a suite, if the rate pools suites.
  private static func untested(
    _ change: RateChange, _ name: Cell, _ limit: Double, _ document: ReportDocument
  ) -> Row {
    let place = change.row.judgedPlace(in: document.sliceFindings)
    let cells: [Cell] = [
      name, Cell(.text(change.row.scope), .quiet),
      Cell(change.before.map { ReportValue.share($0) } ?? .unknown, .quiet),
      Cell(.share(change.now), .main),
      Cell(.unknown) { w in
        guard let share = change.share else { return }
        IntervalPlots.change(
          share.change, low: share.low, high: share.high, limit: limit, verdict: .inconclusive,
          to: &w)
      },
      Cell(change.share.map { .change($0.change, low: $0.low, high: $0.high) } ?? .unknown),
      Cell(.unknown), .verdict(place?.verdict, note: place?.words ?? ""),
    ]
    return Row(cells: cells + trend(change.row, document.nights, isBad: false))
  }

  private static func trend(_ row: RateRow, _ nights: NightView?, isBad: Bool) -> [Cell] {
    nights.map { nights in [Cell(.unknown) { nights.draw(row, isBad: isBad, to: &$0) }] } ?? []
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
