import EvalRecords
import EvalStatistics

extension ReportTable {
  /// The mutations or edits of a lab, with those that answer its question first.
  ///
  /// If the lab tried all edits together, that trial is the first row.
  static func lab(_ lab: LabSummary) -> ReportTable {
    let question = lab.result.question
    let isCulprit = question == .culprit
    var columns: [Column] = [
      Column(isCulprit ? "edit" : "mutation", .name), Column("result"),
      Column("pass rate, pp", .number), Column(isCulprit ? "effect" : "noticed"),
    ]
    if isCulprit { columns.append(Column("effect of the other edits")) }
    var table = ReportTable(
      caption: isCulprit ? "Edits, with those to blame first" : "Mutations, survivors first",
      columns: columns)
    func add(
      _ row: LabSummary.Row, _ result: Cell, _ effect: String, others: String, isWorse: Bool
    ) {
      var cells: [Cell] = [Cell(.text(row.trial.title)), result]
      if let rate = row.trial.alone?.passRate {
        cells.append(Cell(.change(rate.change, low: rate.changeLow, high: rate.changeHigh)))
      } else {
        cells.append(Cell(.unknown))
      }
      cells.append(Cell(.text(effect), .quiet))
      if isCulprit { cells.append(Cell(others.isEmpty ? .unknown : .text(others), .quiet)) }
      table.rows.append(Row(cells: cells, isWorse: isWorse))
    }
    if let together = lab.together, let finding = together.trial.alone {
      add(
        together, Cell(.unknown, .quiet), LabReport.words(finding), others: "",
        isWorse: finding.verdict == .regressed)
    }
    for row in lab.rows {
      let isAnswer = row.fate == .answer
      add(
        row, Cell(.text(row.words(question)), isAnswer ? .bad : .quiet, isUnbroken: true),
        row.trial.obstacle ?? (isCulprit ? LabReport.words(row.trial.alone) : row.noticedWords),
        others: LabReport.words(row.trial.without), isWorse: isAnswer)
    }
    return table
  }
}
