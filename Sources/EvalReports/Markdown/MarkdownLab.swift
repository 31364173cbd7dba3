import EvalRecords
import EvalStatistics

/// Writes the section on a lab in Markdown.
enum MarkdownLab {
  /// The table of mutations or edits, or an empty string if the run isn't from a lab.
  ///
  /// If the lab tried all edits together, that trial is the first row. Survivors, or the edits that
  /// cause the change, come next.
  static func text(_ document: ReportDocument) -> String {
    guard let lab = document.lab else { return "" }
    let question = lab.result.question
    let isCulprit = question == .culprit
    let rows = lab.rows.map { row -> [String] in
      let bold = row.fate == .answer ? "**" : ""
      return [
        "\(bold)\(MarkdownText.escaped(row.trial.title, limit: 120))\(bold)",
        MarkdownText.escaped(row.words(question)), row.change,
        MarkdownText.escaped(
          row.trial.obstacle
            ?? (isCulprit ? LabReport.words(row.trial.alone) : row.noticedWords), limit: 200),
      ] + (isCulprit ? [MarkdownText.escaped(LabReport.words(row.trial.without))] : [])
    }
    let together = lab.together.map { row -> [String] in
      [
        row.trial.title, "–", row.change,
        MarkdownText.escaped(LabReport.words(row.trial.alone)),
      ] + (isCulprit ? ["–"] : [])
    }
    return "#### Lab\n\n"
      + MarkdownText.table(
        header: [
          isCulprit ? "edit" : "mutation", "result", "pass rate, pp",
          isCulprit ? "effect" : "noticed",
        ] + (isCulprit ? ["effect of the other edits"] : []),
        alignment: isCulprit ? "llrll" : "llrl",
        rows: [together].compactMap(\.self) + rows) + "\n"
  }
}
