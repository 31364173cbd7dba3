import EvalRecords
import EvalStatistics
import StructuredText
import Testing

@Suite("Comparisons of runs whose assertions were edited")
struct AssertionEditTests {
  /// An assertion of the test's suite: its name, its digest, and in how many of the 20 test cases
  /// it fails.
  private struct Stub {
    var name: String
    var digest: String
    var failing = 0
    var weight = 1.0

    init(_ name: String, _ digest: String, failing: Int = 0, weight: Double = 1) {
      (self.name, self.digest, self.failing) = (name, digest, failing)
      self.weight = weight
    }

    var identity: AssertionIdentity {
      weight == 1
        ? AssertionIdentity(name: name, digest: digest)
        : AssertionIdentity(name: name, digest: "\(digest) × \(weight)", unweighted: digest)
    }
  }

  private func side(
    _ id: Int, _ assertions: [Stub], threshold: Double? = nil, guardrails: [String] = [],
    hasDigests: Bool = true
  ) -> ComparisonSide {
    let weights = Dictionary(
      assertions.filter { $0.weight != 1 }.map { ($0.name, $0.weight) },
      uniquingKeysWith: { first, _ in first })
    let scoring = AttemptScoring(
      threshold: threshold, weights: weights, guardrails: Set(guardrails))
    var builder = RunBuilder(id: id)
    builder.answer = { index, _ in
      let verdicts = assertions.map { stub in
        VerdictRecord(
          assertion: stub.name, type: "equals", path: "$",
          verdict: index < stub.failing ? .fail : .pass, expected: "", actual: "")
      }
      return RunBuilder.Answer(outcome: scoring.outcome(of: verdicts), verdicts: verdicts)
    }
    var side = builder.side()
    for index in side.attempts.indices where !weights.isEmpty {
      side.attempts[index].details.weights = weights
    }
    side.run.suites[0].gate.guardrails = guardrails
    var settings: [String: CaseSettings] = [:]
    for index in side.run.suites[0].cases.indices {
      // The text says less than the digest.
      side.run.suites[0].cases[index].assertions = assertions.map { "\($0.name): as expected" }
      settings[side.run.suites[0].cases[index].id] = CaseSettings()
      settings[side.run.suites[0].cases[index].id]?.threshold = threshold
    }
    side.run.suites[0].details.cases = threshold == nil ? nil : settings
    if hasDigests {
      side.run.suites[0].details.assertions = AssertionIdentities(
        shared: assertions.map(\.identity), own: [])
    }
    return side
  }

  private func compare(_ baseline: ComparisonSide, _ candidate: ComparisonSide) -> ComparisonRecord
  {
    Comparison.compare(baseline: baseline, candidate: candidate)
  }

  private let trivial = Stub("trivial", "t")

  @Test("an edited assertion with the same name and text makes the pass rate not comparable")
  func edited() throws {
    let record = compare(
      side(1, [trivial, Stub("a", "1")]), side(2, [trivial, Stub("a", "2", failing: 8)]))
    #expect(record.verdict == .notComparable)
    #expect(record.differences.map(\.fact) == [.assertions(change: .changed, names: ["a"])])
    let rate = try #require(record.effects.first { $0.quantity == .passRate })
    #expect(rate.verdict == .notComparable && rate.pValue == nil)
    #expect(!record.effects.contains { $0.quantity == .failedAssertion(name: "a", path: "$") })
  }

  @Test("if the only assertion was edited, nothing can be compared, and the assertion is named")
  func onlyOne() {
    let record = compare(side(1, [Stub("a", "1")]), side(2, [Stub("a", "2", failing: 8)]))
    #expect(record.verdict == .notComparable)
    let facts = record.differences.map(\.fact)
    #expect(facts.contains(.assertions(change: .changed, names: ["a"])))
    #expect(facts.contains(.nothingInCommon))
  }

  @Test("a tightened assertion is no regression, even if it fails now")
  func tightened() {
    let record = compare(
      side(1, [trivial, Stub("a", "1")]), side(2, [trivial, Stub("a", "2", failing: 20)]))
    #expect(record.verdict == .notComparable)
  }

  @Test("beside an edited assertion, a worse result of a shared one is a regression")
  func regression() {
    let record = compare(
      side(1, [Stub("b", "b"), Stub("a", "1")]),
      side(2, [Stub("b", "b", failing: 8), Stub("a", "2")]))
    #expect(record.verdict == .regressed)
  }

  @Test("equal digests are one assertion, whatever its name and text are")
  func renamed() throws {
    let worse = compare(
      side(1, [trivial, Stub("a", "1")]), side(2, [trivial, Stub("new name", "1", failing: 8)]))
    #expect(worse.verdict == .regressed && worse.differences.isEmpty)
    let effect = try #require(
      worse.effects.first { $0.quantity == .failedAssertion(name: "new name", path: "$") })
    #expect(effect.baseline.hits == 0 && effect.baseline.count == 20)
    let same = compare(
      side(1, [trivial, Stub("a", "1")]), side(2, [Stub("new name", "1"), trivial]))
    #expect(same.verdict == .ok && same.differences.isEmpty)
  }

  @Test("an assertion that occurs twice in a suite is matched twice")
  func twice() {
    let two = [Stub("a", "1"), Stub("a #2", "1")]
    #expect(compare(side(1, two), side(2, two)).differences.isEmpty)
    let fewer = compare(side(1, two), side(2, [two[0]]))
    #expect(fewer.differences.map(\.fact) == [.assertions(change: .removed, names: ["a #2"])])
    #expect(fewer.verdict == .notComparable)
  }

  @Test("one assertion gone and one new assertion in the same test case are an edit")
  func replaced() {
    let record = compare(
      side(1, [trivial, Stub("equals $.x", "1")]), side(2, [trivial, Stub("equals $.y", "2")]))
    #expect(record.verdict == .notComparable)
    #expect(
      record.differences.map(\.fact) == [
        .assertions(change: .changed, names: ["equals $.x → equals $.y"])
      ])
  }

  @Test("an assertion that is only gone or only new matters unless its weight is 0")
  func goneOrNew() {
    let one = [trivial]
    for failing in [0, 20] {
      let two = [trivial, Stub("a", "1", failing: failing)]
      #expect(compare(side(1, two), side(2, one)).verdict == .notComparable)
      #expect(compare(side(1, one), side(2, two)).verdict == .notComparable)
    }
    let weightless = [trivial, Stub("a", "1", failing: 20, weight: 0)]
    let record = compare(side(1, weightless), side(2, one))
    #expect(record.verdict == .ok)
    #expect(record.differences.map(\.fact) == [.assertions(change: .uncounted, names: ["a"])])
    #expect(compare(side(1, one), side(2, weightless)).verdict == .ok)
    // A guardrail counts although its weight is 0.
    let guarded = side(1, weightless, threshold: 0.5, guardrails: ["a"])
    #expect(compare(guarded, side(2, one, threshold: 0.5)).verdict == .notComparable)
  }

  @Test("another weight hides no change, and makes none")
  func weights() {
    func checks(_ weight: Double, failing: Int) -> [Stub] {
      [trivial, Stub("a", "1", failing: failing, weight: weight)]
    }
    let hidden = compare(side(1, checks(1, failing: 0)), side(2, checks(0, failing: 8)))
    #expect(hidden.verdict == .notComparable)
    #expect(
      hidden.differences.map(\.fact) == [
        .assertions(change: .reweighted, names: ["a"]), .scoring(cases: (0..<8).map { "c\($0)" }),
      ])
    let lighter = compare(side(1, checks(1, failing: 8)), side(2, checks(0, failing: 8)))
    #expect(lighter.verdict == .ok)
    let heavier = compare(side(1, checks(0, failing: 8)), side(2, checks(1, failing: 8)))
    #expect(heavier.verdict == .ok)
    let worse = compare(side(1, checks(0, failing: 0)), side(2, checks(1, failing: 8)))
    #expect(worse.verdict == .regressed)
  }

  @Test("edits of the gate are named, and don't limit the verdict")
  func gate() {
    let (before, good) = (side(1, [trivial]), side(2, [trivial]))
    func facts(_ edit: (inout SuiteRecord) -> Void) -> [ComparisonDifference.Fact] {
      var after = good
      edit(&after.run.suites[0])
      let record = compare(before, after)
      #expect(record.verdict == .ok)
      return record.differences.map(\.fact)
    }
    #expect(facts { _ in } == [])
    #expect(
      facts { $0.gate.passRate = 0.5 } == [
        .setting(name: .gateRate, before: .number(1), after: .number(0.5))
      ])
    #expect(
      facts { $0.gate.passRateByBackend = [before.run.backends[0].id: 0.25] } == [
        .setting(name: .gateRate, before: .number(1), after: .number(0.25))
      ])
    #expect(facts { $0.gate.passRateByBackend = ["another": 0.25] } == [])
    #expect(
      facts { $0.gate.reducer = .all } == [
        .setting(name: .reducer, before: .none, after: .text("all"))
      ])
    #expect(
      facts {
        $0.details.metrics = [MetricRecord(name: "n", words: "the number at $.x", maximum: 2)]
      } == [
        .setting(
          name: .metric, before: .none, after: .text("n: the number at $.x, at most 2.0"))
      ])
    #expect(
      facts {
        $0.details.cases = ["c3": CaseSettings()]
        $0.details.cases?["c3"]?.passRate = 0.5
      } == [
        .setting(name: .gateRate, before: .none, after: .number(0.5), cases: ["c3"])
      ])
  }

  @Test(
    "a baseline that was judged anew is compared by the new rule, unless the edit may hide a fall")
  func judgedAnew() {
    let rejudgement = Rejudgement(
      edited: ["a"], cases: (0..<20).map { "c\($0)" }, loosened: (0..<20).map { "c\($0)" })
    func compared(
      _ before: [Stub], _ after: [Stub], other: Int, _ edit: (inout Rejudgement) -> Void = { _ in }
    ) -> ComparisonRecord {
      var (left, right) = (side(1, before), side(2, after))
      var facts = rejudgement
      edit(&facts)
      left.run.suites[0].details.rejudgement = facts
      for index in left.attempts.indices {
        left.attempts[index].details.formerOutcome = .pass
        right.attempts[index].output = index < other ? "[1]" : left.attempts[index].output
      }
      return compare(left, right)
    }
    let (fine, worse) = ([trivial, Stub("a", "1")], [trivial, Stub("a", "1", failing: 8)])
    #expect(compared(fine, fine, other: 0).verdict == .ok)
    #expect(compared(worse, worse, other: 0).verdict == .ok)
    #expect(compared(fine, worse, other: 8).verdict == .regressed)
    #expect(compared(fine, fine, other: 4).verdict == .ok)
    let hidden = compared(fine, fine, other: 8)
    #expect(hidden.verdict == .notComparable)
    #expect(hidden.differences.map(\.fact).contains(.hiddenByEdit(answers: 8)))
    let tightened = compared(fine, fine, other: 8) { $0.loosened = [] }
    #expect(tightened.verdict == .ok)
    let own = compared(worse, worse, other: 0) { $0.otherExpectations = Array($0.cases.prefix(10)) }
    #expect(own.verdict == .notComparable)
    #expect(own.differences.map(\.fact).contains(.otherExpectations(cases: 10, of: 20)))
    let fewer = compared(worse, worse, other: 0) {
      $0.otherExpectations = Array($0.cases.prefix(9))
    }
    #expect(fewer.verdict == .ok)
  }

  @Test(
    "runs without digests are compared by texts, also with a run that has digests",
    arguments: [(false, false), (false, true), (true, false)])
  func checkTexts(_ row: (Bool, Bool)) {
    let before = side(1, [trivial, Stub("a", "1")], hasDigests: row.0)
    let edited = [trivial, Stub("a", "2", failing: 8)]
    #expect(compare(before, side(2, edited, hasDigests: row.1)).verdict == .regressed)
    var other = side(2, edited, hasDigests: row.1)
    for index in other.run.suites[0].cases.indices {
      other.run.suites[0].cases[index].assertions[1] = "a: something else"
    }
    let record = compare(before, other)
    #expect(record.verdict == .notComparable)
    #expect(record.differences.map(\.fact) == [.assertions(change: .changed, names: ["a"])])
  }

  @Test("a dropped guardrail hides no change, and an added one makes none")
  func guardrails() {
    let (fine, worse) = ([trivial, Stub("a", "1")], [trivial, Stub("a", "1", failing: 8)])
    func record(
      _ baseline: [Stub], _ guards: Bool, _ candidate: [Stub], _ guardsNow: Bool
    ) -> ComparisonRecord {
      compare(
        side(1, baseline, threshold: 0.5, guardrails: guards ? ["a"] : []),
        side(2, candidate, threshold: 0.5, guardrails: guardsNow ? ["a"] : []))
    }
    let dropped = record(fine, true, worse, false)
    #expect(dropped.verdict == .notComparable)
    #expect(
      dropped.differences.map(\.fact) == [
        .guardrails(change: .removed, names: ["a"]),
        .scoring(cases: (0..<8).map { "c\($0)" }),
      ])
    let added = record(worse, false, worse, true)
    #expect(added.verdict == .ok)
    #expect(added.differences.map(\.fact) == [.guardrails(change: .added, names: ["a"])])
    #expect(record(fine, false, worse, true).verdict == .regressed)
    #expect(record(fine, true, fine, false).verdict == .ok)
    #expect(record(fine, true, worse, true).verdict == .regressed)
  }

  @Test("a renamed guardrail is the same guardrail")
  func renamedGuardrail() {
    let record = compare(
      side(1, [trivial, Stub("a", "1")], threshold: 0.5, guardrails: ["a"]),
      side(2, [trivial, Stub("b", "1", failing: 8)], threshold: 0.5, guardrails: ["b"]))
    #expect(record.verdict == .regressed && record.differences.isEmpty)
  }

  @Test("a lower threshold hides no change, but may be set if nothing changed")
  func threshold() {
    let (fine, worse) = ([trivial, Stub("a", "1")], [trivial, Stub("a", "1", failing: 8)])
    let hidden = compare(side(1, fine, threshold: 1), side(2, worse, threshold: 0.5))
    #expect(hidden.verdict == .notComparable)
    let same = compare(side(1, worse, threshold: 1), side(2, worse, threshold: 0.5))
    #expect(same.verdict == .ok)
    let raised = compare(side(1, fine, threshold: 0.5), side(2, worse, threshold: 1))
    #expect(raised.verdict == .regressed)
  }
}
