import EvalRecords
import EvalStatistics
import Testing

@Suite("Deciding a gate before all attempts are made")
struct PopulationSequenceTests {
  /// Returns a sequence with all results of a population, added in random order.
  private func decision(
    passing: Int, of population: Int, needed: Int, alpha: Double,
    _ generator: inout SplitMix
  ) -> PopulationSequence {
    var results = (0..<population).map { $0 < passing }
    results.shuffle(using: &generator)
    var sequence = PopulationSequence(population: population, needed: needed, alpha: alpha)
    for result in results { sequence.add(result) }
    return sequence
  }

  @Test(
    "even if a gate may be decided after any attempt, at most a share α of the decisions is wrong",
    // Each row has the attempts that pass, all attempts, and the passes that the gate needs.
    arguments: [(180, 200, 181), (179, 200, 179), (99, 200, 100), (20, 20, 20), (6, 60, 7)])
  func errorsStayWithinAlpha(passing: Int, population: Int, needed: Int) {
    var generator = SplitMix(seed: 31)
    let trials = 300
    let truth: PopulationSequence.Decision = passing >= needed ? .reached : .missed
    let wrong = (0..<trials).count { _ in
      decision(
        passing: passing, of: population, needed: needed, alpha: 0.1, &generator
      ).decision != truth
    }
    // Three standard errors of a rate of 0.1 in 300 trials are 0.052.
    #expect(Double(wrong) / Double(trials) <= 0.1 + 0.052)
  }

  @Test("clear results are decided early, and every result is decided at the end")
  func clearCasesStopEarly() {
    var generator = SplitMix(seed: 37)
    let bad = decision(passing: 100, of: 200, needed: 190, alpha: 0.05, &generator)
    #expect(bad.decision == .missed)
    #expect(bad.count < 40)
    let good = decision(passing: 200, of: 200, needed: 160, alpha: 0.05, &generator)
    #expect(good.decision == .reached)
    #expect(good.count < 60)
    for passing in 0...12 {
      let sequence = decision(passing: passing, of: 12, needed: 9, alpha: 1e-9, &generator)
      #expect(sequence.decision == (passing >= 9 ? .reached : .missed))
    }
  }

  @Test("a clear result of 100,000 attempts is decided within the first 5,000")
  func manyAttempts() {
    var generator = SplitMix(seed: 41)
    let large = decision(
      passing: 95_000, of: 100_000, needed: 90_000, alpha: 0.01, &generator)
    #expect(large.decision == .reached)
    #expect(large.count < 5_000)
  }
}
