import Testing

@testable import assay_benchmark

/// The goals of `docs/statistics.md`, on the rule that the dashboard applies.
@Suite("Trends of simulated series")
struct TrendSimulationTests {
  @Test(
    "of 200 series of 40 unchanged nights, at most 10 ever show a change",
    arguments: [(50, 3), (20, 1), (20, 3)])
  func unchanged(cases: Int, repeats: Int) {
    let claims = TrendSimulation(cases: cases, repeats: repeats).falseClaims()
    #expect(claims <= 10)
  }

  @Test("of 40 series of 40 unchanged nights, a test case of at most two ever shows a change")
  func unchangedCases() {
    let claims = TrendSimulation(cases: 50, repeats: 3, trials: 40).falseClaimsOfCases()
    #expect(claims <= 2)
  }

  @Test("a fall by ten points is named within five nights in at least 80 % of 200 series")
  func fall() {
    let delays = TrendSimulation(cases: 50, repeats: 3).delays(fall: 0.1, after: 5)
    #expect(delays.share(within: 5) >= 0.8)
  }

  @Test("a fall too small for the number of draws isn't named, and a large one is")
  func sizes() {
    let small = TrendSimulation(cases: 20, repeats: 1, trials: 40)
    #expect(small.delays(fall: 0.1, after: 5).share(within: 5) < 0.2)
    #expect(small.delays(fall: 0.4, after: 5).share(within: 5) > 0.8)
  }
}
