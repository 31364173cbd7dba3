import EvalRecords
import EvalStatistics
import Testing

@Suite("What counts as a draw in a verdict")
struct DrawRuleTests {
  /// Returns a run in which the first `failing` of nine test cases fail in every repeat.
  private func night(
    _ regime: Regime, _ id: Int, failing: Int, repeats: Int, fingerprint: String = "asked"
  ) -> RunBuilder {
    regime.run(id, cases: 9, repeats: repeats, fingerprint: fingerprint) { index, _ in
      .init(outcome: index < failing ? .fail : .pass, output: index < failing ? "0" : "1")
    }
  }

  private func history(_ nights: [RunBuilder]) -> PooledHistory {
    PooledHistory(
      nights.flatMap { night in
        let run = night.record
        let sampling = SliceSampling(
          run: run, suite: run.suites[0], variant: night.variant, backend: night.backend)
        return night.attempts.map {
          PooledHistory.Entry(
            DrawnAttempt($0, run: run.id, sampling: sampling), passed: $0.outcome == .pass)
        }
      }, alpha: 0)
  }

  @Test("ten equal repeats change no verdict if nothing is sampled", arguments: Regime.fixed)
  func repeats(regime: Regime) throws {
    for failing in [0, 1, 4, 5, 6, 9] {
      func record(_ repeats: Int) -> ComparisonRecord {
        Comparison.compare(
          baseline: night(regime, 1, failing: 0, repeats: repeats).side(),
          candidate: night(
            regime, 2, failing: failing, repeats: repeats, fingerprint: "edited"
          ).side())
      }
      let (one, ten) = (record(1), record(10))
      #expect(one.verdict == ten.verdict, "\(failing) failing")
      let effects = try [one, ten].map { record in
        try #require(record.effects.first { $0.quantity == .passRate })
      }
      #expect(effects[0].pValue == effects[1].pValue)
      #expect(effects.map(\.candidate.count) == [9, 9])
    }
  }

  @Test("nor do they after thirty nights with new seeds", arguments: Regime.fixed)
  func nights(regime: Regime) {
    for repeats in [1, 10] {
      let thirty = history((1...30).map { night(regime, $0, failing: 0, repeats: repeats) })
      for failing in [0, 1, 5, 9] {
        var baseline = night(regime, 1, failing: 0, repeats: repeats).side()
        let tonight = night(
          regime, 50, failing: failing, repeats: repeats, fingerprint: "edited"
        ).side()
        let alone = Comparison.compare(baseline: baseline, candidate: tonight)
        baseline.histories["local"] = thirty
        #expect(baseline.histories["local"]?.total == HistoryPoint(passed: 9, count: 9))
        let record = Comparison.compare(baseline: baseline, candidate: tonight)
        #expect(record.verdict == alone.verdict, "\(failing) failing, \(repeats) repeats")
      }
    }
  }

  @Test(
    "nine equal answers and another one are ten draws if answers are sampled",
    arguments: Regime.sampling)
  func sampled(regime: Regime) throws {
    let draws = try draws(regime) { $0 == 9 ? "craving" : "slip" }
    #expect((draws.hits, draws.count) == (9, 10))
    let equal = try self.draws(regime) { _ in "slip" }
    #expect((equal.hits, equal.count) == (10, 10), "equal outputs are separate draws")
    // A server doesn't honour seeds, so even equal seeds give separate draws.
    let night = regime.run(1, cases: 1, repeats: 10) { _, _ in .init() }
    let count = regime.backend.isDeterministic ? 10 : 300
    let nights = history(
      (1...30).map { id in
        var night = night
        night.id = id
        return night
      })
    #expect(nights.total.count == count)
  }

  @Test("a server at temperature 0 samples if its answers in one run differ")
  func varyingServer() throws {
    let server = try #require(Regime.fixed.last)
    let draws = try draws(server) { $0 == 9 ? "craving" : "slip" }
    #expect((draws.hits, draws.count) == (9, 10))
    let equal = try self.draws(server) { _ in "slip" }
    #expect((equal.hits, equal.count) == (1, 1))
    // The night with different answers shows that the other nights' answers are draws too.
    let nights = (1...3).map { id in
      server.run(id, cases: 1, repeats: 4) { _, repeatIndex in
        .init(output: id == 2 && repeatIndex == 0 ? "craving" : "slip")
      }
    }
    #expect(history(nights).total.count == 12)
  }

  /// Returns the count of slips among ten repeats of one test case.
  private func draws(
    _ regime: Regime, _ output: @escaping (_ repeatIndex: Int) -> String
  ) throws -> EstimateRecord {
    let run = regime.run(1, cases: 1, repeats: 10) { _, repeatIndex in
      let output = output(repeatIndex)
      return .init(outcome: output == "slip" ? .pass : .fail, output: output)
    }
    let record = Comparison.compare(baseline: run.side(), candidate: run.side())
    return try #require(record.effects.first { $0.quantity == .passRate }).candidate
  }

  @Test("an answer from the cache is the draw of the attempt that it was taken from")
  func cached() {
    for regime in Regime.sampling where regime.stub == nil {
      let first = regime.run(1, cases: 3, repeats: 4) { _, _ in .init() }
      let run = first.record
      let sampling = SliceSampling(
        run: run, suite: run.suites[0], variant: first.variant, backend: first.backend)
      var entries = first.attempts.map {
        PooledHistory.Entry(DrawnAttempt($0, run: 1, sampling: sampling), passed: true)
      }
      for night in 2...9 {
        entries += first.attempts.map { attempt in
          var attempt = attempt
          attempt.details.isCached = true
          return PooledHistory.Entry(
            DrawnAttempt(attempt, run: night, sampling: sampling), passed: true)
        }
      }
      #expect(PooledHistory(entries).total.count == 12, "\(regime)")
    }
  }

  @Test("in records of version 0.1, the effective settings are derived")
  func version01() {
    for regime in Regime.fixed {
      func side(_ id: Int, failing: Int) -> ComparisonSide {
        var night = night(regime, id, failing: failing, repeats: 10)
        night.isOfVersion01 = true
        return night.side()
      }
      let record = Comparison.compare(
        baseline: side(1, failing: 0), candidate: side(2, failing: 1))
      let count = record.effects.first { $0.quantity == .passRate }?.candidate.count
      #expect(count == 9, "\(regime)")
    }
  }

  @Test("if nothing is sampled, the probability after the mask counts, not the one as sampled")
  func masked() throws {
    func run(_ regime: Regime, _ id: Int, _ wrong: Double) -> ComparisonSide {
      var run = regime.run(id, cases: 9, repeats: 1) { _, _ in
        .init(
          output: #"{"soup":"leek"}"#,
          decisions: [
            DecisionRecord(
              kind: .branch, path: "$.soup", index: 0,
              options: [
                OptionProbability(.branch("leek"), raw: 0, masked: 1 - wrong, sampled: 1),
                OptionProbability(.branch("pea"), raw: 0, masked: wrong, sampled: 0),
              ], chosen: .branch("leek"), step: 0, unresolved: 0)
          ])
      }
      run.branches = [ExpectedBranch(path: "$.soup", branch: "leek")]
      return run.side()
    }
    for (regime, expected) in Regime.fixed.map({ ($0, 0.3) }) + Regime.sampling.map({ ($0, 0.0) }) {
      let record = Comparison.compare(
        baseline: run(regime, 1, 0.1), candidate: run(regime, 2, 0.3))
      let shift = record.effects.first { $0.candidate.hits == nil }
      #expect(abs(try #require(shift).candidate.value - expected) < 1e-9, "\(regime)")
    }
  }
}

@Suite("Draws")
struct DrawsTests {
  private static func attempts(
    _ answers: [(run: Int, answer: String)], samplesNothing: Bool = true
  ) -> [DrawnAttempt] {
    answers.enumerated().map { index, attempt in
      DrawnAttempt(
        caseID: "a", fingerprint: "f", run: attempt.run, seed: UInt64(index), isCached: false,
        sampling: SliceSampling(samplesNothing: samplesNothing), answer: attempt.answer)
    }
  }

  @Test(
    "if nothing is sampled, equal answers are one draw, unless answers differ within one run",
    arguments: [
      // Each row has the runs and their answers, whether the answers vary, and which are new draws.
      ([(1, "x"), (1, "x"), (2, "x")], false, [true, false, false]),
      // The second run has another model or engine.
      ([(1, "x"), (2, "y"), (2, "y")], false, [true, true, false]),
      ([(1, "x"), (1, "y"), (2, "x")], true, [true, true, true]),
    ] as [([(Int, String)], Bool, [Bool])])
  func checkVarying(_ answers: [(Int, String)], varies: Bool, areNew: [Bool]) {
    let drawn = Self.attempts(answers.map { (run: $0.0, answer: $0.1) })
    #expect(Draws.vary(drawn) == varies)
    var draws = Draws()
    #expect(draws.add(drawn).map(\.isNew) == areNew)
  }

  @Test("if answers are sampled, each seed is a draw, whatever the answers are")
  func sampled() {
    let drawn = Self.attempts([(1, "x"), (1, "x"), (2, "x")], samplesNothing: false)
    #expect(!Draws.vary(drawn))
    var draws = Draws()
    #expect(draws.add(drawn).map(\.isNew) == [true, true, true])
    #expect(draws.add(drawn).map(\.isNew) == [false, false, false])
  }
}
