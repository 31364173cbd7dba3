import EvalRecords
import EvalStatistics
import Testing

@Suite("Planning gates and sample sizes")
struct GatePlanTests {
  @Test("the chance of passing a gate is the sum of binomial probabilities")
  func chanceToPass() {
    let plan = GatePlan(cases: 5, repeats: 2, neededRate: 0.85)
    #expect(plan.gate.needed == 9)
    // Nine or ten of the ten attempts must pass.
    let expected = 10 * 0.9.power(9) * 0.1 + 0.9.power(10)
    checkClose(plan.gate.chanceToPass(rate: 0.9), expected)
    let safe = plan.safeRate ?? 0
    checkClose(plan.gate.chanceToPass(rate: safe), 0.95, tolerance: 1e-6)
    checkClose(plan.gate.chanceToPass(rate: plan.caughtRate ?? 0), 0.2, tolerance: 1e-6)
  }

  /// Each row has a reducer, the repeats of each test case, the needed rate, and the chance of
  /// reaching that rate if each attempt passes with a chance of 0.8.
  ///
  /// These chances were computed by hand.
  private static let chances: [(CaseReducer?, [Int], Double, Double)] = [
    (nil, [1, 2], 1, 0.512), (.all, [2, 2], 1, 0.4096), (.all, [2, 2], 0.5, 1 - 0.36 * 0.36),
    (.atLeast(1), [2], 1, 0.96), (.all, [1, 2], 0.5, 1 - 0.2 * 0.36),
    (.passAll(2), [2, 2], 1, 0.4096), (.passAt(2), [2], 1, 0.96), (.mean, [2, 2], 0.75, 0.8192),
    (.passAt(3), [2, 2], 0, 0), (.all, [], 0, 0),
  ]

  @Test(
    "the chance of passing a gate depends on how the gate scores the repeats of a test case",
    arguments: chances)
  func reducers(reducer: CaseReducer?, repeats: [Int], needed: Double, chance: Double) {
    let gate = GateChance(repeats: repeats, reducer: reducer, neededRate: needed)
    checkClose(gate.chanceToPass(rate: 0.8), chance)
    #expect(!gate.isApproximate || gate.hasTooFewRepeats)
  }

  @Test(
    "the attempts of a test case that samples nothing all pass or all fail",
    arguments: [
      // Computed by hand: each draw passes with a chance of 0.8.
      (nil, [2, 2], [0], 1, 0.512), (nil, [2, 2], [0, 1], 1, 0.64),
      (nil, [2, 2], [0, 1], 0.5, 0.96),
      // Three of four passes: both test cases, or the copies and one of the others.
      (nil, [2, 2], [0], 0.75, 0.8 * 0.96), (nil, [1, 3], [0, 1], 0.75, 0.8),
      (.all, [2, 2], [0], 1, 0.512), (.mean, [2, 2], [0], 0.75, 0.8 * 0.96),
      (.passAll(2), [3], [0], 1, 0.8),
    ] as [(CaseReducer?, [Int], Set<Int>, Double, Double)])
  func copies(
    reducer: CaseReducer?, repeats: [Int], fixed: Set<Int>, needed: Double, chance: Double
  ) {
    let gate = GateChance(
      repeats: repeats, fixedCases: fixed, reducer: reducer, neededRate: needed)
    checkClose(gate.chanceToPass(rate: 0.8), chance)
    #expect(!gate.isApproximate)
  }

  @Test("repeats add draws only to the test cases that sample")
  func repeatsOfSampledCases() {
    func repeats(_ cases: Int, _ fixed: Int, _ rate: Double) -> Int? {
      GatePlan(cases: cases, repeats: 3, neededRate: 1, fixedCases: fixed)
        .repeatsToSee(failureRate: rate)
    }
    // 44 draws see a failure of 1 in 15 with 95 %: 5 + 8 · 5 ≥ 44, but 5 + 7 · 5 is fewer.
    #expect(repeats(10, 5, 1.0 / 15) == 8)
    #expect(repeats(10, 0, 1.0 / 15) == 5)
    #expect(repeats(10, 10, 1.0 / 15) == nil)
    #expect(repeats(44, 44, 1.0 / 15) == 1)
    #expect(repeats(50, 49, 1.0 / 15) == 1)
  }

  @Test("the approximate chance of reaching a mean score is close to the result of a simulation")
  func meanScores() {
    let gate = GateChance(
      repeats: [Int](repeating: 4, count: 25), reducer: .passAt(2), neededRate: 0.9)
    #expect(gate.isApproximate)
    #expect(gate.needed == nil)
    var generator = SplitMix(seed: 11)
    for rate in [0.6, 0.7] {
      let trials = 4_000
      let reached = (0..<trials).count { _ in
        let scores = gate.repeats.map { count in
          let passed = (0..<count).count { _ in generator.unit() < rate }
          return CaseReducer.passAt(2).score(passed: passed, of: count) ?? 0
        }
        return scores.reduce(0, +) / 25 >= 0.9
      }
      #expect(abs(gate.chanceToPass(rate: rate) - Double(reached) / Double(trials)) < 0.06)
    }
  }

  @Test("a needed rate of 0 is always reached, and a needed rate above 1 is never reached")
  func edges() {
    let always = GatePlan(cases: 4, repeats: 1, neededRate: 0)
    #expect(always.gate.needed == 0)
    #expect(always.gate.chanceToPass(rate: 0) == 1)
    #expect(always.caughtRate == nil)
    let never = GatePlan(cases: 4, repeats: 1, neededRate: 1.1)
    #expect(never.gate.chanceToPass(rate: 1) == 0)
    let empty = GatePlan(cases: 0, repeats: 3, neededRate: 1)
    #expect(empty.safeRate == nil)
  }

  @Test(
    "20 test cases need 3 repeats to show a 1-in-15 failure; tests of probabilities need 7 cases"
  )
  func smallNumbers() {
    let plan = GatePlan(cases: 20, repeats: 1, neededRate: 1, power: 0.9)
    #expect(plan.repeatsToSee(failureRate: 1.0 / 15) == 3)
    // log₂(3 / (0.8 · 0.04)), then log₂(3 · suites / (0.8 · 0.035)) on a night of several suites.
    #expect([1, 2, 10].map { plan.casesForProbabilities(suites: $0) } == [7, 8, 11])
  }

  @Test("with the planned repeats, at least 80 % of simulated comparisons find a drop of 40 points")
  func rulePower() throws {
    var world = SimulatedWorld()
    (world.cases, world.repeats) = (12, 2)
    world.rates = (0..<12).map { $0 < 9 ? 0 : 0.5 }
    var plan = RulePower(world, trials: 20)
    let needed = try #require(plan.repeats(toFind: 0.4))
    plan.world.repeats = needed
    #expect(plan.chance(ofFinding: 0.4) >= 0.8)
    let smallest = try #require(plan.smallestDrop)
    #expect(smallest <= 0.4)
    #expect(abs(plan.passRate - 0.875) < 1e-12)
    plan.world.repeats = 1
    #expect(plan.chance(ofFinding: 0.01) < 0.5)
    #expect(plan.chance(ofFinding: 0) == 0)
  }
}

extension Double {
  fileprivate func power(_ exponent: Int) -> Double {
    (0..<exponent).reduce(1) { product, _ in product * self }
  }
}
