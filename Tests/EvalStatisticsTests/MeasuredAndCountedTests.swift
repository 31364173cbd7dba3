import EvalRecords
import Testing

@testable import EvalStatistics

@Suite("Measured probabilities and counts of the same quantity")
struct MeasuredAndCountedTests {
  private static let empty = Quantity.emptyArray(path: "$.cards")

  /// Builds a run of 20 test cases of which some have an empty array, and some a measured
  /// probability.
  private func side(
    _ id: Int, empty: Range<Int>, repeats: Int = 1, path: String = "cards",
    _ probability: @escaping (Int) -> (probability: Double, unresolved: Double)?
  ) -> ComparisonSide {
    var builder = RunBuilder(id: id, repeats: repeats)
    builder.minimums = ["$.cards": 1]
    builder.answer = { index, _ in
      let isEmpty = empty.contains(index)
      return .init(
        output: isEmpty ? #"{"\#(path)":[]}"# : #"{"\#(path)":[1,2,3]}"#,
        decisions: probability(index).map {
          [end($0.probability, after: 0, at: "$.\(path)", unresolved: $0.unresolved)]
        } ?? [])
    }
    return builder.side()
  }

  private func gates(_ record: ComparisonRecord, _ evidence: Evidence) -> Bool {
    record.effects.contains {
      $0.quantity == Self.empty && $0.evidence == evidence && $0.isGating
    }
  }

  @Test("the control without measurements is a regression")
  func control() {
    let record = Comparison.compare(
      baseline: side(1, empty: 0..<0) { _ in nil }, candidate: side(2, empty: 0..<16) { _ in nil })
    #expect(record.verdict == .regressed)
  }

  @Test(
    "a probability that was measured in only some test cases doesn't hide the count",
    arguments: [1, 2, 19])
  func partlyMeasured(measured: Int) {
    let record = Comparison.compare(
      baseline: side(1, empty: 0..<0) { _ in (0.01, 0) },
      candidate: side(2, empty: 0..<16) { $0 >= 20 - measured ? (0.01, 0) : nil })
    #expect(record.verdict == .regressed)
    #expect(gates(record, .counted) && gates(record, .measured))
  }

  @Test("a probability that is unresolved where the arrays are empty doesn't hide the count")
  func halfUnresolved() {
    let record = Comparison.compare(
      baseline: side(1, empty: 0..<0) { _ in (0.01, 0) },
      candidate: side(2, empty: 0..<10) { $0 < 10 ? (0.01, 0.6) : (0.01, 0) })
    #expect(record.verdict == .regressed)
    #expect(gates(record, .counted))
  }

  @Test("answers that contradict the measured probabilities are a finding")
  func contradiction() throws {
    let record = Comparison.compare(
      baseline: side(1, empty: 0..<0) { _ in (0.01, 0) },
      candidate: side(2, empty: 0..<16) { _ in (0.01, 0) })
    #expect(record.verdict == .regressed)
    let fact = ComparisonDifference.Fact.contradiction(
      side: .candidate, quantity: Self.empty, expected: 0.2, hits: 16, count: 20)
    let found = try #require(
      record.differences.map(\.fact).first { $0.consequence == .doubtful })
    guard case .contradiction(let side, let quantity, let expected, let hits, let count) = found
    else { return }
    #expect(side == .candidate && quantity == Self.empty && hits == 16 && count == 20, "\(fact)")
    checkClose(expected, 0.2)
    // If both sides' answers contradict the probabilities equally, nothing regressed.
    let both = Comparison.compare(
      baseline: self.side(1, empty: 0..<16) { _ in (0.01, 0) },
      candidate: self.side(2, empty: 0..<16) { _ in (0.01, 0) })
    #expect(both.verdict == .inconclusive)
  }

  @Test("the measured probability alone decides if it covers the test cases and fits the answers")
  func covered() {
    let record = Comparison.compare(
      baseline: side(1, empty: 0..<0) { _ in (0.01, 0) },
      candidate: side(2, empty: 0..<1) { _ in (0.012, 0) })
    #expect(record.verdict == .ok)
    #expect(!gates(record, .counted) && gates(record, .measured))
    #expect(record.differences.isEmpty)
  }

  @Test("an array that only one side has, or measured, is named")
  func vanished() {
    let renamed = Comparison.compare(
      baseline: side(1, empty: 0..<0) { _ in (0.01, 0) },
      candidate: side(2, empty: 0..<0, path: "items") { _ in (0.15, 0) })
    #expect(
      renamed.differences.map(\.fact) == [
        .arraysOnlyIn(side: .baseline, paths: ["$.cards"]),
        .arraysOnlyIn(side: .candidate, paths: ["$.items"]),
      ])
    let unmeasured = Comparison.compare(
      baseline: side(1, empty: 0..<0) { _ in (0.01, 0) },
      candidate: side(2, empty: 0..<0) { _ in nil })
    #expect(
      unmeasured.differences.map(\.fact) == [
        .measuredOnlyIn(side: .baseline, quantities: [Self.empty])
      ])
  }

  @Test(
    "the p-value of a sum of different draws agrees with SciPy",
    arguments: [
      // From numpy.convolve over the trials, doubled, at most 1.
      ([0.01, 0.02, 0.5], 3, 0.0002), ([0.1, 0.2, 0.3, 0.4], 0, 0.6048),
      ([0.5, 0.5], 1, 1), ([], 0, 1),
    ] as [([Double], Int, Double)])
  func poissonBinomial(probabilities: [Double], hits: Int, pValue: Double) {
    checkClose(PoissonBinomial.pValue(of: hits, probabilities: probabilities), pValue)
  }
}
