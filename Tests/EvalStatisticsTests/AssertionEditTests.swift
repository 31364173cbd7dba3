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

    init(_ name: String, _ digest: String, failing: Int = 0) {
      (self.name, self.digest, self.failing) = (name, digest, failing)
    }
  }

  private func side(
    _ id: Int, _ assertions: [Stub], threshold: Double? = nil, guardrails: [String] = [],
    hasDigests: Bool = true
  ) -> ComparisonSide {
    let scoring = AttemptScoring(threshold: threshold, guardrails: Set(guardrails))
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
        shared: assertions.map { AssertionIdentity(name: $0.name, digest: $0.digest) }, own: [])
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

  @Test("an assertion that is only gone or only new is left out")
  func leftOut() {
    let (one, two) = ([trivial], [trivial, Stub("a", "1", failing: 20)])
    #expect(compare(side(1, two), side(2, one)).verdict == .ok)
    #expect(compare(side(1, one), side(2, two)).verdict == .ok)
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
