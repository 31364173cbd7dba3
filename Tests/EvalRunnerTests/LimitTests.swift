import EvalRecords
import EvalSuites
import Synchronization
import Testing

@testable import EvalRunner

/// A clock on which waiting takes no time, because a sleep only moves the clock forward.
final class SteppingClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let state = Mutex<(now: Duration, sleeps: [Duration])>((.zero, []))

  var now: Instant { Instant(offset: state.withLock(\.now)) }
  var minimumResolution: Duration { .zero }
  /// The durations of all sleeps.
  var sleeps: [Duration] { state.withLock(\.sleeps) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    state.withLock { state in
      state.sleeps.append(deadline.offset - state.now)
      state.now = max(state.now, deadline.offset)
    }
  }

  /// Moves the clock forward.
  func advance(by duration: Duration) { state.withLock { $0.now += duration } }
}

/// Counts the requests for each test case.
private final class Flaky: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  func count(_ caseID: String) -> Int {
    counts.withLock { counts in
      counts[caseID, default: 0] += 1
      return counts[caseID] ?? 0
    }
  }

  var total: Int { counts.withLock { $0.values.reduce(0, +) } }
}

@Suite("Limits of a run")
struct LimitTests {
  private func good(_ repeatSeed: RepeatSeed, tokens: Int = 0) -> BackendAnswer {
    BackendAnswer(
      repeatSeed: repeatSeed, output: "\"x\"", stopReason: .complete, promptTokens: tokens)
  }

  private func broken(
    _ repeatSeed: RepeatSeed, _ kind: AttemptFailure.Kind = .backend
  ) -> BackendAnswer {
    BackendAnswer(
      repeatSeed: repeatSeed, output: "", stopReason: .failed,
      failure: AttemptFailure(kind: kind, message: "down"), duration: 0.5)
  }

  private func run(
    _ suites: [Suite], _ backend: any EvalBackend, _ runner: Runner,
    clock: SteppingClock = SteppingClock()
  ) async -> (Runner.Ending, [AttemptRecord]) {
    let recorder = Recorder()
    let result = await runner.run(
      plan: RunPlan(suites: suites, backends: [backend.record.id]), backends: [backend],
      clock: clock, onEvent: recorder.receive)
    return (result.ending, recorder.attempts)
  }

  // MARK: Retries

  @Test("an attempt whose backend failed is retried, and its record keeps the failed tries")
  func retriesAreRecorded() async {
    let flaky = Flaky()
    let backend = ScriptedBackend { request, repeatSeed in
      flaky.count(request.caseID) <= 2 ? self.broken(repeatSeed) : self.good(repeatSeed)
    }
    let clock = SteppingClock()
    let (ending, attempts) = await run(
      suites(cases: 1), backend, Runner(retries: RetryPolicy(limit: 3, pause: .seconds(2))),
      clock: clock)
    #expect(ending == .complete)
    #expect(attempts.map(\.outcome) == [.pass])
    let tries = attempts.first?.details.earlierTries
    #expect(tries?.map(\.failure.kind) == [.backend, .backend])
    #expect(tries?.map(\.duration) == [0.5, 0.5])
    // The pause doubles after each failed try.
    #expect(clock.sleeps == [.seconds(2), .seconds(4)])
  }

  @Test("if all retries fail, the attempt ends with an error, and keeps the earlier tries")
  func retriesEnd() async {
    let backend = ScriptedBackend { _, repeatSeed in self.broken(repeatSeed, .rateLimited) }
    let (_, attempts) = await run(
      suites(cases: 1, repeats: 2), backend, Runner(retries: RetryPolicy(limit: 2)))
    #expect(attempts.map(\.outcome) == [.error, .error])
    #expect(attempts.map { $0.details.earlierTries?.count } == [2, 2])
  }

  @Test(
    "a failure of the model is never retried",
    arguments: [
      ("\"\"", StopReason.complete), ("", .complete), ("", .refusal), ("\"x", .tokenLimit),
    ])
  func answersAreFinal(output: String, reason: StopReason) async {
    let flaky = Flaky()
    let backend = ScriptedBackend { request, repeatSeed in
      _ = flaky.count(request.caseID)
      return BackendAnswer(repeatSeed: repeatSeed, output: output, stopReason: reason)
    }
    let (_, attempts) = await run(
      suites(cases: 1), backend, Runner(retries: RetryPolicy(limit: 5)))
    #expect(flaky.total == 1)
    #expect(attempts.first?.outcome != .pass)
    #expect(attempts.first?.details.earlierTries == nil)
  }

  @Test(
    "a backend that repeats failed requests itself is not asked again", arguments: [false, true])
  func ownManners(hasOwnManners: Bool) async {
    let flaky = Flaky()
    let backend = ScriptedBackend(hasOwnManners: hasOwnManners) { request, repeatSeed in
      _ = flaky.count(request.caseID)
      return self.broken(repeatSeed)
    }
    let (_, attempts) = await run(
      suites(cases: 1), backend, Runner(retries: RetryPolicy(limit: 2)))
    #expect(flaky.total == (hasOwnManners ? 1 : 3))
    #expect(attempts.map { $0.details.earlierTries?.count } == [hasOwnManners ? nil : 2])
  }

  @Test("an answer that took too long is requested again")
  func timeoutsAreTriedAgain() async {
    let recorder = Recorder()
    _ = await Runner(timeLimit: .milliseconds(10), retries: RetryPolicy(limit: 1, pause: .zero))
      .run(
        plan: RunPlan(suites: suites(cases: 1), backends: ["fake"]),
        backends: [HangingBackend(answered: [])], clock: ContinuousClock(),
        onEvent: recorder.receive)
    #expect(recorder.attempts.map(\.failure?.kind) == [.timeout])
    #expect(recorder.attempts.first?.details.earlierTries?.map(\.failure.kind) == [.timeout])
  }

  // MARK: Pace

  @Test("calls begin at equal intervals, so that no minute has more calls than the limit")
  func pace() async {
    let clock = SteppingClock()
    let backend = ScriptedBackend { _, repeatSeed in self.good(repeatSeed) }
    let (ending, attempts) = await run(
      suites(cases: 3, repeats: 2), backend, Runner(callsPerMinute: 30), clock: clock)
    #expect(ending == .complete)
    #expect(attempts.count == 6)
    #expect(clock.sleeps == [Duration](repeating: .seconds(2), count: 5))
  }

  // MARK: Budgets

  @Test("when the budget of calls is used up, the run skips the other attempts and records why")
  func calls() async {
    let backend = ScriptedBackend { _, repeatSeed in self.good(repeatSeed) }
    let (ending, attempts) = await run(
      suites(cases: 3, repeats: 2), backend, Runner(budget: RunBudget(calls: 3)))
    #expect(ending == .stopped(reason: "the budget of 3 calls is used up"))
    #expect(attempts.map(\.outcome) == [.pass, .pass, .pass, .skipped, .skipped, .skipped])
    #expect(
      attempts.compactMap(\.details.skipReason)
        == [SkipReason](repeating: .text("the budget of 3 calls is used up"), count: 3))
  }

  @Test("retries count as calls")
  func retriesAreCalls() async {
    let backend = ScriptedBackend { _, repeatSeed in self.broken(repeatSeed) }
    let (_, attempts) = await run(
      suites(cases: 2), backend,
      Runner(retries: RetryPolicy(limit: 9), budget: RunBudget(calls: 4)))
    #expect(attempts.count == 2)
    #expect(attempts.allSatisfy { $0.outcome == .skipped })
  }

  @Test("all requests of a backend count as calls, also those that it repeated or added itself")
  func requestsAreCalls() async {
    for isRepeated in [true, false] {
      let backend = ScriptedBackend { _, repeatSeed in
        var answer = self.good(repeatSeed)
        let busy = AttemptTry(
          failure: AttemptFailure(kind: .rateLimited, message: "busy"), duration: 1)
        if isRepeated { answer.earlierTries = [busy, busy] }
        answer.served = ServedAnswer()
        if !isRepeated { answer.served?.furtherRequests = 2 }
        return answer
      }
      let (_, attempts) = await run(suites(cases: 2), backend, Runner(budget: RunBudget(calls: 3)))
      #expect(attempts.map(\.outcome) == [.pass, .skipped], "\(isRepeated)")
    }
  }

  @Test(
    "a cached answer costs nothing, whatever it cost when it was made", arguments: [true, false])
  func costOfCached(isCached: Bool) async {
    let backend = ScriptedBackend { _, repeatSeed in
      var answer = self.good(repeatSeed)
      answer.served = ServedAnswer()
      answer.served?.cost = 2
      answer.isCached = isCached
      return answer
    }
    let (_, attempts) = await run(suites(cases: 2), backend, Runner(budget: RunBudget(cost: 1)))
    #expect(attempts.map(\.outcome) == [.pass, isCached ? .pass : .skipped])
  }

  @Test("a token budget ends the run after the answer that exceeds the budget")
  func tokens() async {
    let backend = ScriptedBackend { _, repeatSeed in self.good(repeatSeed, tokens: 10) }
    let (ending, attempts) = await run(
      suites(cases: 2, repeats: 4), backend, Runner(budget: RunBudget(tokens: 25)))
    #expect(ending == .stopped(reason: "the budget of 25 tokens is used up"))
    #expect(attempts.count { $0.outcome == .pass } == 3)
    #expect(attempts.count { $0.outcome == .skipped } == 5)
  }

  @Test("absurd token counts from a backend don't cause a trap")
  func absurdTokens() async {
    let backend = ScriptedBackend { _, repeatSeed in self.good(repeatSeed, tokens: .max) }
    let (ending, _) = await run(
      suites(cases: 3), backend, Runner(budget: RunBudget(tokens: .max)))
    #expect(ending == .stopped(reason: "the budget of \(Int.max) tokens is used up"))
  }

  @Test("when the budget of time is used up, the run ends and abandons backends that hang")
  func time() async {
    let recorder = Recorder()
    let result = await Runner(budget: RunBudget(time: .milliseconds(30))).run(
      plan: RunPlan(suites: suites(cases: 2, repeats: 2), backends: ["fake"]),
      backends: [HangingBackend(answered: [0])], clock: ContinuousClock(),
      onEvent: recorder.receive)
    #expect(result.ending == .stopped(reason: "the budget of 30 ms is used up"))
    #expect(recorder.attempts.count == 4)
    // On a busy machine, the time may be up before the first answer.
    #expect(recorder.attempts.allSatisfy { [.pass, .skipped].contains($0.outcome) })
    #expect(recorder.attempts.count { $0.outcome == .skipped } >= 3)
  }

  @Test("if the budget is sufficient, the run makes every attempt")
  func enough() async {
    let recorder = Recorder()
    let budget = RunBudget(time: .seconds(3600), tokens: 3, calls: 3)
    let result = await Runner(budget: budget).run(
      plan: RunPlan(suites: suites(cases: 3), backends: ["fake"]),
      backends: [ScriptedBackend { _, repeatSeed in self.good(repeatSeed, tokens: 1) }],
      clock: ContinuousClock(), onEvent: recorder.receive)
    #expect(result.ending == .complete)
    #expect(recorder.attempts.map(\.outcome) == [.pass, .pass, .pass])
  }

  // MARK: Early stopping

  private func early(
    _ suites: [Suite], seed: UInt64, answer: @escaping @Sendable (RepeatSeed) -> BackendAnswer
  ) async -> (Runner.Result, [AttemptRecord]) {
    let recorder = Recorder()
    let plan = RunPlan(suites: suites, backends: ["fake"]).shuffled(seed: seed)
    let result = await Runner(earlyStoppingAlpha: 0.05).run(
      plan: plan, backends: [ScriptedBackend { _, repeatSeed in answer(repeatSeed) }],
      clock: ContinuousClock(), onEvent: recorder.receive)
    return (result, recorder.attempts)
  }

  @Test("a suite stops once its gate is out of reach, and the skipped attempts record the reason")
  func missedGateStops() async throws {
    let (result, attempts) = await early(
      suites(cases: 10, repeats: 20, gate: "{ passRate: 0.9 }"), seed: 1
    ) { BackendAnswer(repeatSeed: $0, output: "\"\"", stopReason: .complete) }
    let stop = try #require(result.earlyStops.first)
    #expect(result.ending == .complete)
    #expect(stop.outcome == .missed)
    #expect(stop.planned == 200)
    #expect(stop.count < 10)
    #expect(attempts.count == 200)
    #expect(attempts.count { $0.outcome == .skipped } == 200 - stop.count)
    #expect(
      attempts.last?.details.skipReason == .settled(stop))
  }

  @Test("if all attempts pass, a suite with a gate of 50 % stops early, but not one with 100 %")
  func reachedGateStops() async {
    let (result, _) = await early(
      suites(cases: 10, repeats: 20, gate: "{ passRate: 0.5 }"), seed: 2, answer: { good($0) })
    #expect(result.earlyStops.map(\.outcome) == [.reached])
    let (other, attempts) = await early(
      suites(cases: 10, repeats: 2, gate: "{ passRate: 1 }"), seed: 2, answer: { good($0) })
    #expect(other.earlyStops == [] || other.earlyStops.first?.count == 20)
    #expect(attempts.allSatisfy { $0.outcome == .pass })
  }

  @Test("a suite with a guardrail doesn't stop when its pass rate is reached")
  func guardrailRunsToTheEnd() async {
    let (result, attempts) = await early(
      suites(cases: 10, repeats: 20, gate: "{ passRate: 0.5, guardrail: [0] }"), seed: 2,
      answer: { good($0) })
    #expect(result.earlyStops == [])
    #expect(attempts.count { $0.outcome == .pass } == 200)
  }

  @Test("a suite with fresh repeats doesn't stop when its pass rate is reached")
  func freshRunsToTheEnd() async throws {
    let plan = RunPlan(
      suites: suites(cases: 10, gate: "{ passRate: 0.5 }"), backends: ["fake"],
      fresh: (repeats: 20, seed: 9))
    let first = try #require(plan.suites.first?.details.fresh?.firstRepeat)
    let recorder = Recorder()
    let result = await Runner(earlyStoppingAlpha: 0.05).run(
      plan: plan.shuffled(seed: 2),
      backends: [
        ScriptedBackend { _, seed in
          // The gate is reached with the fresh repeats, but missed without them.
          seed.repeatIndex < first
            ? BackendAnswer(repeatSeed: seed, output: "\"\"", stopReason: .complete)
            : self.good(seed)
        }
      ], clock: ContinuousClock(), onEvent: recorder.receive)
    #expect(result.earlyStops == [] && recorder.attempts.count { $0.outcome == .pass } == 200)
    let gates = GateResultRecord.results(
      suites: plan.suites, backends: ["fake"], attempts: recorder.attempts)
    #expect(gates.map(\.isPassed) == [false])
  }

  @Test("a gate that counts test cases can stop early, but not if some of their repeats are fresh")
  func freshReducer() throws {
    var suite = try #require(suites(gate: "{ passRate: 0.5 }").first).record()
    suite.gate.reducer = .all
    #expect(suite.reasonToRunAll == nil)
    suite.details.fresh = FreshBlock(firstRepeat: 1, repeats: 1, seed: 9)
    #expect(suite.reasonToRunAll == "the gate averages scores from `all`")
    suite.gate.reducer = nil
    #expect(suite.reasonToRunAll == nil)
  }

  @Test(
    "a gate that counts test cases lets a test case that has begun make all its attempts",
    arguments: [true, false])
  func begunCase(isReduced: Bool) {
    let gate = "{ passRate: 0.5\(isReduced ? ", reducer: all" : "") }"
    let plan = RunPlan(suites: suites(cases: 60, repeats: 2, gate: gate), backends: ["fake"])
    let stopping = EarlyStopping(plan, alpha: 0.05)
    func add(_ job: RunPlan.Job, _ repeats: Range<Int>) {
      for index in repeats {
        stopping.add(
          AttemptRecord(
            key: job.key(index), seed: 1, outcome: .pass, stopReason: .complete))
      }
    }
    add(plan.jobs[59], 0..<1)
    #expect(stopping.reason(for: plan.jobs[58]) == nil)
    for job in plan.jobs[..<50] { add(job, 0..<2) }
    #expect(stopping.decisions.map(\.outcome) == [.reached])
    #expect(stopping.reason(for: plan.jobs[58]) != nil)
    #expect((stopping.reason(for: plan.jobs[59]) == nil) == isReduced)
  }

  @Test(
    "a suite that stopped early on one backend is whole on the others, unless the run is a part")
  func stoppedOnOne() {
    var details = RunDetails()
    details.earlyStops = [
      EarlyStopRecord(
        suite: "s", backend: "a", outcome: .reached, alpha: 0.05, count: 1, passed: 1, planned: 2)
    ]
    #expect(!details.isWhole("s") && !details.isWhole("s", on: "a"))
    #expect(details.isWhole("s", on: "b") && details.isWhole("other"))
    details.shard = "1/2"
    #expect(!details.isWhole("s", on: "b") && !details.isWhole("other"))
  }

  @Test("the first failure of a guardrail stops its suite")
  func guardrailStops() async {
    let (result, attempts) = await early(
      suites(cases: 4, repeats: 5, gate: "{ passRate: 0, guardrail: [0] }"), seed: 3
    ) { BackendAnswer(repeatSeed: $0, output: "\"\"", stopReason: .complete) }
    #expect(result.earlyStops.map(\.outcome) == [.guardrail])
    #expect(attempts.count { $0.outcome == .fail } == 1)
  }

  @Test("a shuffled plan contains every attempt once, and its order depends only on the seed")
  func shuffledPlan() {
    let plan = RunPlan(suites: suites(cases: 5, repeats: 3), backends: ["fake"])
    func keys(_ plan: RunPlan) -> [AttemptKey] {
      plan.jobs.flatMap { job in job.repeats.map { job.key($0.repeatIndex) } }
    }
    let shuffled = plan.shuffled(seed: 7)
    #expect(Set(keys(shuffled)) == Set(keys(plan)))
    #expect(keys(shuffled).count == 15)
    #expect(keys(shuffled) == keys(plan.shuffled(seed: 7)))
    #expect(keys(shuffled) != keys(plan))
  }

  // MARK: Cache

  private final class Memory: Sendable {
    let answers = Mutex<[String: BackendAnswer]>([:])
    var cache: AnswerCache {
      AnswerCache(
        read: { key in self.answers.withLock { $0[key] } },
        write: { key, answer in self.answers.withLock { $0[key] = answer } })
    }
  }

  @Test("cached answers are marked and not requested again; errors are not cached")
  func cache() async {
    let memory = Memory()
    let flaky = Flaky()
    let backend = CachingBackend(
      ScriptedBackend { request, repeatSeed in
        _ = flaky.count("\(request.caseID)")
        return repeatSeed.repeatIndex == 2
          ? self.broken(repeatSeed)
          : BackendAnswer(
            repeatSeed: repeatSeed, output: "\"\(repeatSeed.repeatIndex)\"",
            stopReason: .complete)
      }, cache: memory.cache)
    let suites = suites(cases: 2, repeats: 3)
    let (_, first) = await run(suites, backend, Runner())
    #expect(flaky.total == 6)
    #expect(first.allSatisfy { $0.details.isCached == nil })
    #expect(memory.answers.withLock(\.count) == 4)
    let (_, second) = await run(suites, backend, Runner())
    #expect(flaky.total == 8)
    let outputs = second.sorted { $0.key.repeatIndex < $1.key.repeatIndex }.map(\.output)
    #expect(outputs == ["\"0\"", "\"0\"", "\"1\"", "\"1\"", "", ""])
    #expect(second.count { $0.details.isCached == true } == 4)
    #expect(second.allSatisfy { ($0.details.isCached == true) == ($0.outcome == .pass) })
  }

  @Test("an answer isn't reused for a request that differs in anything but its names")
  func cacheKeys() async throws {
    let memory = Memory()
    let flaky = Flaky()
    let backend = CachingBackend(
      ScriptedBackend { _, repeatSeed in
        _ = flaky.count("all")
        return BackendAnswer(repeatSeed: repeatSeed, output: "1", stopReason: .complete)
      }, cache: memory.cache)
    let suite = try #require(suites().first)
    let plain = suite.request(suite.cases[0], suite.variants[0])
    let changes: [(inout BackendRequest) -> Void] = [
      { _ in }, { $0.caseID = "other" }, { $0.includesSchemaInPrompt.toggle() },
      { $0.settings.maximumTokens += 1 }, { $0.prompt += " " },
    ]
    var counts: [Int] = []
    for change in changes {
      var request = plain
      change(&request)
      let seed = RepeatSeed(repeatIndex: 0, seed: 1)
      for await _ in backend.answers(to: request, repeats: [seed]) {}
      counts.append(flaky.total)
    }
    #expect(counts == [1, 1, 2, 3, 4])
  }

  @Test("the fingerprint depends on the request and model, not on the test case's or backend's id")
  func fingerprints() throws {
    let suite = try #require(suites().first)
    let request = suite.request(suite.cases[0], suite.variants[0])
    let record = BackendRecord(id: "fake", model: "m", engine: "e", isDeterministic: true)
    func fingerprint(
      _ change: (inout BackendRequest, inout BackendRecord) -> Void
    ) -> String {
      var (request, record) = (request, record)
      change(&request, &record)
      return RequestFingerprints().fingerprint(of: request, record)
    }
    let plain = fingerprint { _, _ in }
    #expect(plain.utf8.count == 64)
    #expect(fingerprint { request, _ in request.caseID = "other" } == plain)
    #expect(fingerprint { _, record in record.id = "other" } == plain)
    let changed = [
      fingerprint { request, _ in request.prompt += "." },
      fingerprint { request, _ in request.schema += " " },
      fingerprint { request, _ in request.instructions = "" },
      fingerprint { request, _ in request.history = [ConversationTurn(.user, "Hello")] },
      fingerprint { request, _ in request.history = [ConversationTurn(.model, "Hello")] },
      fingerprint { request, _ in request.settings.temperature += 0.1 },
      fingerprint { request, _ in request.settings.maximumTokens += 1 },
      fingerprint { _, record in record.modelDigest = "1" },
      fingerprint { _, record in record.engine = "f" },
    ]
    #expect(Set(changed + [plain]).count == 10)
  }

  // MARK: Admission

  /// A backend that asks for admission before each request, and has two requests in progress at a
  /// time, the first of which fails for each repeat if it is flaky.
  private struct AskingBackend: EvalBackend {
    var record = BackendRecord(id: "fake", model: "fake", engine: "asks", isDeterministic: true)
    var hasOwnManners: Bool { true }
    var asksForAdmission: Bool { true }
    var isFlaky = false
    let requests = Flaky()
    var answer: @Sendable (RepeatSeed) -> BackendAnswer

    func answers(
      to request: BackendRequest, repeats: [RepeatSeed]
    ) -> AsyncStream<BackendAnswer> {
      answers(to: request, repeats: repeats, admission: .unlimited)
    }

    func answers(
      to request: BackendRequest, repeats: [RepeatSeed], admission: RequestAdmission
    ) -> AsyncStream<BackendAnswer> {
      let (stream, continuation) = AsyncStream<BackendAnswer>.makeStream()
      let task = Task {
        for start in stride(from: 0, to: repeats.count, by: 2) {
          var inProgress: [RepeatSeed] = []
          for repeatSeed in repeats[start...].prefix(2) {
            for _ in 0..<(isFlaky ? 2 : 1) {
              guard await admission.admits(.answer) else { continue }
              _ = requests.count("request")
              if inProgress.last != repeatSeed { inProgress.append(repeatSeed) }
            }
          }
          for repeatSeed in inProgress {
            let answer = self.answer(repeatSeed)
            admission.count(answer)
            continuation.yield(answer)
          }
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
      return stream
    }
  }

  @Test(
    "no request begins once tokens or money are used up, and the answers in progress are kept",
    arguments: [
      (RunBudget(tokens: 5), 2), (RunBudget(tokens: 20), 2), (RunBudget(tokens: 25), 4),
      (RunBudget(cost: 1.5), 2), (RunBudget(cost: 5), 4), (RunBudget(calls: 3), 3),
      (RunBudget(), 6), (RunBudget(tokens: 1000, calls: 6, cost: 1000), 6),
    ])
  func inProgress(budget: RunBudget, requests: Int) async {
    let backend = AskingBackend { repeatSeed in
      var answer = self.good(repeatSeed, tokens: 10)
      answer.served = ServedAnswer()
      answer.served?.cost = 2
      return answer
    }
    let (ending, attempts) = await run(
      suites(cases: 1, repeats: 6), backend, Runner(budget: budget))
    #expect(backend.requests.total == requests)
    #expect(attempts.count { $0.outcome == .pass } == requests)
    #expect(attempts.count { $0.outcome == .skipped } == 6 - requests)
    if requests == 6 { #expect(ending == .complete) } else { #expect(ending != .complete) }
  }

  @Test("the retries of a backend that asks for admission keep the pace", arguments: [false, true])
  func paceOfRetries(isCached: Bool) async {
    let clock = SteppingClock()
    var backend = AskingBackend { self.good($0) }
    backend.isFlaky = true
    let cache = AnswerCache(read: { _ in nil }, write: { _, _ in })
    let asked: any EvalBackend = isCached ? CachingBackend(backend, cache: cache) : backend
    _ = await run(
      suites(cases: 2, repeats: 2), asked, Runner(callsPerMinute: 30), clock: clock)
    #expect(backend.requests.total == 8)
    #expect(clock.sleeps == [Duration](repeating: .seconds(2), count: 7))
  }
}
