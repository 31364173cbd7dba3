import EvalRecords
import EvalSuites
import Testing

@testable import EvalRunner

@Suite("Gates")
struct GateTests {
  private func attempts(_ outcomes: [Outcome], variant: String = "plain") -> [AttemptRecord] {
    outcomes.enumerated().map { index, outcome in
      AttemptRecord(
        key: AttemptKey(
          suite: "s", variant: variant, backend: "fake", caseID: "c\(index)", repeatIndex: 0),
        seed: 1, outcome: outcome, stopReason: .complete,
        verdicts: [
          VerdictRecord(
            assertion: "nonEmpty $", type: "nonEmpty", path: "$",
            verdict: outcome == .fail ? .fail : .pass, expected: "", actual: "")
        ])
    }
  }

  private func result(_ gate: String, _ attempts: [AttemptRecord]) throws -> GateResultRecord {
    let records = suites(gate: gate, variants: "[ { id: plain }, { id: edited } ]")
      .map { $0.record() }
    let results = GateResultRecord.results(
      suites: records, backends: ["fake"], attempts: attempts)
    return try #require(results.first)
  }

  @Test("the pass rate counts errors as failures and leaves out skipped attempts")
  func passRate() throws {
    let half = attempts([.pass, .fail, .error, .pass, .skipped])
    let result = try result("{ passRate: 0.5 }", half)
    #expect(result.attempts == 4)
    #expect(result.passed == 2)
    #expect(result.errors == 1)
    #expect(result.isPassed)
    #expect(try self.result("{ passRate: 0.51 }", half).isPassed == false)
    #expect(try self.result("{ passRate: 0.9, backends: { fake: 0.5 } }", half).isPassed)
    #expect(try self.result("{ passRate: 0.1, backends: { fake: 0.6 } }", half).isPassed == false)
  }

  @Test("fresh repeats can make a gate fail, but they can't make it pass")
  func fresh() throws {
    var record = try #require(suites(gate: "{ passRate: 0.5 }").first).record()
    record.details.fresh = FreshBlock(firstRepeat: 1, repeats: 1, seed: 9)
    func isPassed(planned: Outcome, fresh: Outcome) throws -> Bool {
      let made =
        attempts([planned, planned])
        + attempts([fresh, fresh]).map {
          var attempt = $0
          attempt.key.repeatIndex = 1
          return attempt
        }
      return try #require(
        GateResultRecord.results(suites: [record], backends: ["fake"], attempts: made).first
      ).isPassed
    }
    #expect(try isPassed(planned: .pass, fresh: .pass))
    #expect(try !isPassed(planned: .fail, fresh: .pass), "2 of 4 would be enough")
    record.gate.passRate = 0.75
    #expect(try !isPassed(planned: .pass, fresh: .fail))
  }

  @Test("the gate of another model has no result, unless the backend failed in too many attempts")
  func otherModel() throws {
    let records = suites(
      gate: "{ model: other, passRate: 0.9, guardrail: [0] }", variants: "[ { id: plain } ]"
    ).map { $0.record() }
    let used = SelectedModel(names: ["mine"], isNamed: true)
    let unjudged = records.map {
      UnjudgedSuite(suite: $0.id, backend: "fake", model: "other", used: used)
    }
    func results(_ outcomes: [Outcome]) -> [GateResultRecord] {
      GateResultRecord.results(
        suites: records, backends: ["fake"], attempts: attempts(outcomes), unjudged: unjudged)
    }
    #expect(results([.fail, .fail]) == [])
    #expect(results([]) == [])
    let broken = try #require(results([.pass, .error]).first)
    #expect(!broken.isPassed && broken.neededRate == 0)
    #expect(broken.misses == [.backendErrors(errors: 1, attempts: 2)])
  }

  @Test("a pass rate that exactly equals the required rate passes the gate")
  func exactRates() throws {
    for (passed, count, rate) in [(7, 100, "0.07"), (57, 100, "0.57"), (9, 10, "0.9")] {
      let outcomes =
        [Outcome](repeating: .pass, count: passed)
        + [Outcome](repeating: .fail, count: count - passed)
      #expect(try result("{ passRate: \(rate) }", attempts(outcomes)).isPassed)
    }
  }

  @Test(
    "a guardrail that was never checked misses the gate, and the reason is recorded",
    arguments: [
      (
        [Verdict.vacuous, .vacuous],
        .uncheckedGuardrail(assertion: "nonEmpty $", vacuous: 2, unknown: 0)
      ),
      (
        [.vacuous, .unknown],
        .uncheckedGuardrail(assertion: "nonEmpty $", vacuous: 1, unknown: 1)
      ),
      ([.vacuous, .pass], nil),
    ] as [([Verdict], GateMiss?)])
  func checkUncheckedGuardrail(verdicts: [Verdict], miss: GateMiss?) throws {
    var made = attempts(verdicts.map { _ in .pass })
    for (index, verdict) in verdicts.enumerated() { made[index].verdicts[0].verdict = verdict }
    let result = try result("{ passRate: 0.1, guardrail: [0] }", made)
    #expect(result.isPassed == (miss == nil))
    #expect(result.misses == [miss].compactMap(\.self))
  }

  @Test("a gate is missed if a guardrail fails once, whatever the pass rate is")
  func guardrail() throws {
    let gate = "{ passRate: 0.1, guardrail: [0] }"
    let result = try result(gate, attempts([.pass, .pass, .fail]))
    #expect(result.isPassed == false)
    #expect(result.guardrailHits == [.init(assertion: "nonEmpty $", count: 1)])
    #expect(try self.result(gate, attempts([.pass, .error])).isPassed)
  }

  @Test("a gate with a pass rate of 0 is missed if the backend fails in more than 1 % of attempts")
  func backendErrors() throws {
    let gate = "{ passRate: 0 }"
    #expect(try result(gate, attempts([.fail, .fail])).isPassed)
    let missed = try result(gate, attempts([.fail, .error, .skipped]))
    #expect(!missed.isPassed && missed.misses == [.backendErrors(errors: 1, attempts: 2)])
    let rare = [Outcome.error] + [Outcome](repeating: .fail, count: 99)
    #expect(try result(gate, attempts(rare)).isPassed)
    #expect(try result("{ passRate: 0.5 }", attempts([.pass, .error])).misses == [])
  }

  @Test("a gate without attempts is missed")
  func noAttempts() throws {
    #expect(try result("{ passRate: 0 }", []).isPassed == false)
  }

  @Test("a gate judges only the first variant that ran")
  func variants() throws {
    let all = attempts([.pass]) + attempts([.fail, .fail], variant: "edited")
    let result = try result("{ passRate: 1 }", all)
    #expect(result.variant == "plain")
    #expect(result.isPassed)
  }
}
