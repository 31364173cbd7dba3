import EvalRecords
import Testing

@testable import EvalFindings
@testable import EvalReports

@Suite("New, known and fixed findings")
struct NoveltyTests {
  /// The state of one suite on one night: what the comparison found, and whether the gate passed.
  struct Night: Sendable {
    var verdict: ComparisonVerdict?
    var isReached: Bool?
    /// How many of ten attempts of the reference passed.
    var reference: Int?
    var needed: Double?
    /// What the night found out about each criterion, or `nil` as in a line of an older version.
    var results: [CriterionResult]?
    /// The test cases that fail; the suite has the test cases `a` to `d`.
    var failing = ""
    var isPart = false
    /// How many attempts the backend failed.
    var errors: Int?
    init(_ verdict: ComparisonVerdict?, _ isReached: Bool? = true) {
      (self.verdict, self.isReached) = (verdict, isReached)
    }
  }

  private func view(
    _ suites: [String: [Night?]], statuses: [Int: RunRecord.Status] = [:]
  ) -> NightView {
    let count = suites.values.map(\.count).max() ?? 0
    let entries = (0..<count).map { night in
      var run = SyntheticRun(casesPerSuite: 1, repeats: 1).record
      run.id = night + 1
      run.startedAt = "2026-11-0\(night + 1)T02:00:00Z"
      run.status = statuses[night] ?? .complete
      var entry = HistoryEntry(ReportDocument(run: run, attempts: []), exitStatus: 0)
      entry.slices = suites.sorted { $0.key < $1.key }.compactMap { suite, nights in
        nights[night].map { state in
          HistoryEntry.Slice(
            key: SliceKey(suite: suite, variant: "default", backend: "local"), schemaName: "",
            needed: state.needed, guides: "",
            cases: "abcd".map {
              HistoryEntry.CaseCount(
                id: "\($0)", passed: state.failing.contains($0) ? 0 : 1, made: 1)
            },
            measures: [], medianSeconds: 0, p95Seconds: 0, medianTokens: 0, medianPromptTokens: 0,
            verdict: state.verdict, isReached: state.isReached, isPart: state.isPart,
            errors: state.errors,
            reference: state.reference.map { HistoryEntry.Total(passed: $0, made: 10) },
            results: state.results)
        }
      }
      return entry
    }
    return NightView(RunHistory(entries))
  }

  private func check(
    _ suites: [String: [Night?]], statuses: [Int: RunRecord.Status] = [:], _ expected: String?
  ) {
    let view = view(suites, statuses: statuses)
    // Dates contain spaces that don't break.
    let words = Novelty(view.history).words(in: view)?.replacing("\u{A0}", with: " ")
    #expect(words == expected)
  }

  @Test("a regression that the previous run didn't have is new")
  func new() {
    check(["a": [Night(.ok), Night(.regressed)]], "New since run 1 (1 Nov): a.")
  }

  @Test("a regression is known since the first of the runs in a row that had it")
  func known() {
    check(
      ["a": [Night(.regressed), Night(.ok), Night(.regressed), Night(.regressed)]],
      "Nothing is new since run 3 (3 Nov). Known since run 3, for 2 runs: a.")
  }

  @Test("a new regression, a known gate and a fixed suite are three sentences")
  func all() {
    check(
      [
        "a": [Night(.ok), Night(.ok), Night(.regressed)],
        "b": [Night(nil, false), Night(nil, false), Night(nil, false)],
        "c": [Night(.regressed), Night(.regressed), Night(.ok)],
      ],
      "New since run 2 (2 Nov): a. Known since run 1 (1 Nov), for 3 runs: the gate of b. "
        + "Fixed since run 2: c.")
  }

  @Test("nothing is fixed by accepting other results, or by lowering or removing a gate")
  func notFixed() {
    var (worse, same, accepted) = (Night(.regressed), Night(.ok), Night(.ok))
    (worse.reference, same.reference, accepted.reference) = (9, 9, 3)
    check(["a": [worse, same]], "Fixed since run 1 (1 Nov): a.")
    check(["a": [worse, accepted]], nil)
    var (missed, reached, lowered) = (Night(nil, false), Night(nil), Night(nil))
    (missed.needed, reached.needed, lowered.needed) = (0.9, 0.9, 0.5)
    check(["a": [missed, reached]], "Fixed since run 1 (1 Nov): the gate of a.")
    check(["a": [missed, lowered]], nil)
    check(["a": [missed, Night(nil, nil)]], nil)
  }

  @Test(
    "nothing is said without a finding, an earlier run, or an earlier comparison",
    arguments: [
      ["a": [Night(.ok), Night(.ok)]], ["a": [Night(.regressed)]],
      ["a": [nil, Night(.regressed)]],
    ] as [[String: [Night?]]])
  private func nothing(_ suites: [String: [Night?]]) { check(suites, nil) }

  /// A night on which some of the test cases `a` to `d` newly fail.
  private func failing(_ ids: String, _ verdict: ComparisonVerdict = .inconclusive) -> Night {
    var night = Night(verdict)
    night.failing = ids
    night.results =
      [CriterionResult(.quantity(.passRate), isGood: verdict != .regressed)]
      + ids.map { CriterionResult(.newlyFailing("\($0)"), isGood: false) }
    return night
  }

  @Test("a test case that newly fails is a finding, unless its suite has another one")
  func newlyFailing() {
    let known = Array(repeating: Night(.regressed), count: 3)
    check(
      ["x": known, "y": [failing("", .ok), failing("", .ok), failing("ab")]],
      "New since run 2 (2 Nov): 2 test cases of y. Known since run 1 (1 Nov), for 3 runs: x.")
    check(
      ["y": [failing("", .ok), failing("a"), failing("ab")]],
      "New since run 2 (2 Nov): the test case b of y. Known since run 2, for 2 runs: the test case "
        + "a of y.")
    check(["y": [failing("", .ok), failing("ab", .regressed)]], "New since run 1 (1 Nov): y.")
    // A test case that joins a known regression is new.
    check(
      ["y": [failing("ab", .regressed), failing("abc", .regressed)]],
      "New since run 1 (1 Nov): the test case c of y. Known since run 1, for 2 runs: y.")
    check(
      ["y": [failing("ab"), failing("", .ok)]], "Fixed since run 1 (1 Nov): 2 test cases of y.")
    // A line without results shows at least that the test case failed.
    var old = failing("a")
    old.results = nil
    check(
      ["y": [old, failing("a")]],
      "Nothing is new since run 1 (1 Nov). Known since run 1, for 2 runs: the test case a of y.")
    // After a backend error, nobody knows whether the test case would have failed.
    var broken = failing("a", .ok)
    (broken.results, broken.errors) = ([], 1)
    check(["y": [broken, failing("a")]], "New since run 1 (1 Nov): the test case a of y.")
    var part = failing("", .ok)
    part.isPart = true
    check(["y": [failing("ab"), part]], nil)
  }

  @Test("nothing is called new only if no test case fails that passed in the previous run")
  func brokenCases() {
    func night(_ failing: String) -> Night {
      var night = Night(.ok)
      night.failing = failing
      return night
    }
    let known = Array(repeating: Night(.regressed), count: 2)
    let none = "No finding is new since run 1 (1 Nov)"
    let rest = " Known since run 1, for 2 runs: x."
    check(
      ["x": known, "y": [night(""), night("a")]],
      none + ", but 1 test case fails that passed then: a of y." + rest)
    check(
      ["x": known, "y": [night("a"), night("abc")], "z": [night(""), night("d")]],
      none + ", but 3 test cases fail that passed then: 2 of y, d of z." + rest)
    check(
      ["x": known, "y": [night("ab"), night("a")]], "Nothing is new since run 1 (1 Nov)." + rest)
  }

  @Test("a suite that had nothing to compare with had no regression")
  func firstComparison() {
    check(["a": [Night(nil), Night(.regressed)]], "New since run 1 (1 Nov): a.")
  }

  @Test("a suite that regressed and missed its gate is named once")
  func both() {
    check(["a": [Night(.ok), Night(.regressed, false)]], "New since run 1 (1 Nov): a.")
  }

  @Test(
    "a regression is fixed only if a comparison shows it",
    arguments: [
      (.ok, true), (.improved, true), (.inconclusive, false), (.notComparable, false),
      (.broken, false), (nil, false),
    ] as [(ComparisonVerdict?, Bool)])
  func checkFixed(verdict: ComparisonVerdict?, isFixed: Bool) {
    check(
      ["a": [Night(.regressed), Night(verdict)]], isFixed ? "Fixed since run 1 (1 Nov): a." : nil)
  }

  @Test("an interrupted run is no previous run")
  func interrupted() {
    check(
      ["a": [Night(.regressed), Night(.ok), Night(.regressed)]], statuses: [1: .interrupted],
      "Nothing is new since run 1 (1 Nov). Known since run 1, for 2 runs: a.")
  }

  // MARK: Findings about single criteria

  private static let rate = Criterion.quantity(.passRate)
  private static let empty = Criterion.quantity(.emptyArray(path: "$.a"))

  /// A night with bad and good criteria, from which the verdict and the state of the gate follow.
  private static func judged(
    bad: [Criterion] = [], good: [Criterion] = [], failing: String = "",
    verdict: ComparisonVerdict? = nil,
    allowed: ClosedRange<Double>? = nil
  ) -> Night {
    var night = Night(
      verdict ?? (bad.contains { !$0.isOfGate } ? .regressed : .ok),
      !bad.contains(where: \.isOfGate))
    night.results =
      bad.map { CriterionResult($0, isGood: false, allowed: allowed) }
      + good.map { CriterionResult($0, isGood: true, allowed: allowed) }
    night.failing = failing
    return night
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var nights: [Night]
    var words: String?

    var testDescription: String { name }
  }

  private static let rows: [Row] = [
    Row(
      name: "another quantity of a suite that is already worse is new",
      nights: [judged(bad: [rate], failing: "ab"), judged(bad: [rate, empty], failing: "ab")],
      words: "New since run 1 (1 Nov): empty $.a in s. Known since run 1, for 2 runs: the "
        + "pass rate of s."),
    Row(
      name: "a guardrail and a metric of a gate that is already missed are new",
      nights: [
        judged(bad: [.gateRate], good: [.guardrail("g"), .metric("m")], failing: "a"),
        judged(bad: [.gateRate, .guardrail("g"), .metric("m")], failing: "a"),
      ],
      words: "New since run 1 (1 Nov): the guardrail “g” of s, the metric “m” of s. Known since "
        + "run 1, for 2 runs: the gate’s pass rate in s."),
    Row(
      name: "the pass rate of the gate is fixed, although the gate is still missed",
      nights: [
        judged(bad: [.gateRate, .guardrail("g")], failing: "a"),
        judged(bad: [.guardrail("g")], good: [.gateRate]),
      ],
      words: "Nothing is new since run 1 (1 Nov). Known since run 1, for 2 runs: the "
        + "guardrail “g” of s. Fixed since run 1: the gate’s pass rate in s."),
    Row(
      name: "the same finding with entirely other test cases is not old",
      nights: [judged(bad: [rate], failing: "ab"), judged(bad: [rate], failing: "cd")],
      words: "Other test cases fail than in run 1 (1 Nov): s. Known since run 1, for 2 "
        + "runs: s."),
    Row(
      name: "the same finding with some of the same test cases is old",
      nights: [judged(bad: [rate], failing: "ab"), judged(bad: [rate], failing: "bcd")],
      words: "No finding is new since run 1 (1 Nov), but 2 test cases fail that passed then: 2 of "
        + "s. Known since run 1, for 2 runs: s."),
    Row(
      name: "test cases say nothing about a finding that isn't about the pass rate",
      nights: [judged(bad: [empty], failing: "ab"), judged(bad: [empty], failing: "cd")],
      words: "No finding is new since run 1 (1 Nov), but 2 test cases fail that passed then: 2 of "
        + "s. Known since run 1, for 2 runs: empty $.a in s."),
    Row(
      name: "each quantity has its own first run",
      nights: [
        judged(bad: [rate], failing: "a"), judged(bad: [rate, empty], failing: "a"),
        judged(bad: [rate, empty], failing: "a"),
      ],
      words: "Nothing is new since run 2 (2 Nov). Known since run 1 (1 Nov), for 3 runs: the pass "
        + "rate of s. Known since run 2, for 2 runs: empty $.a in s."),
    Row(
      name: "a quantity that the comparison can't judge isn't fixed",
      nights: [
        judged(bad: [rate, empty], failing: "a"), judged(bad: [rate], failing: "a"),
      ],
      words: "Nothing is new since run 1 (1 Nov). Known since run 1, for 2 runs: s."),
    Row(
      name: "a metric isn't fixed by a wider bound",
      nights: [
        judged(bad: [.metric("m")], allowed: 0...50),
        judged(good: [.metric("m")], allowed: 0...200),
      ],
      words: nil),
    Row(
      name: "a metric is fixed within the same bound",
      nights: [
        judged(bad: [.metric("m")], allowed: 0...50), judged(good: [.metric("m")], allowed: 0...50),
      ],
      words: "Fixed since run 1 (1 Nov): the metric “m” of s."),
    Row(
      name: "a guardrail that nobody checks any more isn't fixed",
      nights: [judged(bad: [.guardrail("g")]), judged(good: [.gateRate])], words: nil),
    Row(
      name: "the first line with criteria finds nothing new in a suite that was already worse",
      nights: [Night(.regressed, false), judged(bad: [rate, empty, .guardrail("g")])],
      words: "Nothing is new since run 1 (1 Nov). Known since run 1, for 2 runs: the pass "
        + "rate of s, empty $.a in s, the guardrail “g” of s."),
    Row(
      name: "a line without criteria is fixed by a night without any finding",
      nights: [Night(.regressed, false), judged(good: [rate, .gateRate])],
      words: "Fixed since run 1 (1 Nov): s."),
    Row(
      name: "a line without criteria isn't fixed by a night with another finding",
      nights: [Night(.regressed), judged(bad: [empty], good: [rate])],
      words: "Nothing is new since run 1 (1 Nov). Known since run 1, for 2 runs: empty $.a "
        + "in s."),
  ]

  @Test("a finding is one quantity or one condition of a gate", arguments: rows)
  private func checkCriteria(_ row: Row) { check(["s": row.nights], row.words) }

  @Test("a run that stopped before its end neither fixes a finding nor adds a night to it")
  func unfinished() {
    let worse = Self.judged(bad: [Self.rate], failing: "a")
    check(["s": [worse, Self.judged(good: [Self.rate])]], statuses: [1: .interrupted], nil)
    check(["s": [worse, worse]], statuses: [1: .interrupted], nil)
  }

  @Test("a suite that stopped early fixes the pass rate of its gate, but no guardrail")
  func stoppedEarly() {
    var night = Self.judged(good: [.gateRate, .guardrail("g")])
    night.isPart = true
    check(
      ["s": [Self.judged(bad: [.gateRate, .guardrail("g")]), night]],
      "Fixed since run 1 (1 Nov): the gate of s.")
  }

  @Test("a finding in a suite that ran for the first time is new")
  func firstRun() {
    check(
      ["a": [Night(.regressed), Night(.regressed)], "b": [nil, Night(nil, false)]],
      "New since run 1 (1 Nov): the gate of b. Known since run 1, for 2 runs: a.")
  }

  @Test("a broken comparison is news, although it is no finding")
  func broken() {
    check(
      ["a": [Night(.regressed), Night(.regressed)], "b": [Night(.ok), Night(.broken)]],
      "Known since run 1 (1 Nov), for 2 runs: a.")
  }

  @Test("a line of the history has the criteria of the run")
  func line() throws {
    let results = [
      CriterionResult(Self.rate, isGood: false), CriterionResult(Self.empty, isGood: true),
      CriterionResult(.quantity(.shortArray(minimum: 3, path: "$.a['x y']")), isGood: false),
      CriterionResult(.quantity(.failedAssertion(name: "is it ok", path: "$")), isGood: false),
      CriterionResult(.quantity(.missedBranch("a b", path: "$.c")), isGood: true),
      CriterionResult(.gateRate, isGood: false, allowed: 0.9...(.infinity)),
      CriterionResult(.guardrail("no lies"), isGood: true),
      CriterionResult(.metric("m"), isGood: false, allowed: -1...50),
      CriterionResult(.testCase("c 1"), isGood: true, allowed: 1...(.infinity)),
      CriterionResult(.backendErrors, isGood: true),
      CriterionResult(.recordedAnswers, isGood: true),
    ]
    var night = Self.judged()
    night.results = results
    let entry = try #require(view(["s": [night]]).history.entries.first)
    let read = try HistoryEntry(line: Array(entry.line().utf8))
    #expect(read.slices.first?.results == results)
    let old = try #require(view(["s": [Night(.ok)]]).history.entries.first)
    #expect(try HistoryEntry(line: Array(old.line().utf8)).slices.first?.results == nil)
  }
}
