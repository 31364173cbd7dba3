import EvalRecords
import Foundation
import StructuredText
import TestSupport
import Testing

@testable import EvalFindings
@testable import EvalReports

@Suite("HTML report")
struct HTMLReportTests {
  @discardableResult
  private func checkPage(_ document: ReportDocument) throws -> ParsedHTML {
    let page = try PageCheck.check(HTMLReport.render(document), hasScript: true)
    _ = try JSONValue(parsing: page.data)
    return page
  }

  @Test("a run's page is well-formed and links only to itself")
  func wellFormed() throws {
    try checkPage(SyntheticRun(casesPerSuite: 12, repeats: 5).document)
  }

  @Test("hostile texts in every field add no element, attribute, link or hidden character")
  func hostile() throws {
    let variants = HostileRun.record.suites.map { $0.variants[0] }
    let comparison = ReportComparison(
      HostileRun.comparison, baselineVariant: variants[0], candidateVariant: variants[1])
    let page = try checkPage(
      ReportDocument(
        run: HostileRun.record, attempts: HostileRun.attempts, comparisons: [comparison],
        baseline: (HostileRun.record, HostileRun.attempts), history: HostileRun.history))
    #expect(page.text.contains("<script>alert(1)</script>"), "the markup is shown as text")
    #expect(page.text.contains("\\u{202E}drowssap\\u{202C}"))
    #expect(!page.data.contains("<"))
  }

  @Test(
    "a page is well-formed even if the run is empty or interrupted, or all outcomes are the same",
    arguments: ["nothing", "empty", "interrupted", "passing", "failing", "skipped"])
  func sparseRuns(kind: String) throws {
    var run = SyntheticRun(casesPerSuite: 3, repeats: 2)
    var record = run.record
    var attempts = run.attempts
    var expected = RunState.notJudged
    switch kind {
    case "nothing":
      (record.suites, record.backends, attempts) = ([], [], [])
      expected = .empty
    case "empty":
      run.casesPerSuite = 0
      (record, attempts) = (run.record, [])
      expected = .empty
    case "interrupted":
      (record.status, attempts) = (.interrupted, Array(attempts.prefix(7)))
      expected = .interrupted
    case "passing": for index in attempts.indices { attempts[index].outcome = .pass }
    case "failing": for index in attempts.indices { attempts[index].outcome = .fail }
    default:
      for index in attempts.indices { attempts[index].outcome = .skipped }
      expected = .empty
    }
    let document = ReportDocument(run: record, attempts: attempts)
    #expect(document.headline.state == expected)
    try checkPage(document)
  }

  @Test("the content policy allows only the page's own style sheet and script, by their hashes")
  func policy() throws {
    let page = try checkPage(SyntheticRun(casesPerSuite: 2, repeats: 2).document)
    let policy = try #require(
      page.tags.first { $0.attribute("http-equiv") == "Content-Security-Policy" }?
        .attribute("content"))
    #expect(policy.hasPrefix("default-src 'none';"))
    #expect(!policy.contains("unsafe"))
    #expect(page.assets.map(\.name) == ["style", "script"])
    for asset in page.assets {
      var digest: [UInt8] = []
      let digits = Array(SHA256.hexDigest(of: asset.text))
      for place in stride(from: 0, to: digits.count, by: 2) {
        digest.append(try #require(UInt8(String(digits[place...place + 1]), radix: 16)))
      }
      let hash = "'sha256-\(Data(digest).base64EncodedString())'"
      #expect(policy.contains("\(asset.name)-src \(hash)"))
    }
  }

  @Test("the style sheet and the script stay within their size limits")
  func assetBudget() {
    let script = PageAsset.reportScript.bytes.count
    #expect(script <= 35_328)
    #expect(PageAsset.style.bytes.count + script <= 59_392)
  }

  @Test("the style sheet or the script mentions every class that a page uses")
  func classesAreKnown() throws {
    let documents = [
      SyntheticRun(casesPerSuite: 6, repeats: 5).document, SyntheticRun.comparison,
    ]
    let known = Set(
      String(decoding: PageAsset.style.bytes + PageAsset.reportScript.bytes, as: UTF8.self)
        .matches(of: /\.([a-z][a-z0-9-]*)/).map { String($0.output.1) })
    for document in documents {
      for tag in try checkPage(document).tags {
        for name in (tag.attribute("class") ?? "").split(separator: " ") {
          #expect(known.contains(String(name)), "<\(tag.name) class=\"\(name)\">")
        }
      }
    }
  }

  @Test("the order of the attempts doesn't change a byte of the page")
  func determinism() {
    let run = SyntheticRun(casesPerSuite: 6, repeats: 4)
    var numbers = SeededGenerator(seed: 3)
    let shuffled = run.attempts.shuffled(using: &numbers)
    let document = ReportDocument(run: run.record, attempts: shuffled, gates: run.gates)
    #expect(HTMLReport.render(document) == HTMLReport.render(run.document))
    #expect(HTMLReport.render(document) == HTMLReport.render(document))
  }

  @Test("earlier nights add a grid of test cases to the page; later nights don't change the page")
  func nights() throws {
    let run = SyntheticRun(casesPerSuite: 6, repeats: 5)
    let earlier = SyntheticHistory(run: run).history
    func document(_ history: RunHistory) -> ReportDocument {
      ReportDocument(
        run: run.record, attempts: run.attempts, gates: run.gates, history: history)
    }
    let page = try checkPage(document(earlier))
    #expect(page.ids.contains("nights"))
    #expect(page.text.contains("30 nights") || page.text.contains("30\u{A0}nights"))
    var later = try #require(earlier.entries.last)
    later.startedAt = "2026-11-21T02:00:00Z"
    later.run = 215
    #expect(
      HTMLReport.render(document(earlier.adding(later))) == HTMLReport.render(document(earlier)))
    #expect(try !checkPage(run.document).ids.contains("nights"))
  }

  @Test(
    "a page links to the previous run, to its reference and to the dashboard if they exist",
    arguments: [true, false])
  func neighbors(exist: Bool) throws {
    let run = SyntheticRun(casesPerSuite: 3, repeats: 2, keepsTraces: false)
    let history = SyntheticHistory(run: run).history
    let last = try #require(history.entries.last)
    var document = ReportDocument(
      run: run.record, attempts: run.attempts, gates: run.gates, history: history)
    document.link { _ in exist }
    let page = HTMLReport.render(document)
    try PageCheck.check(page)
    #expect(page.contains("href=\"../\(last.run)/report.html\"") == exist)
    #expect(page.contains("href=\"../index.html\"") == exist)
    #expect(page.contains("previous run") && page.contains("Pass rates at a glance"))
    #expect(!HTMLReport.render(run.document).contains("Pass rates at a glance"))
  }

  @Test("in the grid of nights, a test case's name links to its row in the tables")
  func linksOfNights() throws {
    let run = SyntheticRun(casesPerSuite: 60, repeats: 5)
    let text = HTMLReport.render(
      ReportDocument(
        run: run.record, attempts: run.attempts, gates: run.gates,
        history: SyntheticHistory(run: run).history))
    let links = text.matches(of: /<a href="#(c-\d+-\d+)">([^<]+)<\/a>/)
    #expect(links.count > 20)
    for link in links {
      let (_, id, name) = link.output
      #expect(text.contains("<tr id=\"\(id)\"") && text.contains(">\(name)</th>"))
      let row = text.components(separatedBy: "<tr id=\"\(id)\"").last?.prefix(240) ?? ""
      #expect(row.contains(">\(name)</th>"), "\(id)")
    }
  }

  @Test(
    "in the grid of models, a cell links to its test case's row; with one repeat, it shows ✓ or ✗")
  func linksOfModels() throws {
    var run = SyntheticRun(casesPerSuite: 9, repeats: 1)
    run.emptyShare = 0.5
    run.backends = [SyntheticRun.toy, SyntheticRun.stub]
    let document = run.document
    let text = HTMLReport.render(document)
    #expect(text.contains(#"aria-label="passed">✓</a>"#))
    #expect(text.contains(#"aria-label="failed">✗</a>"#))
    let rows = CaseRows(document.summary)
    for slice in document.summary.slices where slice.key.suite == "flashcards" {
      for item in slice.cases where item.tally.notPassed > 0 {
        let target = try #require(rows.target(slice.key, item.id))
        #expect(text.contains(##"<a href="#\##(target)" aria-label="failed">"##))
      }
    }
  }

  @Test("the dashboard links to the ids of the report's rows, even if the run skipped a suite")
  func fragmentsOfHistory() {
    let run = SyntheticRun(casesPerSuite: 4, repeats: 2)
    var attempts = run.attempts
    for index in attempts.indices where attempts[index].key.suite == "flashcards" {
      attempts[index].outcome = .skipped
    }
    let document = ReportDocument(run: run.record, attempts: attempts, gates: run.gates)
    let rows = CaseRows(document.summary)
    let entry = HistoryEntry(document, exitStatus: 1)
    // The run has five suites, and it skipped one of them.
    #expect(entry.slices.count == 4)
    for (number, slice) in entry.slices.enumerated() {
      for (place, item) in slice.cases.enumerated() {
        #expect(
          rows.target(slice.key, item.id) == CaseRows.fragment(slice: number, place: place))
      }
    }
  }

  @Test("the page calls a toy model a toy, and shows its size and digest")
  func toyBanner() throws {
    let page = try checkPage(SyntheticRun(casesPerSuite: 1, repeats: 1).document)
    #expect(page.text.contains("what a production model does"))
    #expect(page.text.contains("712,704 parameters"))
    #expect(page.text.contains(SyntheticRun.toy.modelDigest ?? "?"))
    var run = SyntheticRun(casesPerSuite: 1, repeats: 1)
    run.backends = [SyntheticRun.stub]
    #expect(try !checkPage(run.document).text.contains("Toy model"))
  }

  @Test("the counts in the page's data block equal the counts in the records")
  func dataBlock() throws {
    let run = SyntheticRun(casesPerSuite: 10, repeats: 6)
    let data = try JSONValue(parsing: try checkPage(run.document).data)
    let verdicts = try #require(data["v"]?.string)
    let attempts = run.attempts
    #expect(verdicts.count == attempts.count)
    #expect(verdicts.count { $0 == "p" } == attempts.count { $0.outcome == .pass })
    #expect(verdicts.count { $0 == "e" } == attempts.count { $0.outcome == .error })
    #expect(data["t"]?.array?.compactMap(\.int) == attempts.map(\.outputTokens))
    #expect(data["m"]?.array?.count == attempts.count)
    let blocks = try #require(data["b"]?.array)
    #expect(blocks.reduce(0) { $0 + ($1.array?[2].int ?? 0) } == attempts.count)
    #expect(data["r"]?.array?.count == attempts.count { $0.outcome != .pass })
  }

  @Test(
    "the page holds a test case's variables exactly, or says that it doesn't",
    arguments: [
      (["input": "plain"], .texts, "0"), (["input": "two\nlines"], .texts, nil),
      (["input": "a", "who": ["x": .number(JSONNumber(1.5))]], .texts, nil),
      (["input": "hidden \u{202E} sign"], .texts, nil),
      (["input": .string(String(repeating: "x", count: 5000))], .texts, "null"),
      (["input": "a", "n": .number(JSONNumber(9_007_199_254_740_993))], .texts, "null"),
      (["input": "sha256:00"], .digests, "false"), ([:], .texts, "null"),
    ] as [(JSONObject, TextKeeping, String?)])
  func variables(own: JSONObject, store: TextKeeping, text: String?) throws {
    let run = SyntheticRun(casesPerSuite: 1, repeats: 1, keepsTraces: false)
    var record = run.record
    record.suites = [record.suites[0]]
    record.suites[0].details.store = store
    record.suites[0].cases[0].variables = .object(own)
    let suite = record.suites[0].id
    let page = try checkPage(
      ReportDocument(run: record, attempts: run.attempts.filter { $0.key.suite == suite }))
    let data = try JSONValue(parsing: page.data)
    let value = try #require(data["X"]?.array?.first)
    #expect(value.compactText == text ?? JSONValue.object(own).compactText)
    if value == .number(JSONNumber(0)) { #expect(data["K"]?.array == ["input"]) }
  }

  @Test("two suites with a test case of the same name keep their own inputs")
  func sameNames() throws {
    let run = SyntheticRun(casesPerSuite: 1, repeats: 1, keepsTraces: false)
    var record = run.record
    var attempts = run.attempts
    for index in record.suites.indices {
      record.suites[index].cases[0].id = "same"
      record.suites[index].cases[0].variables = ["input": .string("of \(index)")]
    }
    for index in attempts.indices { attempts[index].key.caseID = "same" }
    let data = try JSONValue(
      parsing: try checkPage(ReportDocument(run: record, attempts: attempts)).data)
    let inputs = (data["I"]?.array ?? []).compactMap(\.string)
    #expect(inputs == record.suites.indices.map { "of \($0)" })
  }

  @Test("options in the page's data are quoted for a shell, because the page puts them in commands")
  func commandsOfAttempts() throws {
    var run = SyntheticRun(casesPerSuite: 2, repeats: 1, keepsTraces: false).record
    run.suites = [run.suites[0]]
    run.suites[0].id = "it's a; b"
    run.suites[0].variants[0].id = "$(x)"
    run.suites[0].variants.append(run.suites[0].variants[0])
    run.suites[0].variants[1].id = "other"
    var attempts = SyntheticRun(casesPerSuite: 2, repeats: 1, keepsTraces: false).attempts
      .filter { $0.key.suite == "flashcards" }
    for index in attempts.indices {
      attempts[index].key.suite = "it's a; b"
      attempts[index].key.variant = "$(x)"
    }
    var document = ReportDocument(run: run, attempts: attempts)
    document.placeOptions = ["--reports", "'my reports'"]
    let page = HTMLReport.render(document)
    #expect(
      page.contains(
        #""Q":[["it's a; b","--variant '$(x)' --run 214 --reports 'my reports'"]"#))
    let command = try #require(attempts.first.map { document.showCommand(for: $0) })
    #expect(command.hasPrefix(#"assay show 'it'\''s a; b/"#))
  }

  @Test("each variant of a suite with enum cases has a small matrix of the chosen cases")
  func variantMatrices() throws {
    var run = SyntheticRun(casesPerSuite: 8, repeats: 2, keepsTraces: false)
    run.variants = ["described", "bare"]
    let page = HTMLReport.render(run.document)
    let section = try #require(page.firstRange(of: #"<section id="variants""#))
    let part = page[section.upperBound...].prefix { _ in true }
    let end = part.firstRange(of: "<section")?.lowerBound ?? part.endIndex
    #expect(part[..<end].components(separatedBy: "Chosen case").count > 2)
  }

  @Test("for an edit to a guide, the page shows the removed text and the added text")
  func guideEdit() throws {
    let page = try checkPage(SyntheticRun.comparison)
    #expect(page.tags.contains { $0.name == "del" })
    #expect(page.tags.contains { $0.name == "ins" })
    #expect(page.text.contains("flips in 60 pairs: 20 for the worse, 1 for the better"))
    #expect(page.text.contains("Regressed"))
  }

  @Test("the page cuts long outputs, states their lengths, and stays within its size limit")
  func longOutputs() throws {
    var run = SyntheticRun(casesPerSuite: 3, repeats: 3)
    run.emptyShare = 1
    var attempts = run.attempts
    for index in attempts.indices {
      attempts[index].output = String(repeating: "<é>", count: 250_000)
      attempts[index].renderedPrompt = attempts[index].output
      attempts[index].outcome = .fail
    }
    let document = ReportDocument(run: run.record, attempts: attempts)
    let page = try checkPage(document)
    #expect(page.text.contains("of 1,000,000 bytes"))
    #expect(HTMLReport.render(document).utf8.count < 4_000_000)
  }
}
