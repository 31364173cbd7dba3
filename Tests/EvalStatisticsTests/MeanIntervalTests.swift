import EvalRecords
import Foundation
import Testing

@testable import EvalStatistics

/// Simulates how often the interval of a mean covers the mean over all inputs, in worlds where the
/// values of the inputs are far from symmetric.
@Suite("Intervals of bounded means")
struct MeanIntervalTests {
  /// A population of inputs: draws the value of one input.
  struct World: Sendable, CustomTestStringConvertible {
    let name: String
    let range: ClosedRange<Double>
    let draw: @Sendable (inout SplitMix) -> Double

    var testDescription: String { name }
  }

  private static func normal(_ generator: inout SplitMix) -> Double {
    Normal.quantile(generator.unit() + 0x1p-54)
  }

  private static func logistic(_ x: Double) -> Double { 1 / (1 + exp(-x)) }

  private static func small(_ generator: inout SplitMix) -> Double {
    logistic(-4.6 + 0.3 * normal(&generator))
  }

  static let worlds: [World] =
    [1.0, 2].map { deviation in
      World(name: "log odds of mean −4 and standard deviation \(deviation)", range: 0...1) {
        logistic(-4 + deviation * normal(&$0))
      }
    }
    + [5, 12, 20].map { rarity in
      World(name: "one input in \(rarity) has 0.9, the others about 0.01", range: 0...1) {
        $0.unit() < 1 / Double(rarity) ? 0.9 : small(&$0)
      }
    }

  @Test(
    "the 95 % interval covers the mean in at least 93 % of samples, the one-sided bound in 95 %",
    arguments: worlds)
  func coverage(world: World) {
    var generator = SplitMix(seed: 11)
    let population = 200_000
    let mean =
      (0..<population).reduce(0.0) { sum, _ in sum + world.draw(&generator) } / Double(population)
    for count in [8, 12, 20] {
      var (covered, bounded, narrowest) = (0, 0, 1.0)
      let trials = 1_000
      for _ in 0..<trials {
        let sample = MeanInterval(
          (0..<count).map { _ in world.draw(&generator) }, within: world.range)
        let interval = sample.interval()
        if interval.low <= mean + 1e-9, mean - 1e-9 <= interval.high { covered += 1 }
        if mean - 1e-9 <= sample.upperBound(error: 0.05) { bounded += 1 }
        narrowest = min(narrowest, interval.high - interval.low)
      }
      #expect(narrowest > 0.1, "the interval is never of zero width")
      // Three standard errors of a rate of 0.95 are 0.02.
      #expect(Double(covered) / Double(trials) >= 0.93, "\(count) test cases")
      #expect(Double(bounded) / Double(trials) >= 0.95 - 0.02, "\(count) test cases")
    }
  }

  @Test("an interval shrinks like 1 / n if the values are alike")
  func width() {
    func width(_ count: Int) -> Double {
      let interval = MeanInterval([Double](repeating: 0.01, count: count), within: 0...1).interval()
      return interval.high - interval.low
    }
    #expect(abs(width(20) - 0.139) < 0.003)
    #expect(width(200) < 0.016)
    // No interval of counts is narrower: 0 of 20 has a Wilson interval up to 0.161.
    #expect(width(20) < ProportionInterval.wilson(hits: 0, count: 20).high)
  }

  @Test(
    "the interval of a change reaches as far as twice the furthest change suggests",
    arguments: [(0.34, 20, 0.198, 0.387), (0, 20, -0.003, 0.003), (-0.05, 12, -0.061, -0.017)])
  func changes(shift: Double, count: Int, low: Double, high: Double) {
    let interval = MeanInterval(
      ofChanges: [Double](repeating: shift, count: count), least: 0.01
    ).interval()
    #expect(abs(interval.low - low) < 0.001 && abs(interval.high - high) < 0.001)
  }

  @Test("with fewer than two values, the interval is the whole range", arguments: [0, 1])
  func few(count: Int) {
    let interval = MeanInterval([Double](repeating: 0.2, count: count), within: -1...1).interval()
    #expect(interval == ConfidenceInterval(low: -1, high: 1))
  }

  @Test("the interval of a change doesn't contradict the test of the change")
  func testAndInterval() {
    // Twelve equal rises: the sign-flip test shows them, and the interval has a width.
    let rises = [Double](repeating: 0.034, count: 12)
    func test(_ shifts: [Double]) -> MeasuredTest {
      MeasuredTest(
        shifts.map { (MeasuredCase(draws: [0.2]), MeasuredCase(draws: [0.2 + $0])) },
        isFixed: true, margin: 0.01, level: 0.04)
    }
    let shown = test(rises)
    let all = MeanInterval(ofChanges: rises, least: 0.01).interval()
    let cut = shown.cut(all, level: 0.05)
    #expect(shown.mean.worseP < 0.001 && all.low < 0.034 && all.high > 0.034)
    #expect(cut.low == max(0.01, all.low) && cut.high == all.high)
    // Three equal rises show nothing, so the interval includes zero.
    let few = test([0.034, 0.034, 0.034])
    let wide = MeanInterval(ofChanges: few.mean.sample.values, least: 0.01).interval()
    #expect(few.cut(wide, level: 0.05) == wide && wide.low < 0)
  }
}
