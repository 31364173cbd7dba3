import EvalFindings
import EvalRecords
import EvalReports
import StructuredText
import Testing

@Suite("Markdown and JSON reports")
struct MarkdownReportTests {
  private var hostile: ReportDocument {
    let variants = HostileRun.record.suites.map { $0.variants[0] }
    return ReportDocument(
      run: HostileRun.record, attempts: HostileRun.attempts,
      comparisons: [
        ReportComparison(
          HostileRun.comparison, baselineVariant: variants[0], candidateVariant: variants[1])
      ], baseline: (HostileRun.record, HostileRun.attempts))
  }

  /// Returns the lines outside fences, and checks that every fence is closed.
  private func linesOutsideFences(_ text: String) -> [Substring] {
    var fence: Substring?
    var outside: [Substring] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let ticks = line.prefix { $0 == "`" }
      if let open = fence {
        if line == open { fence = nil }
      } else if ticks.count >= 3 {
        fence = ticks
      } else {
        outside.append(line)
      }
    }
    #expect(fence == nil, "every fence is closed")
    return outside
  }

  @Test("hostile texts create no mention, no reference, no markup and no broken table")
  func hostileTexts() {
    let text = MarkdownReport.render(hostile)
    let lines = linesOutsideFences(text)
    let tags: Set<String> = [
      "code", "/code", "sub", "/sub", "details", "/details", "summary", "/summary",
    ]
    var columns: Int?
    for line in lines {
      #expect(!line.contains("@"))
      // Numeric character references are text. Any other # could refer to an issue, unless it
      // marks a heading.
      #expect(!line.drop { $0 == "#" }.replacing("&#", with: "").contains("#"), "\(line)")
      for piece in line.split(separator: "<", omittingEmptySubsequences: false).dropFirst() {
        let name = String(piece.prefix { $0 != ">" })
        #expect(tags.contains(name) || name.hasPrefix("!-- assay:"), "\(line)")
      }
      guard line.hasPrefix("|") else {
        columns = nil
        continue
      }
      let bars = line.replacing("\\|", with: "").count { $0 == "|" }
      #expect(columns == nil || columns == bars, "\(line)")
      columns = bars
    }
    #expect(!text.unicodeScalars.contains { $0.value == 0x202E || $0.value == 0x1B })
  }

  @Test("a summary that is too long leaves out whole sections, says so, and stays within its limit")
  func limits() {
    let document = SyntheticRun(casesPerSuite: 20, repeats: 5).document
    let whole = MarkdownReport.render(document)
    #expect(whole.utf8.count < 60_000)
    #expect(!whole.contains("left out"))
    let limit = whole.utf8.count - 200
    let cut = MarkdownReport.render(document, limit: limit)
    #expect(cut.utf8.count <= limit)
    #expect(cut.contains("left out"))
    #expect(cut.hasPrefix("<!-- assay:nightly -->\n### \(document.headline.glyph) "))
    _ = linesOutsideFences(cut)
  }

  @Test("a table with too many quantities says how many it leaves out")
  func manyQuantities() {
    let document = SyntheticRun.comparison
    var record = document.comparisons[0].record
    let effect = record.effects[0]
    record.effects = (0..<63).map { number in
      var effect = effect
      effect.quantity = .failedAssertion(name: "check \(number)", path: "$")
      return effect
    }
    let text = MarkdownReport.render(
      ReportDocument(
        run: document.run, attempts: [], comparisons: [ReportComparison(record)]))
    // The table has at most 60 rows.
    #expect(text.contains("failures of check 59") && !text.contains("failures of check 60"))
    #expect(text.contains("\n\n3\u{A0}more quantities in the full report."))
  }

  @Test("the summary shows an edit to a guide in a fence that the guide's text can't close")
  func fences() {
    let text = MarkdownReport.render(SyntheticRun.comparison)
    #expect(text.contains("```diff"))
    #expect(text.contains("- Between 3 and 8 cards."))
    #expect(text.contains("+ The cards."))
    _ = linesOutsideFences(text)
  }

  @Test("every attempt is a line of JSON, and the counts in the first line agree with the attempts")
  func resultLines() throws {
    let run = SyntheticRun(casesPerSuite: 4, repeats: 3)
    for document in [run.document, hostile] {
      let lines = ResultLines.render(document).split(separator: "\n")
      let values = try lines.map { try JSONValue(parsing: String($0)) }
      let attempts = values.dropFirst()
      let first = try #require(values.first)
      #expect(first["kind"] == "run")
      func count(_ outcome: String) -> Int {
        attempts.count { $0["outcome"]?.string == outcome }
      }
      #expect(first["passed"]?.int == count("pass"))
      #expect(first["failed"]?.int == count("fail"))
      #expect(first["errors"]?.int == count("error"))
    }
    #expect(ResultLines.render(run.document).split(separator: "\n").count == 5 * 4 * 3 + 1)
    #expect(ResultLines.suites(of: run.document).array?.count == 5)
  }
}
