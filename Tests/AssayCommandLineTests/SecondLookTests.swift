import EvalRecords
import Foundation
import GuidedGeneration
import ResultStore
import StructuredText
import Testing

@testable import AssayCommandLine

/// A backend with random answers; the guide in the request decides how often an answer is empty.
private struct DiceBackend: EvalBackend {
  let record = BackendRecord(id: "dice", model: "dice", engine: "dice 1", isDeterministic: true)
  /// The percentage of empty lists, keyed by a word that the schema's guide may contain.
  let shares: [String: UInt64]

  func answers(
    to request: BackendRequest, repeats: [RepeatSeed]
  ) -> AsyncStream<BackendAnswer> {
    let share = shares.first { request.schema.contains($0.key) }?.value ?? 0
    return AsyncStream { continuation in
      for repeatSeed in repeats {
        // The random number comes from the seed, so it is the same for both guides.
        var bits = repeatSeed.seed &* 0x9e37_79b9_7f4a_7c15
        bits ^= bits >> 29
        let isEmpty = bits % 100 < share
        continuation.yield(
          BackendAnswer(
            repeatSeed: repeatSeed,
            output: isEmpty ? #"{"tips":[]}"# : #"{"tips":["\#(repeatSeed.seed)"]}"#,
            stopReason: .complete))
      }
      continuation.finish()
    }
  }
}

@Suite("A second look at a suspected regression")
struct SecondLookTests {
  private func suite(
    guide: String, options: String, ofCases: String, repeats: Int, cases: Int = 40
  ) -> String {
    """
    suite: tips
    repeats: \(repeats)
    options: { \(options) }
    generates:
      inline:
        title: Tips
        type: object
        properties:
          tips: { type: array, description: \(guide), items: { type: string } }
        required: [tips]
        additionalProperties: false
        x-order: [tips]
    assertions: [ { count: { path: $.tips, min: 1 } } ]
    gate: { passRate: 0 }
    cases:
    \((0..<cases).map { "  - { id: case-\($0), input: Text \($0).\(ofCases) }" }
      .joined(separator: "\n"))
    """
  }

  /// Runs a suite, accepts the run as the baseline, and runs the suite with an edited guide.
  ///
  /// - Parameters:
  ///   - share: The percentage of empty answers after the edit.
  ///   - arguments: Further arguments of the second run.
  ///   - options: The suite's options.
  ///   - ofCases: Further members of each test case.
  ///   - repeats: The suite's number of repeats.
  ///   - first: Further arguments of the first run.
  ///   - added: The number of test cases that the edit adds.
  /// - Returns: The lab, and the status and output of the second run.
  private func night(
    after share: UInt64, _ arguments: [String] = [], options: String = "temperature: 0.7",
    ofCases: String = "", repeats: Int = 1, first: [String] = [], added: Int = 0
  ) async throws -> (lab: CommandLab, ending: CommandLab.Ending) {
    let lab = try CommandLab()
    let program = AssayProgram(backends: [DiceBackend(shares: ["careful": 0, "naive": share])])
    func write(guide: String, cases: Int) throws {
      try lab.write(
        suite(guide: guide, options: options, ofCases: ofCases, repeats: repeats, cases: cases),
        to: "tips/suite.yaml")
    }
    try write(guide: "careful", cases: 40)
    let run = ["run", lab.path("tips"), "-b", "dice", "--reports", lab.reports]
    #expect(await lab.run(run + first, by: program).status == .passed)
    let accepted = await lab.run(
      ["baseline", "accept", "1", "--reports", lab.reports, "--allow", "first"], by: program)
    #expect(accepted.status == .passed, "\(accepted.notes)")
    try write(guide: "naive", cases: 40 + added)
    return (lab, await lab.run(run + arguments, by: program))
  }

  @Test("an edit that empties one answer in eight is suspected, and a second look confirms it")
  func confirmed() async throws {
    let (lab, ending) = try await night(after: 12)
    #expect(ending.notes.contains("tips is suspected"), "\(ending.notes)")
    #expect(ending.status == .failed, "\(ending.output)")
    let store = try ResultStore(path: "\(lab.reports)/results.sqlite", access: .reading)
    let looks = try store.runs(matching: RunFilter(secondLookOf: 2))
    #expect(looks.map(\.id) == [3])
    // A second look has at least nine repeats.
    #expect(looks.first?.suites.first?.repeats == 9)
    #expect(try store.latestRun()?.id == 2, "a second look is never the latest run")
    let again = await lab.run(["report", "2", "--reports", lab.reports])
    #expect(again.status == .failed, "the report uses the stored second look")
  }

  @Test("a second look has its own number of repeats, whatever --repeats says")
  func repeats() async throws {
    let (lab, _) = try await night(after: 12, ["--repeats", "1"])
    let store = try ResultStore(path: "\(lab.reports)/results.sqlite", access: .reading)
    let look = try #require(try store.runs(matching: RunFilter(secondLookOf: 2)).first)
    #expect(look.suites.first?.repeats == 9)
    let attempts = try store.attempts(run: look.id, AttemptFilter())
    #expect(attempts.count == 40 * 9 * 2)
  }

  @Test("a second look leaves out new test cases, because the accepted run didn't ask them")
  func newCases() async throws {
    let (lab, ending) = try await night(after: 12, added: 2)
    #expect(ending.notes.contains("tips is suspected"), "\(ending.notes)")
    let store = try ResultStore(path: "\(lab.reports)/results.sqlite", access: .reading)
    #expect(try store.run(2).suites.first?.cases.count == 42)
    let look = try #require(try store.runs(matching: RunFilter(secondLookOf: 2)).first)
    #expect(look.suites.first?.cases.count == 40)
  }

  @Test(
    "there is no second look where nothing is sampled, because it would see the same draws",
    arguments: [
      ("sampling: greedy", "", false), ("temperature: 0", "", false), ("topK: 1", "", false),
      ("temperature: 0.7", ", options: { minP: 1 }", false),
      ("sampling: greedy", ", options: { sampling: random }", true),
    ])
  func samplesNothing(options: String, ofCases: String, looks: Bool) async throws {
    let (lab, ending) = try await night(after: 12, options: options, ofCases: ofCases)
    #expect(ending.notes.contains("tips is suspected") == looks, "\(ending.notes)")
    #expect(ending.status == (looks ? .failed : .passed))
    let store = try ResultStore(path: "\(lab.reports)/results.sqlite", access: .reading)
    #expect(try store.runs(matching: RunFilter(secondLookOf: 2)).count == (looks ? 1 : 0))
  }

  @Test("a greedy model whose answers differ all the same samples, so it gets a second look")
  func varies() async throws {
    let (_, ending) = try await night(after: 3, options: "sampling: greedy", repeats: 2)
    #expect(ending.notes.contains("tips is suspected"), "\(ending.notes)\(ending.output)")
  }

  @Test("a part of a baseline gets no second look, because the rest of it may say something else")
  func part() async throws {
    let cases = (0..<39).flatMap { ["--case", "case-\($0)"] }
    let (lab, ending) = try await night(after: 12, first: cases)
    #expect(ending.output.contains("suspected"), "\(ending.output)")
    let store = try ResultStore(path: "\(lab.reports)/results.sqlite", access: .reading)
    #expect(try store.run(1).details.isPart)
    #expect(try store.runs(matching: RunFilter(secondLookOf: 2)).isEmpty)
  }

  @Test("with --no-second-look, the regression stays suspected, and doesn't fail the run")
  func declined() async throws {
    let (_, ending) = try await night(after: 12, ["--no-second-look"])
    #expect(ending.status == .passed)
    #expect(ending.output.contains("suspected"), "\(ending.output)")
  }

  @Test(
    "there is no second look if nothing changed, or if the first comparison is clear",
    arguments: [0, 60])
  func unneeded(share: UInt64) async throws {
    let (_, ending) = try await night(after: share)
    #expect(!ending.notes.contains("is suspected"))
    #expect(ending.status == (share == 0 ? .passed : .failed))
  }
}
