import EvalFindings
import EvalRecords
import EvalStatistics

/// The section on suites, with their rates, intervals and gates.
struct SuitesSection: PageSection {
  let document: ReportDocument
  let id = "suites"
  let title = "Suites"

  let rows: CaseRows

  var isEmpty: Bool { false }

  func write(to w: inout HTMLWriter) {
    let slices = document.summary.slices
    let lowest =
      slices.filter { $0.tally.attempts > 0 }
      .flatMap {
        [$0.share.low, document.before($0.key)?.share.low ?? 1, $0.gate?.neededRate ?? 1]
      }
      .min() ?? 0
    let scale = PlotScale.shares(from: lowest, start: 4, end: document.nights == nil ? 190 : 112)
    let marks =
      document.hasBaseline
      ? "The open circle is the baseline, the filled circle is this run, and the dashed line is "
        + "the gate. The axis covers \(scale.spanText)."
      : "The dashed line is the gate. The axis covers \(scale.spanText)."
    w.section(
      id, title, lede: marks + " A test case is flaky if it has both passes and failures."
    ) { w in
      w.table(
        .suites(document, scale: scale, target: { rows.target($0) }), class: "natural tight flow")
      if slices.isEmpty {
        w.note("The run has no suites.")
      }
    }
  }
}
