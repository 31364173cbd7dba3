import EvalRecords
import EvalStatistics

extension ReportTable {
  /// The rates of a run that nothing was compared with.
  static func rates(_ rows: [RateRow], _ nights: NightView?) -> ReportTable {
    let scale = PlotScale(low: 0, high: 1, start: 4, end: 244)
    let columns: [Column] = [
      Column("rate", .name), Column("suite"), Column("share", .number),
      Column("95 % CI", .number), Column("0–100\u{A0}%", .picture),
    ]
    var table = ReportTable(
      caption: "Rates of this run", columns: columns + nightColumn(nights))
    table.rows = rows.map { row in
      let isBad = row.isBad && !row.higherIsBetter
      let cells: [Cell] = [
        Cell(.text(row.name), target: row.target), Cell(.text(row.scope), .quiet),
        Cell(.share(row.now), isBad ? .bad : .main), Cell(.interval(row.now), .faint),
        Cell(.unknown) { w in
          IntervalPlots.share(
            row.now, baseline: nil, needed: nil, isBad: isBad, scale: scale, to: &w)
        },
      ]
      return Row(cells: cells + trend(row, nights, isBad: isBad), isWorse: isBad)
    }
    return table
  }

  /// The rates of the baseline and of this run, and effects that aren't among the rates.
  ///
  /// `limit` is the largest change that the drawings show.
  static func rates(
    _ caption: String, _ changes: [RateChange], _ moved: [EffectRecord], limit: Double,
    _ document: ReportDocument
  ) -> ReportTable {
    let span = NumberText.fixed(limit * 100, 0)
    let nights = document.nights
    let columns: [Column] = [
      Column("rate", .name), Column("suite"), Column("baseline", .number),
      Column("this run", .number), Column("change, −\(span)…+\(span) pp", .picture),
      Column("change, pp", .number), Column(EffectMethod.Adjustment.heading, .number),
      Column("verdict"),
    ]
    var table = ReportTable(caption: caption, columns: columns + nightColumn(nights))
    func tested(_ name: Cell, _ scope: String, _ effect: EffectRecord, _ trend: [Cell]) -> Row {
      let isWorse = effect.verdict.className == "bad"
      let cells: [Cell] = [
        name, Cell(.text(scope), .quiet), Cell(.estimate(effect.baseline), .quiet),
        Cell(.estimate(effect.candidate), isWorse ? .bad : .main), .change(effect, limit),
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

  /// The column of the drawings of the nights, if there are any.
  static func nightColumn(_ nights: NightView?) -> [Column] {
    nights.map { [Column(NumberText.count($0.places.count, "night"), .picture)] } ?? []
  }

  private static func trend(_ row: RateRow, _ nights: NightView?, isBad: Bool) -> [Cell] {
    guard let nights else { return [] }
    return [
      Cell(.unknown) { w in
        Sparkline.write(
          nights.values { row.share(in: $0) },
          events: nights.marks(for: row.slice).map(\.place), isBad: isBad, width: 110, to: &w)
      }
    ]
  }
}
