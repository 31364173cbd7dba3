import EvalRecords
import EvalStatistics
import Testing

@testable import EvalFindings
@testable import EvalReports

@Suite("The dashboard compares test cases that the nights have in common")
struct CompositionTests {
  private static let key = SliceKey(suite: "s", variant: "default", backend: "stub")

  /// Creates a night from the passed and made attempts of each group of test cases.
  ///
  /// - Parameter groups: The prefix of the ids, the number of test cases, and the number of passed
  ///   attempts of ten in each of them.
  private func night(
    _ number: Int, _ groups: [(prefix: String, cases: Int, passed: Int)], guides: String = "g",
    state: RunState = .unchanged, exitStatus: Int = 0, isPart: Bool = false
  ) -> HistoryEntry {
    let day = number < 10 ? "0\(number)" : "\(number)"
    var entry = HistoryEntry(
      run: number, label: "nightly", startedAt: "2026-11-\(day)T02:00:00Z", finishedAt: nil,
      status: .complete, exitStatus: exitStatus, verdict: "\(state.glyph) \(state.word).",
      state: state, commit: nil, toolVersion: "0.1.0", backends: [], slices: [],
      texts: [guides: [GuideText(place: "S.x", text: guides, isProse: true)]])
    entry.slices = [
      HistoryEntry.Slice(
        key: Self.key, schemaName: "S", needed: 0.1, guides: guides,
        cases: groups.flatMap { group in
          (0..<group.cases).map {
            .init(id: "\(group.prefix)\($0)", passed: group.passed, made: 10)
          }
        }, measures: [], medianSeconds: 1, p95Seconds: 1, medianTokens: 1, medianPromptTokens: 1,
        isPart: isPart)
    ]
    return entry
  }

  /// The text of the dashboard's first paragraphs.
  private func sentences(_ nights: [HistoryEntry]) -> String {
    var writer = HTMLWriter()
    DashboardSentence(view: NightView(RunHistory(nights))).write(to: &writer)
    return ParsedHTML("<!doctype html>" + String(decoding: writer.bytes, as: UTF8.self)).text
      .replacing("\u{A0}", with: " ")
  }

  @Test("easy test cases that are added don't hide a fall, and are no improvement")
  func added() {
    let text = sentences(
      (1...6).map { night($0, [("old", 10, 5)]) }
        + (7...12).map { night($0, [("old", 10, 3), ("new", 30, 10)]) })
    #expect(text.contains("lower since run 7"), "\(text)")
    #expect(text.contains("30.0 %") && text.contains("50.0 % before"), "\(text)")
  }

  @Test("failing test cases that are added don't look like a fall")
  func addedFailing() {
    let text = sentences(
      (1...6).map { night($0, [("old", 10, 9)]) }
        + (7...12).map { night($0, [("old", 10, 9), ("new", 5, 0)]) })
    #expect(!text.contains("e since") && !text.contains("r since"), "\(text)")
  }

  @Test("hard test cases that are removed don't hide a fall")
  func removed() {
    let text = sentences(
      (1...8).map { night($0, [("easy", 10, 9), ("hard", 10, 5)]) }
        + (9...16).map { night($0, [("easy", 10, 7)]) })
    #expect(text.contains("lower since run 9"), "\(text)")
  }

  @Test("a fall of the same test cases is found as before")
  func control() {
    let text = sentences(
      (1...6).map { night($0, [("old", 10, 9)]) } + (7...12).map { night($0, [("old", 10, 6)]) })
    #expect(text.contains("lower since run 7"), "\(text)")
    #expect(text.contains("60.0 %") && text.contains("90.0 % before"), "\(text)")
  }

  @Test(
    "a suite is worse as long as a fall lasts, but not on the night that ends it",
    arguments: [
      // The passed attempts of ten in each test case, night by night.
      ([9, 9, 9, 9, 9, 9, 2, 2, 2], true), ([9, 9, 9, 9, 9, 9, 2, 2, 9], false),
      ([9, 9, 9, 9, 9, 9, 2, 2, 2, 9], false), ([9, 9, 9, 9, 9, 9, 1, 9], false),
      ([9, 9, 9, 9, 9, 9, 6, 6, 6, 6, 6, 7], true), ([9, 9, 9, 9, 9, 9, 9, 9], false),
    ])
  func checkLasts(passed: [Int], isWorse: Bool) {
    let nights = passed.enumerated().map { night($0 + 1, [("old", 10, $1)]) }
    let text = sentences(nights)
    #expect(text.contains("lower since run 7") == isWorse, "\(text)")
    let view = NightView(RunHistory(nights))
    #expect((view.fall(of: Self.key) != nil) == isWorse)
    for (stretch, _, _) in view.stretches(Self.key) {
      #expect(stretch.share.low > 0 && stretch.share.high < 1, "the interval is known")
    }
  }

  @Test("nights with a part of the attempts are gaps, and don't count in a trend")
  func parts() {
    let nights =
      (1...6).map { night($0, [("old", 10, 9)]) }
      + (7...9).map { night($0, [("old", 1, 0)], isPart: true) }
      + (10...12).map { night($0, [("old", 10, 9)]) }
    #expect(!sentences(nights).contains("e since") && !sentences(nights).contains("r since"))
    let view = NightView(RunHistory(nights))
    #expect(view.passing(Self.key).count { $0 == nil } == 3)
  }

  @Test("if all test cases were replaced, the nights before that don't count")
  func replaced() {
    let nights =
      (1...6).map { night($0, [("old", 10, 9)]) } + (7...12).map { night($0, [("new", 10, 2)]) }
    #expect(!sentences(nights).contains("e since") && !sentences(nights).contains("r since"))
    let common = CommonNights(Self.key, in: RunHistory(nights))
    #expect(common.nights.map(\.index) == Array(6...11) && common.cases.count == 10)
  }

  @Test("the effect of an edit compares the test cases that the nights around it have in common")
  func edit() throws {
    let nights =
      (1...4).map { night($0, [("old", 10, 5)], guides: "before") }
      + (5...8).map { night($0, [("old", 10, 5), ("new", 30, 10)], guides: "after") }
    let change = try #require(GuideChange.changes(in: RunHistory(nights)).first)
    #expect(change.change.change == 0 && change.change.after.count == 400)
  }

  @Test(
    "only runs whose reports say that they passed count as passed",
    arguments: [
      ([RunState.passed, .unchanged, .improved], "✓ Run 3 (3 Nov) passed."),
      ([.notJudged, .notJudged], "• Run 2 (2 Nov): not judged."),
      ([.passed, .inconclusive], "? Run 2 (2 Nov): inconclusive."),
      ([.inconclusive, .passed], "✓ Run 2 (2 Nov) passed."),
      ([.passed, .notComparable], "! Run 2 (2 Nov): not comparable."),
    ])
  func endings(states: [RunState], words: String) {
    let nights = states.enumerated().map { number, state in
      night(number + 1, [("old", 10, 9)], state: state)
    }
    let text = sentences(nights)
    #expect(text.hasPrefix(words), "\(text)")
  }
}
