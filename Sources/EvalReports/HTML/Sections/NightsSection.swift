import EvalFindings
import EvalRecords

/// The grid of test cases by night: this run and the nights before it, with the edits between
/// them.
struct NightsSection: PageSection {
  let id = "nights"
  let title = "Test cases by night"
  let view: NightView?
  let rows: CaseRows
  /// The test cases that changed against the baseline, by their addresses.
  let changed: Set<String>

  var isEmpty: Bool { view.map { CaseGrid.isEmpty($0) || $0.history.entries.count < 2 } ?? true }

  func write(to w: inout HTMLWriter) {
    guard let view else { return }
    w.section(
      id, title,
      lede: "Each cell shows how many attempts at one test case failed on one night; a shaded cell "
        + "without a number means none. This run is on the right. Click a name to see the repeats "
        + "of a test case."
    ) { w in
      CaseGrid(view, link: { key, id in rows.target(key, id).map { .fragment($0) } }) { key, id in
        changed.contains(CaseAddress.text(key, id, isOnly: view.name(key) == key.suite))
      }.write(to: &w)
    }
  }
}
