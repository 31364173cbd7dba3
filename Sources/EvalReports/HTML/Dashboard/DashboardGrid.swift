import EvalFindings
import EvalRecords
import EvalStatistics

/// The grid of test cases by night, with more nights than in a report, and the panel of a test
/// case.
///
/// Without scripts, the grid shows the test cases with the largest changes. With scripts, it shows
/// all of them, which ``CaseFacts`` holds, and the buttons and the filter choose some.
struct DashboardGrid: PageSection {
  let id = "cases"
  let title = "Test cases by night"
  private let view: NightView
  private let results: (Int) -> [UInt8]?

  private static let limit = 60

  init(_ view: NightView, results: @escaping (Int) -> [UInt8]? = { _ in nil }) {
    self.view = NightView(view, limit: Self.limit)
    self.results = results
  }

  var isEmpty: Bool { CaseGrid.isEmpty(view) }

  func write(to w: inout HTMLWriter) {
    let grid = CaseGrid(view, link: links)
    let facts = CaseFacts(grid, view, results)
    w.section(
      id, title,
      lede: "Each cell shows how many attempts at one test case failed on one night; a shaded cell "
        + "without a number means none. The newest run is on the right."
        + (view.history.linked.isEmpty ? "" : " A cell opens that night’s report at the test case.")
    ) { w in
      w.element("div", .class("controls js"), .hidden) { w in
        w.element("label", .init("for", "q"), text: "Find")
        w.void(
          "input", .id("q"), .init("type", "search"), .init("autocomplete", "off"),
          .init("spellcheck", "false"),
          .init("placeholder", "suite:recipes tag:short octopus !lecture"),
          .init("aria-describedby", "shown"))
        w.element(
          "span", .id("shown"), .init("role", "status"), .class("quiet"),
          .init("data-total", "\(facts.cases)"), text: "")
        w.element("button", .init("type", "button"), .id("csv"), text: "CSV of these")
      }
      states(of: grid, to: &w)
      w.note(facts.extent)
      grid.write(to: &w)
      w.element("p", .class("js"), .hidden) { w in
        w.element("button", .init("type", "button"), .id("more"), text: "Show more")
      }
      w.element(
        "dialog", .id("case"), .init("aria-labelledby", "case-name")
      ) { w in
        w.element("h3", .id("case-name"), text: "Test case")
        w.element("div", .id("case-body"), text: "")
        w.element("form", .init("method", "dialog")) { w in w.element("button", text: "Close") }
      }
    }
    facts.write(to: &w)
  }

  /// Writes how many test cases are in each state, as buttons that filter the grid.
  private func states(of grid: CaseGrid, to w: inout HTMLWriter) {
    let counts = grid.suites.flatMap(\.rows).reduce(into: [GridRow.State: Int]()) {
      $0[$1.state, default: 0] += 1
    }
    w.element("p", .class("note filters")) { w in
      for (number, state) in GridRow.State.allCases.enumerated() {
        if number > 0 { w.text(" · ") }
        w.element(
          "button", .init("type", "button"), .init("data-state", state.rawValue),
          .init("aria-pressed", "false"),
          text: "\(NumberText.grouped(counts[state] ?? 0)) \(state.word)")
      }
    }
    let definitions = GridRow.State.allCases.map { "\($0.word): \($0.definition)" }
    w.note(definitions.joined(separator: "; ") + ".")
  }

  /// A function that links to a suite or a test case in the newest report with results.
  ///
  /// The function returns `nil` if that report isn't next to the dashboard, or if its run doesn't
  /// have the suite.
  private var links: (SliceKey, String?) -> HTMLAttribute? {
    guard let entry = view.history.entries.last(where: { !$0.slices.isEmpty }),
      view.history.linked.contains(entry.identity)
    else { return { _, _ in nil } }
    var tables: [SliceKey: (number: Int, places: [String: Int])] = [:]
    for (number, slice) in entry.slices.enumerated() where tables[slice.key] == nil {
      let places = Dictionary(first: slice.cases.enumerated().map { ($1.id, $0) })
      tables[slice.key] = (number, places)
    }
    return { key, caseID in
      tables[key].map { table in
        let place = caseID.flatMap { table.places[$0] }
        return .report(
          of: entry, "report.html", CaseRows.fragment(slice: table.number, place: place))
      }
    }
  }
}
