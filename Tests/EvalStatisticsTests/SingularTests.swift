import EvalRecords
import Testing

@testable import EvalStatistics

@Suite("Singular and plural nouns")
struct SingularTests {
  @Test(
    "a noun is singular after 1, and plural after other numbers",
    arguments: [
      (1.counted("run"), "1 run"), (0.counted("run"), "0 runs"), (2.counted("run"), "2 runs"),
      (1.counted("quantity", plural: "quantities"), "1 quantity"),
      (3.counted("quantity", plural: "quantities"), "3 quantities"),
    ])
  func nouns(written: String, expected: String) { #expect(written == expected) }

  @Test("a pooled history of one night has one run")
  func oneNight() {
    let entry = PooledHistory.Entry(
      night: 1, caseID: "a", fingerprint: "f", seed: 1, passed: true)
    #expect(PooledHistory([entry]).summary(without: []) == HistorySummary(attempts: 1, runs: 1))
    #expect(
      PooledHistory([entry, entry]).summary(without: [])
        == HistorySummary(attempts: 1, runs: 1, duplicates: 1))
  }
}
