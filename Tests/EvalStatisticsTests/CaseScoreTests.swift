import EvalRecords
import Testing

@testable import EvalStatistics

@Suite("Scores of test cases over their repeats")
struct CaseScoreTests {
  /// Lists all samples of a given size, drawn without replacement, and returns the share that
  /// satisfies a condition.
  private func share(
    passed: Int, of count: Int, size: Int, _ holds: ([Bool]) -> Bool
  ) -> Double {
    var (good, all) = (0, 0)
    for bits in 0..<(1 << count) where bits.nonzeroBitCount == size {
      all += 1
      if holds((0..<count).filter { bits & (1 << $0) != 0 }.map { $0 < passed }) { good += 1 }
    }
    return Double(good) / Double(all)
  }

  @Test("pass@k and pass^k equal the shares found by listing all samples of k repeats")
  func enumeration() throws {
    for count in 1...8 {
      for passed in 0...count {
        for size in 1...count {
          let at = try #require(CaseReducer.passAt(size).score(passed: passed, of: count))
          let all = try #require(CaseReducer.passAll(size).score(passed: passed, of: count))
          #expect(
            abs(at - share(passed: passed, of: count, size: size) { $0.contains(true) }) < 1e-12)
          #expect(
            abs(all - share(passed: passed, of: count, size: size) { !$0.contains(false) })
              < 1e-12)
        }
      }
    }
  }

  @Test("`all`, `mean` and `at least` score by the number of passes")
  func counting() {
    #expect(CaseReducer.all.score(passed: 3, of: 3) == 1)
    #expect(CaseReducer.all.score(passed: 2, of: 3) == 0)
    #expect(CaseReducer.mean.score(passed: 1, of: 4) == 0.25)
    #expect(CaseReducer.atLeast(2).score(passed: 2, of: 3) == 1)
    #expect(CaseReducer.atLeast(2).score(passed: 1, of: 3) == 0)
  }

  @Test("there is no score for too few repeats, or for more passes than repeats")
  func tooFew() {
    #expect(CaseReducer.passAt(3).score(passed: 2, of: 2) == nil)
    #expect(CaseReducer.all.score(passed: 0, of: 0) == nil)
    #expect(CaseReducer.mean.score(passed: 3, of: 2) == nil)
  }

  @Test(
    "the description of a reducer is the text that it was parsed from",
    arguments: ["all", "mean", "at least 2", "pass@3", "pass^10"])
  func reading(text: String) {
    #expect(CaseReducer(text)?.description == text)
  }

  @Test(
    "a text that names no reducer doesn't parse",
    arguments: ["", "pass@0", "pass@", "at least 02", "pass@x"])
  func unreadable(text: String) {
    #expect(CaseReducer(text) == nil)
  }
}
