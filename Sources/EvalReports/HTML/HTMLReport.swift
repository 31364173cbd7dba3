import EvalFindings
import EvalRecords
import EvalStatistics
import StructuredText

/// One page of HTML with everything about a run.
///
/// The page loads nothing, opens from `file://`, and works with scripts and styles off. Its
/// content-security policy allows only its own style sheet and script.
public enum HTMLReport {
  /// Renders a document.
  ///
  /// - Parameter document: The document to render.
  /// - Returns: The text of the page.
  /// - Complexity: O(n) in the number of attempts.
  public static func render(_ document: ReportDocument) -> String {
    let page = HTMLPage(document)
    let headline = document.headline
    let isGood = headline.state == .passed || headline.state == .improved
    return PageFrame(
      title: page.title, mood: headline.isBad ? .bad : isGood ? .good : .neutral,
      script: .reportScript
    ).page { w in page.body(to: &w) }
  }
}

/// The body of the page: the navigation, the first screen, the sections, and the method.
struct HTMLPage {
  let document: ReportDocument
  private let sections: [any PageSection]

  init(_ document: ReportDocument) {
    self.document = document
    // If the run compares variants, put the comparison before the scorecard, otherwise after it.
    let comparesVariants = document.comparisons.contains {
      $0.baselineVariant != nil && $0.baselineVariant?.id != $0.candidateVariant?.id
    }
    let first: [any PageSection] = [
      ComparisonSection(document: document), ScorecardSection(document: document),
    ]
    let rows = CaseRows(document.summary)
    let all: [any PageSection] =
      [LabSection(document: document)] + (comparesVariants ? first : first.reversed()) + [
        ChangesSection(document), SuitesSection(document: document, rows: rows),
        VariantsSection(document: document), ModelsSection(document, rows),
        NightsSection(
          view: document.nights, rows: rows,
          changed: Set(document.changes.lazy.filter { $0.direction != .same }.map(\.address))),
        CasesSection(document: document, rows: rows), LengthsSection(document: document),
        BranchesSection(document: document), DecisionsSection(document: document),
        GuidesSection(document: document), FailuresSection(document: document),
        MetricsSection(document), LatencySection(document: document), TimeSection(document),
        AttemptsSection(document: document),
      ]
    sections = all.filter { !$0.isEmpty }
  }

  private var name: String {
    document.run.label.isEmpty
      ? "Run \(document.run.id)" : "\(VisibleText.line(document.run.label)) \(document.run.id)"
  }

  /// The page's title: the state, the run and the pass rate.
  var title: String {
    let headline = document.headline
    let passing = Share(document.summary.tally.passed, of: document.summary.tally.attempts)
    return "\(headline.glyph) \(headline.word) · \(name) · \(passing.percent) of "
      + "\(NumberText.count(passing.count, "attempt")) \(passing.count == 1 ? "passes" : "pass")"
  }

  func body(to w: inout HTMLWriter) {
    w.bar("report", name, sections, hasKeys: true)
    w.element("main", .id("main"), .init("tabindex", "-1")) { w in
      HeadSection(document: document).write(to: &w)
      for section in sections { section.write(to: &w) }
    }
    w.newline()
    MethodSection(document: document).write(to: &w)
    KeysDialog.write(to: &w)
    AttemptsSection.panel(to: &w)
    w.data(id: "facts", json: Array(document.facts(tables: w.facts).compactText.utf8))
    AttemptColumns(document: document).write(to: &w)
    w.newline()
    w.asset("script", PageAsset.reportScript)
  }
}

/// One section of the page.
protocol PageSection {
  /// The URL fragment that links to the section.
  var id: String { get }
  /// The text of the section's link in the navigation, usually the same as the heading.
  var title: String { get }
  /// Whether the section is empty; the page leaves out empty sections.
  var isEmpty: Bool { get }

  func write(to w: inout HTMLWriter)
}
