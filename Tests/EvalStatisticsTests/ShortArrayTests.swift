import EvalRecords
import Testing

@testable import EvalStatistics

/// The estimate of P(fewer than n), in a world whose true probabilities are known.
///
/// The hazard of each case, P(end after i elements), depends on i and on the last element, which is
/// one of two with equal probability.
@Suite("P(fewer than n)")
struct ShortArrayTests {
  private static let cases = 8
  private static let minimums = [2, 3, 4]

  /// Returns P(end after `index` elements) if the last element was the given one.
  private static func hazard(_ number: Int, after index: Int, last: Int) -> Double {
    if index == 0 { return 0.02 + 0.03 * Double(number) }
    let step = [0.35, 0.1, 0.55, 0.2][(number + index) % 4]
    return last == 0 ? step : step * (0.3 + 0.05 * Double(number))
  }

  private static func truth(_ number: Int, fewerThan minimum: Int) -> Double {
    var survival = 1 - hazard(number, after: 0, last: 0)
    for index in 1..<minimum {
      // Each element is drawn anew, so the mean hazard is that of a random last element.
      let ends = (0...1).map { hazard(number, after: index, last: $0) }
      survival *= 1 - (ends[0] + ends[1]) / 2
    }
    return 1 - survival
  }

  /// Returns the decisions of a sampled array; the last one is censored if the array is cut off.
  private static func decisions(
    _ number: Int, cutAfter limit: Int, _ random: inout SplitMix
  ) -> [DecisionRecord] {
    func uniform() -> Double { Double(random.next() >> 11) / 0x1p53 }
    var found: [DecisionRecord] = []
    var last = 0
    for index in 0..<6 {
      let probability = hazard(number, after: index, last: last)
      found.append(end(probability, after: index))
      if index == limit {
        found[index].chosen = nil
        break
      }
      if uniform() < probability {
        found[index].chosen = .end
        break
      }
      last = uniform() < 0.5 ? 0 : 1
    }
    return found
  }

  private static func errors(
    repeats: Int, cutAfter limit: Int = .max, seed: UInt64
  ) throws -> [Double] {
    var random = SplitMix(seed: seed)
    var builder = RunBuilder(cases: cases, repeats: repeats)
    let answers = (0..<cases).map { number in
      (0..<repeats).map { _ in decisions(number, cutAfter: limit, &random) }
    }
    builder.answer = { RunBuilder.Answer(output: "\($0) \($1)", decisions: answers[$0][$1]) }
    let run = builder.record
    let probabilities = CaseProbabilities(
      ComparisonSlice(
        run: run, suite: run.suites[0], variant: builder.variant, backend: builder.backend,
        attempts: builder.attempts), expected: [:])
    return try (0..<cases).flatMap { number in
      try minimums.map { minimum in
        let found = try #require(probabilities.below(minimum, "$.cards")["c\(number)"])
        return found.probability - truth(number, fewerThan: minimum)
      }
    }
  }

  /// Returns P(fewer than n) of one test case with the given decisions in each of its attempts.
  private static func below(_ minimum: Int, _ attempts: [[DecisionRecord]]) -> Double? {
    var builder = RunBuilder(cases: 1, repeats: attempts.count)
    builder.answer = { RunBuilder.Answer(output: "\($1)", decisions: attempts[$1]) }
    let run = builder.record
    return CaseProbabilities(
      ComparisonSlice(
        run: run, suite: run.suites[0], variant: builder.variant, backend: builder.backend,
        attempts: builder.attempts), expected: [:]
    ).below(minimum, "$.cards")["c0"]?.probability
  }

  @Test("beyond the longest array, each step ends with the last measured probability")
  func beyond() {
    #expect(Self.below(3, [[end(0.5, after: 0)]]) == 0.875)
    #expect(Self.below(3, [[end(0, after: 0), end(0.5, after: 1)]]) == 0.75)
    #expect(Self.below(0, [[end(0.5, after: 0)]]) == nil)
  }

  @Test("elements before an array's first choice are forced, but its unresolved choices are not")
  func unresolvedFirst() {
    let measured = [end(0.5, after: 2), end(0.25, after: 3)]
    #expect(Self.below(2, [measured]) == 0)
    #expect(Self.below(3, [measured]) == 0.5)
    let unresolved = [end(0.5, after: 2, unresolved: 0.5), end(0.25, after: 3)]
    #expect(Self.below(2, [measured, unresolved]) == 0)
    #expect(Self.below(3, [measured, unresolved]) == 0.5)
  }

  @Test(
    "over many repeats, the estimate is off by at most 0.01 on average, even if arrays are cut off",
    arguments: [Int.max, 3])
  func checkPooled(limit: Int) throws {
    let errors = try Self.errors(repeats: 400, cutAfter: limit, seed: 3)
    #expect(errors.count == 24)
    #expect(errors.reduce(0) { $0 + abs($1) } / Double(errors.count) <= 0.01, "\(errors)")
  }

  @Test("a single attempt is far less exact, because it doesn't reach every decision")
  func checkSingle() throws {
    var squares = 0.0
    for seed in 0..<20 {
      squares += try Self.errors(repeats: 1, seed: UInt64(seed)).reduce(0) { $0 + $1 * $1 }
    }
    let error = (squares / Double(20 * 24)).squareRoot()
    #expect(error > 0.08 && error < 0.25, "\(error)")
  }
}
