import EvalRecords
import EvalStatistics
import StructuredText
import Testing

@testable import EvalFindings
@testable import EvalReports

/// Reports of runs whose properties, test cases and assertions have unusual names.
///
/// A name changes words, but nothing else: every report must have the same parts as the report of
/// the same run with plain names.
@Suite("Hostile names in reports")
struct HostileNameTests {
  // A pair of backticks marks code, and so does change a page.
  static let names = [
    "my cards", "it's", #"so "called""#, "Größe", "2nd", "😀", "$", "a.b", "[0]", "*", "a']['b",
    #"back\slash"#, "new\nline", "|pipe|", "`tick", "<b>", "e\u{301}", " ", "__proto__", "true",
  ]

  /// A nightly run that regressed, compared with an earlier run.
  private func document(_ cards: String, _ mark: String) -> ReportDocument {
    let earlier = SyntheticRun(
      id: 213, casesPerSuite: 8, repeats: 6, emptyShare: 0.02, cards: cards, mark: mark)
    let run = SyntheticRun(
      casesPerSuite: 8, repeats: 6, emptyShare: 0.4, cards: cards, mark: mark)
    let selection = ComparisonSelection(suite: "flashcards", variant: "default")
    let record = Comparison.compare(
      baseline: ComparisonSide(
        run: earlier.record, attempts: earlier.attempts, selection: selection),
      candidate: ComparisonSide(run: run.record, attempts: run.attempts, selection: selection))
    return ReportDocument(
      run: run.record, attempts: run.attempts, gates: run.gates,
      comparisons: [ReportComparison(record)], baseline: (earlier.record, earlier.attempts),
      history: SyntheticHistory(run: run).history)
  }

  /// The names and classes of a page's elements, in order.
  private func structure(_ document: ReportDocument) throws -> [String] {
    try PageCheck.check(HTMLReport.render(document), hasScript: true).tags.map {
      "\($0.name) \($0.attribute("class") ?? "")"
    }
  }

  /// The elements of a JUnit file, in order.
  private func elements(_ document: ReportDocument) throws -> [String] {
    func names(_ element: ParsedXML.Element) -> [String] {
      [element.name] + element.children.flatMap(names)
    }
    return names(try #require(ParsedXML(JUnitReport.render(document)).root))
  }

  /// The number of cells in each row of a Markdown report.
  private func cells(_ document: ReportDocument) -> [Int] {
    MarkdownReport.render(document).split(separator: "\n").filter { $0.hasPrefix("|") }.map {
      $0.replacing("\\|", with: "").count { $0 == "|" }
    }
  }

  @Test("a name changes no part of a report, and no number", arguments: names)
  func sameParts(name: String) throws {
    let (plain, named) = (document("cards", ""), document(name, " " + name))
    #expect(named.headline.state == plain.headline.state)
    func causes(_ document: ReportDocument) -> [[Int]] {
      let list = document.causeList(20)
      return [
        list.news.map(\.cause.failed), list.known.map(\.cause.failed), list.rest.map(\.failed),
      ]
    }
    #expect(causes(named) == causes(plain))
    func numbers(_ document: ReportDocument) -> [String] {
      document.comparisons.flatMap(\.record.effects).map {
        "\($0.baseline.value) \($0.candidate.value) \($0.verdict) \($0.pValue ?? -1)"
      }
    }
    #expect(numbers(named) == numbers(plain))
    #expect(try structure(named) == structure(plain))
    #expect(try elements(named) == elements(plain))
    #expect(cells(named) == cells(plain))
  }

  @Test("an array in a failed answer is marked, whatever its name", arguments: names)
  func marked(name: String) {
    let run = SyntheticRun(cards: name)
    let output = "{\(JSONWriter.quoted(name)): [1, 2], \"other\": 3}"
    let found = JSONSpans.find([run.cardsPlace], in: output)
    #expect(found.map { String(decoding: Array(output.utf8)[$0], as: UTF8.self) } == ["[1, 2]"])
  }
}
