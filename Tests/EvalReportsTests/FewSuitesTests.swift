import EvalRecords
import Foundation
import Testing

@testable import EvalFindings
@testable import EvalReports

@Suite("The tables of a few suites")
struct FewSuitesTests {
  private struct Row {
    let suite: String
    let backend: String
    var standing = SuiteStanding.passed

    var text: String { "\(suite) on \(backend)" }
  }

  private static func chosen(_ rows: [Row]) -> FewSuites<Row> {
    FewSuites(
      rows, suite: \.suite, standing: \.standing, isStub: { $0.backend == "stub" })
  }

  private static let suites = ["a", "b", "c", "d", "e", "f", "g", "h"]

  @Test("a table shows six suites, each on a real model, and counts the other rows")
  func realModels() {
    let rows = Self.suites.prefix(6).flatMap { suite in
      ["stub", "local"].map { Row(suite: suite, backend: $0) }
    }
    let chosen = Self.chosen(rows)
    #expect(chosen.shown.map(\.text) == Self.suites.prefix(6).map { "\($0) on local" })
    #expect(chosen.others == [.passed: 6])
  }

  @Test("findings come first, also those of the stub, and a suite may have several")
  func findings() {
    var rows = Self.suites.flatMap { suite in
      ["local", "stub"].map { Row(suite: suite, backend: $0) }
    }
    for index in rows.indices where ["g", "h"].contains(rows[index].suite) {
      if rows[index].suite == "g" || rows[index].backend == "stub" {
        rows[index].standing = .failed
      }
    }
    let chosen = Self.chosen(rows)
    #expect(
      chosen.shown.map(\.text) == [
        "g on local", "g on stub", "h on stub", "a on local", "b on local", "c on local",
        "d on local",
      ])
    #expect(chosen.others == [.passed: 9])
    // If more than six suites have a finding, the line below the table counts the others.
    for index in rows.indices { rows[index].standing = .failed }
    #expect(Set(Self.chosen(rows).shown.map(\.suite)).count == 6)
    #expect(Self.chosen(rows).others == [.failed: 4])
  }

  @Test(
    "what a run says about a suite follows from its comparison and its gate",
    arguments: [
      (nil, nil, .unjudged), (nil, true, .passed), (nil, false, .failed), (.ok, nil, .passed),
      (.improved, true, .passed), (.improved, false, .failed), (.regressed, true, .failed),
      (.broken, nil, .failed), (.inconclusive, nil, .unclear), (.inconclusive, true, .unclear),
      (.inconclusive, false, .failed), (.notComparable, true, .unclear),
    ] as [(ComparisonVerdict?, Bool?, SuiteStanding)])
  func standings(verdict: ComparisonVerdict?, isReached: Bool?, expected: SuiteStanding) {
    #expect(SuiteStanding(verdict, isReached: isReached) == expected)
  }

  @Test(
    "the note below a table says of the other rows only what is true of each of them",
    arguments: [
      ([.passed, .passed], "2 more rows below in Suites: all passed."),
      ([.passed, .unclear], "2 more rows below in Suites: 1 unclear, 1 passed."),
      ([.unclear], "1 more row below in Suites: unclear."),
      ([.unjudged, .unjudged], "2 more rows below in Suites: none judged."),
      (
        [.failed, .failed, .unclear, .unjudged, .passed],
        "5 more rows below in Suites: 2 failed, 1 unclear, 1 not judged, 1 passed."
      ),
    ] as [([SuiteStanding], String)])
  func notes(others: [SuiteStanding], expected: String) {
    // Six rows of other suites fill the table; a finding among the others is shown there, too.
    let full = Self.suites.prefix(6).map {
      Row(suite: $0, backend: "local", standing: others.contains(.failed) ? .failed : .passed)
    }
    let rest = others.enumerated().map { number, standing in
      Row(suite: "other \(number)", backend: "local", standing: standing)
    }
    var w = HTMLWriter()
    w.others(Self.chosen(full + rest))
    let text = String(decoding: w.bytes, as: UTF8.self).replacing("\u{A0}", with: " ").replacing(
      /<[^>]*>/, with: "")
    #expect(text == expected)
  }

  @Test("the head of a report names every suite of a real model, although the stub ran, too")
  func page() throws {
    var run = SyntheticRun(casesPerSuite: 4, repeats: 2, keepsTraces: false)
    run.backends = [.stub(), SyntheticRun.toy]
    let gates = run.gates.map {
      var gate = $0
      gate.isPassed = true
      return gate
    }
    let document = ReportDocument(
      run: run.record, attempts: run.attempts, gates: gates,
      history: SyntheticHistory(run: run).history)
    let page = HTMLReport.render(document)
    try PageCheck.check(page)
    let table = try #require(
      page.firstRange(of: "Pass rates at a glance").map { page[$0.lowerBound...].prefix(6000) })
    for suite in run.suites {
      #expect(table.contains("\(suite.id) on local</a>"), "\(suite.id)")
      #expect(!table.contains("\(suite.id) on stub</a>"), "\(suite.id)")
    }
    let note = ##"5 more rows below in <a href="#suites">Suites</a>: all passed."##
    #expect(page.contains(note.replacing("5 more", with: "5\u{A0}more")) || page.contains(note))
  }
}
