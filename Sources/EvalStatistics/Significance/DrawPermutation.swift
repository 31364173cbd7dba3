import EvalRecords

/// The permutation test of measured probabilities whose values depend on sampled text.
///
/// Under the null hypothesis that the edit has no effect, all draws of a test case are exchangeable
/// between the two sides. (If pairs of draws have equal seeds, they resemble each other, which only
/// makes the test stricter.) So the test assigns the draws of each test case to the sides at random
/// and counts how often the change is at least as large as the real one:
///
/// ```
/// case a    baseline 0.1 0.8 0.2    candidate 0.9 0.7 0.9
///           assigned 0.8 0.9 0.2              0.1 0.7 0.9      and so on, 9,999 times
/// ```
/// Equal values leave the change as it is, so they can't raise an alarm.
///
/// The change over all test cases is that of the mean log odds: after some texts, a model hesitates
/// between the options, and such draws would drown out a clear change in the other test cases.
package struct DrawPermutation: Sendable {
  /// The draws of one test case on both sides.
  package struct Case: Sendable, Hashable {
    /// The baseline's draws.
    package var baseline: [Double]
    /// The candidate's draws.
    package var candidate: [Double]
  }

  /// The number of random assignments, not counting the real one.
  static let count = 9_999

  /// The one-sided p-values of the change of the mean log odds.
  package let mean: (worse: Double, better: Double)
  /// The one-sided p-values of the largest changes (``ConcentratedRise``).
  package let few: (worse: Double, better: Double)

  /// Creates the test.
  ///
  /// - Parameters:
  ///   - cases: The draws of the test cases that have some on both sides.
  ///   - least: The probabilities closer to 0 or 1 than this count as equally close.
  ///   - seed: The seed of the random assignments.
  package init(_ cases: [Case], least: Double, seed: UInt64) {
    var pools = cases.map { Pool($0, least: least) }
    let real = pools.map(\.change)
    var changes = real.map(\.x)
    let observed = (sum: real.reduce(0) { $0 + $1.y }, excess: ConcentratedRise.excess(changes))
    let varying = pools.indices.filter { pools[$0].varies }
    var generator = SplitMix(seed: seed)
    var extreme = (mean: (worse: 1, better: 1), few: (worse: 1, better: 1))
    let tolerance = 1e-9
    for _ in 0..<Self.count {
      var sum = 0.0
      for index in varying {
        let change = pools[index].randomChange(&generator)
        changes[index] = change.x
        sum += change.y
      }
      let excess = ConcentratedRise.excess(changes)
      if sum >= observed.sum - tolerance { extreme.mean.worse += 1 }
      if sum <= observed.sum + tolerance { extreme.mean.better += 1 }
      if excess >= observed.excess - tolerance { extreme.few.worse += 1 }
      if excess <= observed.excess + tolerance { extreme.few.better += 1 }
    }
    func share(_ count: Int) -> Double { Double(count) / Double(Self.count + 1) }
    mean = (share(extreme.mean.worse), share(extreme.mean.better))
    few = (share(extreme.few.worse), share(extreme.few.better))
  }

  /// Returns the smallest attainable p-value: one over the number of different assignments, but at
  /// least one over the number of assignments that are tried.
  package static func leastP(_ cases: [Case]) -> Double {
    var least = 1.0
    for draws in cases where Set(draws.baseline + draws.candidate).count > 1 {
      let all = draws.baseline.count + draws.candidate.count
      for index in 0..<draws.candidate.count { least *= Double(index + 1) / Double(all - index) }
    }
    return max(least, 1 / Double(count + 1))
  }

  /// Returns the standard error of the mean change because of the spread between the draws of each
  /// test case on each side.
  static func standardError(_ cases: [Case]) -> Double {
    func variance(_ draws: [Double]) -> Double {
      guard draws.count > 1 else { return 0 }
      let mean = draws.reduce(0, +) / Double(draws.count)
      let squares = draws.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      return squares / Double(draws.count - 1) / Double(draws.count)
    }
    guard !cases.isEmpty else { return 0 }
    let sum = cases.reduce(0) { $0 + variance($1.baseline) + variance($1.candidate) }
    return sum.squareRoot() / Double(cases.count)
  }

  /// The draws of a test case, of which the first `taken` belong to the candidate.
  private struct Pool {
    /// The probability (`x`) and its log odds (`y`) in each draw.
    var values: [SIMD2<Double>]
    let taken: Int
    let sum: SIMD2<Double>
    /// The changes of all assignments, or nothing if there are too many draws to list them.
    private var all: [SIMD2<Double>] = []

    init(_ draws: Case, least: Double) {
      values = (draws.candidate + draws.baseline).map {
        SIMD2($0, FewCasesTest.logOdds($0, least: least))
      }
      taken = draws.candidate.count
      sum = values.reduce(.zero, +)
      guard varies, values.count <= 12 else { return }
      all = (0..<(1 << values.count)).filter { $0.nonzeroBitCount == taken }.map { chosen in
        change(
          values.indices.reduce(.zero) { chosen >> $1 & 1 == 1 ? $0 + values[$1] : $0 })
      }
    }

    /// Whether another assignment can give another change.
    var varies: Bool { values.contains { $0 != values[0] } }

    /// The change of the real assignment.
    var change: SIMD2<Double> { change(values.prefix(taken).reduce(.zero, +)) }

    /// Returns the change of a random assignment.
    mutating func randomChange(_ generator: inout SplitMix) -> SIMD2<Double> {
      if !all.isEmpty { return all[Int(generator.next() % UInt64(all.count))] }
      for index in 0..<taken {
        let other = index + Int(generator.next() % UInt64(values.count - index))
        values.swapAt(index, other)
      }
      return change
    }

    /// Returns the change of an assignment whose candidate has this sum.
    private func change(_ candidate: SIMD2<Double>) -> SIMD2<Double> {
      candidate / Double(taken) - (sum - candidate) / Double(values.count - taken)
    }
  }
}
