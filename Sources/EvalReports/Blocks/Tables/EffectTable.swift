import EvalRecords

extension ReportTable {
  /// The effects of a comparison.
  ///
  /// All tables of a comparison share one scale.
  static func effects(
    _ caption: String, _ effects: [EffectRecord], of record: ComparisonRecord
  ) -> ReportTable {
    let limit = IntervalPlots.limit(of: record.effects.flatMap { [$0.changeLow, $0.changeHigh] })
    let span = NumberText.fixed(limit * 100, 0)
    let hasScopes = Set(record.effects.map(\.place)).count > 1
    var table = ReportTable(
      caption: caption,
      columns: [
        Column("quantity", .name), Column("suite", on: hasScopes ? [.markdown, .terminal] : []),
        Column("baseline", .number), Column("candidate", .number),
        Column("change, −\(span)…+\(span) pp", .picture), Column("change, pp", .number),
        Column("p", .number, on: [.page]), Column("p (adjusted)", .number), Column("verdict"),
      ])
    table.rows = effects.map { effect in
      let isWorse = effect.verdict == .regressed
      return Row(
        cells: [
          Cell(
            .text(effect.title),
            note: [hasScopes ? effect.scope : "", effect.note].filter { !$0.isEmpty }
              .joined(separator: " · ")),
          Cell(.text(effect.scope)), Cell(.estimate(effect.baseline), .quiet),
          Cell(.estimate(effect.candidate), isWorse ? .bad : .main), .change(effect, limit),
          Cell(.change(effect.change, low: effect.changeLow, high: effect.changeHigh)),
          Cell(.p(effect.pValue), .quiet), Cell(.p(effect.adjustedP ?? effect.pValue)),
          .verdict(effect.verdict, words: effect.verdictWords),
        ], isWorse: isWorse)
    }
    return table
  }
}

extension ReportTable.Cell {
  /// The drawing of a change.
  ///
  /// `limit` is the largest change that the column's drawings show.
  static func change(_ effect: EffectRecord, _ limit: Double) -> ReportTable.Cell {
    Self(.unknown) { w in
      IntervalPlots.change(
        effect.change, low: effect.changeLow, high: effect.changeHigh, limit: limit,
        verdict: effect.verdict, to: &w)
    }
  }
}
