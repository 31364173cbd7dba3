import EvalRecords
import EvalStatistics
import Testing

@testable import EvalFindings
@testable import EvalReports

@Suite("Stable periods")
struct SteadyStretchTests {
  /// Returns the shares of attempts that passed on sixty nights.
  ///
  /// The shares scatter around 80 % on the nights in `low`, and around 97 % on the others.
  private func nights(low: Range<Int>? = nil, seed: UInt64 = 3) -> [Share] {
    var generator = SplitMix(seed: seed)
    return (0..<60).map { night in
      let rate = low?.contains(night) == true ? 0.8 : 0.97
      let hits = (0..<150).count { _ in Double.random(in: 0..<1, using: &generator) < rate }
      return Share(hits, of: 150)
    }
  }

  @Test(
    "a dip between nights with the same rate is a separate period",
    arguments: [19..<24, 30..<34, 40..<58])
  func dip(low: Range<Int>) {
    let stretches = SteadyStretch.stretches(of: nights(low: low))
    #expect(stretches.map(\.range) == [0..<low.lowerBound, low, low.upperBound..<60])
    #expect(stretches.map(\.direction) == [0, -1, 1])
  }

  @Test(
    "a change near the first or the last night begins a new period on the night of the change",
    arguments: [2, 8])
  func edges(split: Int) {
    let rates = (0..<10).map { $0 < split ? 932 : 980 }
    let stretches = SteadyStretch.stretches(of: rates.map { Share($0, of: 1_000) })
    #expect(stretches.map(\.range) == [0..<split, split..<10])
    #expect(stretches.map(\.direction) == [0, 1])
  }

  @Test("nights that differ only by chance are one period in at least 96 of 100 histories")
  func steady() {
    let split = (0..<100).count { SteadyStretch.stretches(of: nights(seed: $0 + 10)).count > 1 }
    #expect(split <= 4)
  }

  @Test("nights with the same draws have the interval of one night, because copies count once")
  func copies() throws {
    let night = Share(
      Dictionary(
        uniqueKeysWithValues: (0..<60).map { number in
          (
            Share.CaseKey(suite: "s", caseID: "\(number)"),
            CaseCount(hits: number % 7 == 0 ? 0 : 1, count: 1)
          )
        }))
    let stretches = SteadyStretch.stretches(of: [Share](repeating: night, count: 14))
    let share = try #require(stretches.first?.share)
    #expect(stretches.count == 1 && share.count == 14 * 60)
    #expect(abs(share.low - night.low) < 1e-9 && abs(share.high - night.high) < 1e-9)
  }
}
