import EvalRecords
import EvalStatistics
import Testing

@Suite("Test cases that newly fail")
struct FlippedCasesTests {
  /// Compares two runs of 48 test cases of which some always fail now, or always failed before.
  private func compare(
    failing: [Int] = [], passing: [Int] = [], repeats: Int = 1, isGreedy: Bool = true,
    failsEvery: Int = 1, cases: Int = 48
  ) -> ComparisonRecord {
    func side(_ id: Int, _ failing: [Int]) -> ComparisonSide {
      var builder = RunBuilder(id: id, cases: cases, repeats: repeats)
      builder.minimums = [:]
      builder.options.isGreedy = isGreedy
      builder.answer = { index, repeatIndex in
        let fails = failing.contains(index) && repeatIndex.isMultiple(of: failsEvery)
        return .init(outcome: fails ? .fail : .pass, output: "\(index) \(fails)")
      }
      return builder.side()
    }
    return Comparison.compare(baseline: side(1, passing), candidate: side(2, failing))
  }

  @Test(
    "without sampling, each test case that newly fails is a fact, and the verdict isn't ok",
    arguments: [
      ([3, 9, 40], [], ComparisonVerdict.inconclusive), ([7], [], .inconclusive),
      ([7], [8], .inconclusive), ([], [8], .ok), ([], [], .ok),
      ([1, 2, 3, 4, 5, 6], [], .regressed), ([7], [1, 2, 3, 4, 5, 6, 8, 9], .improved),
    ] as [([Int], [Int], ComparisonVerdict)])
  func withoutSampling(failing: [Int], passing: [Int], verdict: ComparisonVerdict) throws {
    for repeats in [1, 3] {
      let record = compare(failing: failing, passing: passing, repeats: repeats)
      #expect(record.verdict == verdict)
      #expect(record.hasNewlyFailing == !failing.isEmpty)
      if failing.isEmpty, passing.isEmpty {
        #expect(record.flips.isEmpty)
      } else {
        let flips = try #require(record.flips.first)
        #expect(flips.newlyFailing == failing.map { "c\($0)" })
        #expect(flips.newlyPassing == passing.map { "c\($0)" })
        #expect(flips.count == 48)
      }
      let rate = try #require(record.effects.first { $0.quantity == .passRate })
      #expect(failing.isEmpty || rate.verdict != .ok)
    }
  }

  @Test(
    "with sampling, at least five draws of a test case must flip, and all of them",
    arguments: [
      (4, 1, false), (5, 1, true), (10, 1, true), (10, 2, false), (1, 1, false),
    ])
  func withSampling(repeats: Int, failsEvery: Int, isFact: Bool) {
    let record = compare(
      failing: [7], repeats: repeats, isGreedy: false, failsEvery: failsEvery)
    #expect(record.hasNewlyFailing == isFact)
    #expect(record.verdict != .ok || !isFact)
  }

  @Test(
    "test cases that fail only in attempts that the comparison leaves out are named",
    arguments: [
      (Array(0..<20), true, true), ([3], true, true), ([], true, false),
      (Array(0..<20), false, true), ([3], false, false), ([], false, false),
    ] as [([Int], Bool, Bool)])
  func outside(failing: [Int], isGreedy: Bool, isNamed: Bool) {
    func side(_ id: Int, fresh: Bool, repeats: Int, _ failing: [Int]) -> ComparisonSide {
      var builder = RunBuilder(id: id, cases: 20, repeats: fresh ? 1 : repeats)
      builder.minimums = [:]
      builder.options.isGreedy = isGreedy
      if fresh { builder.fresh = (2, UInt64(id)) }
      builder.answer = { index, repeatIndex in
        let fails = failing.contains(index) && repeatIndex > 0
        return .init(
          outcome: fails ? .fail : .pass, output: "\(index) \(isGreedy ? 0 : repeatIndex) \(fails)")
      }
      return builder.side()
    }
    for fresh in [false, true] {
      let record = Comparison.compare(
        baseline: side(1, fresh: fresh, repeats: 1, []),
        candidate: side(2, fresh: fresh, repeats: 3, failing))
      #expect(record.hasNewlyFailing == isNamed)
      #expect(record.flips.first?.failingOutside == (isNamed ? failing.map { "c\($0)" } : nil))
      #expect(record.verdict == (isNamed ? .inconclusive : .ok))
    }
    // The control: the baseline fails in the same attempts.
    let known = Comparison.compare(
      baseline: side(1, fresh: true, repeats: 1, failing),
      candidate: side(2, fresh: true, repeats: 1, failing))
    #expect(!known.hasNewlyFailing)
  }

  @Test(
    "with sampling, clear opposite changes of single test cases are named, and only both together",
    arguments: [
      ([1], [2], 40, true), ([1], [], 40, false), ([], [2], 40, false), ([1], [2], 6, false),
    ] as [([Int], [Int], Int, Bool)])
  func swapped(failing: [Int], passing: [Int], repeats: Int, isNamed: Bool) {
    let record = compare(
      failing: failing, passing: passing, repeats: repeats, isGreedy: false, failsEvery: 2,
      cases: 8)
    #expect(record.flips.first?.oftenFailing == (isNamed ? ["c1"] : nil))
    #expect(record.flips.first?.oftenPassing == (isNamed ? ["c2"] : nil))
    #expect(!record.hasNewlyFailing)
  }

  @Test("backend errors are no flips")
  func errors() {
    var baseline = RunBuilder()
    baseline.options.isGreedy = true
    var candidate = baseline
    candidate.id = 2
    candidate.answer = { index, _ in .init(outcome: index == 0 ? .error : .pass) }
    let record = Comparison.compare(baseline: baseline.side(), candidate: candidate.side())
    #expect(record.flips.isEmpty && record.verdict == .ok)
  }
}
