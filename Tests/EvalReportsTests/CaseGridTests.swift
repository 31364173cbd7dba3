import EvalRecords
import EvalStatistics
import Testing

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
    let history = history(worse: 28..<100)
    let view = NightView(history)
    #expect(view.worstFirst.first?.suite == "menu")
    #expect(view.worseSince(try #require(view.worstFirst.first))?.hasPrefix("run ") == true)
    let page = try PageCheck.check(Dashboard.render(history), isDashboard: true)
    #expect(page.text.contains("▼ worse since run "))
    let rows = page.tags.filter { $0.name == "tr" && $0.attribute("data-s") == "broke" }
    #expect(rows.count == 4 && rows.allSatisfy { $0.attribute("data-n") == "menu" })
    #expect(rows.allSatisfy { $0.attribute("data-t") == "short" })
    // The other four suites are collapsed.
    #expect(page.tags.count { $0.attribute("class") == "fold" } == 4)
  }

  @Test("the dashboard calls a suite fixed if it got worse and recovered")
  func fixed() throws {
    let page = try PageCheck.check(Dashboard.render(history(worse: 14..<26)), isDashboard: true)
    #expect(page.text.contains("has been fixed since run "))
  }
}
