import EvalRecords
import Foundation
import Testing

@testable import EvalReports

@Suite("The tables of a few suites")
struct FewSuitesTests {
  private struct Row {
    let suite: String
    let backend: String
    var hasFinding = false

    var text: String { "\(suite) on \(backend)" }
  }

  private static func chosen(_ rows: [Row]) -> FewSuites<Row> {
    FewSuites(
      rows, suite: \.suite, hasFinding: \.hasFinding, isStub: { $0.backend == "stub" })
  }

  private static let suites = ["a", "b", "c", "d", "e", "f", "g", "h"]

  @Test("a table shows six suites, each on a real model, and counts the other rows")
  func realModels() {
    let rows = Self.suites.prefix(6).flatMap { suite in
      ["stub", "local"].map { Row(suite: suite, backend: $0) }
    }
    let chosen = Self.chosen(rows)
    #expect(chosen.shown.map(\.text) == Self.suites.prefix(6).map { "\($0) on local" })
    #expect(chosen.others == 6 && chosen.otherFindings == 0)
  }

  @Test("findings come first, also those of the stub, and a suite may have several")
  func findings() {
    var rows = Self.suites.flatMap { suite in
      ["local", "stub"].map { Row(suite: suite, backend: $0) }
    }
    for index in rows.indices where ["g", "h"].contains(rows[index].suite) {
      rows[index].hasFinding = rows[index].suite == "g" || rows[index].backend == "stub"
    }
    let chosen = Self.chosen(rows)
    #expect(
      chosen.shown.map(\.text) == [
        "g on local", "g on stub", "h on stub", "a on local", "b on local", "c on local",
        "d on local",
      ])
    #expect(chosen.others == 9 && chosen.otherFindings == 0)
    // If more than six suites have a finding, the line below the table counts the others.
    for index in rows.indices { rows[index].hasFinding = true }
    #expect(Set(Self.chosen(rows).shown.map(\.suite)).count == 6)
    #expect(Self.chosen(rows).otherFindings == 4)
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
    let note = ##"5 more rows below in <a href="#suites">Suites</a>; all passed."##
    #expect(page.contains(note.replacing("5 more", with: "5\u{A0}more")) || page.contains(note))
  }
}
