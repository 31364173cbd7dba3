import EvalRecords
import EvalSuites
import Testing

@testable import EvalRunner

@Suite("Fresh repeats")
struct FreshRepeatTests {
  private static let plain = "[ { id: plain } ]"
  private static let varied = "[ { id: plain }, { id: hot, options: { sampling: random } } ]"

  @Test(
    "only a test case that samples nothing in any variant on any backend gets no fresh repeats",
    arguments: [
      (plain, ["local"], ["local"], 0), (plain, ["local"], [], 3),
      (plain, ["local", "served"], ["local"], 3), (varied, ["local"], ["local"], 3),
    ] as [(String, [String], [String], Int)])
  func checkFresh(_ variants: String, _ backends: [String], _ exact: [String], _ count: Int) {
    let text = """
      suite: s
      generates: { inline: { type: string } }
      assertions: [ { nonEmpty: { path: $ } } ]
      variants: \(variants)
      cases:
        - { id: fixed, input: a, options: { sampling: greedy } }
        - { id: sampled, input: b }
      """
    let loaded = SuiteLoader(files: .memory(["s/suite.yaml": text])).load(["s"])
    #expect(loaded.problems.map(\.description) == [])
    let plan = RunPlan(
      suites: loaded.suites, backends: backends, fresh: (repeats: 3, seed: 7),
      exactBackends: Set(exact))
    for job in plan.jobs {
      let fresh = job.repeats.filter { plan.suites[0].isFresh(repeatIndex: $0.repeatIndex) }
      #expect(fresh.count == (job.request.caseID == "fixed" ? count : 3))
      #expect(job.repeats.count == fresh.count + 1)
    }
  }
}
