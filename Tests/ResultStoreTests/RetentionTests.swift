import EvalRecords
import ResultStore
import Testing

@Suite("Retention")
struct RetentionTests {
  /// Applies a rule to five nights: run 2 is the first of its suites, something refers to run 3,
  /// and run 5 is in progress.
  private func plan(_ retention: Retention) -> Retention.Plan {
    let runs = (1...5).map { id in
      RunHead(
        id: id, label: "nightly", startedAt: "2026-11-0\(id)T01:00:00Z",
        status: id == 5 ? .running : .complete)
    }
    return retention.plan(runs: runs, referenced: [3], first: [2])
  }

  @Test(
    "a run is removed only if the limits on number and age both allow it, and nothing needs it",
    arguments: [
      (Retention(), [], []),
      (Retention(newest: 2), [1], [2, 3]),
      (Retention(newest: 0), [1, 4], [2, 3, 5]),
      (Retention(newest: 9), [], []),
      (Retention(since: "2026-11-02T01:00:00Z"), [1], []),
      (Retention(since: "2026-12-01T00:00:00Z"), [1, 4], [2, 3, 5]),
      (Retention(newest: 4, since: "2026-12-01T00:00:00Z"), [1], []),
      (Retention(newest: 1, since: "2026-11-01T00:00:00Z"), [], []),
    ])
  func plans(retention: Retention, removed: [Int], spared: [Int]) {
    let plan = plan(retention)
    #expect(plan.removed.map(\.id) == removed)
    #expect(plan.spared.map(\.run.id) == spared)
  }

  @Test("the reason for keeping a run is reported")
  func reasons() {
    #expect(plan(Retention(newest: 0)).spared.map(\.reason) == [.first, .referenced, .running])
  }

  @Test("a run is kept while a run that is kept reuses its answers, but only then")
  func reused() {
    let runs = (1...4).map { id in
      RunHead(
        id: id, label: "nightly", startedAt: "2026-11-0\(id)T01:00:00Z", status: .complete)
    }
    func reuse(_ origin: Int, at time: String? = nil) -> ReuseRecord {
      ReuseRecord(
        reused: 1, audited: 1,
        origins: [RunOrigin(run: origin, startedAt: time ?? "2026-11-0\(origin)T01:00:00Z")])
    }
    func spared(_ reuse: [Int: ReuseRecord], others: [Int] = []) -> [Int] {
      let plan = Retention(newest: 1).plan(runs: runs, others: others, reuse: reuse)
      #expect(plan.spared.allSatisfy { $0.reason == .reused })
      #expect((plan.removed.map(\.id) + plan.spared.map(\.run.id)).sorted() == [1, 2, 3])
      return plan.spared.map(\.run.id)
    }
    #expect(spared([4: reuse(1)]) == [1])
    #expect(spared([4: reuse(2), 2: reuse(1)]) == [1, 2], "a kept run keeps its own origin")
    #expect(spared([3: reuse(1)]) == [], "run 3 is removed, so nothing uses run 1")
    #expect(spared([4: reuse(1, at: "2020-01-01T00:00:00Z")]) == [], "another database's run 1")
    #expect(spared([9: reuse(3)], others: [9]) == [3], "a run with another label is kept")
  }
}
