import EvalRecords
import Testing

@testable import EvalStatistics

@Suite("Verdicts of whole comparisons")
struct RuleTests {
  private func rate(_ record: ComparisonRecord) throws -> EffectRecord {
    try #require(
      record.effects.first { $0.quantity == .passRate && $0.reference == .baseline })
  }

  /// Builds a run of a deterministic engine in which all repeats of the first `failing` test cases
  /// fail.
  private func greedy(
    _ id: Int, failing: Int, repeats: Int, isGreedy: Bool = true
  ) -> ComparisonSide {
    var builder = RunBuilder(id: id, repeats: repeats)
    builder.options.isGreedy = isGreedy
    builder.answer = { index, _ in
      RunBuilder.Answer(
        outcome: index < failing ? .fail : .pass, output: index < failing ? "{}" : "[\(index)]")
    }
    return builder.side()
  }

  @Test("ten repeats of a greedy suite give the same verdict as one repeat", arguments: 0...8)
  func greedyRepeats(failing: Int) throws {
    func compare(_ repeats: Int) -> ComparisonRecord {
      Comparison.compare(
        baseline: greedy(1, failing: 0, repeats: repeats),
        candidate: greedy(2, failing: failing, repeats: repeats))
    }
    let (once, often) = (compare(1), compare(10))
    #expect(once.verdict == often.verdict)
    let (one, many) = (try rate(once), try rate(often))
    #expect(one.pValue == many.pValue && one.adjustedP == many.adjustedP)
    #expect(many.candidate.count == 20, "identical answers are one draw")
    #expect(many.notes.contains(.draws(count: 20, attempts: 200)))
    // Five flips in one direction are significant (p = 1/32), and four are not.
    #expect(once.verdict == (failing >= 5 ? .regressed : failing == 0 ? .ok : once.verdict))
    #expect(failing == 0 || failing >= 5 || once.verdict != .regressed)
    // If answers are sampled, the same outcomes are separate draws.
    let sampled = Comparison.compare(
      baseline: greedy(1, failing: 0, repeats: 10, isGreedy: false),
      candidate: greedy(2, failing: 2, repeats: 10, isGreedy: false))
    #expect(try rate(sampled).candidate.count == 200)
  }

  @Test("two quantities with the same result in every pair are one test of the family")
  func equalOutcomes() throws {
    func side(_ id: Int, empty: Int, failing: Int) -> ComparisonSide {
      var builder = RunBuilder(id: id)
      builder.answer = { index, _ in
        RunBuilder.Answer(
          outcome: index < failing ? .fail : .pass,
          output: index < empty ? #"{"cards":[]}"# : #"{"cards":[1,2,3]}"#)
      }
      return builder.side()
    }
    func tests(empty: Int, failing: Int) -> [EffectRecord] {
      Comparison.compare(
        baseline: side(1, empty: 0, failing: 0),
        candidate: side(2, empty: empty, failing: failing)
      ).effects.filter(\.isGating)
    }
    let same = tests(empty: 8, failing: 8)
    #expect(same.count == 2)
    for effect in same {
      #expect(effect.method.adjustment == nil)
      #expect(effect.adjustedP == effect.pValue)
    }
    let other = tests(empty: 8, failing: 9)
    #expect(other.map(\.method.adjustment) == [.holm(tests: 2), .holm(tests: 2)])
    #expect(other.contains { $0.adjustedP != $0.pValue })
  }

  @Test("with one repeat, measured probabilities show which two of 20 test cases are broken")
  func concentratedBug() throws {
    func side(_ id: Int, _ empty: @escaping (Int) -> Double) -> ComparisonSide {
      var builder = RunBuilder(id: id)
      builder.answer = { index, _ in RunBuilder.Answer(decisions: [end(empty(index), after: 0)]) }
      return builder.side()
    }
    let record = Comparison.compare(
      baseline: side(1) { _ in 0.01 }, candidate: side(2) { $0 == 4 || $0 == 9 ? 0.67 : 0.01 })
    #expect(record.verdict == .regressed)
    let effect = try #require(record.effects.first { $0.evidence == .measured })
    #expect(
      effect.notes.contains(
        .concentrated(cases: [
          .init(id: "c4", before: 0.01, after: 0.67), .init(id: "c9", before: 0.01, after: 0.67),
        ])), "\(effect.notes)")
    let p = try #require(effect.adjustedP)
    #expect(p < 0.001 && effect.pValue != nil, "\(effect)")
    // Noise in both directions is not a regression.
    let noise = Comparison.compare(
      baseline: side(1) { $0 == 5 || $0 == 10 ? 0.67 : 0.01 },
      candidate: side(2) { $0 == 4 || $0 == 9 ? 0.67 : 0.01 })
    #expect(noise.verdict != .regressed)
  }

  @Test("rates that move in both directions are not a regression, even with many repeats")
  func clusteredRepeats() throws {
    func side(_ id: Int, _ rates: @escaping (Int) -> Int) -> ComparisonSide {
      var builder = RunBuilder(id: id, repeats: 40, seed: UInt64(id) * 1_000)
      builder.answer = { index, repeatIndex in
        RunBuilder.Answer(
          outcome: repeatIndex < rates(index) ? .fail : .pass, output: "\(id) \(repeatIndex)")
      }
      return builder.side()
    }
    // The failure rate rises by 0.3 in half of the test cases and falls by 0.25 in the others, so
    // 20 more of the 800 attempts fail.
    let record = Comparison.compare(
      baseline: side(1) { _ in 12 }, candidate: side(2) { $0.isMultiple(of: 2) ? 24 : 2 })
    let effect = try rate(record)
    #expect(effect.verdict != .regressed, "\(effect)")
    #expect(effect.changeLow < 0 && effect.changeHigh > 0, "test cases moved in both directions")
  }

  @Test("adding earlier nights never turns a failing comparison into a passing one")
  func historyHasItsOwnLevel() {
    for failing in 5...9 {
      var candidate = RunBuilder(id: 60, cases: 60)
      candidate.answer = { index, _ in
        RunBuilder.Answer(outcome: index < failing ? .fail : .pass)
      }
      var baseline = RunBuilder(id: 50, cases: 60).side()
      let alone = Comparison.compare(baseline: baseline, candidate: candidate.side())
      #expect(alone.verdict == .regressed)
      for nights in [1, 3, 20] {
        let entries = (0..<nights).flatMap { night in
          (0..<60).map {
            PooledHistory.Entry(
              night: night, caseID: "c\($0)", fingerprint: "asked-\($0)",
              seed: UInt64(10_000 + night), passed: !$0.isMultiple(of: 7))
          }
        }
        baseline.histories["local"] = PooledHistory(entries, alpha: 0)
        let record = Comparison.compare(baseline: baseline, candidate: candidate.side())
        #expect(record.verdict == .regressed, "\(nights) nights, \(failing) failures")
      }
    }
  }

  @Test("a drift under unchanged requests is reported every night, and its evidence doesn't weaken")
  func lastingDrift() throws {
    // In thirty nights, all forty fresh draws pass; then, every night, one draw in five fails.
    func entries(_ nights: Range<Int>, isDrifted: Bool) -> [PooledHistory.Entry] {
      nights.flatMap { night in
        (0..<40).map {
          PooledHistory.Entry(
            night: night, caseID: "c\($0)", fingerprint: "asked-\($0)",
            seed: UInt64(1_000_000 + night), passed: !(isDrifted && ($0 + night).isMultiple(of: 5)))
        }
      }
    }
    var pValues: [Double] = []
    for drifted in 0..<8 {
      var baseline = RunBuilder(id: 0, cases: 40).side()
      baseline.histories["local"] = PooledHistory(
        entries(0..<30, isDrifted: false) + entries(30..<30 + drifted, isDrifted: true), alpha: 0)
      let tonight = RunBuilder(
        id: 100, cases: 40, fresh: (1, 77_000),
        answer: { index, repeatIndex in
          .init(
            outcome: repeatIndex == 1 && (index + 30 + drifted).isMultiple(of: 5) ? .fail : .pass)
        })
      let record = Comparison.compare(baseline: baseline, candidate: tonight.side())
      #expect(record.verdict == .regressed, "night \(drifted + 1) of the drift")
      let effect = try #require(record.effects.first { $0.reference == .pooledHistory })
      pValues.append(effect.adjustedP ?? effect.pValue ?? 1)
    }
    #expect(pValues.last ?? 1 <= pValues[0])
  }

  @Test("the suites of a run share one false-alarm rate, and suites without flips use none of it")
  func nights() {
    func sides(_ suite: String, flips: Int) -> (ComparisonSide, ComparisonSide) {
      var baseline = RunBuilder(suite: suite)
      baseline.minimums = [:]
      var candidate = baseline
      candidate.id = 2
      candidate.answer = { index, _ in
        RunBuilder.Answer(outcome: index < flips ? .fail : .pass, output: "\(index < flips)")
      }
      return (baseline.side(), candidate.side())
    }
    func night(_ flips: [Int]) -> [ComparisonVerdict] {
      let all = flips.enumerated().map { sides("s\($0)", flips: $1) }
      return Comparison.night(all.map { (baseline: $0.0, candidate: $0.1) }).map(\.verdict)
    }
    // Five flips give p = 1/32, which is enough for one suite, but not for four.
    #expect(night([5] + [Int](repeating: 0, count: 9)).first == .regressed)
    #expect(night([5, 5, 5, 5]) == [.inconclusive, .inconclusive, .inconclusive, .inconclusive])
    #expect(night([9, 5, 5, 5]).first == .regressed)
  }

  @Test("a comparison without a regression states how large a worsening it rules out")
  func equivalence() throws {
    var baseline = RunBuilder(cases: 40)
    baseline.minimums = [:]
    var candidate = baseline
    candidate.id = 2
    candidate.answer = { index, _ in
      RunBuilder.Answer(outcome: index == 0 ? .fail : .pass, output: "\(index == 0)")
    }
    let record = Comparison.compare(baseline: baseline.side(), candidate: candidate.side())
    #expect(record.verdict == .ok)
    let effect = try rate(record)
    let excluded = effect.notes.compactMap { note -> Double? in
      if case .excluded(let worsening) = note { worsening } else { nil }
    }
    let bound = try #require(excluded.first)
    #expect(bound > 1.0 / 40 && bound < 0.2)
  }
}
