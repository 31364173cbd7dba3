import EvalFindings
import EvalRecords
import EvalStatistics

extension ReportTable {
  /// The mutations or edits of a lab, with those that answer its question first.
  ///
  /// If the lab tried all edits together, that trial is the first row.
  static func lab(_ lab: LabSummary) -> ReportTable {
    let question = lab.result.question
    let isCulprit = question == .culprit
    let together = lab.together.map { [(row: $0, isTogether: true)] } ?? []
    return ReportTable(
      isCulprit ? "Edits, with those to blame first" : "Mutations, survivors first",
      together + lab.rows.map { ($0, false) },
      isWorse: { row, isTogether in
        isTogether ? row.trial.alone?.verdict == .regressed : row.fate == .answer
      }
    ) { table in
      table.column(isCulprit ? "edit" : "mutation", .name) { .text($0.row.trial.title) }
      table.cells("result") { row, isTogether in
        isTogether
          ? .init(.unknown, .quiet)
          : .init(
            .text(row.words(question)), row.fate == .answer ? .bad : .quiet, style: "nowrap")
      }
      table.column("pass rate, pp", .number) {
        $0.row.trial.alone?.passRate.map {
          .change($0.change, low: $0.changeLow, high: $0.changeHigh)
        } ?? .unknown
      }
      table.column(isCulprit ? "effect" : "noticed", .text, .quiet) { row, _ in
        .text(
          row.trial.obstacle ?? (isCulprit ? LabWords.words(row.trial.alone) : row.noticedWords))
      }
      guard isCulprit else { return }
      table.column("effect of the other edits", .text, .quiet) {
        $0.row.trial.without.map { .text(LabWords.words($0)) } ?? .unknown
      }
    }
  }
}
