import EvalRecords
import EvalStatistics

/// The lab's mutations or edits, each with the changed texts.
///
/// The mutations or edits that answer the lab's question come first.
struct LabSection: PageSection {
  let document: ReportDocument
  let id = "lab"
  let title = "Lab"

  init(_ document: ReportDocument) { self.document = document }

  var isEmpty: Bool { document.lab == nil }

  func write(to w: inout HTMLWriter) {
    guard let lab = document.lab else { return }
    let isSurvivors = lab.result.question == .survivors
    let lede =
      isSurvivors
      ? "For each mutation, the lab damaged one guide and ran the suite again. The texts are below."
      : "For each edit, the lab ran the suite with this edit alone. The edits are below."
    w.section(id, title, lede: lede) { w in
      let columns: [TableColumn] =
        [
          TableColumn(isSurvivors ? "mutation" : "edit"), TableColumn("result"),
          .number("pass rate, pp"), TableColumn(isSurvivors ? "noticed" : "effect"),
        ] + (isSurvivors ? [] : [TableColumn("effect of the other edits")])
      w.table(
        isSurvivors ? "Mutations, survivors first" : "Edits, with those to blame first", columns,
        class: "natural flow"
      ) { w in
        if let together = lab.together, let verdict = together.trial.alone?.verdict {
          w.element("tr", .class(verdict == .regressed ? "worse" : "")) { w in
            w.rowHeader(together.trial.title)
            w.cell("–", "quiet")
            w.cell(together.change, "number", label: "pass rate, pp")
            w.element("td") { w in
              w.tag(verdict)
              w.text(" " + LabReport.mostTelling(together.trial.alone))
            }
            if !isSurvivors { w.cell("–", "quiet") }
          }
        }
        for row in lab.rows { write(row, lab.result.question, to: &w) }
      }
      for row in lab.rows where !row.edits.isEmpty {
        w.element("details", row.fate == .answer ? .init("open", nil) : nil) { w in
          w.element("summary") { w in
            w.element("b", text: VisibleText.line(row.trial.title))
            w.element(
              "span", .class(row.fate == .answer ? "bad" : "faint"),
              text: " " + row.words(lab.result.question))
          }
          w.element("div", .class("drill")) { w in
            GuidesSection.write(row.edits, before: lab.result.base, after: "changed", to: &w)
          }
        }
      }
      w.element(
        "p", .class("note"),
        text:
          "Each row is compared with \(VisibleText.line(lab.result.base)) on the same test cases "
          + "and seeds, \(lab.result.levelWords). Changes up to "
          + "\(NumberText.fixed(lab.result.margin * 100, 0)) pp don’t count.")
    }
  }

  private func write(
    _ row: LabSummary.Row, _ question: LabResult.Question, to w: inout HTMLWriter
  ) {
    w.element("tr", .class(row.fate == .answer ? "worse" : "")) { w in
      w.rowHeader(row.trial.title)
      w.cell(row.words(question), row.fate == .answer ? "bad nowrap" : "quiet nowrap")
      w.cell(row.change, "number", label: "pass rate, pp")
      let words =
        switch question {
        case .culprit: LabReport.words(row.trial.alone)
        case .survivors: row.noticedWords
        }
      w.cell(row.trial.obstacle.map { VisibleText.line($0) } ?? words, "quiet")
      if question == .culprit {
        let without = LabReport.words(row.trial.without)
        w.cell(without.isEmpty ? "–" : without, "quiet", label: "effect of the other edits")
      }
    }
  }
}
