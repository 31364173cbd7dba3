import EvalFindings
import EvalRecords
import EvalReports
import EvalRunner
import EvalSuites
import Foundation
import ResultStore
import Synchronization
import TestSupport
import Testing

@testable import EvalSessions

@Suite("An evaluation")
struct EvaluationTests {
  /// A temporary folder with a suite, in which evaluations run.
  final class Lab: Sendable {
    private let temporary: TemporaryFolder
    var folder: String { temporary.path }
    let events = Mutex<[String]>([])

    init(passRate: Double = 1) throws {
      temporary = try TemporaryFolder()
      try temporary.write(suite(passRate), to: "suite.yaml")
    }

    private func suite(_ passRate: Double) -> String {
      """
      suite: notes
      generates:
        inline:
          { title: Note, type: object, required: [text], additionalProperties: false,
            x-order: [text], properties: { text: { type: string } } }
      repeats: 2
      gate: { passRate: \(passRate) }
      assertions: [ { nonEmpty: { path: $.text } } ]
      stub: { sequence: [ { content: { text: A note. } }, { content: { text: "" } } ] }
      cases: [ { id: one, input: A text. }, { id: two, input: Another text. } ]
      """
    }

    var settings: EvaluationSettings {
      EvaluationSettings(backends: BackendChoice(ids: ["stub"]), reports: "\(folder)/reports")
    }

    /// A context whose clock advances by a second whenever it is read.
    var context: EvaluationContext {
      let ticks = Ticks()
      return EvaluationContext(
        environment: ["GITHUB_REF_NAME": "topic"], workingDirectory: folder, executable: "",
        clock: ContinuousClock(), now: { 1_790_000_000 + Double(ticks.next()) })
    }

    func evaluation(
      _ settings: EvaluationSettings, onEvent: @escaping Evaluation.EventHandler = { _ in }
    ) -> Evaluation {
      Evaluation(settings, in: context) { [self] event in
        if let name = Self.name(of: event) { events.withLock { $0.append(name) } }
        onEvent(event)
      }
    }

    func suites() throws -> [Suite] {
      try Selection().apply(to: context.suites(at: ["\(folder)/suite.yaml"]))
    }

    /// Returns a name for an event, or `nil` for an event that depends on the machine.
    private static func name(of event: EvaluationEvent) -> String? {
      switch event {
      case .expects: nil
      case .began(let run, let plan, let done, _):
        "began run \(run.id) with \(plan.attemptCount), \(done.count) done"
      case .finished(let attempt): "\(attempt.key.caseID) \(attempt.outcome.rawValue)"
      case .ended: "ended"
      case .stopped(_, let skipped): "stopped, \(skipped) skipped"
      case .stoppedEarly(let stop): "\(stop.suite) \(stop.outcome.rawValue)"
      case .cannotStopEarly(let suites): "run to their end: \(suites.map(\.suite))"
      case .addedPending(let added): "added attempts of run \(added.run)"
      case .waiting, .droppedTraces, .ignoredDrafts, .passedAfterRetries, .used, .profiled, .asked,
        .runsDebugBuild, .unusedGateBackend, .cannotCount:
        "other"
      }
    }
  }

  /// A counter that returns 1, 2, 3 and so on.
  private final class Ticks: Sendable {
    private let seconds = Mutex(0)

    func next() -> Int {
      seconds.withLock { seconds in
        seconds += 1
        return seconds
      }
    }
  }

  @Test("an evaluation emits its events in order, and stores every attempt")
  func events() async throws {
    let lab = try Lab()
    let outcome = try await lab.evaluation(lab.settings).run(try lab.suites())
    #expect(
      lab.events.withLock(\.self) == [
        "began run 1 with 4, 0 done", "one pass", "one fail", "two pass", "two fail", "ended",
      ])
    #expect(outcome.run.status == .complete)
    #expect(outcome.run.startedAt.hasPrefix("2026-09-21T"), "the context's clock sets the time")
    #expect(outcome.duration >= 0, "time is measured on a clock that can't step back")
    let store = try openStore("\(lab.folder)/reports/results.sqlite", access: .reading)
    let judged = try JudgedRun(
      outcome.run, outcome.attempts, against: outcome.references, pooling: store, RunHistory())
    #expect(judged.gates.map(\.isPassed) == [false])
    #expect(judged.conclusion == .failed)
    #expect(try store.attempts(run: 1).count == 4)
  }

  @Test("a run that used up its budget is interrupted, and resuming it makes the missing attempts")
  func budget() async throws {
    let lab = try Lab()
    var settings = lab.settings
    settings.budget = RunBudget(calls: 2)
    let stopped = try await lab.evaluation(settings).run(try lab.suites())
    #expect(stopped.run.status == .interrupted)
    #expect(lab.events.withLock { $0.contains("stopped, 2 skipped") })
    lab.events.withLock { $0 = [] }
    var more = lab.settings
    more.resume = stopped.run.id
    let whole = try await lab.evaluation(more).run(try lab.suites())
    #expect(whole.run.status == .complete)
    #expect(whole.attempts.count == 4)
    #expect(lab.events.withLock(\.first) == "began run 1 with 4, 2 done")
  }

  @Test("cancelling the task ends the evaluation cleanly, and leaves no stored run in progress")
  func cancelled() async throws {
    let lab = try Lab()
    let suites = try lab.suites()
    let evaluation = lab.evaluation(lab.settings)
    let task = Task { try await evaluation.run(suites) }
    task.cancel()
    let outcome = try await task.value
    let store = try openStore("\(lab.folder)/reports/results.sqlite", access: .reading)
    #expect(try store.run(outcome.run.id).status != .running)
    #expect(try store.attempts(run: outcome.run.id).count == outcome.attempts.count)
  }

  @Test("if nothing can run, the evaluation throws a failure whose kind says why")
  func failures() async throws {
    let lab = try Lab()
    await #expect(
      throws: SessionFailure(.nothingSelected, "no test case is selected, so nothing ran")
    ) {
      _ = try await lab.evaluation(lab.settings).run([])
    }
    var settings = lab.settings
    settings.reports = "\(lab.folder)/suite.yaml/reports"
    let failure = await #expect(throws: SessionFailure.self) {
      _ = try await lab.evaluation(settings).run(try lab.suites())
    }
    #expect(failure?.kind == .cannotRun)
    #expect(failure?.messages.first?.contains("suite.yaml is not a folder") == true)
  }
}
