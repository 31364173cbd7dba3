import EvalRecords

/// The rows of a table that shows only a few suites, and the rows that it leaves out.
///
/// Rows with a finding come first, and a row of a real model before one of the stub. A suite has a
/// row for each finding or, without a finding, only one.
package struct FewSuites<Row> {
  /// The rows to show.
  package private(set) var shown: [Row] = []
  /// The numbers of other rows, by what the run says about their suites.
  package private(set) var others: [SuiteStanding: Int] = [:]

  private static var maximumSuites: Int { 6 }
  private static var maximumRows: Int { 12 }

  /// Chooses some of the given rows, which are in order.
  package init(
    _ rows: [Row], suite: (Row) -> String, standing: (Row) -> SuiteStanding,
    isStub: (Row) -> Bool
  ) {
    func hasFinding(_ row: Row) -> Bool { standing(row) == .failed }
    let ordered = rows.enumerated().sorted { left, right in
      func rank(_ row: Row) -> Int { (hasFinding(row) ? 0 : 2) + (isStub(row) ? 1 : 0) }
      return (rank(left.element), left.offset) < (rank(right.element), right.offset)
    }.map(\.element)
    var suites: Set<String> = []
    for row in ordered {
      let isKnown = suites.contains(suite(row))
      if shown.count < Self.maximumRows,
        isKnown ? hasFinding(row) : suites.count < Self.maximumSuites
      {
        suites.insert(suite(row))
        shown.append(row)
      } else {
        others[standing(row), default: 0] += 1
      }
    }
  }
}

extension FewSuites<SliceSummary> {
  /// The suites at the head of a report: those that the figures there summarize.
  package init(_ document: ReportDocument) {
    let changes = SuiteChanges(document)
    let judged = Set(document.judgedSlices.map(\.key))
    let stubs = Set(document.run.backends.filter(\.isStub).map(\.id))
    self.init(
      changes.worstFirst(document).filter { judged.contains($0.key) && $0.tally.attempts > 0 },
      suite: \.key.suite,
      standing: { slice in
        SuiteStanding(
          changes.verdict(slice.key),
          isReached: document.isMissed(slice) ? false : slice.gate?.isPassed == true ? true : nil)
      }, isStub: { stubs.contains($0.key.backend) })
  }
}
