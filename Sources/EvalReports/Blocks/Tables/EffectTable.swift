import EvalFindings
import EvalRecords

extension ReportTable {
  /// The effects of a comparison.
  ///
  /// All tables of a comparison share one scale.
  static func effects(
    _ caption: String, _ effects: [EffectRecord], of record: ComparisonRecord
  ) -> ReportTable {
    let limit = IntervalPlots.limit(of: record.effects.flatMap { [$0.changeLow, $0.changeHigh] })
    let hasScopes = Set(record.effects.map(\.place)).count > 1
    return ReportTable(caption, effects, isWorse: { $0.verdict == .regressed }) { table in
      table.cells("quantity", .name) { effect in
        let notes = [hasScopes ? effect.scope : "", effect.note]
        return .init(
          .text(effect.title), note: notes.filter { !$0.isEmpty }.joined(separator: " · "))
      }
      table.column("suite", on: hasScopes ? [.markdown, .terminal] : []) { .text($0.scope) }
      table.column("baseline", .number, .quiet) { .estimate($0.baseline) }
      table.cells("candidate", .number) {
        .init(.estimate($0.candidate), $0.verdict == .regressed ? .bad : .main)
      }
      table.picture(changeTitle(limit)) { IntervalPlots.change($0, limit: limit, to: &$1) }
      table.column("change, pp", .number) {
        .change($0.change, low: $0.changeLow, high: $0.changeHigh)
      }
      table.column("p", .number, .quiet, on: [.page]) { .p($0.pValue) }
      table.column("p (adjusted)", .number) { .p($0.adjustedP ?? $0.pValue) }
      table.cells("verdict") { .verdict($0.verdict, words: $0.verdictWords) }
    }
  }

  /// The title of a column of drawings: `change, −8…+8 pp`.
  ///
  /// `limit` is the largest change that the drawings show.
  static func changeTitle(
    _ limit: Double, _ name: String = "change", unit: String = " pp"
  ) -> String {
    let span = NumberText.fixed(limit * 100, 0)
    return "\(name), −\(span)…+\(span)\(unit)"
  }
}

extension IntervalPlots {
  /// Draws the change of an effect.
  static func change(_ effect: EffectRecord, limit: Double, to w: inout HTMLWriter) {
    change(
      effect.change, low: effect.changeLow, high: effect.changeHigh, limit: limit,
      verdict: effect.verdict, to: &w)
  }
}
