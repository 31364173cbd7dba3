import EvalRecords
import Testing

@testable import EvalStatistics

@Suite("Verdicts on suites of a few test cases")
struct FewCasesTests {
  /// A suite, and the failures of each test case on both sides.
  struct Row: Sendable {
    var cases: Int
    var repeats: Int
    var before: Int
    var after: Int
    var verdict: ComparisonVerdict
  }

  private static func run(
    _ id: Int, _ cases: Int, _ repeats: Int, failing: Int, seed: UInt64 = 100
  ) -> ComparisonSide {
    var builder = RunBuilder(id: id, cases: cases, repeats: repeats, seed: seed)
    builder.minimums = [:]
    builder.answer = { _, repeatIndex in
      RunBuilder.Answer(
        outcome: repeatIndex < failing ? .fail : .pass, output: "\(repeatIndex < failing)")
    }
    return builder.side()
  }

  private static func rate(_ record: ComparisonRecord) throws -> EffectRecord {
    try #require(
      record.effects.first { $0.quantity == .passRate && $0.reference == .baseline })
  }

  @Test(
    "one to four test cases can regress if many draws changed far, and then aren't reported as ok",
    arguments: [
      Row(cases: 1, repeats: 1_000, before: 12, after: 191, verdict: .regressed),
      Row(cases: 3, repeats: 300, before: 4, after: 47, verdict: .regressed),
      Row(cases: 1, repeats: 300, before: 4, after: 191, verdict: .regressed),
      Row(cases: 2, repeats: 300, before: 4, after: 100, verdict: .regressed),
      Row(cases: 3, repeats: 200, before: 2, after: 54, verdict: .regressed),
      Row(cases: 4, repeats: 200, before: 2, after: 64, verdict: .regressed),
      Row(cases: 5, repeats: 10, before: 0, after: 10, verdict: .regressed),
      // A harmless edit can move the rate of a single test case by five points.
      Row(cases: 1, repeats: 1_000, before: 12, after: 62, verdict: .inconclusive),
      Row(cases: 3, repeats: 300, before: 4, after: 13, verdict: .inconclusive),
      Row(cases: 1, repeats: 40, before: 0, after: 5, verdict: .inconclusive),
      // Nothing changed.
      Row(cases: 1, repeats: 300, before: 12, after: 12, verdict: .ok),
      Row(cases: 3, repeats: 300, before: 4, after: 4, verdict: .ok),
      Row(cases: 4, repeats: 200, before: 64, after: 2, verdict: .improved),
    ], [false, true])
  func checkFewCases(row: Row, hasOtherSeeds: Bool) throws {
    let record = Comparison.compare(
      baseline: Self.run(1, row.cases, row.repeats, failing: row.before),
      candidate: Self.run(
        2, row.cases, row.repeats, failing: row.after, seed: hasOtherSeeds ? 9_000 : 100))
    #expect(record.verdict == row.verdict)
    let rate = try Self.rate(record)
    if row.verdict != .regressed, row.verdict != .improved {
      let excludesZero = rate.changeLow > 0 || rate.changeHigh < 0
      #expect(excludesZero == ((rate.pValue ?? 1) < 0.04), "the interval agrees with p")
    }
    switch row.verdict {
    case .regressed, .improved:
      #expect(rate.changeLow > 0 || rate.changeHigh < 0, "the interval excludes zero")
      #expect(rate.changeLow <= rate.change && rate.change <= rate.changeHigh)
      #expect(rate.notes.contains(.aboutTheseCases))
    case .inconclusive:
      // The exact test of the draws is significant, so "no change" would be wrong.
      let hasNote = rate.notes.contains {
        switch $0 {
        case .movedDraws(let pValue), .suspected(let pValue): pValue < 0.04
        default: false
        }
      }
      #expect(hasNote, "\(rate.notes)")
    default: #expect(rate.change == 0)
    }
  }

  /// A suite and the smallest drop that a simulation of the whole rule found in 80 % of 400 trials.
  struct Visible: Sendable {
    var rate: Double
    var cases: Int
    var repeats: Int
    var paired: Double
    var other: Double
  }

  @Test(
    "the visible worsening agrees with a simulation of the whole rule to within three points",
    arguments: [
      // From an independent simulation in Python; paired runs share 70 % of their draws.
      Visible(rate: 0.02, cases: 1, repeats: 100, paired: 0.264, other: 0.272),
      Visible(rate: 0.02, cases: 1, repeats: 300, paired: 0.214, other: 0.218),
      Visible(rate: 0.1, cases: 2, repeats: 100, paired: 0.183, other: 0.207),
      Visible(rate: 0.02, cases: 3, repeats: 200, paired: 0.138, other: 0.142),
      Visible(rate: 0.1, cases: 4, repeats: 50, paired: 0.179, other: 0.197),
      Visible(rate: 0.1, cases: 6, repeats: 10, paired: 0.197, other: 0.236),
      Visible(rate: 0.1, cases: 8, repeats: 20, paired: 0.098, other: 0.134),
      Visible(rate: 0.1, cases: 20, repeats: 3, paired: 0.172, other: 0.207),
      Visible(rate: 0.02, cases: 20, repeats: 10, paired: 0.057, other: 0.069),
      Visible(rate: 0.1, cases: 30, repeats: 3, paired: 0.116, other: 0.162),
      Visible(rate: 0.1, cases: 50, repeats: 5, paired: 0.067, other: 0.098),
    ])
  func checkVisible(row: Visible) {
    let count = CaseCount(hits: Int((row.rate * 3_000).rounded()), count: 3_000)
    let cases = (0..<row.cases).map { index in
      CountedTest.Case(
        id: "\(index)", baseline: count,
        candidate: CaseCount(hits: 0, count: row.repeats))
    }
    for (toBetter, reference) in [(0 as Int?, row.paired), (nil, row.other)] {
      let rise = VisibleRise(cases, toBetter: toBetter, samplesNothing: false, margin: 0.01)
      let smallest = rise.smallest(level: 0.04)
      #expect(abs(smallest - reference) < 0.03, "\(smallest), \(reference)")
    }
  }

  @Test("with few test cases, the notes say what the whole rule can show")
  func notes() throws {
    // One of 300 draws more fails, so neither test finds anything.
    let record = Comparison.compare(
      baseline: Self.run(1, 1, 300, failing: 4), candidate: Self.run(2, 1, 300, failing: 5))
    let visible = try Self.rate(record).notes.compactMap { note -> Double? in
      if case .visible(let worsening) = note { worsening } else { nil }
    }
    // The exact test alone would find 7 points.
    #expect(visible.count == 1 && visible.allSatisfy { (0.18...0.25).contains($0) }, "\(visible)")
  }

  @Test("equal shifts of a probability don't make a worsening of 0 points visible")
  func equalShifts() throws {
    func side(_ id: Int, _ probability: Double) -> ComparisonSide {
      var builder = RunBuilder(id: id, cases: 3)
      builder.answer = { _, _ in .init(decisions: [end(probability, after: 0)]) }
      return builder.side()
    }
    for after in [0.01, 0.02, 0.35] {
      let record = Comparison.compare(baseline: side(1, 0.01), candidate: side(2, after))
      for effect in record.effects {
        for case .visible(let worsening) in effect.notes { #expect(worsening >= 0.01) }
      }
    }
  }

  @Test(
    "a clear change has an interval that excludes zero, whatever decided it",
    arguments: [1, 2, 3, 4, 5, 8, 20], [1, 3, 10, 40])
  func intervals(cases: Int, repeats: Int) throws {
    for failing in [1, 2, 3, 5, 8] {
      var candidate = RunBuilder(id: 2, cases: cases, repeats: repeats)
      candidate.minimums = [:]
      candidate.answer = { index, repeatIndex in
        .init(outcome: index < failing && repeatIndex % 3 < 2 ? .fail : .pass, output: "\(index)")
      }
      let record = Comparison.compare(
        baseline: Self.run(1, cases, repeats, failing: 0), candidate: candidate.side())
      let rate = try Self.rate(record)
      if rate.verdict == .regressed {
        #expect(rate.changeHigh < 0, "\(failing) of \(cases) × \(repeats)")
      }
      if rate.verdict == .ok { #expect(rate.changeHigh >= 0) }
    }
  }
}
