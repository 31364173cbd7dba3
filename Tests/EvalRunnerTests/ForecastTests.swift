import EvalRecords
import EvalSuites
import Testing

@testable import EvalRunner

@Suite("The forecast of a run's time")
struct ForecastTests {
  private let plan = RunPlan(suites: suites(cases: 10, repeats: 2), backends: ["fake"])

  private var keys: [AttemptKey] {
    plan.jobs.flatMap { job in job.repeats.map { job.key($0.repeatIndex) } }
  }

  private func attempt(
    _ key: AttemptKey, tokens: Int = 10, seconds: Double, outcome: Outcome = .pass
  ) -> AttemptRecord {
    AttemptRecord(
      key: key, seed: 1, outcome: outcome, stopReason: .complete, outputTokens: tokens,
      duration: seconds)
  }

  private func earlier(_ seconds: Double?, isOfSameModel: Bool = true) -> [EarlierWork] {
    keys.map {
      EarlierWork(
        key: $0, outputTokens: 10, seconds: seconds, isOfSameModel: isOfSameModel)
    }
  }

  private func checkSeconds(
    _ estimate: RunForecast.Estimate?, _ expected: Double,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      abs((estimate?.seconds ?? .nan) - expected) < 1e-9, "\(String(describing: estimate))",
      sourceLocation: sourceLocation)
  }

  @Test("before the first answer, the time is that of earlier runs, divided among the threads")
  func earlierRuns() {
    for threads in [1, 2, 4] {
      let forecast = RunForecast(plan, earlier: earlier(3), threads: threads)
      let estimate = forecast.estimate(elapsed: 0)
      checkSeconds(estimate, 60 / Double(threads))
      #expect(estimate?.basis == .earlierRuns)
    }
    // An attempt that a continued run already has takes no time.
    checkSeconds(
      RunForecast(plan, done: Set(keys.prefix(15)), earlier: earlier(3), threads: 1)
        .estimate(elapsed: 0), 15)
  }

  @Test("without earlier runs on this machine, the first answers show how long the run takes")
  func firstAnswers() {
    for known in [[], earlier(nil)] {
      var forecast = RunForecast(plan, earlier: known, threads: 2)
      #expect(forecast.estimate(elapsed: 5) == nil)
      for key in keys.prefix(2) { forecast.finish(attempt(key, seconds: 4)) }
      #expect(forecast.estimate(elapsed: 5) == nil, "two answers say too little")
      forecast.finish(attempt(keys[2], seconds: 4))
      #expect(forecast.estimate(elapsed: 5)?.basis == .finished)
    }
    // Attempts that are computed together finish late, but have used the threads all the time.
    var forecast = RunForecast(plan, earlier: earlier(nil), threads: 2, atOnce: 64)
    for key in keys.prefix(4) { forecast.finish(attempt(key, seconds: 4)) }
    let estimate = forecast.estimate(elapsed: 30)
    #expect(
      (8...14).contains(estimate?.seconds ?? 0), "40 s in all: \(String(describing: estimate))")
  }

  @Test("answers without tokens, such as the stub's, say nothing about the lengths of answers")
  func withoutTokens() throws {
    let stub = keys.map {
      EarlierWork(key: $0, outputTokens: 0, seconds: nil, isOfSameModel: false)
    }
    var forecast = RunForecast(plan, earlier: stub, threads: 2, atOnce: 64)
    #expect(forecast.estimate(elapsed: 0) == nil)
    for key in keys.prefix(2) { forecast.finish(attempt(key, seconds: 6)) }
    #expect(forecast.estimate(elapsed: 31) == nil, "two answers say too little")
    for key in keys.dropFirst(2).prefix(8) { forecast.finish(attempt(key, seconds: 6)) }
    let left = try #require(forecast.estimate(elapsed: 31))
    #expect(left.seconds > 10 && left.basis == .finished, "half of 20 answers: \(left)")
    // A program that counts no tokens takes time nevertheless.
    let timed = keys.map { EarlierWork(key: $0, outputTokens: 0, seconds: 3) }
    let known = RunForecast(plan, earlier: timed, threads: 1).estimate(elapsed: 0)
    checkSeconds(known, 60)
    #expect(known?.basis == .earlierRuns)
  }

  @Test("the answers of one backend don't show how long those of another take")
  func backends() {
    let plan = RunPlan(suites: suites(cases: 10, repeats: 2), backends: ["model", "stub"])
    let keys = plan.jobs.flatMap { job in job.repeats.map { job.key($0.repeatIndex) } }
    var forecast = RunForecast(plan, threads: 2)
    for key in keys where key.slice.backend == "stub" {
      forecast.finish(attempt(key, seconds: 0.001))
    }
    #expect(forecast.estimate(elapsed: 1) == nil)
    for key in keys.filter({ $0.slice.backend == "model" }).prefix(3) {
      forecast.finish(attempt(key, seconds: 4))
    }
    #expect((forecast.estimate(elapsed: 7)?.seconds ?? 0) > 25)
  }

  @Test("answers of unknown lengths are expected to be longer than those that finish first")
  func shortAnswersFirst() throws {
    // All answers have begun, and each has taken as much time as any other.
    func total(after count: Int, isKnown: Bool = false) throws -> Double {
      var forecast = RunForecast(
        plan, earlier: earlier(nil, isOfSameModel: isKnown), threads: 1, atOnce: 64)
      for key in keys.prefix(count) { forecast.finish(attempt(key, seconds: Double(count))) }
      let elapsed = Double(keys.count * count)
      return try #require(forecast.estimate(elapsed: elapsed)).seconds / elapsed + 1
    }
    let totals = try [3, 8, 16].map { try total(after: $0) }
    #expect(totals[0] > 1.6 && totals[0] > totals[1] && totals[1] > totals[2], "\(totals)")
    #expect(totals[2] < 1.3, "\(totals)")
    #expect(try total(after: 3, isKnown: true) < 1.3)
  }

  @Test("if answers take longer than in earlier runs, the rest is expected to take longer too")
  func slower() {
    var forecast = RunForecast(plan, earlier: earlier(3), threads: 1)
    for key in keys.prefix(10) { forecast.finish(attempt(key, seconds: 6)) }
    let seconds = forecast.estimate(elapsed: 60)?.seconds ?? 0
    #expect(seconds > 45 && seconds <= 60, "\(seconds)")
  }

  @Test("skipped and reused attempts take no time, and at the end nothing is left")
  func withoutTime() {
    var forecast = RunForecast(plan, earlier: earlier(3), threads: 1)
    for key in keys.prefix(10) {
      forecast.finish(attempt(key, seconds: 0, outcome: .skipped))
    }
    checkSeconds(forecast.estimate(elapsed: 0), 30)
    for key in keys.dropFirst(10) {
      var reused = attempt(key, seconds: 3)
      reused.details.reusedFrom = RunOrigin(run: 1, startedAt: "")
      forecast.finish(reused)
    }
    checkSeconds(forecast.estimate(elapsed: 1), 0)
    #expect(forecast.unfinishedCount == 0)
  }

  @Test("pauses between requests count, because the rest has pauses too")
  func pauses() {
    var forecast = RunForecast(plan, earlier: earlier(3), threads: 1)
    for key in keys.prefix(10) { forecast.finish(attempt(key, seconds: 3)) }
    let seconds = forecast.estimate(elapsed: 330)?.seconds ?? 0
    #expect(seconds > 250 && seconds < 350, "half of the run took 330 s: \(seconds)")
  }

  @Test("a forecast never promises that work in progress takes no time")
  func late() {
    var forecast = RunForecast(plan, earlier: earlier(3), threads: 1)
    for key in keys.prefix(19) { forecast.finish(attempt(key, seconds: 3)) }
    #expect(forecast.estimate(elapsed: 500)?.seconds ?? 0 > 0.5)
  }
}
