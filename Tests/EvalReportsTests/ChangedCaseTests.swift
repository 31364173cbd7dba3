import EvalRecords
import Foundation
import StructuredText
import Testing

@testable import EvalFindings
@testable import EvalReports

@Suite("Test cases on both sides of a comparison")
struct ChangedCaseTests {
  private static let document = SyntheticRun.comparison

  /// A document of two runs of one suite whose outcomes are given by test case.
  private func document(
    before: [String: [Outcome]], after: [String: [Outcome]]
  ) -> ReportDocument {
    var run = SyntheticRun(casesPerSuite: 4, repeats: 3)
    run.backends = [SyntheticRun.stub]
    var record = run.record
    record.suites = [record.suites[0]]
    let suite = record.suites[0].id
    let ids = Set(before.keys).union(after.keys).sorted()
    record.suites[0].cases = ids.map { CaseRecord(id: $0) }
    func attempts(_ outcomes: [String: [Outcome]]) -> [AttemptRecord] {
      let template = run.attempts.first { $0.key.suite == suite }!
      return outcomes.flatMap { id, list in
        list.enumerated().map { index, outcome in
          var attempt = template
          attempt.key = AttemptKey(
            suite: suite, variant: "default", backend: "stub", caseID: id, repeatIndex: index)
          attempt.outcome = outcome
          attempt.output = "{\"a\":\"\(outcome)\"}"
          return attempt
        }
      }
    }
    var earlier = record
    earlier.id = record.id - 1
    return ReportDocument(
      run: record, attempts: attempts(after), baseline: (earlier, attempts(before)))
  }

  @Test("broken test cases come first, then fixed ones, each with the largest change first")
  func order() {
    let document = document(
      before: [
        "steady": [.pass, .pass, .pass], "a bit": [.pass, .pass, .pass],
        "broken": [.pass, .pass, .pass], "fixed": [.fail, .fail, .fail],
      ],
      after: [
        "steady": [.pass, .pass, .pass], "a bit": [.pass, .fail, .pass],
        "broken": [.fail, .fail, .fail], "fixed": [.pass, .pass, .fail],
      ])
    let changes = document.changes
    #expect(changes.map(\.summary.id) == ["broken", "a bit", "fixed", "steady"])
    #expect(changes.map(\.direction) == [.broken, .broken, .fixed, .same])
  }

  @Test("only repeats and test cases that both sides have are compared")
  func commonPart() {
    let document = document(
      before: ["both": [.pass], "gone": [.pass]],
      after: ["both": [.pass, .fail, .fail], "new": [.fail]])
    let changes = document.changes
    #expect(changes.map(\.summary.id) == ["both"])
    #expect(changes.first?.direction == .same)
    #expect(changes.first?.pairs.count == 1)
  }

  @Test("every row of the list has the answers that the pane shows, in the same order")
  func data() throws {
    let page = try PageCheck.check(HTMLReport.render(Self.document), hasScript: true)
    let changes = Self.document.changes
    #expect(changes.count == 20)
    let html = HTMLReport.render(Self.document)
    let start = try #require(html.range(of: "id=\"change-data\">"))
    let end = try #require(html.range(of: "</script>", range: start.upperBound..<html.endIndex))
    let facts = try JSONValue(parsing: String(html[start.upperBound..<end.lowerBound]))
    let entries = try #require(facts.array)
    #expect(entries.count == changes.count)
    for (entry, change) in zip(entries, changes) {
      #expect(entry.object?["id"]?.string == change.summary.id)
      #expect(entry.object?["r"]?.array?.count == min(12, change.pairs.count))
    }
    let broken = changes.count { $0.direction == .broken }
    #expect(page.text.contains("\(broken) broken"))
  }

  @Test("the measured probability is that of the most telling measured quantity")
  func probability() {
    #expect(
      Self.document.tellingQuantity(
        of: SliceKey(suite: "flashcards", variant: "naive", backend: "local"))
        == .emptyArray(path: "$.cards"))
  }

  @Test("the data of the attempts says how each test case changed")
  func directions() throws {
    let page = try PageCheck.check(HTMLReport.render(Self.document), hasScript: true)
    let data = try JSONValue(parsing: page.data)
    let letters = try #require(data["D"]?.string)
    let blocks = try #require(data["b"]?.array)
    #expect(letters.count == blocks.count)
    let broken = Self.document.changes.count { $0.direction == .broken }
    #expect(broken > 0 && letters.count { $0 == "b" } == broken)
    // The baseline's side isn't compared with anything.
    #expect(letters.count { $0 == "-" } == 20)
  }

  @Test("a run without a reference has no list")
  func noReference() {
    #expect(ChangesSection(SyntheticRun().document).isEmpty)
  }
}
