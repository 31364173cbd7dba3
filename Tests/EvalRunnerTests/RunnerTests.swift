import EvalRecords
import EvalSuites
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EvalRunner

/// Returns a list with one suite; by default, the suite's answers are strings that must not be
/// empty.
func suites(
  cases: Int = 2, repeats: Int = 1, assertions: String = "[ { nonEmpty: { path: $ } } ]",
  gate: String = "{}", variants: String = "[ { id: plain } ]", schema: String = "{ type: string }"
) -> [Suite] {
  let text = """
    suite: s
    repeats: \(repeats)
    generates: { inline: \(schema) }
    assertions: \(assertions)
    gate: \(gate)
    variants: \(variants)
    cases:
    \((0..<cases).map { "  - { id: c\($0), input: text \($0) }" }.joined(separator: "\n"))
    """
  let loaded = SuiteLoader(files: .memory(["s/suite.yaml": text])).load(["s"])
  #expect(loaded.problems.map(\.description) == [])
  return loaded.suites
}

/// Collects the events of a run.
final class Recorder: Sendable {
  private let state = Mutex<(planned: Int, attempts: [AttemptRecord])>((0, []))

  var planned: Int { state.withLock(\.planned) }
  var attempts: [AttemptRecord] { state.withLock(\.attempts) }

  @Sendable func receive(_ event: RunEvent) {
    state.withLock { state in
      switch event {
      case .planned(let attempts): state.planned = attempts
      case .finished(let attempt): state.attempts.append(attempt)
      }
    }
  }
}

@Suite("Runs")
struct RunnerTests {
  private func run(
    _ suites: [Suite], _ backend: any EvalBackend, runner: Runner = Runner()
  ) async -> (Runner.Ending, Recorder) {
    let recorder = Recorder()
    let plan = RunPlan(suites: suites, backends: [backend.record.id])
    let result = await runner.run(
      plan: plan, backends: [backend], clock: ContinuousClock(), onEvent: recorder.receive)
    return (result.ending, recorder)
  }

  private func complete(
    _ output: String
  )
    -> @Sendable (BackendRequest, RepeatSeed)
    -> BackendAnswer
  {
    { BackendAnswer(repeatSeed: $1, output: output, stopReason: .complete) }
  }

  @Test("every planned attempt is made once, and a repeat has the same seed in every variant")
  func everyAttempt() async {
    let suites = suites(cases: 5, repeats: 3, variants: "[ { id: a }, { id: b } ]")
    for jobs in [1, 4, 50] {
      let (ending, recorder) = await run(
        suites, ScriptedBackend(answer: complete("\"x\"")), runner: Runner(jobs: jobs))
      #expect(ending == .complete)
      #expect(recorder.planned == 30)
      #expect(Set(recorder.attempts.map(\.key)).count == 30)
      #expect(recorder.attempts.allSatisfy { $0.outcome == .pass })
      let seeds = Dictionary(grouping: recorder.attempts) {
        "\($0.key.caseID) \($0.key.repeatIndex)"
      }
      #expect(seeds.count == 15)
      #expect(seeds.values.allSatisfy { Set($0.map(\.seed)).count == 1 })
      #expect(Set(recorder.attempts.map(\.seed)).count == 15)
    }
  }

  @Test("an attempt fails if one of its assertions fails, and a failed attempt keeps its trace")
  func failing() async {
    let step = TokenStep(
      text: "x", path: "$", isForced: false, legalCount: 1, keptMass: 1, candidates: [])
    let backend = ScriptedBackend { request, repeatSeed in
      BackendAnswer(
        repeatSeed: repeatSeed, output: request.caseID == "c0" ? "\"x\"" : "\"\"",
        stopReason: .complete, trace: [step])
    }
    let (_, recorder) = await run(suites(), backend)
    let byCase = Dictionary(grouping: recorder.attempts, by: \.key.caseID)
    #expect(byCase["c0"]?.map(\.outcome) == [.pass])
    #expect(byCase["c0"]?.map(\.trace.count) == [0])
    #expect(byCase["c1"]?.map(\.outcome) == [.fail])
    #expect(byCase["c1"]?.map(\.trace.count) == [1])
    #expect(byCase["c1"]?.first?.verdicts.first?.actual == "an empty string")
    #expect(byCase["c1"]?.first?.renderedPrompt == "text 1")
    let failing = ScriptedBackend { _, repeatSeed in
      BackendAnswer(
        repeatSeed: repeatSeed, output: "", stopReason: .failed,
        failure: AttemptFailure(kind: .backend, message: "broke off"), trace: [step])
    }
    let (_, errors) = await run(suites(cases: 1), failing)
    #expect(errors.attempts.map(\.outcome) == [.error])
    #expect(errors.attempts.map(\.trace) == [[step]], "the steps before an error help to find it")
    let (_, all) = await run(suites(), backend, runner: Runner(traces: .all))
    #expect(all.attempts.allSatisfy { $0.trace.count == 1 })
  }

  @Test(
    "the text and the stop reason decide the kind of failure, and a backend failure is an error",
    arguments: [
      ("{", StopReason.complete, AttemptFailure.Kind?.none, Outcome.pass),
      ("7", .complete, .schemaMismatch, .fail), ("", .complete, .malformedOutput, .fail),
      ("\"x", .tokenLimit, .truncated, .fail), ("\"x", .contextFull, .truncated, .fail),
      ("", .contextFull, .contextSizeExceeded, .fail), ("", .refusal, .refusal, .fail),
      ("", .failed, .backend, .error),
    ])
  func checkEnding(
    output: String, reason: StopReason, kind: AttemptFailure.Kind?, outcome: Outcome
  ) async {
    let backend = ScriptedBackend {
      BackendAnswer(repeatSeed: $1, output: output, stopReason: reason)
    }
    let (ending, recorder) = await run(suites(cases: 1), backend)
    #expect(ending == .complete)
    #expect(recorder.attempts.map(\.outcome) == [outcome])
    #expect(recorder.attempts.map(\.failure?.kind) == [kind])
    #expect(recorder.attempts.map(\.output) == [output])
  }

  private static let cards = """
    { type: object, additionalProperties: false, required: [cards], properties: { cards: \
    { type: array, items: { type: string }, maxItems: 9 } } }
    """

  @Test(
    "an answer that was cut off fails, and the part before the cut is judged",
    arguments: [
      // The verdicts are on three assertions: there is a card, there are at most three cards, and
      // the second card isn't empty.
      //
      // In the first row, the array has two elements, but its final length is unknown.
      (#"{"cards": ["a", "b"#, [Verdict.pass, .unknown, .pass], "$.cards[1]"),
      (#"{"cards": ["#, [.unknown, .unknown, .unknown], "$.cards"),
      (#"{"cards": ["a", "", "c"#, [.pass, .unknown, .fail], "$.cards[2]"),
      (#"{"cards": ["a", "b", "c", "d", "#, [.pass, .fail, .pass], "$.cards"),
      ("", [.unknown, .unknown, .unknown], "$"),
    ])
  func checkCutAnswer(output: String, verdicts: [Verdict], path: String) async {
    let backend = ScriptedBackend {
      var answer = BackendAnswer(
        repeatSeed: $1, output: output, stopReason: .tokenLimit, outputTokens: 420)
      answer.decisions = [
        DecisionRecord(
          kind: .array, path: "$.cards", index: 0,
          options: [OptionProbability(.end, raw: 0.1, masked: 0.1, sampled: 0.1)],
          chosen: .element, step: 3, unresolved: 0)
      ]
      return answer
    }
    let assertions = """
      [ { count: { path: $.cards, min: 1 } }, { count: { path: $.cards, max: 3 } }, \
      { nonEmpty: { path: "$.cards[1]" } } ]
      """
    let (_, recorder) = await run(
      suites(cases: 1, assertions: assertions, schema: Self.cards), backend)
    let attempt = recorder.attempts.first
    #expect(attempt?.outcome == .fail)
    #expect(attempt?.failure == AttemptFailure(kind: .truncated, message: "cut off at 420 tokens"))
    #expect(attempt?.verdicts.map(\.verdict) == verdicts)
    #expect(attempt?.details.cut == AnswerCut(limit: .tokens, tokens: 420, path: path))
    // Probabilities that were measured before the answer was cut off are kept.
    #expect(attempt?.decisions.count == 1)
  }

  @Test("an answer that violates its schema fails with a path and a reason, and is still judged")
  func outsideSchema() async {
    let backend = ScriptedBackend(answer: complete(#"{"cards": ["a", 2]}"#))
    let (_, recorder) = await run(
      suites(
        cases: 1, assertions: "[ { count: { path: $.cards, min: 1 } } ]", schema: Self.cards),
      backend)
    #expect(recorder.attempts.map(\.outcome) == [.fail])
    #expect(
      recorder.attempts.first?.failure
        == AttemptFailure(
          kind: .schemaMismatch, message: "$.cards[1] is a number; allowed: a string"))
    #expect(recorder.attempts.first?.verdicts.map(\.verdict) == [.pass])
  }

  @Test("a test case that expects a refusal passes if it gets one, and fails if it gets a value")
  func expectedRefusal() async {
    let suites = suites(cases: 1, assertions: "[ { stopReason: { is: refusal } } ]")
    let refusing = ScriptedBackend {
      BackendAnswer(repeatSeed: $1, output: "", stopReason: .refusal)
    }
    #expect(await run(suites, refusing).1.attempts.map(\.outcome) == [.pass])
    let answering = ScriptedBackend(answer: complete("\"x\""))
    #expect(await run(suites, answering).1.attempts.map(\.outcome) == [.fail])
  }

  @Test("a repeat without an answer is an error, and so is an attempt on an unknown backend")
  func unanswered() async {
    let backend = ScriptedBackend { _, repeatSeed in
      repeatSeed.repeatIndex == 0
        ? BackendAnswer(repeatSeed: repeatSeed, output: "\"x\"", stopReason: .complete) : nil
    }
    let (ending, recorder) = await run(suites(cases: 1, repeats: 3), backend)
    #expect(ending == .complete)
    #expect(recorder.attempts.map(\.outcome) == [.pass, .error, .error])
    let nobody = Recorder()
    let plan = RunPlan(suites: suites(), backends: ["nobody"])
    _ = await Runner().run(
      plan: plan, backends: [], clock: ContinuousClock(), onEvent: nobody.receive)
    #expect(nobody.attempts.map(\.failure?.message).first == "there is no backend `nobody`")
  }

  @Test("unrequested and duplicate answers don't count")
  func strangeAnswers() async {
    struct Chatty: EvalBackend {
      let record = BackendRecord(id: "fake", model: "", engine: "", isDeterministic: true)
      func answers(to request: BackendRequest, repeats: [RepeatSeed]) -> AsyncStream<BackendAnswer>
      {
        AsyncStream { continuation in
          for repeatSeed in repeats + repeats + [RepeatSeed(repeatIndex: 99, seed: 1)] {
            continuation.yield(
              BackendAnswer(repeatSeed: repeatSeed, output: "1", stopReason: .complete))
          }
          continuation.finish()
        }
      }
    }
    let (_, recorder) = await run(suites(cases: 1, repeats: 2), Chatty())
    #expect(recorder.attempts.map(\.key.repeatIndex) == [0, 1])
  }

  @Test("an answer that takes too long is a timeout, and the other repeats are requested again")
  func timeLimit() async {
    let (ending, recorder) = await run(
      suites(cases: 1, repeats: 4), HangingBackend(answered: [0, 2]),
      runner: Runner(timeLimit: .milliseconds(20)))
    #expect(ending == .complete)
    #expect(recorder.attempts.map(\.key.repeatIndex).sorted() == [0, 1, 2, 3])
    let kinds = recorder.attempts.sorted { $0.key.repeatIndex < $1.key.repeatIndex }
      .map(\.failure?.kind)
    #expect(kinds == [nil, .timeout, nil, .timeout])
  }

  @Test("cancelling ends a run immediately, and the finished attempts are kept")
  func cancellation() async {
    let recorder = Recorder()
    let plan = RunPlan(suites: suites(cases: 3, repeats: 2), backends: ["fake"])
    let (started, signal) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      await Runner().run(
        plan: plan, backends: [HangingBackend(answered: [0])], clock: ContinuousClock()
      ) { event in
        recorder.receive(event)
        if case .finished = event { signal.yield() }
      }
    }
    for await _ in started { break }
    task.cancel()
    #expect(await task.value.ending == .interrupted)
    #expect(recorder.attempts.map(\.outcome) == [.pass])
  }

  @Test(
    "a blocked receiver of events gets no other event, and blocks no thread of the cooperative pool"
  )
  func blockedReceiver() async {
    let cases = 128
    let plan = RunPlan(suites: suites(cases: cases), backends: ["fake"])
    let answers = Mutex(0)
    let isReleased = DispatchSemaphore(value: 0)
    let concurrent = Mutex(0)
    let most = Mutex(0)
    let inTime = Mutex<Bool?>(nil)
    let run = Task {
      await Runner(jobs: cases).run(
        plan: plan,
        backends: [
          ScriptedBackend { _, seed in
            answers.withLock { $0 += 1 }
            return BackendAnswer(repeatSeed: seed, output: "\"x\"", stopReason: .complete)
          }
        ], clock: ContinuousClock()
      ) { event in
        let now = concurrent.withLock { count in
          count += 1
          return count
        }
        most.withLock { $0 = max($0, now) }
        if case .finished = event, inTime.withLock({ $0 == nil }) {
          let result = isReleased.wait(timeout: .now() + 30)
          inTime.withLock { $0 = result == .success }
        }
        concurrent.withLock { $0 -= 1 }
      }
    }
    // The other workers have answers and wait for the receiver. This task needs a thread of the
    // pool.
    await waitUntil {
      answers.withLock(\.self) == cases
    } then: {
      Task.detached { isReleased.signal() }
    }
    #expect(await run.value.ending == .complete)
    #expect(inTime.withLock(\.self) == true)
    #expect(most.withLock(\.self) == 1)
  }

  @Test(
    "an answer that is no whole answer is judged only as far as its test case asks for it",
    arguments: [
      // Nobody asks whether an answer passes that stopped after its decisions.
      ("[ { nonEmpty: { path: $ } } ]", StopReason.decided, Outcome.fail, false, 0),
      ("[ { nonEmpty: { path: $ } } ]", .tokenLimit, .fail, true, 1),
      ("[ { stopReason: { is: tokenLimit } } ]", .tokenLimit, .pass, true, 1),
      ("[ { stopReason: { is: complete } } ]", .tokenLimit, .fail, true, 1),
    ])
  func checkPart(
    _ assertions: String, _ reason: StopReason, _ outcome: Outcome, _ hasFailure: Bool,
    _ verdicts: Int
  ) async {
    let backend = ScriptedBackend { _, seed in
      BackendAnswer(repeatSeed: seed, output: "\"x", stopReason: reason)
    }
    let (_, recorder) = await run(suites(cases: 1, assertions: assertions), backend)
    #expect(recorder.attempts.map(\.outcome) == [outcome])
    #expect(recorder.attempts.map { $0.failure != nil } == [hasFailure])
    #expect(recorder.attempts.map(\.verdicts.count) == [verdicts])
  }

  @Test("a resumed plan skips the existing attempts")
  func resume() {
    let plan = RunPlan(suites: suites(cases: 2, repeats: 2), backends: ["fake"])
    #expect(plan.attemptCount == 4)
    let done: Set<AttemptKey> = [
      AttemptKey(suite: "s", variant: "plain", backend: "fake", caseID: "c0", repeatIndex: 1),
      AttemptKey(suite: "s", variant: "plain", backend: "fake", caseID: "c1", repeatIndex: 0),
      AttemptKey(suite: "s", variant: "plain", backend: "fake", caseID: "c1", repeatIndex: 1),
    ]
    let rest = plan.without(done)
    #expect(rest.jobs.map { $0.repeats.map(\.repeatIndex) } == [[0]])
    #expect(rest.suites == plan.suites)
  }

  @Test("a few short jobs come first, then the longest; with early stopping, the order stays")
  func order() throws {
    let text = """
      suite: s
      generates: { inline: { type: string } }
      assertions: [ { nonEmpty: { path: $ } } ]
      cases:
      \((0..<40).map {
        "  - { id: c\($0), input: x, options: { maximumTokens: \(100 + $0 % 20) } }"
      }.joined(separator: "\n"))
      """
    let loaded = SuiteLoader(files: .memory(["s/suite.yaml": text])).load(["s"])
    try #require(loaded.problems.map(\.description) == [])
    let jobs = RunPlan(suites: loaded.suites, backends: ["fake"]).jobs
    func lengths(_ jobs: [RunPlan.Job]) -> [Int] {
      jobs.map(\.request.settings.maximumTokens)
    }
    let sorted = lengths(Runner().longestFirst(jobs, threads: 2))
    #expect(sorted.prefix(4) == [101, 101, 100, 100])
    #expect(Array(sorted.dropFirst(4)) == sorted.dropFirst(4).sorted(by: >))
    #expect(sorted.sorted() == lengths(jobs).sorted())
    #expect(
      lengths(Runner(earlyStoppingAlpha: 0.05).longestFirst(jobs, threads: 2)) == lengths(jobs))
    #expect(
      lengths(Runner().longestFirst(Array(jobs.prefix(8)), threads: 2)).first == 107,
      "a small plan begins with the longest")
  }
}
