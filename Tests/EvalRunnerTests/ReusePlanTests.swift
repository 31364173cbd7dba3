import EvalRecords
import Testing

@testable import EvalRunner

@Suite("The audit of reused answers")
struct ReusePlanTests {
  private let origin = RunOrigin(run: 3, startedAt: "2026-11-01T01:00:00Z")

  private func attempt(
    _ suite: String, _ backend: String = "local", case caseID: Int, repeat number: Int = 0
  ) -> AttemptRecord {
    AttemptRecord(
      key: AttemptKey(
        suite: suite, variant: "plain", backend: backend, caseID: "c\(caseID)",
        repeatIndex: number),
      seed: UInt64(number), outcome: .pass, stopReason: .complete, output: "{}", promptTokens: 5,
      outputTokens: 7, forcedTokens: 2, constraintPressure: 0.25,
      decisions: [
        DecisionRecord(
          kind: .array, path: "$.a", index: 0,
          options: [OptionProbability(.end, raw: 0.1, masked: 0.2, sampled: 0.3)], chosen: .end,
          step: 2, unresolved: 0)
      ])
  }

  private func reusable(_ attempts: [AttemptRecord]) -> [AttemptKey: ReusableAttempt] {
    Dictionary(
      attempts.map { ($0.key, ReusableAttempt($0, from: origin)) },
      uniquingKeysWith: { first, _ in first })
  }

  @Test("an audit draws a twentieth of each suite on each model, but at least one attempt")
  func shares() {
    let attempts =
      (0..<60).map { attempt("big", case: $0 / 3, repeat: $0 % 3) }
      + (0..<4).map { attempt("small", case: $0) }
      + (0..<4).map { attempt("small", "other", case: $0) }
    let plan = ReusePlan(reusable(attempts), date: "2026-11-29")
    #expect(plan.audited.count + plan.reused.count == attempts.count)
    let drawn = Dictionary(grouping: plan.audited.keys) { "\($0.suite) \($0.backend)" }
    #expect(drawn.mapValues(\.count) == ["big local": 3, "small local": 1, "small other": 1])
    #expect(Set(drawn["big local"]?.map(\.caseID) ?? []).count == 1, "repeats share a prompt")
    #expect(ReusePlan(reusable(attempts), date: "2026-11-29", share: 1).reused.isEmpty)
    #expect(ReusePlan([:], date: "2026-11-29").isEmpty)
  }

  @Test("the date decides which attempts are drawn, and over many nights all of them are")
  func dates() {
    let reusable = reusable((0..<20).map { attempt("s", case: $0) })
    func drawn(_ date: String) -> Set<AttemptKey> {
      Set(ReusePlan(reusable, date: date).audited.keys)
    }
    #expect(drawn("2026-11-29") == drawn("2026-11-29"))
    let nights = (1...200).map { drawn("night \($0)") }
    #expect(Set(nights.flatMap { $0 }).count == 20)
  }

  @Test(
    "an audit finds every difference in an answer and its measurements, but not in its judgement",
    arguments: [
      ("nothing", nil), ("duration", nil), ("outcome", nil), ("output", .output),
      ("composition", .output), ("stop", .stopReason), ("tokens", .tokens),
      ("probability", .decisions), ("chosen", .decisions), ("pressure", .pressure),
    ] as [(String, ReuseRecord.Difference.Part?)])
  func differences(what: String, part: ReuseRecord.Difference.Part?) {
    var stored = attempt("s", case: 1)
    if what == "composition" { stored.output = "\u{E9}" }
    var anew = stored
    switch what {
    case "duration": anew.duration = 9
    case "outcome": (anew.outcome, anew.verdicts) = (.fail, [])
    case "output": anew.output = "{ }"
    // The two texts are equal as Swift strings.
    case "composition": anew.output = "e\u{301}"
    case "stop": anew.stopReason = .tokenLimit
    case "tokens": anew.forcedTokens = 3
    case "probability": anew.decisions[0].options[0].masked = 0.2.nextUp
    case "chosen": anew.decisions[0].chosen = nil
    case "pressure": anew.constraintPressure = 0.25.nextDown
    default: break
    }
    let audit = ReusePlan(reusable([stored]), date: "", share: 1).audit([anew])
    #expect(audit.count == 1 && audit.differences.map(\.part) == [part].compactMap(\.self))
    #expect(audit.isPassed == (part == nil))
  }

  @Test("a reused attempt is judged anew, and was neither requested nor judged before in this run")
  func reusing() async throws {
    let plan = RunPlan(suites: suites(cases: 1), backends: ["fake"])
    let job = try #require(plan.jobs.first)
    var stored = AttemptRecord(
      key: job.key(0), seed: job.repeats[0].seed, outcome: .fail, stopReason: .complete,
      output: "\"x\"")
    stored.details.earlierTries = [
      AttemptTry(failure: AttemptFailure(kind: .rateLimited, message: "busy"), duration: 2)
    ]
    stored.details.formerOutcome = .fail
    stored.details.formerWeights = ["nonEmpty $": 1]
    let recorder = Recorder()
    let result = await Runner().reuse(
      [job.key(0): ReusableAttempt(stored, from: origin)], for: plan,
      on: [ScriptedBackend { _, _ in nil }], onEvent: recorder.receive)
    #expect(result.ending == .complete && recorder.attempts.map(\.outcome) == [.pass])
    let details = try #require(recorder.attempts.first).details
    #expect(details.reusedFrom == origin && details.isCached == true)
    #expect(details.earlierTries == nil)
    #expect(details.formerOutcome == nil && details.formerWeights == nil)
  }

  @Test("an audited attempt that ended with a backend error proves nothing")
  func errors() {
    let stored = attempt("s", case: 1)
    var anew = stored
    anew.outcome = .error
    anew.failure = AttemptFailure(kind: .backend, message: "broke off")
    let audit = ReusePlan(reusable([stored]), date: "", share: 1).audit([anew])
    #expect(audit.count == 0 && !audit.isPassed && audit.differences.isEmpty)
  }
}
