import EvalRecords
import Testing

@testable import EvalStatistics

/// Verdicts on measured probabilities, with and without fixed text before the decision.
@Suite("Measured probabilities after fixed and after sampled text")
struct MeasuredRuleTests {
  /// A run whose P(empty) is given for each test case and repeat.
  private static func side(
    _ id: Int, cases: Int = 20, repeats: Int = 1, fixed: [String]? = ["$.cards"],
    sampling: GenerationSettings = GenerationSettings(),
    _ empty: @escaping (_ caseIndex: Int, _ repeatIndex: Int) -> Double
  ) -> ComparisonSide {
    var builder = RunBuilder(id: id, cases: cases, repeats: repeats)
    builder.fixed = fixed
    builder.seed = UInt64(1_000 * id)
    builder.minimums = [:]
    builder.options = sampling
    builder.answer = { index, repeatIndex in
      RunBuilder.Answer(
        output: sampling.samplesNothing ? "\(id) \(index)" : "\(id) \(index) \(repeatIndex)",
        decisions: [decision(empty(index, repeatIndex))])
    }
    return builder.side()
  }

  /// Returns a decision with the same probability after the mask, which counts if nothing is
  /// sampled.
  private static func decision(_ probability: Double) -> DecisionRecord {
    var decision = end(probability, after: 0)
    for index in decision.options.indices {
      decision.options[index].masked = decision.options[index].sampled
    }
    return decision
  }

  private static func effect(
    _ baseline: ComparisonSide, _ candidate: ComparisonSide
  ) throws -> EffectRecord {
    let record = Comparison.compare(baseline: baseline, candidate: candidate)
    return try #require(record.effects.first { $0.evidence == .measured })
  }

  @Test(
    "a clear rise regresses at one repeat only if the text is fixed on both sides",
    arguments: [
      (["$.cards"], ["$.cards"], 1, ComparisonVerdict.regressed),
      (["$.cards"], [], 1, .inconclusive), ([], ["$.cards"], 1, .inconclusive),
      ([], [], 1, .inconclusive), (nil, nil, 1, .inconclusive), ([], [], 2, .regressed),
      (nil, nil, 3, .regressed),
    ] as [([String]?, [String]?, Int, ComparisonVerdict)])
  func clearRise(
    before: [String]?, after: [String]?, repeats: Int, verdict: ComparisonVerdict
  ) throws {
    let effect = try Self.effect(
      Self.side(1, repeats: repeats, fixed: before) { index, repeatIndex in
        0.02 + 0.001 * Double(index + repeatIndex)
      },
      Self.side(2, repeats: repeats, fixed: after) { index, repeatIndex in
        0.4 + 0.001 * Double(index + repeatIndex)
      })
    #expect(effect.verdict == verdict, "\(effect)")
    #expect(effect.pValue != nil && effect.adjustedP != nil)
    let isSuspected = effect.notes.contains { if case .suspected = $0 { true } else { false } }
    #expect(isSuspected == (verdict == .inconclusive))
    // The mirrored change is an improvement under the same conditions.
    let mirrored = try Self.effect(
      Self.side(1, repeats: repeats, fixed: before) { _, _ in 0.4 },
      Self.side(2, repeats: repeats, fixed: after) { _, _ in 0.02 })
    #expect((mirrored.verdict == .improved) == (verdict == .regressed), "\(mirrored)")
  }

  @Test("one draw of sampled text says whether more repeats or sampling are needed")
  func notes() throws {
    var greedy = GenerationSettings()
    greedy.isGreedy = true
    for (repeats, settings, need) in [
      (1, GenerationSettings(), EffectNote.Need.repeats(more: 1)),
      (1, greedy, .sampling), (10, greedy, .sampling),
    ] {
      func side(_ id: Int, _ rate: Double) -> ComparisonSide {
        Self.side(id, repeats: repeats, fixed: [], sampling: settings) { _, _ in rate }
      }
      let effect = try Self.effect(side(1, 0.02), side(2, 0.4))
      #expect(effect.verdict == .inconclusive)
      #expect(effect.notes.contains(.undecided(until: need)), "\(effect.notes)")
      #expect(effect.notes.contains(.sampledText(draws: 1, canDecide: false)), "\(effect.notes)")
    }
  }

  @Test("a probability that can only be suspected doesn't replace its count")
  func countStays() throws {
    func side(_ id: Int, _ empty: Int, fixed: [String]) -> ComparisonSide {
      var builder = RunBuilder(id: id)
      builder.fixed = fixed
      builder.answer = { index, _ in
        RunBuilder.Answer(
          output: index < empty ? #"{"cards":[]}"# : #"{"cards":[1,2,3]}"#,
          decisions: [end(empty > 0 ? 0.6 : 0.02, after: 0)])
      }
      return builder.side()
    }
    for (fixed, isGating) in [([], true), (["$.cards"], false)] {
      let record = Comparison.compare(
        baseline: side(1, 0, fixed: fixed), candidate: side(2, 12, fixed: fixed))
      let count = try #require(
        record.effects.first {
          $0.quantity == .emptyArray(path: "$.cards") && $0.evidence == .counted
        })
      #expect(count.isGating == isGating)
    }
  }

  @Test("a far shift is found in one to three test cases, a shift by 30 points isn't")
  func smallSuites() throws {
    for count in 1...3 {
      for (rate, verdict) in [(0.9, ComparisonVerdict.regressed), (0.32, .inconclusive)] {
        let effect = try Self.effect(
          Self.side(1, cases: count) { _, _ in 0.02 }, Self.side(2, cases: count) { _, _ in rate })
        #expect(effect.verdict == verdict, "\(count) test cases: \(effect)")
      }
    }
  }

  @Test("one of 500 test cases that moves far is named, but isn't a regression of the mean")
  func oneOfMany() throws {
    let effect = try Self.effect(
      Self.side(1, cases: 500) { _, _ in 0.01 },
      Self.side(2, cases: 500) { index, _ in index == 7 ? 0.73 : 0.01 })
    #expect(effect.verdict == .ok, "\(effect)")
    let named = effect.notes.compactMap { note -> [EffectNote.CaseShift]? in
      guard case .fewCasesWithinMargin(let p, let cases) = note else { return nil }
      #expect(p < 1e-4)
      return cases
    }
    #expect(named == [[.init(id: "c7", before: 0.01, after: 0.73)]])
    // In a suite of 40 test cases, the same change moves the mean by more than the margin.
    let small = try Self.effect(
      Self.side(1, cases: 40) { _, _ in 0.01 },
      Self.side(2, cases: 40) { index, _ in index == 7 ? 0.73 : 0.01 })
    #expect(small.verdict == .regressed, "\(small)")
    #expect(try #require(small.adjustedP) < 0.01)
    guard case .measured(_, _, _, let scale?) = small.method.test else {
      Issue.record("\(small.method)")
      return
    }
    #expect(scale == FewCasesTest.leastScale)
  }

  @Test(
    "after sampled text, the draws give the p-value if the test cases meet a level of their own",
    arguments: [
      (5, false, 0.04, 0.0002), (5, false, 0.02, 0.03125), (4, false, 0.04, 0.0625),
      (5, true, 0.04, 0.03125), (6, false, 0.001, 0.015625), (0, false, 0.04, 1),
    ])
  func secondCondition(risen: Int, isFixed: Bool, level: Double, ofMean: Double) {
    let cases = (0..<20).map { index in
      let rise = index < risen ? 0.3 : 0
      return (
        baseline: MeasuredCase(draws: [0.2, 0.21, 0.22]),
        candidate: MeasuredCase(draws: [0.2 + rise, 0.21 + rise, 0.22 + rise])
      )
    }
    let test = MeasuredTest(cases, isFixed: isFixed, margin: 0.01, level: level)
    #expect(abs(test.worseP - min(1, ofMean / MeasuredTest.shareOfMean)) < 1e-9, "\(test.worseP)")
    // The mirrored change gives the mirrored p-values.
    let mirrored = MeasuredTest(
      cases.map { ($0.candidate, $0.baseline) }, isFixed: isFixed, margin: 0.01, level: level)
    #expect(abs(mirrored.betterP - test.worseP) < 1e-3, "\(mirrored.betterP)")
  }

  @Test("copies of a draw and equal values on both sides raise no alarm, whatever they are")
  func ties() throws {
    for repeats in [1, 2, 5] {
      let values: (Int, Int) -> Double = { ($0 + $1).isMultiple(of: 3) ? 0.9 : 0.05 }
      let same = try Self.effect(
        Self.side(1, repeats: repeats, fixed: [], values),
        Self.side(2, repeats: repeats, fixed: [], values))
      #expect(same.verdict == .ok && same.pValue == 1, "\(same)")
    }
  }

  @Test("the permutation of draws has the p-value of an enumeration")
  func permutation() {
    // scipy.stats.permutation_test can't exchange within test cases; these shares were counted by
    // an enumeration of all 20 × 20 × 6 assignments with itertools.combinations in Python: those of
    // the mean with the log odds of the draws.
    let test = DrawPermutation(
      [
        .init(baseline: [0.1, 0.2, 0.9], candidate: [0.8, 0.95, 0.7]),
        .init(baseline: [0.02, 0.5, 0.03], candidate: [0.6, 0.04, 0.9]),
        .init(baseline: [0.3, 0.3], candidate: [0.2, 0.35]),
      ], least: 0.01, seed: 3)
    let expected = Self.enumerated
    for (found, share) in [
      (test.mean.worse, expected[0]), (test.mean.better, expected[1]),
      (test.few.worse, expected[2]), (test.few.better, expected[3]),
    ] {
      // Four standard errors of a share in 10,000 assignments.
      #expect(abs(found - share) <= 0.02, "\(found) instead of \(share)")
    }
    #expect(
      abs(DrawPermutation.leastP([.init(baseline: [0, 1], candidate: [1, 1])]) - 1.0 / 6) < 1e-12)
    #expect(DrawPermutation.leastP([.init(baseline: [1, 1], candidate: [1, 1])]) == 1)
  }

  private static let enumerated = [0.059583, 0.940833, 0.0425, 0.958333]

  @Test(
    "harmless changes hardly ever raise an alarm, a bug in 2 of 20 test cases nearly always does",
    arguments: [(0.4, false), (1.0, false), (0.1, true), (0.4, true)])
  func fixedLevelAndPower(deviation: Double, hasBug: Bool) {
    var generator = SplitMix(seed: 9)
    let trials = 300
    let alarms = (0..<trials).count { trial in
      let cases = (0..<20).map { index in
        let logit = -3.9 + SimulatedWorld.normal(&generator)
        let after = SimulatedWorld.probability(
          logit + deviation * SimulatedWorld.normal(&generator))
        return (
          baseline: MeasuredCase(draws: [SimulatedWorld.probability(logit)]),
          candidate: MeasuredCase(draws: [hasBug && index < 2 ? max(0.67, after) : after])
        )
      }
      // A third of the level for a test against the baseline, as in a family of three tests.
      return MeasuredTest(
        cases, isFixed: true, margin: 0.01, level: 0.04, seed: UInt64(trial)
      ).worseP <= 0.04 / 3
    }
    let rate = Double(alarms) / Double(trials)
    if hasBug { #expect(rate >= 0.9) } else { #expect(rate <= 0.04 / 3 + 0.02) }
  }
}
