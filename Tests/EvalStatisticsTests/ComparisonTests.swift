import EvalRecords
import EvalStatistics
import Testing

@Suite("Comparisons")
struct ComparisonTests {
  private func effect(
    _ quantity: Quantity, _ evidence: Evidence = .counted, of record: ComparisonRecord
  ) throws -> EffectRecord {
    try #require(
      record.effects.first { $0.quantity == quantity && $0.evidence == evidence })
  }

  private static let empty = Quantity.emptyArray(path: "$.cards")
  private static let short = Quantity.shortArray(minimum: 3, path: "$.cards")

  /// Builds a run of 20 test cases.
  ///
  /// P(empty) is `empty` in the first test case and rises slightly from one test case to the next.
  private func arrays(
    empty: Double, failEvery: Int? = nil, repeats: Int = 3
  ) -> RunBuilder {
    var builder = RunBuilder(repeats: repeats)
    builder.answer = { index, repeatIndex in
      let isEmpty = failEvery.map { (index + repeatIndex).isMultiple(of: $0) } ?? false
      return RunBuilder.Answer(
        outcome: isEmpty ? .fail : .pass,
        output: isEmpty ? #"{"cards":[]}"# : #"{"cards":[1,2,3]}"#,
        verdicts: [
          VerdictRecord(
            assertion: "count $.cards", type: "count", path: "$.cards",
            verdict: isEmpty ? .fail : .pass, expected: "3...8 elements", actual: "")
        ],
        // The test cases differ a little, so that different sign vectors have different means.
        decisions: [
          end(empty + Double(index) / 1000, after: 0), end(0.1, after: 1), end(0.2, after: 2),
        ])
    }
    return builder
  }

  @Test("more empty arrays are a regression, and are reported first")
  func emptiedArraysRegressed() throws {
    let record = Comparison.compare(
      baseline: arrays(empty: 0.01).side(), candidate: arrays(empty: 0.11, failEvery: 4).side())
    #expect(record.verdict == .regressed)
    #expect(record.differences.isEmpty)
    let first = try #require(record.effects.first)
    #expect(first.quantity == Self.empty && first.evidence == .measured && first.isGating)
    let slice = SliceKey(suite: "cards", variant: "default", backend: "local")
    #expect(first.place == ComparedPlace(slice))
    // P(empty) is 0.01, 0.011, …, 0.029, and the mean of these is 0.0195.
    checkClose(first.baseline.value, 0.0195)
    checkClose(first.candidate.value, 0.1195)
    checkClose(first.change, 0.1)
    // All test cases rose alike. An input unlike all of them may move from −0.2 to 0.2, and may
    // have a share of up to 1 − 0.05^(1/20).
    checkClose(first.changeLow, 0.1 - 0.3 * 0.13910834066826516)
    #expect(first.baseline.count == 20 && first.baseline.hits == nil)
    // P(empty) rose by more than the margin in all 20 test cases. Of the 2²⁰ sign vectors, only one
    // is as extreme. The test of the mean has 0.8 of the level.
    checkClose(try #require(first.pValue) * 0.8 * 1_048_576, 1)
    // P(fewer than 3) is 1 − (1 − P(empty)) × (1 − 0.1) × (1 − 0.2).
    let below = try effect(Self.short, .measured, of: record)
    checkClose(below.baseline.value, 1 - (1 - 0.0195) * 0.9 * 0.8)
    // 15 of the candidate's 60 arrays are empty.
    let counted = try effect(Self.empty, of: record)
    #expect(counted.candidate.hits == 15 && counted.candidate.count == 60)
    #expect(!counted.isGating, "the measured probability decides")
    #expect(counted.baseline.hits == 0)
    let rate = try effect(.passRate, of: record)
    #expect(rate.verdict == .regressed)
    checkClose(rate.change, -0.25)
    // All 15 flips are for the worse. If flips were fair, the chance of this would be 1 in 2¹⁵.
    checkClose(try #require(rate.pValue) * 32_768, 1)
    #expect(rate.changeLow < -0.25 && rate.changeHigh > -0.25 && rate.changeHigh < 0)
    #expect(rate.notes.contains(.flips(toWorse: 15, toBetter: 0, pairs: 60)))
    let failures = Quantity.failedAssertion(name: "count $.cards", path: "$.cards")
    #expect(try effect(failures, of: record).verdict == .regressed)
  }

  @Test("if the sides are exchanged, the verdict becomes “improved”")
  func theReverseImproved() throws {
    let record = Comparison.compare(
      baseline: arrays(empty: 0.11, failEvery: 4).side(), candidate: arrays(empty: 0.01).side())
    #expect(record.verdict == .improved)
    #expect(try effect(Self.empty, .measured, of: record).verdict == .improved)
    #expect(try effect(.passRate, of: record).verdict == .improved)
    checkClose(try effect(.passRate, of: record).change, 0.25)
  }

  @Test("the verdict on two equal runs is ok, even if they are small")
  func equalRunsAreOk() {
    var builder = RunBuilder(cases: 2)
    builder.answer = { _, _ in RunBuilder.Answer(decisions: [end(0.01, after: 0)]) }
    let record = Comparison.compare(baseline: builder.side(), candidate: builder.side())
    #expect(record.verdict == .ok)
    #expect(record.effects.allSatisfy { $0.verdict == .ok })
  }

  @Test(
    "only a mean shift beyond the margin is a regression",
    arguments: [
      // The margin is 0.01.
      (0.005, ComparisonVerdict.ok), (0.009, .ok), (0.011, .regressed), (0.05, .regressed),
      (-0.005, .ok), (-0.02, .improved),
    ])
  func marginIsRespected(shift: Double, expected: ComparisonVerdict) throws {
    var candidate = arrays(empty: 0.03 + shift, repeats: 1)
    candidate.id = 2
    let record = Comparison.compare(
      baseline: arrays(empty: 0.03, repeats: 1).side(), candidate: candidate.side())
    #expect(try effect(Self.empty, .measured, of: record).verdict == expected)
  }

  @Test("elements that the schema forces can't be missing")
  func forcedElementsHaveNoChance() throws {
    var candidate = arrays(empty: 0.1)
    candidate.answer = { _, _ in RunBuilder.Answer(decisions: [end(0.3, after: 3)]) }
    let record = Comparison.compare(
      baseline: arrays(empty: 0.1).side(), candidate: candidate.side())
    #expect(try effect(Self.empty, .measured, of: record).candidate.value == 0)
    #expect(try effect(Self.short, .measured, of: record).candidate.value == 0)
    #expect(try effect(Self.empty, .measured, of: record).verdict == .improved)
  }

  @Test(
    "a note counts unresolved decisions; if too few test cases remain, the counted rates decide",
    arguments: [
      (
        unresolved: 6, isMeasured: true,
        note: .unresolved(decisions: 12, lostCases: 6, cases: 20, limit: 0.05)
      ), (10, true, .unresolved(decisions: 20, lostCases: 10, cases: 20, limit: 0.05)),
      (11, false, nil), (20, false, nil), (0, true, .direction(rose: 20, fell: 0, cases: 20)),
    ] as [(Int, Bool, EffectNote?)])
  func unresolvedDecisions(unresolved: Int, isMeasured: Bool, note: EffectNote?) throws {
    // If a measurement exists, the answers must fit it.
    func builder(_ probability: Double, wrong: Int) -> RunBuilder {
      var builder = RunBuilder(repeats: 1)
      builder.branches = [ExpectedBranch(path: "$", branch: "slip")]
      builder.answer = { index, _ in
        let share = index < unresolved ? 0.82 : 0.05
        let isWrong = index < wrong
        return RunBuilder.Answer(
          outcome: isWrong ? .fail : .pass,
          output: isWrong
            ? #"{"type":"unclear","cards":[]}"# : #"{"type":"slip","cards":[1,2,3]}"#,
          decisions: [
            branch(
              [("slip", 1 - probability), ("unclear", probability)], unresolved: share),
            // The schema doesn't force the first element here. The decision about that element is
            // merely unresolved.
            end(index < unresolved ? 1 : probability, after: 0, unresolved: share),
            end(0.1, after: 1),
          ])
      }
      return builder
    }
    let record = Comparison.compare(
      baseline: builder(0.01, wrong: 0).side(),
      candidate: builder(0.21, wrong: isMeasured ? 4 : 20).side())
    #expect(record.verdict == .regressed)
    for quantity in [Self.empty, .wrongBranch(path: "$")] {
      let shift = record.effects.first { $0.quantity == quantity && $0.evidence == .measured }
      #expect((shift != nil) == isMeasured)
      if let shift {
        checkClose(shift.baseline.value, 0.01)
        checkClose(shift.candidate.value, 0.21)
        #expect(shift.baseline.count == 20 - unresolved)
        #expect(note.map(shift.notes.contains) == true, "\(shift.notes)")
        #expect(!shift.notes.contains { if case .withoutDecision = $0 { true } else { false } })
      }
      // A count decides too, unless the probability was measured in all test cases.
      #expect(try effect(quantity, of: record).isGating == (unresolved > 0))
    }
  }

  @Test("removing a branch that test cases expect is a regression")
  func removedBranchRegressed() throws {
    var baseline = RunBuilder(cases: 10)
    baseline.branches = [ExpectedBranch(path: "$", branch: "unclear")]
    var candidate = baseline
    candidate.variant = "no-out"
    baseline.answer = { _, _ in
      RunBuilder.Answer(
        output: #"{"type":"unclear"}"#, decisions: [branch([("unclear", 0.9), ("slip", 0.1)])])
    }
    candidate.answer = { _, _ in
      RunBuilder.Answer(
        outcome: .fail, output: #"{"type":"slip"}"#, decisions: [branch([("slip", 1)])])
    }
    let record = Comparison.compare(
      baseline: baseline.side(.init(variant: "default")),
      candidate: candidate.side(.init(variant: "no-out")))
    #expect(record.verdict == .regressed)
    let first = try #require(record.effects.first)
    #expect(first.quantity == .wrongBranch(path: "$") && first.evidence == .measured)
    #expect(first.place.baseline.variant == "default")
    #expect(first.place.candidate.variant == "no-out")
    checkClose(first.baseline.value, 0.1)
    #expect(first.candidate.value == 1)
    let counted = try effect(.wrongBranch(path: "$"), of: record)
    #expect(counted.candidate.hits == 10 && counted.baseline.hits == 0)
    #expect(record.baseline == SideRecord(variant: "default", run: 1))
  }

  @Test(
    "losing a branch with enough test cases is a regression, even if other branches improve",
    arguments: [(measured: true, cases: 48), (true, 28), (false, 48), (false, 28)])
  func lostBranchRegressed(measured: Bool, cases: Int) throws {
    let names = ["craving", "slip", "progress", "unclear"]
    // In half of the test cases of the first three branches, the baseline takes a wrong branch. The
    // candidate takes the right branch in all of these, but never takes `unclear`.
    func side(missing: @escaping (_ branch: Int, _ round: Int) -> Bool) -> RunBuilder {
      var builder = RunBuilder(cases: cases)
      builder.branchOfCase = { names[$0 % 4] }
      builder.answer = { index, _ in
        let isMissed = missing(index % 4, index / 4)
        let taken = names[(index + (isMissed ? 1 : 0)) % 4]
        return RunBuilder.Answer(
          outcome: isMissed ? .fail : .pass, output: #"{"type":"\#(taken)"}"#,
          decisions: measured ? [branch(names.map { ($0, $0 == taken ? 1 : 0) })] : [])
      }
      return builder
    }
    let record = Comparison.compare(
      baseline: side { $0 < 3 && $1.isMultiple(of: 2) }.side(),
      candidate: side { branch, _ in branch == 3 }.side())
    let all = try effect(
      .wrongBranch(path: "$"), measured ? .measured : .counted, of: record)
    #expect(all.verdict != .regressed && all.change < 0)
    let lost = record.effects.first {
      $0.quantity == .missedBranch("unclear", path: "$")
        && $0.evidence == (measured ? .measured : .counted)
    }
    // Seven test cases of a branch are too few to examine it separately.
    #expect((lost != nil) == (cases == 48))
    #expect(lost == nil || lost?.verdict == .regressed)
    #expect((record.verdict == .regressed) == (cases == 48))
  }

  @Test("a note on an inconclusive pass rate says how many more repeats suffice to decide")
  func neededRepeatsDecide() throws {
    func compare(repeats: Int, failures: Int) -> ComparisonRecord {
      var baseline = RunBuilder(cases: 10, repeats: repeats)
      baseline.minimums = [:]
      var candidate = baseline
      candidate.answer = { index, repeatIndex in
        let isHit = index < failures && repeatIndex < repeats
        return RunBuilder.Answer(outcome: isHit ? .fail : .pass, output: isHit ? "{}" : "[]")
      }
      return Comparison.compare(baseline: baseline.side(), candidate: candidate.side())
    }
    let record = compare(repeats: 1, failures: 2)
    #expect(record.verdict == .inconclusive)
    let rate = try effect(.passRate, of: record)
    // Two of ten pairs flip. Five one-way flips are needed, which takes 2.5 times as many attempts;
    // three is the smallest number of repeats that gives at least five flips.
    #expect(rate.notes.contains(.undecided(until: .repeats(more: 2))))
    #expect(compare(repeats: 2, failures: 2).verdict == .inconclusive)
    #expect(compare(repeats: 3, failures: 2).verdict == .regressed)
  }

  @Test("with too few test cases, the verdict is inconclusive, and a note asks for more test cases")
  func fewCasesAskForCases() throws {
    var baseline = RunBuilder(cases: 3)
    baseline.answer = { _, _ in RunBuilder.Answer(decisions: [end(0.01, after: 0)]) }
    var candidate = baseline
    candidate.answer = { index, _ in
      RunBuilder.Answer(decisions: [end(0.06 + Double(index) / 100, after: 0)])
    }
    let record = Comparison.compare(baseline: baseline.side(), candidate: candidate.side())
    let empty = try effect(Self.empty, .measured, of: record)
    #expect(empty.verdict == .inconclusive)
    guard case .undecided(until: .cases) = empty.notes.first else {
      Issue.record("\(empty.notes)")
      return
    }
    #expect(record.verdict == .inconclusive)
  }

  @Test("runs with different seeds aren't paired, and the record's method says so")
  func otherSeedsAreNotPaired() throws {
    var candidate = arrays(empty: 0.11, failEvery: 4)
    candidate.seed = 900
    let record = Comparison.compare(
      baseline: arrays(empty: 0.01).side(), candidate: candidate.side())
    let rate = try effect(.passRate, of: record)
    #expect(rate.method.test == .drawsAndCases(isPaired: false, cases: 20, margin: 0.01))
    #expect(rate.verdict == .regressed)
    #expect(record.differences.isEmpty)
  }

  @Test("the method states the test, its direction, and for how many tests its p-value is adjusted")
  func methodIsStated() throws {
    let record = Comparison.compare(
      baseline: arrays(empty: 0.01).side(), candidate: arrays(empty: 0.11, failEvery: 4).side())
    #expect(
      try effect(.passRate, of: record).method
        == EffectMethod(
          test: .drawsAndCases(isPaired: true, cases: 20, margin: 0.01), direction: .worse,
          interval: .clusteredChange, adjustment: .holm(tests: 3)))
    #expect(
      try effect(Self.empty, .measured, of: record).method
        == EffectMethod(
          test: .measured(cases: 20, margin: 0.01, permutesDraws: false, fewCasesScale: nil),
          direction: .worse,
          interval: .boundedMean, adjustment: .holm(tests: 3)))
  }
}
