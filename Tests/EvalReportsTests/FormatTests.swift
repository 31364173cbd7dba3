import EvalRecords
import EvalStatistics
import Foundation
import StructuredText
import Testing

@testable import EvalFindings
@testable import EvalReports

@Suite("Formats of a report")
struct FormatTests {
  private var hostile: ReportDocument {
    ReportDocument(
      run: HostileRun.record, attempts: HostileRun.attempts,
      baseline: (HostileRun.record, HostileRun.attempts), history: HostileRun.history)
  }

  @Test(
    "a JUnit report that exceeds a limit becomes several files, which contain every test case",
    arguments: JUnitReport.Dialect.allCases)
  func splitFiles(dialect: JUnitReport.Dialect) throws {
    let document = SyntheticRun(casesPerSuite: 12, repeats: 2, keepsTraces: false).document
    func names(_ text: String) throws -> [[String?]] {
      let parsed = ParsedXML(text)
      #expect(parsed.error == nil)
      return try #require(parsed.root).all("testcase").map {
        [$0.attributes["classname"], $0.attributes["name"]]
      }
    }
    let whole = try names(JUnitReport.render(document, dialect: dialect))
    // The run has 60 test cases: twelve in each of five suites.
    let files = JUnitReport.files(document, dialect: dialect, caseLimit: 25)
    #expect(files.map(\.name) == ["junit.xml", "junit-2.xml", "junit-3.xml"])
    let parts = try files.map { try names($0.text) }
    #expect(parts.allSatisfy { $0.count <= 25 } && parts.flatMap { $0 } == whole)
    #expect(Set(whole).count == whole.count)
    let small = JUnitReport.files(document, dialect: dialect, byteLimit: 6000)
    #expect(small.count > 3 && small.allSatisfy { $0.text.utf8.count < 40_000 })
    #expect(JUnitReport.files(document, dialect: dialect).count == 1)
    let empty = SyntheticRun(casesPerSuite: 0).document
    #expect(try names(JUnitReport.files(empty, dialect: dialect)[0].text).isEmpty)
  }

  @Test("each dialect of JUnit has the attributes that its consumers require")
  func dialects() throws {
    let document = SyntheticRun(casesPerSuite: 3, repeats: 2).document
    let gitlab = try #require(ParsedXML(JUnitReport.render(document, dialect: .gitlab)).root)
    #expect(
      gitlab.all("testcase").first?.attributes["file"] == "evals/flashcards/suite.yaml")
    let ant = try #require(ParsedXML(JUnitReport.render(document, dialect: .ant)).root)
    #expect(ant.attributes.isEmpty)
    let suite = try #require(ant.children.first)
    #expect(suite.attributes["hostname"] == "localhost" && suite.attributes["id"] == "0")
    #expect(suite.children.last?.name == "system-err")
    #expect(ant.all("testcase").allSatisfy { $0.all("system-out").isEmpty })
    for dialect in JUnitReport.Dialect.allCases {
      #expect(ParsedXML(JUnitReport.render(hostile, dialect: dialect)).error == nil)
    }
  }

  @Test("there are at most eight annotations, one per line, no matter what the texts contain")
  func annotations() {
    for document in [hostile, SyntheticRun(casesPerSuite: 12, repeats: 5).document] {
      let lines = GitHubAnnotations.render(document).split(
        separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.last == "" && (2...9).contains(lines.count))
      for line in lines.dropLast() {
        #expect(line.hasPrefix("::error ") || line.hasPrefix("::warning "))
        // The properties here are `file` and `title`, separated by commas; their values contain
        // neither commas nor colons.
        let rest = line.drop { $0 != " " }.dropFirst()
        let properties = rest.prefix(
          upTo: rest.firstRange(of: "::")?.lowerBound ?? line.endIndex)
        for property in properties.split(separator: ",") {
          #expect(property.hasPrefix("file=") || property.hasPrefix("title="), "\(line)")
          #expect(!property.contains(":"))
        }
        #expect(line.utf8.count < 2000)
      }
    }
    #expect(GitHubAnnotations.escaped("50%\r\n", limit: 99) == "50%25\\u{000D}⏎")
  }

  @Test("the terminal report shows no control characters from records, and colors only on request")
  func terminal() {
    let text = TerminalReport.render(hostile, color: false)
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !VisibleText.isHidden($0) })
    let document = SyntheticRun(casesPerSuite: 5, repeats: 4).document
    #expect(TerminalReport.render(document, color: true).contains("\u{1B}[31m"))
    #expect(!TerminalReport.render(document, color: false).contains("\u{1B}"))
  }

  @Test("terminal, Markdown and HTML reports show the comparison of a run with its baseline")
  func baseline() throws {
    var earlier = SyntheticRun(id: 213, casesPerSuite: 20)
    (earlier.emptyShare, earlier.seed) = (0.002, 7)
    let run = SyntheticRun(casesPerSuite: 20)
    let comparisons = run.record.suites.map { suite in
      let selection = ComparisonSelection(suite: suite.id, variant: suite.variants.first?.id)
      let record = Comparison.compare(
        baseline: ComparisonSide(
          run: earlier.record, attempts: earlier.attempts, selection: selection),
        candidate: ComparisonSide(run: run.record, attempts: run.attempts, selection: selection))
      return ReportComparison(record)
    }
    let document = ReportDocument(
      run: run.record, attempts: run.attempts, gates: run.gates, comparisons: comparisons,
      baseline: (earlier.record, earlier.attempts), history: SyntheticHistory(run: run).history)
    // The headline shows the verdict of the comparisons.
    #expect(document.headline.state == .regressed)
    let terminal = TerminalReport.render(document, color: false)
    #expect(terminal.contains("p (Holm)") && terminal.contains("▼ worse"))
    #expect(terminal.contains("in the baseline"))
    let markdown = MarkdownReport.render(document)
    #expect(markdown.contains("| p (Holm) |") && markdown.contains("**flashcards**"))
    #expect(markdown.contains("█"))
    let page = try PageCheck.check(HTMLReport.render(document), hasScript: true)
    #expect(page.text.contains("Latency p50") && page.text.contains("after temperature"))
    // A run that took half or twice as long gets no verdict on its times.
    for factor in [0.5, 2] {
      let attempts = run.attempts.map { attempt in
        var attempt = attempt
        attempt.duration *= factor
        return attempt
      }
      let other = ReportDocument(
        run: run.record, attempts: attempts, gates: run.gates, comparisons: comparisons,
        baseline: (earlier.record, earlier.attempts))
      let rows = HTMLReport.render(other).split(separator: "<tr").filter {
        $0.contains("Latency p") && $0.contains("%")
      }
      #expect(rows.count >= 2)
      for row in rows {
        #expect(["class=\"tag", " bad\"", " good\""].allSatisfy { !row.contains($0) }, "\(row)")
      }
    }
    #expect(page.text.contains("The same test case and repeat in the baseline"))
    #expect(page.tags.contains { $0.name == "mark" })
  }

  @Test("a run's page has a section that compares models only if the run has several")
  func models() throws {
    var run = SyntheticRun(casesPerSuite: 6, repeats: 5)
    run.backends = [SyntheticRun.toy, SyntheticRun.stub]
    let page = try PageCheck.check(HTMLReport.render(run.document), hasScript: true)
    #expect(page.ids.contains("models"))
    let one = SyntheticRun(casesPerSuite: 2, repeats: 2).document
    #expect(try !PageCheck.check(HTMLReport.render(one), hasScript: true).ids.contains("models"))
  }

  @Test(
    "the search for a path in a JSON text finds the value at that path",
    arguments: [
      (#"{"cards":[],"x":1}"#, ["$.cards"], ["[]"]),
      (#"{"a":{"b":"q\"}"},"c":[1, 22 ,3]}"#, ["$.a.b", "$.c[1]"], [#""q\"}""#, "22"]),
      (#"[{"n":1},{"n":2}]"#, ["$[*].n"], ["1", "2"]),
      (#"{"a":[{"b":1}]}"#, ["$.a", "$.a[0].b"], [#"[{"b":1}]"#]),
      (#"{"a b":true}"#, ["$['a b']"], ["true"]), (#"{"a":1"#, ["$.a"], ["1"]),
      ("", ["$"], []), (#"{"a":1}"#, ["$.b"], []),
    ])
  func spans(text: String, paths: [String], expected: [String]) {
    let bytes = Array(text.utf8)
    let found = JSONSpans.find(Set(paths), in: text)
    #expect(found.map { String(decoding: bytes[$0], as: UTF8.self) } == expected)
    let deep = String(repeating: "[", count: 100_000)
    #expect(JSONSpans.find(["$.x"], in: deep) == [])
  }

  @Test("a relative change and its interval equal those computed by hand")
  func ratio() throws {
    // The logarithm of the ratio is ln 2 = 0.693. Its lower bound is less by
    // √(ln(2/1.8)² + ln(1.1)²) = √(0.1054² + 0.0953²) = 0.1421, so the lower bound of the change
    // is e^0.551 − 1 = 0.735.
    let change = try #require(RatioChange(from: (1, 0.9...1.1), to: (2, 1.8...2.2)))
    #expect(abs(change.value - 1) < 1e-12)
    #expect(abs(change.low - 0.7350) < 1e-3)
    #expect(abs(change.high - 1.3055) < 1e-3)
    #expect(RatioChange(from: (0, 0...1), to: (1, 1...1)) == nil)
  }

  @Test("the columns for the page's filter have the array length and the branch of each attempt")
  func columns() throws {
    let run = SyntheticRun(casesPerSuite: 4, repeats: 3, keepsTraces: false)
    let summary = run.document.summary
    for (index, attempt) in summary.attempts.enumerated() {
      let isCards = attempt.key.suite == "flashcards" && attempt.outcome != .error
      #expect((summary.lengthOfAttempt[index] >= 0) == isCards)
      if isCards {
        let length = attempt.output.split(separator: "question").count - 1
        #expect(summary.lengthOfAttempt[index] == Int32(length))
      }
      let isNote = attempt.key.suite == "session-insight"
      #expect((summary.branchOfAttempt[index] >= 0) == isNote)
    }
  }
}
