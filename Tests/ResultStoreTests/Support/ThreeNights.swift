import EvalRecords
import ResultStore
import StructuredText

/// Three nights of two suites: the data for the queries in `docs/queries.md`.
///
/// On the third night, some card sets are empty, and some unclear texts are classified as craving.
enum ThreeNights {
  private static func cases(_ names: [String], branches: Bool) -> [CaseRecord] {
    names.map { name in
      CaseRecord(
        id: name, title: name, tags: ["short"], variables: ["input": .string(name)],
        expectedBranches: branches ? [ExpectedBranch(path: "$", branch: name)] : [],
        assertions: [])
    }
  }

  private static func suite(
    _ id: String, _ type: String, _ cases: [CaseRecord]
  ) -> SuiteRecord {
    SuiteRecord(
      id: id, title: id, guards: "", file: "\(id)/suite.yaml", schemaName: type,
      variants: [
        VariantRecord(
          id: "default", title: "", schema: "{}", instructions: nil, promptTemplate: "{{input}}",
          edits: [])
      ], cases: cases, repeats: 5, seed: 1, options: GenerationSettings(), gate: GateRecord())
  }

  /// Writes the nights to a database.
  static func write(to path: String) throws {
    let store = try ResultStore(path: path)
    for night in 1...3 {
      let run = try store.beginRun(
        RunRecord(
          id: 0, label: "nightly", startedAt: "2026-11-1\(night)T01:00:00Z", status: .running,
          toolVersion: "0.1.0", commit: "c\(night)",
          backends: [
            BackendRecord(id: "local", model: "toy", engine: "assay", isDeterministic: true)
          ],
          suites: [
            suite(
              "flashcards", "CardSet", cases(["octopus", "tides", "honey"], branches: false)),
            suite(
              "insight", "Insight", cases(["craving", "slip", "unclear"], branches: true)),
          ]))
      for number in 0..<15 {
        try store.append(cards(night, number), run: run.id)
        try store.append(insight(night, number), run: run.id)
      }
      try store.finishRun(
        run.id, status: .complete, at: "2026-11-1\(night)T01:10:00Z")
    }
    try keepReference(
      of: "flashcards", reason: "after the new guide", comparedRun: 2, inRun: 3, store)
  }

  private static func cards(_ night: Int, _ number: Int) -> AttemptRecord {
    let name = ["octopus", "tides", "honey"][number % 3]
    let index = number / 3
    let isEmpty = night == 3 && (name == "tides" && index % 2 == 1 || name == "honey" && index == 2)
    let count = isEmpty ? 0 : 3 + (number + night) % 3
    let end = night == 3 && name == "tides" ? 0.35 : 0.02
    var attempt = record(
      "flashcards", name, index, isEmpty ? .fail : .pass,
      "{\"cards\":[" + (0..<count).map { "{\"question\":\"Q\($0)\"}" }.joined(separator: ",") + "]}"
    )
    attempt.verdicts = [
      VerdictRecord(
        assertion: "three to eight cards", type: "count", path: "$.cards",
        verdict: isEmpty ? .fail : .pass, expected: "3...8 elements", actual: "\(count) elements"),
      VerdictRecord(
        assertion: "every card has a question", type: "nonEmpty", path: "$.cards[*].question",
        verdict: isEmpty ? .vacuous : .pass, expected: "", actual: ""),
    ]
    attempt.decisions = [
      DecisionRecord(
        kind: .array, path: "$.cards", index: 0,
        options: [
          OptionProbability(.element, raw: 1 - end, masked: 1 - end, sampled: 1 - end),
          OptionProbability(.end, raw: end, masked: end, sampled: end),
        ], chosen: isEmpty ? .end : .element, step: 3, unresolved: 0)
    ]
    attempt.details.metrics = ["overlap": Double(count) / 8]
    return attempt
  }

  private static func insight(_ night: Int, _ number: Int) -> AttemptRecord {
    let name = ["craving", "slip", "unclear"][number % 3]
    let index = number / 3
    let isWrong = night == 3 && name == "unclear" && index < 3
    let isCut = name == "slip" && index == 4
    let answer = isWrong ? "craving" : name
    var attempt = record(
      "insight", name, index, isCut ? .error : isWrong ? .fail : .pass,
      isCut ? "{\"type\":\"sl" : "{\"type\":\"\(answer)\"}")
    if isCut {
      attempt.stopReason = .tokenLimit
      attempt.failure = AttemptFailure(kind: .truncated, message: "the limit was reached")
      return attempt
    }
    attempt.verdicts = [
      VerdictRecord(
        assertion: "branch", type: "branch", path: "$", verdict: isWrong ? .fail : .pass,
        expected: name, actual: answer)
    ]
    let wrong = night == 3 && name == "unclear" ? 0.6 : 0.1
    let other = name == "craving" ? "slip" : "craving"
    attempt.decisions = [
      DecisionRecord(
        kind: .branch, path: "$", index: 0,
        options: [
          OptionProbability(.branch(name), raw: 1 - wrong, masked: 1 - wrong, sampled: 1 - wrong),
          OptionProbability(.branch(other), raw: wrong, masked: wrong, sampled: wrong),
        ], chosen: .branch(answer), step: 2, unresolved: 0)
    ]
    return attempt
  }

  private static func record(
    _ suite: String, _ name: String, _ index: Int, _ outcome: Outcome, _ output: String
  ) -> AttemptRecord {
    let attempt = AttemptRecord(
      key: AttemptKey(
        suite: suite, variant: "default", backend: "local", caseID: name, repeatIndex: index),
      seed: UInt64(index), outcome: outcome, stopReason: .complete, renderedPrompt: name,
      output: output, promptTokens: 100, outputTokens: output.utf8.count, forcedTokens: 4,
      duration: Double(index + 1) / 10)
    // A judge would have stored these facts.
    return [attempt].withFacts { _ in [ExpectedBranch(path: "$", branch: name)] }[0]
  }
}
