import AssayTesting
import EvalRecords
import GuidedGeneration
import StructuredText
import Testing

@testable import EvalSuites

@Suite("Assertions in Swift")
struct CustomAssertionTests {
  private struct Broken: Error, CustomStringConvertible { let description = "out of order" }

  @Test("a closure makes its assertion pass, fail or be vacuous; if it throws, the assertion fails")
  func findings() {
    func verdict(
      _ evaluate: @escaping @Sendable (Quiz) throws -> CustomAssertion.Finding
    ) -> (String, String) {
      let assertion = CustomAssertion(
        "short", on: Quiz.self, path: "$.pairs", expected: "few pairs", evaluate: evaluate)
      let verdict = assertion.verdict(onOutput: #"{"pairs":[{"question":"q","answer":"a"}]}"#)
      #expect(verdict.assertion == "short")
      #expect(verdict.path == "$.pairs")
      #expect(verdict.expected == "few pairs")
      return (verdict.verdict.rawValue, verdict.actual)
    }
    #expect(verdict { $0.pairs.count == 1 ? .pass : .fail(actual: "") } == ("pass", "as expected"))
    #expect(verdict { .fail(actual: "\($0.pairs.count) pairs") } == ("fail", "1 pairs"))
    #expect(verdict { _ in .vacuous(because: "nothing") } == ("vacuous", "nothing"))
    #expect(verdict { _ in throw Broken() } == ("fail", "an error: out of order"))
  }

  @Test(
    "the assertion fails without trapping if the output isn't of the type that the closure expects")
  func otherShapes() {
    let assertion = CustomAssertion("x", on: Quiz.self) { _ in true }
    for output in ["{}", "[]", "", "null", #"{"pairs":[{}]}"#, #"{"pairs":7}"#] {
      #expect(assertion.verdict(onOutput: output).verdict == .fail, "\(output)")
    }
  }

  @Test("a custom assertion's weight affects the score and the outcome, and the record shows it")
  func weights() throws {
    func suite(_ weight: Double, threshold: Double?, guardrails: [String] = []) -> SwiftSuite {
      SwiftSuite(
        "quiz", generates: Quiz.self, guardrails: guardrails,
        more: ["threshold": threshold.map { .number(JSONNumber($0)) } ?? 1],
        assertions: [
          .count("$.pairs", 1...3).weighing(3),
          .holds("never", for: Quiz.self) { _ in false }.weighing(weight),
        ], cases: [SwiftCase("one", input: "A text.")])
    }
    func outcome(_ suite: SwiftSuite) throws -> (Outcome, Double?) {
      let loaded = suite.load()
      #expect(loaded.problems.isEmpty, "\(loaded.problems)")
      let suiteCase = try #require(loaded.suites.first?.cases.first)
      var attempt = AttemptRecord(
        key: AttemptKey(suite: "quiz", variant: "v", backend: "b", caseID: "one", repeatIndex: 0),
        seed: 1, outcome: .error, stopReason: .complete)
      attempt.verdicts = [
        VerdictRecord(
          assertion: suiteCase.assertions[0].name, type: "count", path: "$.pairs", verdict: .pass,
          expected: "", actual: ""), suiteCase.customAssertions[0].verdict(onOutput: "{}"),
      ]
      suiteCase.scoring.judge(&attempt)
      return (attempt.outcome, attempt.details.score)
    }
    #expect(try outcome(suite(1, threshold: 0.75)) == (.pass, 0.75))
    #expect(try outcome(suite(1, threshold: 0.8)) == (.fail, 0.75))
    #expect(try outcome(suite(0, threshold: 1)) == (.pass, 1))
    #expect(try outcome(suite(1, threshold: 0.75, guardrails: ["never"])).0 == .fail)
    let record = try #require(suite(2.5, threshold: 0.5).load().suites.first?.cases.first?.record)
    #expect(
      record.assertions == ["count $.pairs: 1...3 elements (weight 3)", "never (weight 2.5)"])
    let wrong = suite(-1, threshold: 0.5).load()
    #expect(
      wrong.problems.map(\.description).contains { $0.contains("the weight of `never` is -1.0") })
    let none = SwiftSuite(
      "quiz", generates: Quiz.self,
      assertions: [.holds("never", for: Quiz.self) { _ in false }.weighing(0)],
      cases: [SwiftCase("one", input: "A text.")]
    ).load()
    #expect(
      none.problems.contains { $0.problem == "every assertion of the test case has weight 0" })
  }

  @Test("a Swift assertion inside a `not` is reported as a problem of the suite, and doesn't trap")
  func negated() {
    let line = #line + 3
    let suite = SwiftSuite(
      "quiz", generates: Quiz.self,
      assertions: [.nonEmpty("$.pairs"), .not(.holds("short", for: Quiz.self) { _ in true })],
      cases: [SwiftCase("one", input: "A text.")])
    let loaded = suite.load()
    #expect(loaded.suites.isEmpty)
    #expect(
      loaded.problems.map { [$0.file, "\($0.line)", $0.problem, $0.allowed] } == [
        [
          #filePath, "\(line)", "`not` is applied to the Swift assertion `short`",
          "return the opposite from the closure instead",
        ]
      ])
  }

  @Test("an assertion without a type gets the content undecoded")
  func overContent() {
    let assertion = CustomAssertion("x", expected: "a string") { content in
      if case .string = content.kind { .pass } else { .fail(actual: content.jsonString) }
    }
    #expect(assertion.verdict(onOutput: "\"y\"").verdict == .pass)
    #expect(assertion.verdict(onOutput: "[1]").actual == "[1]")
  }
}
