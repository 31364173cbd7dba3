import EvalRecords
import StructuredText
import Testing

@testable import EvalSuites

@Suite("Weights, thresholds, metrics and settings of test cases")
struct ScoringTests {
  private func load(
    _ extra: String, cases: String = "[ { id: a, input: x } ]",
    environment: [String: String] = [:]
  ) -> LoadedSuites {
    let text = """
      suite: s
      generates:
        inline:
          type: object
          properties:
            tags: { type: array, items: { type: string }, minItems: 1, maxItems: 3 }
            n: { type: number }
            ok: { type: boolean }
          required: [tags, n, ok]
      assertions:
        - { name: many, weight: 3, count: { path: $.tags, min: 2 } }
        - { name: small, range: { path: $.n, max: 5 } }
        - { name: style, weight: 0, equals: { path: $.ok, value: true } }
      cases: \(cases)
      \(extra)
      """
    return SuiteLoader(files: .memory(["s/suite.yaml": text]), environment: environment).load(["s"])
  }

  private func problems(_ extra: String, cases: String = "[ { id: a, input: x } ]") -> [String] {
    load(extra, cases: cases).problems.map(\.description)
  }

  /// Judges a value as the answer to the first test case, and returns the attempt.
  private func attempt(_ suite: Suite, _ value: JSONValue) -> AttemptRecord {
    let suiteCase = suite.cases[0]
    let facts = AttemptFacts(value: value, duration: 0.25, outputTokens: 9)
    var attempt = AttemptRecord(
      key: AttemptKey(suite: "s", variant: "v", backend: "b", caseID: "a", repeatIndex: 0),
      seed: 0, outcome: .error, stopReason: .complete)
    attempt.verdicts = suiteCase.assertions.map { $0.verdict(on: facts) }
    suiteCase.scoring.judge(&attempt)
    attempt.details.metrics = SuiteCase.metrics(suiteCase.metrics, of: facts, attempt)
    return attempt
  }

  @Test("without a threshold, an attempt passes only if no assertion with a weight above 0 fails")
  func weights() throws {
    let suite = try #require(load("").suites.first)
    let good = attempt(suite, ["tags": ["a", "b"], "n": 1, "ok": false])
    #expect(good.outcome == .pass)
    #expect(good.details.weights == ["many": 3, "style": 0])
    #expect(good.details.score == 1)
    let bad = attempt(suite, ["tags": ["a", "b"], "n": 9, "ok": true])
    #expect(bad.outcome == .fail)
    // The weights are 3, 1 and 0, and the assertion with weight 1 fails.
    #expect(bad.details.score == 0.75)
  }

  @Test("with a threshold, the score and the guardrails decide the outcome")
  func thresholds() throws {
    func outcome(_ extra: String, _ value: JSONValue) throws -> Outcome {
      attempt(try #require(load(extra).suites.first), value).outcome
    }
    let threeQuarters: JSONValue = ["tags": ["a", "b"], "n": 9, "ok": true]
    #expect(try outcome("threshold: 0.75", threeQuarters) == .pass)
    #expect(try outcome("threshold: 0.76", threeQuarters) == .fail)
    #expect(
      try outcome("threshold: 0.5\ngate: { guardrail: [small] }", threeQuarters) == .fail)
    #expect(try outcome("threshold: 0.5\ngate: { guardrail: [1] }", threeQuarters) == .fail)
    #expect(try outcome("threshold: 0.5\ngate: { guardrail: [0] }", threeQuarters) == .pass)
    #expect(
      problems("threshold: 0") == [
        "s/suite.yaml:15:12: a threshold of 0 lets every attempt pass; it must be above 0 and at "
          + "most 1; for an assertion that decides nothing, use `weight: 0`"
      ])
  }

  @Test("a metric is a number from the answer's value or from the attempt")
  func metrics() throws {
    let extra = """
      metrics:
        tags: { count: $.tags }
        n: { value: $.n, unit: eggs }
        ok: { value: $.ok }
        ratio: { expression: "$.n / count($.tags)" }
        speed: { of: latency }
        length: { of: outputTokens }
        score: { of: score }
        letters: { count: "$.tags[*]" }
        same: { expression: "case.wanted == $.n" }
      gate: { metrics: { tags: { min: 2, max: 3 } } }
      """
    let loaded = load(extra, cases: "[ { id: a, input: x, wanted: 9 } ]")
    #expect(loaded.problems.map(\.description) == [])
    let suite = try #require(loaded.suites.first)
    #expect(
      attempt(suite, ["tags": ["a", "b"], "n": 9, "ok": true]).details.metrics == [
        "tags": 2, "n": 9, "ok": 1, "ratio": 4.5, "speed": 250, "length": 9, "score": 0.75,
        "letters": 2, "same": 1,
      ])
    // If a formula has no value, neither does its metric.
    #expect(attempt(suite, ["tags": [], "n": 9, "ok": true]).details.metrics?["ratio"] == nil)
    let records = try #require(suite.record().details.metrics)
    #expect(records.map(\.name).first == "tags")
    #expect(records.first?.minimum == 2 && records.first?.maximum == 3)
    #expect(records[1].unit == "eggs" && records[4].unit == "ms")
  }

  @Test(
    "mistakes in metrics, reducers and environment variables are reported",
    arguments: [
      ("metrics: { m: { value: $.nothing } }", "the schema has no `nothing` at `$`"),
      ("metrics: { m: { value: '$.tags[*]' } }", "`$.tags[*]` selects several places"),
      ("metrics: { m: { expression: 'count(' } }", "the formula ends too early"),
      ("metrics: { m: {} }", "a metric lacks a required key"),
      (
        "metrics: { many: { of: score } }\ngate: { metrics: { mny: { max: 1 } } }",
        "there is no metric `mny`; did you mean `many`?"
      ),
      (
        "metrics: { m: { derived: '$.many / 2' } }",
        "`$.many` is not a metric with a value for each attempt"
      ),
      ("gate: { reducer: best }", "`reducer` is \"best\"; `all`, `mean`, `at least 2`"),
      ("environment: [HOME_TOWN]", "the environment variable `HOME_TOWN` is not set"),
    ])
  func metricProblems(extra: String, words: String) {
    let found = problems(extra)
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.contains(words) == true, "\(found)")
  }

  @Test("`boundHugging` becomes a metric with a bound, for a suite or for a single test case")
  func hugging() throws {
    let text = """
      suite: s
      generates:
        inline:
          type: object
          properties:
            tags: { type: array, items: { type: string }, minItems: 1, maxItems: 3 }
            n: { type: number }
          required: [tags, n]
      assertions:
        - boundHugging: { path: $.tags, share: 0.5 }
        - present: { path: $.n }
      cases:
        - id: a
          input: x
          assertions: [ { not: { boundHugging: { path: $.n, share: 0.2, max: 7 } } } ]
      """
    let loaded = SuiteLoader(files: .memory(["s/suite.yaml": text])).load(["s"])
    #expect(loaded.problems.map(\.description) == [])
    let suite = try #require(loaded.suites.first)
    let records = try #require(suite.details.metrics)
    #expect(records.map(\.name) == ["boundHugging $.tags", "a: not boundHugging $.n"])
    #expect(records.map(\.maximum) == [0.5, nil])
    #expect(records.map(\.minimum) == [nil, 0.2])
    #expect(records.map(\.caseID) == [nil, "a"])
    for (tags, n, expected) in [(1, 7, [1.0, 1.0]), (2, 3, [0, 0]), (3, 7, [1, 1])] {
      let value: JSONValue = [
        "tags": .array(Array(repeating: "t", count: tags)), "n": .number(JSONNumber(n)),
      ]
      let metrics = attempt(suite, value).details.metrics ?? [:]
      #expect(records.map { metrics[$0.name] } == expected)
    }
    let nested = text.replacing(
      "present: { path: $.n }", with: "all: [ { boundHugging: { path: $.tags, share: 1 } } ]")
    #expect(
      SuiteLoader(files: .memory(["s/suite.yaml": nested])).load(["s"]).problems.first?.problem
        == "`boundHugging` applies to all attempts together")
  }

  @Test("a test case can have its own repeats, options, threshold and gate")
  func caseSettings() throws {
    let cases = """
      [ { id: a, input: x, repeats: 5, threshold: 0.5, options: { topK: 3 },
          gate: { passRate: 0.4, reducer: "at least 2" } }, { id: b, input: y } ]
      """
    let loaded = load("options: { temperature: 0.2 }\nthreshold: 0.9", cases: cases)
    #expect(loaded.problems.map(\.description) == [])
    let suite = try #require(loaded.suites.first)
    let own = suite.cases[0].settings
    #expect((own.repeats, own.threshold, own.passRate) == (5, 0.5, 0.4))
    #expect(own.reducer == .atLeast(2))
    let request = suite.request(suite.cases[0], suite.variants[0])
    #expect((request.settings.topK, request.settings.temperature) == (3, 0.2))
    #expect(suite.request(suite.cases[1], suite.variants[0]).settings.topK == 0)
    #expect(suite.cases[1].scoring.threshold == 0.9)
    #expect(suite.record().details.cases?["a"] == own)
  }

  @Test("a test case can use the declared environment variables as variables, but no others")
  func environment() throws {
    let loaded = load(
      "environment: [TOWN]\nprompt: \"{{input}} in {{env.TOWN}}\"",
      environment: ["TOWN": "Bern", "SECRET": "s"])
    #expect(loaded.problems.map(\.description) == [])
    let suite = try #require(loaded.suites.first)
    #expect(suite.request(suite.cases[0], suite.variants[0]).prompt == "x in Bern")
    #expect(suite.cases[0].variables["env.SECRET"] == .none)
    #expect(
      load("prompt: \"{{input}} {{env.SECRET}}\"", environment: ["SECRET": "s"]).problems.first?
        .problem == "`env.SECRET` is used by this prompt, but not declared")
  }

  @Test("a `command` assertion exchanges JSON with a program, and fails if it can't read the reply")
  func commands() throws {
    let check = CommandCheck(
      arguments: ["./x"], folder: "s", path: try JSONPlace(parsing: "$.tags[*]"), timeLimit: 1,
      environment: ["TOWN"], words: "that it is so")
    func verdict(_ answer: CommandAnswer?, negated: Bool = false) -> CheckResult {
      var facts = AttemptFacts(value: ["tags": ["a", "b"]])
      facts.variables = ["input": "x"]
      facts.key = AttemptKey(
        suite: "s", variant: "v", backend: "b", caseID: "c", repeatIndex: 2)
      facts.commands = answer.map { answer in
        CommandAccess { call, _ in
          #expect(
            call.input
              == #"{"value":["a","b"],"answer":{"tags":["a","b"]},"suite":"s","variant":"v","#
              + #""case":"c","backend":"b","repeat":2,"variables":{"input":"x"}}"#)
          #expect(call.environment == ["TOWN"])
          return answer
        }
      }
      return check.evaluate(facts, in: facts.answer, negated: negated)
    }
    #expect(verdict(.output(#"{"pass": true}"#)).verdict == .pass)
    #expect(verdict(.output(#"{"pass": true}"#), negated: true).verdict == .fail)
    let no = verdict(.output(#"{"pass": false, "actual": "rude", "expected": "polite"}"#))
    #expect(no == CheckResult(verdict: .fail, expected: "polite", actual: "rude"))
    for negated in [false, true] {
      #expect(verdict(.output("yes"), negated: negated).verdict == .fail)
      #expect(verdict(.failure("took too long"), negated: negated).actual == "took too long")
      #expect(verdict(nil, negated: negated).verdict == .fail)
    }
  }
}
