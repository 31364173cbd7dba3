import EvalFindings
import EvalRecords
import EvalStatistics

/// The lab's mutations or edits, each with the changed texts.
///
/// The mutations or edits that answer the lab's question come first.
struct LabSection: PageSection {
  let document: ReportDocument
  let id = "lab"
  let title = "Lab"

  var isEmpty: Bool { document.lab == nil }

  func write(to w: inout HTMLWriter) {
    guard let lab = document.lab else { return }
    let isSurvivors = lab.result.question == .survivors
    let lede =
      isSurvivors
      ? "For each mutation, the lab damaged one guide and ran the suite again. The texts are below."
      : "For each edit, the lab ran the suite with this edit alone. The edits are below."
    w.section(id, title, lede: lede) { w in
      w.table(.lab(lab), class: "natural flow")
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
      w.note(
        "Each row is compared with \(VisibleText.line(lab.result.base)) on the same test cases "
          + "and seeds, \(lab.result.levelWords). Changes up to "
          + "\(NumberText.fixed(lab.result.margin * 100, 0)) pp don’t count.")
    }
  }
}
