import EvalRecords
import Foundation
import Testing

@testable import EvalFindings
@testable import EvalReports

/// Writes pages with ordinary, hostile and empty data into a folder, for `scripts/check/pages`.
@Suite(
  "Page gallery",
  .enabled(
    if: ProcessInfo.processInfo.environment["ASSAY_PAGES"] != nil, "ASSAY_PAGES is not set"))
struct PageGalleryTests {
  private var folder: String { ProcessInfo.processInfo.environment["ASSAY_PAGES"] ?? "" }

  private func write(_ name: String, _ text: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
  }

  /// Writes the page, the JUnit file and the Markdown summary of a document.
  private func write(_ name: String, _ document: ReportDocument) throws {
    try write("\(name).html", HTMLReport.render(document))
    try write("\(name).xml", JUnitReport.render(document))
    try write("\(name).md", MarkdownReport.render(document))
  }

  @Test("the gallery has the pages of ordinary runs")
  func ordinary() throws {
    var earlier = SyntheticRun(id: 213, casesPerSuite: 20)
    earlier.emptyShare = 0.002
    earlier.confusedShare = 0.03
    earlier.hasFullGuide = true
    earlier.seed = 7
    let run = SyntheticRun(casesPerSuite: 20)
    let history = SyntheticHistory(run: run).history
    let document = ReportDocument(
      run: run.record, attempts: run.attempts, gates: run.gates,
      baseline: (earlier.record, earlier.attempts), history: history)
    try write("report", document)
    try write("report-plain", SyntheticRun(casesPerSuite: 12, repeats: 5).document)
    try write("report-comparison", SyntheticRun.comparison)
    var two = SyntheticRun(casesPerSuite: 8, repeats: 5)
    two.backends = [SyntheticRun.toy, SyntheticRun.stub]
    try write("report-models", two.document)
    var three = SyntheticRun(casesPerSuite: 20, repeats: 1)
    let other = BackendRecord(
      id: "other", model: "another model", engine: "none", isDeterministic: true)
    three.backends = [SyntheticRun.toy, SyntheticRun.stub, other]
    try write("report-three-models", three.document)
    let whole = history.adding(HistoryEntry(document, exitStatus: 1)).linking { _ in true }
    try write("dashboard.html", Dashboard.render(whole))
    try write("badge.svg", Badge.render(whole))
  }

  @Test("the gallery has pages with a year of nights and with five thousand test cases")
  func large() throws {
    let year = SyntheticHistory(nights: 365, run: SyntheticRun(casesPerSuite: 12, repeats: 5))
    try write("dashboard-year.html", Dashboard.render(year.history.linking { _ in true }))
    var wide = SyntheticRun(casesPerSuite: 1000, repeats: 2)
    wide.keepsTraces = false
    let history = SyntheticHistory(nights: 10, run: wide).history
    try write(
      "report-wide",
      ReportDocument(
        run: wide.record, attempts: wide.attempts, gates: wide.gates, history: history))
    try write("dashboard-wide.html", Dashboard.render(history))
  }

  @Test("the gallery has pages with hostile texts and with texts of about a megabyte")
  func hostile() throws {
    let variants = HostileRun.record.suites.map { $0.variants[0] }
    let comparison = ReportComparison(
      HostileRun.comparison, baselineVariant: variants[0], candidateVariant: variants[1])
    try write(
      "report-hostile",
      ReportDocument(
        run: HostileRun.record, attempts: HostileRun.attempts, comparisons: [comparison],
        baseline: (HostileRun.record, HostileRun.attempts), history: HostileRun.history))
    try write("dashboard-hostile.html", Dashboard.render(HostileRun.history.linking { _ in true }))
    let run = SyntheticRun(casesPerSuite: 2, repeats: 2)
    var attempts = run.attempts
    for index in attempts.indices {
      let text = String(repeating: "<é\u{202E}>", count: 150_000)
      attempts[index].outcome = .fail
      attempts[index].output = text
      attempts[index].renderedPrompt = text
      attempts[index].verdicts = [
        VerdictRecord(
          assertion: text, type: "matches", path: text, verdict: .fail, expected: text,
          actual: text)
      ]
    }
    try write("report-long", ReportDocument(run: run.record, attempts: attempts))
  }

  @Test("the gallery has the pages of runs with little or no data")
  func sparse() throws {
    var run = SyntheticRun(casesPerSuite: 3, repeats: 2)
    var attempts = run.attempts
    func document(_ record: RunRecord, _ attempts: [AttemptRecord]) -> ReportDocument {
      ReportDocument(run: record, attempts: attempts)
    }
    for index in attempts.indices { attempts[index].outcome = .pass }
    try write("report-passing", document(run.record, attempts))
    for index in attempts.indices { attempts[index].outcome = .fail }
    try write("report-failing", document(run.record, attempts))
    var record = run.record
    record.status = .interrupted
    try write("report-interrupted", document(record, Array(run.attempts.prefix(7))))
    (record.suites, record.backends) = ([], [])
    try write("report-nothing", document(record, []))
    run.casesPerSuite = 0
    try write("report-no-cases", document(run.record, []))
    run.casesPerSuite = 1
    run.repeats = 1
    try write("report-one", run.document)
    try write("dashboard-empty.html", Dashboard.render(RunHistory()))
    let one = SyntheticHistory(nights: 1, run: SyntheticRun(casesPerSuite: 1)).history
    try write("dashboard-one.html", Dashboard.render(one))
  }
}
