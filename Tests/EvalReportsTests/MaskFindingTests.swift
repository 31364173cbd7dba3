import EvalRecords
import Testing

@testable import EvalFindings
@testable import EvalReports

@Suite("What the mask removed")
struct MaskFindingTests {
  /// Returns a step at a path, with one allowed candidate and one forbidden candidate.
  private func step(
    _ path: String, _ text: String = "{", wants wanted: String, _ raw: Double, keeps kept: Double,
    fitsSchema: Bool? = nil
  ) -> TokenStep {
    TokenStep(
      text: text, path: path, isForced: false, legalCount: 2, keptMass: kept,
      candidates: [
        TokenCandidate(text: text, raw: kept, sampled: 1, isAllowed: true),
        TokenCandidate(
          text: wanted, raw: raw, sampled: 0, isAllowed: false, fitsSchema: fitsSchema),
      ])
  }

  private func decision(path: String = "$.a", step: Int) -> DecisionRecord {
    DecisionRecord(
      kind: .branch, path: path, index: 0,
      options: [OptionProbability(.branch("x"), raw: 0.2, masked: 1, sampled: 1)],
      chosen: .branch("x"), step: step, unresolved: 0)
  }

  /// Decisions and steps, and the removals in them, each with the prefix "before" or "at".
  private var answers: [(decisions: [DecisionRecord], trace: [TokenStep], removals: [String])] {
    func opening(_ raw: Double = 0.1) -> TokenStep { step("$", wants: "```", raw, keeps: 1 - raw) }
    let long = String(repeating: "x", count: 65)
    return [
      // The place of a text before the answer is there, whatever the first decision is about.
      (
        [decision(step: 1)], [opening(0.9), step("$.a", wants: "y", 0.1, keeps: 0.8)],
        ["before ```"]
      ),
      ([decision(path: "$", step: 0)], [opening(0.9)], ["before ```"]),
      // A text in the answer is at the path of the decision.
      ([decision(step: 1)], [opening(), step("$.a", wants: " No", 0.6, keeps: 0.3)], ["at No"]),
      (
        [decision(step: 2)],
        [
          opening(), step("$.a", "\n", wants: "D", 0.7, keeps: 0.3),
          step("$.a", wants: "y", 0.1, keeps: 0.8),
        ], ["at D"]
      ),
      (
        [decision(step: 2)],
        [
          opening(), step("$.b", wants: "Other", 0.9, keeps: 0.1),
          step("$.a", wants: "y", 0.1, keeps: 0.8),
        ], []
      ),
      // Both can happen in one answer.
      (
        [decision(step: 1)], [opening(0.6), step("$.a", wants: "y", 0.6, keeps: 0.4)],
        ["before ```", "at y"]
      ),
      // A token that only splits the schema's own text in another way isn't another text.
      (
        [decision(step: 1)],
        [opening(), step("$.a", wants: "car", 0.95, keeps: 0, fitsSchema: true)], []
      ),
      // Nor is white space, or a part of a character.
      ([decision(step: 1)], [opening(), step("$.a", wants: "\n\n\n", 0.9, keeps: 0.1)], []),
      ([decision(step: 1)], [opening(), step("$.a", wants: "\u{FFFD}", 0.9, keeps: 0.1)], []),
      // The mask removed at most half, or the likeliest text of all is an allowed one.
      ([decision(step: 1)], [opening(0.5), step("$.a", wants: "y", 0.5, keeps: 0.5)], []),
      // The step is unknown, or the token is too long to name.
      ([decision(step: 9)], [opening()], []),
      ([decision(step: 1)], [], []),
      ([decision(step: 1)], [opening(), step("$.a", wants: long, 0.9, keeps: 0)], []),
      // Only the first decision at a path counts, and the elements of an array share a path.
      (
        [decision(path: "$.a[0]", step: 1), decision(path: "$.a[1]", step: 2)],
        [
          opening(), step("$.a[0]", wants: "y", 0.6, keeps: 0.4),
          step("$.a[1]", wants: "z", 0.9, keeps: 0.1),
        ], ["at y"]
      ),
    ]
  }

  @Test("a removal names the place and the beginning of the text that the schema forbids")
  func removal() {
    for (decisions, trace, expected) in answers {
      let removals = MaskRemoval.removals(decisions, trace)
        .map { ($0.isPreface == true ? "before " : "at ") + $0.wanted }
      #expect(removals == expected, "\(trace)")
    }
  }

  @Test("a removal names the whole word if it is known")
  func word() {
    var trace = [step("$", wants: "D", 0.9, keeps: 0.1), step("$.a", wants: " the", 0.9, keeps: 0)]
    let decisions = [decision(step: 1)]
    #expect(MaskRemoval.steps(decisions, trace) == [0, 1])
    trace[0].wanted = "DraftCardSet"
    #expect(MaskRemoval.removals(decisions, trace).map(\.wanted) == ["DraftCardSet", "the"])
  }

  /// Returns the document of a run in which the mask removed texts in the first test cases, one
  /// text for each.
  private func document(
    _ wanted: [String], of cases: Int, reached: Int? = nil, isPreface: Bool? = nil
  ) -> ReportDocument {
    var run = SyntheticRun()
    (run.casesPerSuite, run.repeats) = (cases, 2)
    let suite = "session-insight"
    let ids = run.suites.first { $0.id == suite }?.cases.map(\.id) ?? []
    let texts = Dictionary(uniqueKeysWithValues: zip(ids, wanted))
    let attempts = run.attempts.map { attempt in
      var attempt = attempt
      let isReached = ids.prefix(reached ?? cases).contains(attempt.key.caseID)
      attempt.decisions = attempt.key.suite == suite && isReached ? [decision(step: 0)] : []
      let text = attempt.key.suite == suite ? texts[attempt.key.caseID] : nil
      attempt.details.removals = text.map {
        [MaskRemoval(kind: .branch, path: "$.a", wanted: $0, isPreface: isPreface)]
      }
      return attempt
    }
    return ReportDocument(run: run.record, attempts: attempts, gates: run.gates)
  }

  @Test("a report names the place and the beginning of what the model wanted in most test cases")
  func finding() {
    let most = document(["``` <b>", "``` <b>", "``` <b>"], of: 5)
    #expect(most.summary.maskFindings.map(\.removedCases) == [3])
    let words =
      "At $.a, the mask removed more than half of the model’s probability in 3 of 5 test "
      + "cases: the model would rather have written something that begins with “``` <b>”."
    #expect(TerminalReport.render(most, color: false).contains(words))
    let page = HTMLReport.render(most)
    #expect(page.contains("begins with “``` &lt;b>”") || page.contains("“``` &lt;b&gt;”"))
    let markdown = MarkdownReport.render(most)
    #expect(markdown.contains("rather have written"))
    #expect(!markdown.contains("<b>"))
    let mixed = document(["D", "D", "Here"], of: 4, isPreface: true)
    let mixedWords =
      "Before the answer, the mask removed more than half of the model’s probability "
      + "in 3 of 4 test cases: the model would rather have written something that begins with “D” "
      + "(in 2 of them)."
    #expect(mixed.summary.maskFindings.map(\.words) == [mixedWords])
    for few in [
      document([], of: 5), document(["x", "x"], of: 5), document(["x"], of: 5, reached: 1),
    ] {
      #expect(few.summary.maskFindings.isEmpty)
      #expect(!TerminalReport.render(few, color: false).contains("rather have written"))
    }
  }
}
