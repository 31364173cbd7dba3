import EvalRecords
import EvalStatistics
import StructuredText
import Testing

@Suite("The part that both sides of a comparison share")
struct CommonPartTests {
  private func verdict(_ name: String, _ verdict: Verdict) -> VerdictRecord {
    VerdictRecord(
      assertion: name, type: "count", path: "$", verdict: verdict, expected: "", actual: "")
  }

  /// Returns a run with the given assertions.
  ///
  /// `failing` says in how many test cases, counted from the first, an assertion fails.
  private func judged(
    _ id: Int, by assertions: [String], failing: [String: Int] = [:]
  ) -> ComparisonSide {
    var builder = RunBuilder(id: id)
    builder.answer = { index, _ in
      let verdicts = assertions.map { name in
        verdict(name, index < failing[name] ?? 0 ? .fail : .pass)
      }
      return RunBuilder.Answer(
        outcome: verdicts.contains { $0.verdict == .fail } ? .fail : .pass, verdicts: verdicts)
    }
    var side = builder.side()
    for index in side.run.suites[0].cases.indices {
      side.run.suites[0].cases[index].assertions = assertions.map { "\($0) in words" }
    }
    return side
  }

  @Test("a new assertion that fails is neither a regression nor no change, and hides no regression")
  func newAssertion() throws {
    let fine = Comparison.compare(
      baseline: judged(1, by: ["a"]), candidate: judged(2, by: ["a", "b"], failing: ["b": 20]))
    #expect(fine.verdict == .notComparable)
    #expect(fine.differences.map(\.fact) == [.assertions(change: .added, names: ["b"])])
    let worse = Comparison.compare(
      baseline: judged(1, by: ["a"]),
      candidate: judged(2, by: ["a", "b"], failing: ["a": 8, "b": 20]))
    #expect(worse.verdict == .regressed)
    let rate = try #require(worse.effects.first { $0.quantity == .passRate })
    #expect(rate.candidate.hits == 12 && rate.candidate.count == 20)
  }

  @Test(
    "attempts on servers are paired by seed only if both servers repeat answers for equal seeds",
    arguments: [
      (.yes, .yes, true), (.yes, .no, false), (nil, .yes, false),
      (.yes, .unknown("no answer"), false),
    ] as [(ServerCapabilities.Finding?, ServerCapabilities.Finding?, Bool)])
  func checkPairing(
    _ row: (ServerCapabilities.Finding?, ServerCapabilities.Finding?, Bool)
  ) throws {
    func side(_ id: Int, _ repeatsSeeds: ServerCapabilities.Finding?) -> ComparisonSide {
      var builder = RunBuilder(id: id)
      builder.backend.isDeterministic = false
      builder.answer = { index, _ in
        RunBuilder.Answer(outcome: index < id ? .fail : .pass, output: "[\(id)]")
      }
      var side = builder.side()
      var use = ServedUse(address: "http://127.0.0.1")
      if let repeatsSeeds {
        var found = ServerCapabilities(unknown: "not tried")
        found.repeatsSeeds = repeatsSeeds
        use.capabilities = found
      }
      side.run.details.served = ["local": use]
      return side
    }
    let record = Comparison.compare(baseline: side(1, row.0), candidate: side(2, row.1))
    let effect = try #require(record.effects.first { $0.quantity == .passRate })
    let isPaired = effect.notes.contains { if case .flips = $0 { true } else { false } }
    #expect(isPaired == row.2)
  }

  @Test("removing an assertion that failed is not an improvement")
  func goneAssertion() {
    let record = Comparison.compare(
      baseline: judged(1, by: ["a", "b"], failing: ["b": 15]), candidate: judged(2, by: ["a"]))
    #expect(record.verdict == .notComparable)
    #expect(record.differences.map(\.fact) == [.assertions(change: .removed, names: ["b"])])
  }

  @Test(
    "a comparison leaves out test cases whose assertions were all replaced")
  func replacedAssertions() {
    let record = Comparison.compare(
      baseline: judged(1, by: ["a"]), candidate: judged(2, by: ["b"]))
    #expect(record.verdict == .notComparable)
    #expect(record.differences.map(\.fact).contains(.nothingInCommon))
  }

  @Test("both sides are judged by the candidate's threshold, so a lower threshold improves nothing")
  func threshold() throws {
    var baseline = judged(1, by: ["a", "b"], failing: ["a": 10])
    var candidate = judged(2, by: ["a", "b"], failing: ["a": 10])
    var own: [String: CaseSettings] = [:]
    for index in 0..<20 {
      own["c\(index)"] = CaseSettings()
      own["c\(index)"]?.threshold = 0.5
    }
    candidate.run.suites[0].details.cases = own
    let record = Comparison.compare(baseline: baseline, candidate: candidate)
    let rate = try #require(record.effects.first { $0.quantity == .passRate })
    #expect(rate.baseline.hits == 20 && rate.candidate.hits == 20)
    #expect(record.verdict == .ok)
    baseline.run.suites[0].details.cases = own
    let back = Comparison.compare(
      baseline: baseline, candidate: judged(3, by: ["a", "b"], failing: ["a": 10]))
    #expect(back.effects.first { $0.quantity == .passRate }?.baseline.hits == 10)
  }

  @Test("a comparison leaves out test cases whose input differs")
  func otherInput() throws {
    var candidate = RunBuilder(id: 2)
    candidate.answer = { index, _ in RunBuilder.Answer(outcome: index < 8 ? .fail : .pass) }
    var side = candidate.side()
    for index in 0..<8 { side.run.suites[0].cases[index].variables = .string("another") }
    let record = Comparison.compare(baseline: RunBuilder().side(), candidate: side)
    let rate = try #require(record.effects.first { $0.quantity == .passRate })
    #expect(rate.candidate.hits == 12 && rate.candidate.count == 12)
    #expect(
      record.differences.map(\.fact) == [
        .cases(change: .input, ids: (0..<8).map { "c\($0)" }),
        .leftOutFailing(cases: (0..<8).map { "c\($0)" }, of: 8),
      ])
  }

  @Test("a renamed test case counts as removed and added, unless it has the old id as an alias")
  func alias() {
    func side(alias: Bool) -> ComparisonSide {
      var builder = RunBuilder(id: 2)
      builder.answer = { index, _ in RunBuilder.Answer(outcome: index < 5 ? .fail : .pass) }
      var side = builder.side()
      side.run.suites[0].cases[0].id = "renamed"
      for index in side.attempts.indices where side.attempts[index].key.caseID == "c0" {
        side.attempts[index].key.caseID = "renamed"
      }
      if alias {
        side.run.suites[0].details.cases = ["renamed": CaseSettings()]
        side.run.suites[0].details.cases?["renamed"]?.aliases = ["older", "c0"]
      }
      return side
    }
    let plain = Comparison.compare(baseline: RunBuilder().side(), candidate: side(alias: false))
    #expect(
      plain.differences.map(\.fact) == [
        .cases(change: .removed, ids: ["c0"]), .cases(change: .added, ids: ["renamed"]),
      ])
    let known = Comparison.compare(baseline: RunBuilder().side(), candidate: side(alias: true))
    #expect(known.differences.isEmpty)
    #expect(known.verdict == .regressed, "five flips, one of them in the renamed test case")
    // If the sides are exchanged, the comparison still matches the test case.
    let back = Comparison.compare(baseline: side(alias: true), candidate: RunBuilder().side())
    #expect(back.differences.isEmpty)
  }

  @Test(
    "a run that lacks half of the baseline's test cases is comparable only if it ran a selection",
    // The baseline has 20 test cases.
    arguments: [
      (10, false, ComparisonVerdict.notComparable), (11, false, .ok), (1, true, .ok),
    ])
  func mostCasesGone(left: Int, isPart: Bool, verdict: ComparisonVerdict) {
    var candidate = RunBuilder(id: 2)
    candidate.cases = left
    var side = candidate.side()
    if isPart { side.run.details.selection = ["--case cards/c0"] }
    let record = Comparison.compare(baseline: RunBuilder().side(), candidate: side)
    #expect(record.verdict == verdict)
  }

  @Test(
    "failures in test cases that had backend errors in the baseline make a comparison broken")
  func hiddenFailures() throws {
    func compare(failing: Range<Int>, errors: Range<Int>) -> ComparisonRecord {
      var baseline = RunBuilder(cases: 100)
      baseline.answer = { index, _ in
        RunBuilder.Answer(outcome: errors.contains(index) ? .error : .pass)
      }
      var candidate = RunBuilder(id: 2, cases: 100)
      candidate.answer = { index, _ in
        RunBuilder.Answer(outcome: failing.contains(index) ? .fail : .pass)
      }
      return Comparison.compare(baseline: baseline.side(), candidate: candidate.side())
    }
    // On their own, 19 errors in 100 attempts wouldn't make the comparison broken.
    let hidden = compare(failing: 0..<19, errors: 0..<19)
    #expect(hidden.verdict == .broken)
    #expect(
      hidden.differences.map(\.fact)
        == [.hiddenFailures(baseline: 19, failures: 19, candidate: 0)])
    #expect(compare(failing: 0..<0, errors: 0..<19).verdict == .ok)
    #expect(compare(failing: 19..<38, errors: 0..<19).verdict == .regressed)
    // Errors hide nothing if the other test cases regressed.
    let found = compare(failing: 0..<30, errors: 0..<1)
    #expect(found.verdict == .regressed)
    #expect(!found.differences.map(\.fact.consequence).contains(.broken))
  }

  @Test("many backend errors of the candidate may hide a regression; its other errors are one")
  func candidateErrors() {
    func compare(_ kind: AttemptFailure.Kind) -> ComparisonVerdict {
      var candidate = RunBuilder(id: 2, cases: 100)
      candidate.answer = { index, _ in RunBuilder.Answer(outcome: index < 19 ? .error : .pass) }
      var side = candidate.side()
      for index in side.attempts.indices where side.attempts[index].outcome == .error {
        side.attempts[index].failure = AttemptFailure(kind: kind, message: "")
      }
      return Comparison.compare(baseline: RunBuilder(cases: 100).side(), candidate: side).verdict
    }
    for kind in AttemptFailure.Kind.allCases {
      let isOfBackend = [.backend, .defect, .timeout, .rateLimited, .unsupportedGenerationGuide]
        .contains(kind)
      #expect(compare(kind) == (isOfBackend ? .broken : .regressed), "\(kind)")
    }
  }

  @Test(
    "backend errors on one side count against the candidate, whichever side they are on",
    arguments: [
      // Errors in the baseline, errors in the candidate, and other failures in the candidate.
      (0..<0, 0..<4, 0..<0, ComparisonVerdict.broken), (0..<0, 0..<1, 0..<0, .ok),
      (0..<0, 0..<2, 0..<0, .ok), (0..<4, 0..<0, 0..<0, .ok), (0..<4, 0..<4, 0..<0, .ok),
      (0..<4, 0..<0, 0..<4, .broken), (0..<0, 0..<4, 4..<6, .broken),
      (0..<0, 0..<4, 4..<12, .regressed), (0..<0, 0..<0, 0..<8, .regressed),
      (0..<0, 0..<0, 0..<0, .ok),
    ])
  func oneSidedErrors(
    before: Range<Int>, after: Range<Int>, failing: Range<Int>, verdict: ComparisonVerdict
  ) throws {
    var baseline = RunBuilder()
    baseline.minimums = [:]
    var candidate = baseline
    candidate.id = 2
    baseline.answer = { index, _ in .init(outcome: before.contains(index) ? .error : .pass) }
    candidate.answer = { index, _ in
      .init(outcome: after.contains(index) ? .error : failing.contains(index) ? .fail : .pass)
    }
    let record = Comparison.compare(baseline: baseline.side(), candidate: candidate.side())
    #expect(record.verdict == verdict)
    let rate = try #require(record.effects.first { $0.quantity == .passRate })
    #expect(rate.verdict == verdict)
    let hides = record.differences.contains { $0.fact.consequence == .broken }
    #expect(hides == (verdict == .broken) || verdict == .regressed)
  }
}
