import AssayTesting
import EvalSuites
import GuidedGeneration

@Generable(description: "Quiz pairs made from a text.")
struct Quiz {
  @Guide(description: "From one to three pairs.", .count(1...3))
  var pairs: [Pair]
}

@Generable
struct Pair {
  @Guide(description: "A short question.")
  var question: String
  @Guide(description: "The answer.")
  var answer: String
}

/// Returns a suite with a test case for each count; the stub's answer has that many pairs.
///
/// Each question ends with `mark`.
func quizSuite(
  id: String = "quiz", counts: [Int] = [1, 2], mark: String = "?", repeats: Int = 2,
  assertions: [SuiteAssertion] = [
    .count("$.pairs", 1...3),
    .holds("questions end with a question mark", for: Quiz.self) { quiz in
      quiz.pairs.allSatisfy { $0.question.hasSuffix("?") }
    },
  ], guardrails: [String] = []
) -> SwiftSuite {
  SwiftSuite(
    id, generates: Quiz.self, guards: "Empty quizzes.", repeats: repeats, guardrails: guardrails,
    assertions: assertions,
    cases: counts.enumerated().map { index, count in
      let pairs = (0..<count).map { Pair(question: "Question \($0)\(mark)", answer: "\($0)") }
      return SwiftCase(
        "case-\(index)", input: "A text.", stubAnswer: Quiz(pairs: pairs),
        assertions: count == 2 ? [.equals("$.pairs[1].answer", "1")] : [])
    })
}
