import EvalFindings
import EvalRecords

/// The processor time of each phase, and the width of batches over time, if the run was profiled.
struct TimeSection: PageSection {
  let id = "time"
  let title = "Time"
  private let profile: TimeProfile?

  init(_ document: ReportDocument) { profile = document.run.details.wholeProfile }

  var isEmpty: Bool { profile.map { ReportTable.time($0).rows.isEmpty } ?? true }

  func write(to w: inout HTMLWriter) {
    guard let profile else { return }
    w.section(id, "Where the time went") { w in
      w.table(.time(profile), class: "")
      w.note(
        "\(NumberText.fixed(profile.total, 2)) seconds of processor time, on all threads "
          + "together. The model evaluates prompts, answers and alternatives in the same steps, so "
          + "its time is split in proportion to their tokens. Loading models and writing reports "
          + "are not included.")
      if let widths = profile.widths { WidthPlot.write(widths, to: &w) }
    }
  }
}
