import EvalRecords
import Testing

@testable import EvalStatistics

@Suite("A baseline with the pooled history of earlier runs")
struct PooledEffectTests {
  /// Builds a baseline of 20 attempts with a history of earlier nights.
  ///
  /// Each night has 20 attempts, and no two nights share a seed.
  private func baseline(nights: Int) -> ComparisonSide {
    let base = RunBuilder(id: 50)
    var side = base.side()
    let earlier = (0..<nights).flatMap { night in
      (0..<20).map {
        PooledHistory.Entry(
          night: night, caseID: "c\($0)", fingerprint: "asked-\($0)",
          seed: UInt64(10_000 + night), passed: true)
      }
    }
    let own = base.attempts.map {
      PooledHistory.Entry(
        night: 50, caseID: $0.key.caseID, fingerprint: $0.details.fingerprint ?? "",
        seed: $0.seed, passed: true)
    }
    side.histories["local"] = PooledHistory(earlier + own, omissions: [.otherRequest(runs: [7])])
    return side
  }

  /// Builds a run in which each test case has one fresh attempt in addition to the fixed one.
  ///
  /// The fresh attempts of the first `failing` test cases fail.
  private func candidate(failing: Int, asking fingerprint: String) -> ComparisonSide {
    RunBuilder(
      id: 51, fresh: (1, 900), fingerprint: fingerprint,
      answer: { index, repeatIndex in
        .init(outcome: index < failing && repeatIndex == 1 ? .fail : .pass)
      }
    ).side()
  }

  private func pooled(_ record: ComparisonRecord) -> EffectRecord? {
    record.effects.first { $0.reference == .pooledHistory }
  }

  @Test("fresh attempts show a regression that fixed ones don't, and a note says what was pooled")
  func finds() throws {
    let side = baseline(nights: 49)
    let record = Comparison.compare(
      baseline: side, candidate: candidate(failing: 3, asking: "edited"))
    let effect = try #require(pooled(record))
    #expect(effect.baseline.count == 1_000)
    #expect(effect.candidate.count == 40)
    #expect(effect.candidate.hits == 37)
    #expect(abs(effect.change + 3.0 / 40) < 1e-12)
    // In each of the three test cases, the only failure among 52 attempts is one of the candidate's
    // two attempts. The p-value is (2/52)³.
    let chance = 2.0 / 52
    #expect(abs((effect.pValue ?? 0) - chance * chance * chance) < 1e-9)
    #expect(effect.verdict == .regressed)
    #expect(record.verdict == .regressed)
    #expect(
      effect.notes.contains(
        .history(
          summary: HistorySummary(
            attempts: 1000, runs: 50, omissions: [.otherRequest(runs: [7])]))), "\(effect.notes)")
    var alone = side
    alone.histories = [:]
    let without = Comparison.compare(
      baseline: alone, candidate: candidate(failing: 3, asking: "edited"))
    #expect(without.verdict == .ok, "the fixed attempts have the same outcomes on both sides")
    #expect(pooled(without) == nil)
  }

  @Test("draws that are already in the history don't count as evidence again")
  func repeatedDraws() throws {
    let side = baseline(nights: 9)
    let record = Comparison.compare(
      baseline: side, candidate: candidate(failing: 0, asking: "asked"))
    let effect = try #require(pooled(record))
    #expect(effect.candidate.count == 20, "the baseline already has the draws of the fixed repeats")
    #expect(effect.notes.contains(.knownDraws(count: 20)))
    #expect(record.verdict == .ok)
    let same = Comparison.compare(
      baseline: side, candidate: RunBuilder(id: 51).side())
    #expect(pooled(same) == nil, "there is no new draw")
  }

  @Test("copies of tonight's own attempts aren't in the history")
  func copies() throws {
    var candidate = RunBuilder(id: 51, fresh: (2, 900), fingerprint: "edited").side()
    for index in candidate.attempts.indices where candidate.attempts[index].key.repeatIndex > 0 {
      candidate.attempts[index].seed = 900
    }
    let effect = try #require(
      pooled(Comparison.compare(baseline: baseline(nights: 9), candidate: candidate)))
    #expect(effect.candidate.count == 40, "the second fresh attempt of a test case is a copy")
    #expect(
      !effect.notes.contains { if case .knownDraws = $0 { true } else { false } },
      "\(effect.notes)")
  }

  @Test("a history that was judged by other assertions is not pooled")
  func otherJudgement() {
    let side = baseline(nights: 9)
    func compared(_ names: String...) -> ComparisonRecord {
      var candidate = candidate(failing: 3, asking: "edited")
      for index in candidate.run.suites[0].cases.indices {
        candidate.run.suites[0].cases[index].assertions = names
      }
      for index in candidate.attempts.indices {
        let outcome = candidate.attempts[index].outcome
        candidate.attempts[index].verdicts = names.map {
          VerdictRecord(
            assertion: $0, type: "count", path: "$", verdict: outcome == .pass ? .pass : .fail,
            expected: "", actual: "")
        }
      }
      var named = side
      for index in named.attempts.indices {
        named.attempts[index].verdicts = [
          VerdictRecord(
            assertion: "count", type: "count", path: "$", verdict: .pass, expected: "", actual: "")
        ]
      }
      return Comparison.compare(baseline: named, candidate: candidate)
    }
    #expect(pooled(compared("count")) != nil)
    let edited = compared("count", "a new one")
    #expect(pooled(edited) == nil)
    #expect(edited.effects.contains { $0.quantity == .passRate })
  }

  @Test("if the history is inconclusive, the other effects decide as if there were no history")
  func unsure() throws {
    let side = baseline(nights: 2)
    let record = Comparison.compare(
      baseline: side, candidate: candidate(failing: 1, asking: "edited"))
    #expect(try #require(pooled(record)).verdict != .regressed)
    #expect(record.verdict == .ok)
  }
}
