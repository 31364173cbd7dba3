import EvalRecords
import EvalStatistics
import StructuredText
import Testing

@testable import EvalFindings
@testable import EvalReports

@Suite("The grid “Test cases by night”")
struct CaseGridTests {
  @Test("a change begins on the night when the test case's rate changed; noise is not a change")
  func changes() throws {
    func cells(_ rates: [(Int, nights: Int)]) -> [Share?] {
      rates.flatMap { rate, nights in [Share?](repeating: Share(rate, of: 5), count: nights) }
    }
    let worse = try #require(CaseChange(cells([(5, 46), (1, 14)])))
    #expect(worse.place == 46 && worse.isWorse)
    #expect(worse.before.hits == 230 && worse.after.hits == 14)
    let better = try #require(CaseChange([nil, nil] + cells([(1, 20), (5, 20)])))
    #expect(better.place == 22 && !better.isWorse)
    #expect(CaseChange(cells([(5, 60)])) == nil)
    #expect(CaseChange(cells([(5, 59), (4, 1)])) == nil, "one failed attempt is not a change")
    #expect(CaseChange([]) == nil && CaseChange([nil, Share(0, of: 0)]) == nil)
  }

  /// Returns a history in which the suite `menu` is worse during a range of nights.
  private func history(worse: Range<Int>, of nights: Int = 40) -> RunHistory {
    let run = SyntheticRun(casesPerSuite: 4, repeats: 5)
    var history = SyntheticHistory(nights: nights, run: run).history
    let entries = history.entries.enumerated().map { number, entry in
      var entry = entry
      for slice in entry.slices.indices {
        let isWorse = entry.slices[slice].key.suite == "menu" && worse.contains(number)
        for item in entry.slices[slice].cases.indices {
          entry.slices[slice].cases[item].passed =
            isWorse ? 1 : entry.slices[slice].cases[item].made
          entry.slices[slice].cases[item].tags = ["short"]
        }
      }
      return entry
    }
    history = RunHistory(entries)
    return history
  }

  @Test("the suite that got worse comes first, and the page names the first run that was worse")
  func worstFirst() throws {
    let history = history(worse: 30..<100)
    let view = NightView(history)
    #expect(view.worstFirst.first?.suite == "menu")
    #expect(view.worseSince(try #require(view.worstFirst.first))?.hasPrefix("run ") == true)
    let page = try PageCheck.check(Dashboard.render(history), isDashboard: true)
    #expect(page.text.contains("▼ worse since run "))
    let rows = CaseGrid(view).suites.first?.rows ?? []
    #expect(rows.count == 4 && rows.allSatisfy { $0.state == .broke && $0.tags == ["short"] })
  }

  @Test(
    "a grid without room for all test cases draws those that changed against the baseline first")
  func changedFirst() throws {
    let run = SyntheticRun(casesPerSuite: 60, repeats: 2)
    let entries = SyntheticHistory(nights: 3, run: run).history.entries.map { entry in
      var entry = entry
      for slice in entry.slices.indices {
        for item in entry.slices[slice].cases.indices {
          entry.slices[slice].cases[item].passed = 0
        }
      }
      return entry
    }
    let view = NightView(RunHistory(entries))
    let (slice, rows) = try #require(CaseGrid(view).suites.first)
    let last = try #require(rows.last?.id)
    func drawn(changed: Set<String>) -> String {
      var w = HTMLWriter()
      CaseGrid(view, isChanged: { $0 == slice.key && changed.contains($1) }).write(to: &w)
      return String(decoding: w.bytes, as: UTF8.self)
    }
    let place = CaseGrid(view).address(last, in: slice.key).replacing("=", with: "&#61;")
    let address = "data-at=\"\(place)\""
    #expect(!drawn(changed: []).contains(address))
    #expect(drawn(changed: [last]).contains(address))
  }

  @Test(
    "a test case has a new result if another share of its attempts passed than on the last night")
  func newResult() {
    func row(_ cells: [Share?]) -> GridRow { GridRow(id: "a", tags: [], cells: cells, among: 1) }
    #expect(row([Share(0, of: 2), Share(1, of: 2)]).hasNewResult)
    #expect(row([Share(1, of: 2), nil, Share(2, of: 2)]).hasNewResult)
    #expect(!row([Share(0, of: 2), Share(1, of: 2), Share(2, of: 4)]).hasNewResult)
    #expect(!row([Share(0, of: 2), Share(1, of: 2), nil]).hasNewResult)
    #expect(!row([Share(1, of: 2)]).hasNewResult)
  }

  @Test("the dashboard calls a suite fixed if it got worse and recovered")
  func fixed() throws {
    let page = try PageCheck.check(Dashboard.render(history(worse: 14..<26)), isDashboard: true)
    #expect(page.text.contains("↑ fixed since run "))
  }

  @Test(
    "a test case has the state that its last fourteen nights show",
    arguments: [
      // The passed attempts of three on each night, with the number of nights.
      ([(3, 40)], .steady), ([(3, 30), (0, 10)], .broke), ([(3, 39), (0, 1)], .broke),
      ([(3, 10), (0, 30)], .fails), ([(0, 30), (3, 10)], .fixed), ([(0, 10), (3, 30)], .steady),
      ([(3, 20), (0, 14), (3, 6)], .fixed), ([(2, 40)], .flaky), ([(3, 39), (2, 1)], .steady),
      ([(3, 20), (1, 20)], .flaky), ([], .steady), ([(3, 2), (0, 3)], .broke),
      ([(0, 3), (3, 2)], .fixed), ([(3, 1), (0, 1), (3, 2)], .fixed), ([(0, 2)], .fails),
      ([(3, 1), (0, 1), (3, 1), (0, 1)], .flaky),
      ([(3, 1), (0, 1), (3, 1), (0, 1), (3, 1)], .flaky),
      ([(3, 3), (2, 1), (3, 2)], .flaky),
    ] as [([(passed: Int, count: Int)], GridRow.State)])
  func checkStates(nights: [(passed: Int, count: Int)], state: GridRow.State) {
    let cells = nights.flatMap { [Share?](repeating: Share($0.passed, of: 3), count: $0.count) }
    #expect(GridRow(id: "a", tags: [], cells: cells, among: 50).state == state)
  }

  @Test(
    "the first bad and the last good night of a test case",
    arguments: [
      ([(3, 4), (1, 3)], [4, 3]), ([(3, 2), (1, 1), (3, 1), (0, 2)], [4, 3]),
      ([(0, 3)], [0, nil]), ([(3, 3)], [nil, 2]), ([(2, 3)], [0, 2]),
      ([(3, 2), (1, 1), (3, 2)], [2, 4]),
    ] as [([(passed: Int, count: Int)], [Int?])])
  func checkAnswers(nights: [(passed: Int, count: Int)], places: [Int?]) {
    let cells = nights.flatMap { [Share?](repeating: Share($0.passed, of: 3), count: $0.count) }
    let row = GridRow(id: "a", tags: [], cells: cells, among: 1)
    #expect([row.firstBad, row.lastGood] == places)
  }

  @Test("the page's facts have every test case, its nights, and its texts from the nights' results")
  func facts() throws {
    let entries = (1...3).map { number in
      var entry = SyntheticHistory(nights: 1, run: SyntheticRun(casesPerSuite: 1)).entries[0]
      (entry.run, entry.startedAt) = (number, SyntheticHistory.time(daysBefore: 9 - number))
      entry.slices[0].cases = [
        .init(id: "a", passed: number < 3 ? 2 : 0, made: 2), .init(id: "b", passed: 2, made: 2),
      ]
      return entry
    }
    let key = entries[0].slices[0].key
    let long = String(repeating: "x", count: 4500)
    func results(_ run: Int) -> [UInt8] {
      let outcome = run < 3 ? "pass" : "fail"
      return Array(
        """
        {"kind":"run","suites":[{"id":"\(key.suite)",\
        "cases":[{"id":"a","input":{"text":"<tide>"}},{"id":"b","input":{"text":"\(long)"}}]}]}
        not JSON
        {"kind":"attempt","run":\(run),"suite":"\(key.suite)","variant":"\(key.variant)",\
        "backend":"\(key.backend)","case":"a","repeat":1,"outcome":"\(outcome)",\
        "output":"{\\"x\\":\(run)}","verdicts":[{"assertion":"one","verdict":"\(outcome)",\
        "expected":"1","actual":"3"}]}

        """.utf8)
    }
    let history = RunHistory(entries).linking { _ in true }
    let text = Dashboard.render(history) { results($0) }
    try PageCheck.check(text, isDashboard: true)
    let start = try #require(text.firstRange(of: "id=\"facts\">")).upperBound
    let json = try JSONValue(parsing: String(text[start...].prefix { $0 != "<" }))
    let cases = try #require(json["cases"]?.array)
    #expect(cases.count == entries[2].judged.reduce(0) { $0 + $1.cases.count })
    let own = try #require(cases.first { $0["id"]?.string == "a" })
    #expect(own["n"]?.compactText == "[2,2,2,0,2,1]")
    #expect(own["k"]?.string == "broke" && own["at"]?.string == "case=\(key.suite)/a")
    #expect(own["v"]?.compactText == #"{"text":"<tide>"}"#)
    #expect(own["e"]?.compactText == "true")
    let cut = try #require(cases.first { $0["id"]?.string == "b" })
    #expect(cut["v"] != nil && cut["e"] == nil, "a cut input is no test case's own text")
    #expect(own["g"]?.compactText == "[1,1]")
    #expect(own["b"]?.compactText == #"[2,1,"one: 3, expected 1"]"#)
    #expect(own["d"]?.compactText == #"[["$.x",[1,"2",2,"3"]]]"#)
    #expect(
      text.replacing("\u{A0}", with: " ").contains(
        "at 2 inputs, and at the last good and the first bad answers of 1 test case"))
    #expect(Dashboard.render(history).contains("This page holds no inputs and no answers"))
  }
}
