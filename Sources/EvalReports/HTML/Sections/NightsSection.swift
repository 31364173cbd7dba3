/// Cases × nights: tonight beside the nights before, with what was edited between them.
struct NightsSection: PageSection {
  let document: ReportDocument
  let id = "nights"
  let title = "Cases × nights"
  private let view: NightView?

  /// The most nights that are drawn.
  static let limit = 30

  init(_ document: ReportDocument) {
    self.document = document
    view = document.nights
  }

  var isEmpty: Bool { view.map { CaseGrid($0).isEmpty || $0.history.entries.count < 2 } ?? true }

  func write(to w: inout HTMLWriter) {
    guard let view else { return }
    w.section(
      id, title,
      lede: "Each cell is one case on one night: the number of its attempts that did not pass, "
        + "blank is none. This run on the right."
    ) { w in
      let titles = Dictionary(
        document.summary.slices.map { slice in
          (
            slice.key,
            Dictionary(
              slice.cases.map { ($0.id, $0.title) }, uniquingKeysWith: { first, _ in first })
          )
        }, uniquingKeysWith: { first, _ in first })
      let cases = CasesSection(document)
      CaseGrid(view, title: { titles[$0]?[$1] }, target: cases.target).write(to: &w)
    }
  }
}
