import AssayTesting
import EvalRecords
import EvalSuites
import GuidedGeneration
import StructuredText
import Testing

/// A suite, declared as in a package that uses the library.
private let quizTests = EvalTests(quizSuite())

@Suite("Suites inside Swift Testing")
struct EvalTestsTests {
  @Test("every attempt at a test case passes", arguments: quizTests.cases)
  func quiz(evalCase: EvalCase) async {
    let attempts = await evalCase.check()
    #expect(attempts.count == 2)
    #expect(attempts.allSatisfy { $0.outcome == .pass })
  }

  /// Checks the test cases, and returns the texts of the issues that the checks record.
  private func issues(_ tests: EvalTests) async -> [String] {
    let collected = Collected()
    await withKnownIssue(isIntermittent: true) {
      for evalCase in tests.cases { await evalCase.check() }
    } matching: { issue in
      collected.add(issue.comments.map(\.rawValue).joined())
      return true
    }
    return collected.texts
  }

  @Test(
    "a failed assertion records an issue with the path, expectation, actual value and seed")
  func failures() async {
    let issues = await issues(EvalTests(quizSuite(counts: [1], mark: ".", repeats: 1)))
    #expect(issues.count == 1)
    #expect(
      issues.first?.hasPrefix(
        "questions end with a question mark: $ is rejected by the closure, "
          + "expected questions end with a question mark (quiz/case-0#0, seed ") == true,
      "\(issues)")
    let counts = await self.issues(
      EvalTests(quizSuite(counts: [0, 2], repeats: 1, assertions: [.count("$.pairs", 1...3)])))
    #expect(counts.count == 1)
    #expect(
      counts.first?.hasPrefix("schemaMismatch: $.pairs has 0 elements; allowed: 1 to 3")
        == true, "\(counts)")
  }

  @Test("failed attempts become issues only if the share that passed is below the pass rate")
  func passRate() async {
    let suite = SwiftSuite(
      "quiz", generates: Quiz.self, repeats: 4,
      more: ["stub": ["sequence": [["content": ["pairs": []]], ["content": ["pairs": [pair]]]]]],
      assertions: [.nonEmpty("$.pairs")], cases: [SwiftCase("one", input: "A text.")])
    #expect(await issues(EvalTests(suite, passRate: 0.5)) == [])
    #expect(await issues(EvalTests(suite, passRate: 0.6)).count == 2)
    #expect(await issues(EvalTests(suite, repeats: 1, passRate: 0.5)).count == 1)
  }

  private let pair: JSONValue = ["question": "One?", "answer": "1"]

  @Test("a suite that can't be loaded gives one issue, which names the problem")
  func brokenSuite() async {
    let broken = quizSuite(
      assertions: [.count("$.cards", 1...3), .holds("x", for: Quiz.self) { _ in true }])
    let tests = EvalTests(broken)
    #expect(tests.cases.map(\.testDescription) == ["quiz/can't be loaded"])
    let issues = await issues(tests)
    #expect(issues.count == 1)
    #expect(issues.first?.contains("cards") == true, "\(issues)")
    let missing = await self.issues(EvalTests(suiteFile: "nowhere/suite.yaml"))
    #expect(missing.count == 1)
  }

  @Test("two assertions with the same name, or a guardrail that isn't an assertion, cause an issue")
  func names() async {
    let twice = SuiteAssertion.holds("same", for: Quiz.self) { _ in true }
    #expect(
      await issues(EvalTests(quizSuite(counts: [1], assertions: [twice, twice]))).first?
        .contains("`same` is used twice") == true)
    let guardrail = await issues(EvalTests(quizSuite(guardrails: ["questions end with a mark"])))
    #expect(guardrail.first?.contains("is not an assertion") == true)
  }

  @Test("without an accepted baseline, a comparison fails and names the command that accepts one")
  func noBaseline() async {
    let collected = Collected()
    await withKnownIssue {
      await quizTests.checkBaseline(reports: "no/such/folder")
    } matching: { issue in
      collected.add(issue.comments.map(\.rawValue).joined())
      return true
    }
    #expect(
      collected.texts
        == [
          "there is no no/such/folder/baselines/quiz.jsonl; `assay baseline accept` writes one"
        ])
  }
}
