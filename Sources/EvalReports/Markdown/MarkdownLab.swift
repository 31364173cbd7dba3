import EvalRecords
import EvalStatistics

/// Writes the section on a lab in Markdown.
enum MarkdownLab {
  /// The table of mutations or edits; empty if no lab made the run.
  ///
  /// If the lab tried all edits together, that trial is the first row. Survivors, or the edits that
  /// cause the change, come next.
  static func text(_ document: ReportDocument) -> String {
    guard let lab = document.lab else { return "" }
    let question = lab.result.question
    let rows = lab.rows.map { row -> [String] in
      let bold = row.fate == .answer ? "**" : ""
      return [
        "\(bold)\(MarkdownText.escaped(row.trial.title, limit: 120))\(bold)",
        MarkdownText.escaped(row.words(question)), row.change,
        MarkdownText.escaped(row.trial.obstacle ?? row.noticedWords, limit: 160),
      ]
    }
    let together = lab.together.map { row -> [String] in
      [
        row.trial.title, "–", row.change,
        MarkdownText.escaped(row.trial.alone?.verdict.words ?? ""),
      ]
    }
    return "#### Lab\n\n"
      + MarkdownText.table(
        header: [
          question == .survivors ? "mutation" : "edit", "result", "pass rate, pp", "noticed",
        ], alignment: "llrl",
        rows: [together].compactMap(\.self) + rows) + "\n"
  }
}
