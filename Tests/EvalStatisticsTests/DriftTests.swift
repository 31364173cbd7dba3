import EvalRecords
import Testing

@testable import EvalStatistics

private func nights(_ passed: [Int], of count: Int) -> [HistoryPoint] {
  passed.map { HistoryPoint(passed: $0, count: count) }
}

@Suite("Change points in a history")
struct DriftTests {
  @Test("a change point is the night when the rate changed, with the counts before and after it")
  func findsChangePoint() throws {
    let history = nights([40, 39, 40, 40, 40, 39, 40, 36, 35, 37, 35, 36, 34], of: 40)
    let change = try #require(ChangePoint.find(history).first)
    #expect(ChangePoint.find(history).count == 1)
    #expect(change.index == 7)
    #expect(change.before == HistoryPoint(passed: 278, count: 280))
    #expect(change.after == HistoryPoint(passed: 213, count: 240))
    #expect(change.pValue <= 0.01)
  }

  @Test("two changes are found in order, and both have the counts of the nights between them")
  func findsTwoChanges() {
    let history = nights(
      [Int](repeating: 39, count: 10) + [Int](repeating: 25, count: 10)
        + [Int](repeating: 38, count: 10), of: 40)
    let changes = ChangePoint.find(history)
    #expect(changes.map(\.index) == [10, 20])
    #expect(changes.first?.after == changes.last?.before)
  }

  @Test(
    "the p-value estimates the share of permutations of the nights with at least as clear a split")
  func pValueCountsOrders() {
    // There are 21 ways to place two bad nights among seven. Only two of them give a split as clear
    // as this one: both bad nights at the end, or both at the beginning.
    let history = nights([9, 9, 9, 9, 9, 1, 1], of: 10)
    let change = ChangePoint.find(history, alpha: 1).first
    #expect(abs((change?.pValue ?? 0) - 2.0 / 21) < 0.03)
  }

  @Test("a history with a constant rate has no change point", arguments: [0, 1, 2, 30])
  func staysQuiet(count: Int) {
    #expect(ChangePoint.find(nights([Int](repeating: 40, count: count), of: 40)).isEmpty)
    #expect(ChangePoint.find(nights([Int](repeating: 0, count: count), of: 0)).isEmpty)
  }

  @Test("the share of steady histories with a false change point is at most α, within random error")
  func nullStaysWithinAlpha() {
    var generator = SplitMix(seed: 17)
    let trials = 200
    let alarms = (0..<trials).count { trial in
      let history = (0..<14).map { _ in
        HistoryPoint(passed: (0..<20).count { _ in generator.unit() < 0.9 }, count: 20)
      }
      return !ChangePoint.find(history, alpha: 0.05, seed: UInt64(trial)).isEmpty
    }
    // Three standard errors of a rate of 0.05 in 200 trials are 0.046.
    #expect(Double(alarms) / Double(trials) <= 0.05 + 0.046)
  }
}

@Suite("Pooled history")
struct PooledHistoryTests {
  private func entries(
    night: Int, seeds: Range<Int>, fingerprint: String = "a", failing: Set<Int> = []
  ) -> [PooledHistory.Entry] {
    seeds.map {
      PooledHistory.Entry(
        night: night, caseID: "case", fingerprint: fingerprint, seed: UInt64($0),
        passed: !failing.contains($0))
    }
  }

  @Test("thirty nights with the same seeds count as one sample")
  func sameSeedsCountOnce() {
    let nights = (1...30).map { entries(night: $0, seeds: 0..<20) }
    let history = PooledHistory(Array(nights.joined()))
    var grown = PooledHistory(nights[0], alpha: 0)
    for night in nights.dropFirst() { grown.append(night) }
    #expect(grown.entries == history.entries && grown.duplicates == history.duplicates)
    #expect(history.total == HistoryPoint(passed: 20, count: 20))
    #expect(history.duplicates == 29 * 20)
  }

  @Test("the same seed with a different prompt is a different draw")
  func otherFingerprintCounts() {
    let history = PooledHistory(
      entries(night: 1, seeds: 0..<20) + entries(night: 2, seeds: 0..<20, fingerprint: "b"))
    #expect(history.total.count == 40)
  }

  @Test("a pooled history leaves out the nights before a change in the rate")
  func changeCutsHistory() {
    var all: [PooledHistory.Entry] = []
    for night in 1...16 {
      let first = night * 100
      let failing = night <= 8 ? Set(first..<(first + 10)) : []
      all += entries(night: night, seeds: first..<(first + 20), failing: failing)
    }
    let history = PooledHistory(all)
    #expect(history.droppedNights == 8)
    #expect(history.total == HistoryPoint(passed: 160, count: 160))
  }

  @Test("against a history of 1,000 clean attempts, 40 attempts usually reveal a 1-in-15 failure")
  func poolCatchesPlantedBug() {
    let history = PooledHistory(
      (1...50).flatMap { night in
        entries(night: night, seeds: (night * 100)..<(night * 100 + 20))
      })
    #expect(history.total == HistoryPoint(passed: 1_000, count: 1_000))
    var generator = SplitMix(seed: 29)
    let trials = 400
    func alarms(_ rate: Double) -> Double {
      let count = (0..<trials).count { _ in
        let passed = (0..<40).count { _ in generator.unit() >= rate }
        return history.pValue(candidate: ["case": HistoryPoint(passed: passed, count: 40)]) <= 0.05
      }
      return Double(count) / Double(trials)
    }
    #expect(alarms(1.0 / 15) >= 0.9)
    #expect(alarms(0) == 0)
  }

  @Test("a test case on only one side adds no information")
  func otherCasesAreLeftOut() {
    let history = PooledHistory(entries(night: 1, seeds: 0..<20))
    #expect(history.pValue(candidate: ["other": HistoryPoint(passed: 0, count: 9)]) == 1)
  }
}
