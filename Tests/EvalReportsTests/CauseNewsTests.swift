import EvalRecords
import EvalStatistics
import Testing

@testable import EvalFindings
@testable import EvalReports

@Suite("Causes beside the reference")
struct CauseNewsTests {
  /// A document of two runs of one suite with thirty test cases, with the numbers of answers that
  /// fail one assertion, and of answers that fail another one.
  private func document(
    before: (empty: Int, long: Int), after: (empty: Int, long: Int)
  ) -> ReportDocument {
    var run = SyntheticRun(casesPerSuite: 1, repeats: 1)
    run.backends = [SyntheticRun.stub]
    var record = run.record
    record.suites = [record.suites[0]]
    let suite = record.suites[0].id
    record.suites[0].cases = (0..<30).map { CaseRecord(id: "c\($0)") }
    let template = run.attempts.first { $0.key.suite == suite }!
    func attempts(_ counts: (empty: Int, long: Int)) -> [AttemptRecord] {
      (0..<30).map { number in
        var attempt = template
        attempt.key = AttemptKey(
          suite: suite, variant: "default", backend: "stub", caseID: "c\(number)", repeatIndex: 0)
        let isEmpty = number < counts.empty
        let isLong = !isEmpty && number < counts.empty + counts.long
        attempt.outcome = isEmpty || isLong ? .fail : .pass
        attempt.verdicts = [
          VerdictRecord(
            assertion: "cards", type: isEmpty ? "nonEmpty" : "words", path: "$.cards",
            verdict: isEmpty || isLong ? .fail : .pass, expected: "some", actual: "none")
        ]
        return attempt
      }
    }
    var earlier = record
    earlier.id = record.id - 1
    return ReportDocument(
      run: record, attempts: attempts(after), baseline: (earlier, attempts(before)))
  }

  @Test(
    "a cause says how often it was in the baseline, and one that isn't more frequent is folded",
    arguments: [
      ((0, 5), (4, 5), ["4", "none in the baseline"], ["5"]),
      ((2, 5), (4, 6), ["4", "2 in the baseline", "6", "5 in the baseline"], []),
      ((4, 5), (4, 5), [], ["5", "4"]), ((4, 5), (1, 0), [], ["1"]),
    ] as [((Int, Int), (Int, Int), [String], [String])])
  func news(before: (Int, Int), after: (Int, Int), news: [String], known: [String]) {
    let document = document(
      before: (before.0, before.1), after: (after.0, after.1))
    let list = document.causeList(4)
    #expect(list.attempts == 30)
    #expect(list.news.flatMap { ["\($0.cause.failed)", $0.before?.words ?? ""] } == news)
    #expect(list.known.map { "\($0.cause.failed)" } == known)
    let page = HTMLReport.render(document)
    #expect(page.contains("no more often than in the baseline") == !known.isEmpty)
    #expect(
      MarkdownReport.render(document).contains("no more often than in the baseline")
        == !known.isEmpty)
    for words in news where words.hasSuffix("baseline") { #expect(page.contains(", \(words).")) }
  }

  @Test(
    "fresh repeats are compared only if they have the same seeds, and others always",
    arguments: [(1, true), (2, false)] as [(UInt64, Bool)])
  func checkFresh(seed: UInt64, arePaired: Bool) throws {
    var run = SyntheticRun(casesPerSuite: 1, repeats: 1)
    run.backends = [SyntheticRun.stub]
    var record = run.record
    record.suites = [record.suites[0]]
    record.suites[0].details.fresh = FreshBlock(firstRepeat: 1, repeats: 1, seed: 1)
    var earlier = record
    earlier.id -= 1
    earlier.suites[0].details.fresh?.seed = seed
    let template = try #require(run.attempts.first { $0.key.suite == record.suites[0].id })
    let attempts = (0..<2).map { index in
      var attempt = template
      attempt.key.repeatIndex = index
      return attempt
    }
    let document = ReportDocument(run: record, attempts: attempts, baseline: (earlier, attempts))
    #expect(
      attempts.map { document.paired.contains($0, of: $0.key.slice) } == [true, arePaired])
  }

  @Test("the list of causes of a comparison is about the candidate, not about its baseline")
  func candidates() throws {
    let document = SyntheticRun.comparison
    let list = document.causeList(4)
    #expect(list.attempts == 60)
    let causes = list.news + list.known
    #expect(!causes.isEmpty)
    #expect(causes.allSatisfy { $0.cause.places.allSatisfy { $0.slice.variant == "naive" } })
    let page = HTMLReport.render(document)
    #expect(page.contains(" of 60 attempts came back with an empty array"))
    #expect(!page.contains(" of 120 attempts came back with an empty array"))
    let steps = causes.map { document.nextStep(for: $0.cause) }.filter { $0 != .inspect }
    #expect(!steps.isEmpty)
    let terminal = TerminalReport.render(document, color: false)
    #expect(steps.allSatisfy { terminal.contains($0.words) })
  }

  @Test("the figure beside the headline shows the interval of what was compared")
  func figure() throws {
    let page = HTMLReport.render(SyntheticRun.comparison)
    #expect(!page.contains("interval 0.0\u{A0}% to 100.0\u{A0}%"))
  }

  @Test(
    "the interval of several suites is narrower than the widest of theirs, and covers their rate",
    arguments: [
      ([(8, 10, 0.49, 0.94)], (8, 10, 0.49, 0.94)),
      // The errors 0.1 · 0.2 and 0.9 · 0.04 add up to 0.0412, and 0.1 · 0.1 and 0.9 · 0.03 to
      // 0.0288.
      ([(8, 10, 0.6, 0.9), (81, 90, 0.86, 0.93)], (89, 100, 0.8488, 0.9188)),
      ([], (0, 0, 0, 1)), ([(0, 5, 0, 0.4), (0, 5, 0, 0.4)], (0, 10, 0, 0.2828)),
    ] as [([(Int, Int, Double, Double)], (Int, Int, Double, Double))])
  func adding(
    shares: [(Int, Int, Double, Double)], wanted: (Int, Int, Double, Double)
  ) {
    let share = Share(
      adding: shares.map { Share($0.0, of: $0.1, in: ConfidenceInterval(low: $0.2, high: $0.3)) })
    #expect((share.hits, share.count) == (wanted.0, wanted.1))
    #expect(abs(share.low - wanted.2) < 0.0001 && abs(share.high - wanted.3) < 0.0001)
  }
}
