import EvalRecords
import StructuredText
import TestSupport

extension SyntheticRun {
  var attempts: [AttemptRecord] {
    var numbers = SeededGenerator(seed: seed &+ UInt64(id))
    var attempts: [AttemptRecord] = []
    for backend in backends {
      for suite in suites {
        for variant in suite.variants {
          for (number, testCase) in suite.cases.enumerated() {
            for index in 0..<repeats {
              let key = AttemptKey(
                suite: suite.id, variant: variant.id, backend: backend.id, caseID: testCase.id,
                repeatIndex: index)
              attempts.append(attempt(key, case: number, of: testCase, using: &numbers))
            }
          }
        }
      }
    }
    return attempts.withFacts(of: suites)
  }

  private func attempt(
    _ key: AttemptKey, case number: Int, of testCase: CaseRecord,
    using numbers: inout SeededGenerator
  ) -> AttemptRecord {
    var attempt = AttemptRecord(
      key: key, seed: seed &+ UInt64(key.repeatIndex), outcome: .pass, stopReason: .complete,
      renderedPrompt: "system: You turn a passage into study cards.\n\nuser: Honey never spoils. "
        + "Archaeologists have eaten honey that was three thousand years old.",
      promptTokens: 61, outputTokens: 120 + Int.random(in: 0..<60, using: &numbers),
      forcedTokens: 40, duration: 0.2 + Double.random(in: 0..<0.4, using: &numbers),
      constraintPressure: Double.random(in: 0.2..<4, using: &numbers))
    switch key.suite {
    case "flashcards": fillCards(&attempt, number, key.variant == "naive" ? 0.3 : nil, &numbers)
    case "session-insight": fillInsight(&attempt, testCase, &numbers)
    default: fillLeaf(&attempt, &numbers)
    }
    if numbers.chance(0.004) {
      attempt.outcome = .error
      attempt.stopReason = .tokenLimit
      attempt.failure = AttemptFailure(kind: .truncated, message: "512 tokens, no end")
      attempt.output = String(attempt.output.prefix(20))
      attempt.verdicts = []
    }
    return attempt
  }

  private func fillCards(
    _ attempt: inout AttemptRecord, _ number: Int, _ naive: Double?,
    _ numbers: inout SeededGenerator
  ) {
    let isShort = number % 3 == 0
    let empty = (naive ?? emptyShare) * (isShort ? 2.4 : 0.3)
    let middle = [3, 5, 6][number % 3]
    let length =
      numbers.chance(empty)
      ? 0 : max(1, middle + [-2, -1, 0, 0, 0, 1, 1, 2][Int.random(in: 0..<8, using: &numbers)])
    let card = #"{"question":"How long does honey keep?","answer":"It never spoils."}"#
    attempt.output =
      "{\(JSONWriter.quoted(cards)):["
      + [String](repeating: card, count: length).joined(separator: ",") + "]}"
    if length == 0 { (attempt.outputTokens, attempt.duration) = (6, 0.107) }
    attempt.verdicts = [
      VerdictRecord(
        assertion: "three to eight cards" + mark, type: "count", path: cardsPlace,
        verdict: (3...8).contains(length) ? .pass : .fail, expected: "3...8 elements",
        actual: "\(length) elements"),
      VerdictRecord(
        assertion: "every card has an answer" + mark, type: "nonEmpty",
        path: cardsPlace + "[*].answer",
        verdict: length == 0 ? .vacuous : .pass, expected: "not empty",
        actual: length == 0 ? "no elements" : "not empty"),
    ]
    if !(3...8).contains(length) { attempt.outcome = .fail }
    attempt.decisions = (0...length).map { index in
      let end =
        index == length
        ? min(0.5 + empty, 0.95) : index == 0 ? min(empty, 0.9) : index < 3 ? 0.1 : 0.35
      return DecisionRecord(
        kind: .array, path: cardsPlace, index: index,
        options: [
          OptionProbability(
            .element, raw: 0.8 * (1 - end), masked: 1 - end, sampled: 1 - end),
          OptionProbability(.end, raw: 0.8 * end, masked: end, sampled: end),
        ], chosen: index == length ? .end : .element, step: 3 + 20 * index, unresolved: 0.001)
    }
    if keepsTraces, length == 0 { attempt.trace = emptyTrace }
  }

  var emptyTrace: [TokenStep] {
    func candidate(
      _ text: String, _ raw: Double, _ sampled: Double, allowed: Bool = true
    ) -> TokenCandidate {
      TokenCandidate(text: text, raw: raw, sampled: sampled, isAllowed: allowed)
    }
    func forced(
      _ text: String, _ path: String, _ kept: Double, _ others: [TokenCandidate]
    ) -> TokenStep {
      TokenStep(
        text: text, path: path, isForced: true, legalCount: 1, keptMass: kept,
        rawEntropy: 2 * (1 - kept), maskedEntropy: 0,
        candidates: [candidate(text, kept, 1)] + others)
    }
    return [
      forced(
        "{\"", "$", 0.38,
        [
          candidate("Sure", 0.31, 0, allowed: false), candidate("Here", 0.14, 0, allowed: false),
          candidate("```", 0.09, 0, allowed: false),
        ]),
      forced(
        cards, cardsPlace, 0.92,
        [candidate("items", 0.04, 0, allowed: false), candidate("deck", 0.02, 0, allowed: false)]),
      forced("\":[", cardsPlace, 0.96, [candidate("\":\"", 0.03, 0, allowed: false)]),
      TokenStep(
        text: "]", path: cardsPlace, isForced: false, legalCount: 2, keptMass: 0.65,
        rawEntropy: 1.94, maskedEntropy: 0.98,
        candidates: [
          candidate("]", 0.38, 0.58), candidate("{\"", 0.27, 0.42),
          candidate("{", 0.22, 0, allowed: false), candidate("\"", 0.09, 0, allowed: false),
          candidate("null", 0.02, 0, allowed: false),
        ]),
      forced("}", "$", 0.97, [candidate(",\"", 0.02, 0, allowed: false)]),
      forced("", "$", 0.88, [candidate("\n\n", 0.09, 0, allowed: false)]),
    ]
  }

  private func fillInsight(
    _ attempt: inout AttemptRecord, _ testCase: CaseRecord, _ numbers: inout SeededGenerator
  ) {
    let expected = testCase.expectedBranches[0].branch
    var got = expected
    if expected == "unclear", numbers.chance(confusedShare) { got = "craving" }
    if numbers.chance(0.02) { got = Self.branches[Int.random(in: 0..<4, using: &numbers)] }
    attempt.output = "{\"type\":\"\(got)\",\"text\":\"Go on.\"}"
    attempt.outputTokens = 35
    attempt.verdicts = [
      VerdictRecord(
        assertion: "branch $" + mark, type: "branch", path: "$",
        verdict: got == expected ? .pass : .fail,
        expected: expected, actual: got)
    ]
    if got != expected { attempt.outcome = .fail }
    attempt.decisions = [
      DecisionRecord(
        kind: .branch, path: "$", index: 0,
        options: Self.branches.map { branch in
          let share =
            branch == expected ? 0.76 : branch == "craving" && expected == "unclear" ? 0.2 : 0.02
          return OptionProbability(
            .branch(branch), raw: share * 0.7, masked: share, sampled: share)
        }, chosen: .branch(got), step: 2, unresolved: 0)
    ]
  }

  private func fillLeaf(_ attempt: inout AttemptRecord, _ numbers: inout SeededGenerator) {
    let isGood = !numbers.chance(0.02)
    let minutes = isGood ? 30 : 900
    attempt.output = "{\"title\":\"Weekly planning\",\"minutes\":\(minutes)}"
    attempt.outputTokens = 51
    attempt.verdicts = [
      VerdictRecord(
        assertion: "range $.minutes" + mark, type: "range", path: "$.minutes",
        verdict: isGood ? .pass : .fail, expected: "5...480", actual: "\(minutes)"),
      VerdictRecord(
        assertion: "words $.title" + mark, type: "words", path: "$.title", verdict: .pass,
        expected: "2...6 words", actual: "2 words"),
    ]
    if !isGood { attempt.outcome = .fail }
  }
}
