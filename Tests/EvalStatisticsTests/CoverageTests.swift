import EvalStatistics
import Testing

/// Enumerates all outcomes to compute how often intervals contain the true value.
@Suite("Coverage of intervals")
struct CoverageTests {
  /// Returns the coverage of an interval for one rate at `count` attempts.
  private func coverage(
    _ interval: (_ hits: Int, _ count: Int) -> ConfidenceInterval, count: Int, rate: Double
  ) -> Double {
    (0...count).reduce(0.0) { sum, hits in
      let interval = interval(hits, count)
      let covers = interval.low <= rate && rate <= interval.high
      return sum + (covers ? Binomial.probability(hits, of: count, rate: rate) : 0)
    }
  }

  @Test("on average over many rates, Wilson's interval covers the true rate in 95 % of samples")
  func averageCoverage() {
    let rates = (1...99).map { Double($0) / 100 }
    for count in [20, 60, 200] {
      let wilson = rates.map { rate in
        coverage({ ProportionInterval.wilson(hits: $0, count: $1) }, count: count, rate: rate)
      }
      #expect(abs(wilson.reduce(0, +) / 99 - 0.95) < 0.01)
      // Coverage is lower at some rates near 0 and 1.
      #expect(wilson.allSatisfy { $0 > 0.83 })
    }
  }

  @Test(
    "Newcombe's interval covers the difference of two rates in more than 93 % of samples",
    arguments: [(0.9, 0.7), (0.95, 0.95), (0.5, 0.5), (0.99, 0.6)])
  func newcombe(first: Double, second: Double) {
    let count = 20
    var covered = 0.0
    for i in 0...count {
      for j in 0...count {
        let interval = DifferenceInterval.newcombe(
          firstHits: i, firstCount: count, secondHits: j, secondCount: count)
        guard interval.low <= first - second, first - second <= interval.high else { continue }
        covered +=
          Binomial.probability(i, of: count, rate: first)
          * Binomial.probability(j, of: count, rate: second)
      }
    }
    #expect(covered > 0.93)
  }
}
