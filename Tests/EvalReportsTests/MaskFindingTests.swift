import EvalRecords
import Testing

@testable import EvalReports

@Suite("What the mask removed")
struct MaskFindingTests {
  /// Returns a step at a path, with one forbidden candidate and the share that the mask keeps.
  private func step(
    _ path: String, wants wanted: String, _ raw: Double, keeps kept: Double
  ) -> TokenStep {
    TokenStep(
      text: "{", path: path, isForced: false, legalCount: 2, keptMass: kept,
      candidates: [
        TokenCandidate(text: "{", raw: kept, sampled: 1, isAllowed: true),
        TokenCandidate(text: wanted, raw: raw, sampled: 0, isAllowed: false),
      ])
  }

  private func decision(_ raw: Double, path: String = "$.a", step: Int) -> DecisionRecord {
    DecisionRecord(
      kind: .branch, path: path, index: 0,
      options: [OptionProbability(.branch("x"), raw: raw, masked: 1, sampled: 1)],
      chosen: .branch("x"), step: step, unresolved: 0)
  }

  @Test("a removal names the forbidden token of the step that removed the most")
  func removal() {
    func check(
      _ decisions: [DecisionRecord], _ trace: [TokenStep], _ wanted: [String],
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let removals = MaskRemoval.removals(decisions, trace)
      #expect(removals.map(\.wanted) == wanted, sourceLocation: sourceLocation)
    }
    let trace = [
      step("$", wants: "```", 0.9, keeps: 0.05), step("$.a", wants: "Other", 0.6, keeps: 0.3),
      step("$.a", wants: "y", 0.1, keeps: 0.8),
    ]
    check([decision(0.2, step: 2)], trace, ["Other"])
    check([decision(0.05, path: "$", step: 0)], trace, ["```"])
    check([decision(0.6, step: 2)], trace, [])
    check([decision(0.2, step: 9)], trace, [])
    check([decision(0.2, step: 2)], [], [])
    // Only the first decision at a path counts, and elements of an array share a path.
    let elements = [
      decision(0.2, path: "$.a[0]", step: 0), decision(0.2, path: "$.a[1]", step: 1),
    ]
    check(elements, trace, ["```"])
    let long = String(repeating: "x", count: 65)
    check([decision(0.2, step: 0)], [step("$.a", wants: long, 1, keeps: 0)], [])
  }

  /// Returns the document of a run in which the mask removed a token in a number of test cases.
  private func document(removedCases: Int, of cases: Int, wants wanted: String) -> ReportDocument {
    var run = SyntheticRun()
    (run.casesPerSuite, run.repeats) = (cases, 2)
    let suite = "session-insight"
    let removed = Set(
      run.suites.first { $0.id == suite }?.cases.prefix(removedCases).map(\.id) ?? [])
    let attempts = run.attempts.map { attempt in
      var attempt = attempt
      attempt.decisions = attempt.key.suite == suite ? [decision(0.2, step: 0)] : []
      let isRemoved = attempt.key.suite == suite && removed.contains(attempt.key.caseID)
      attempt.details.removals =
        isRemoved ? [MaskRemoval(kind: .branch, path: "$.a", wanted: wanted)] : nil
      return attempt
    }
    return ReportDocument(run: run.record, attempts: attempts, gates: run.gates)
  }

  @Test("a report names what the model wanted if the mask removed most in most test cases")
  func finding() {
    let words = "the model wanted to write “``` <b>”"
    let most = document(removedCases: 3, of: 5, wants: "``` <b>")
    #expect(most.summary.maskFindings.map(\.removedCases) == [3])
    #expect(TerminalReport.render(most, color: false).contains(words))
    let page = HTMLReport.render(most)
    #expect(page.contains("wanted to write “``` &lt;b>”") || page.contains("“``` &lt;b&gt;”"))
    let markdown = MarkdownReport.render(most)
    #expect(markdown.contains("the model wanted to write"))
    #expect(!markdown.contains("<b>"))
    for few in [0, 2].map({ document(removedCases: $0, of: 5, wants: "x") }) {
      #expect(few.summary.maskFindings.isEmpty)
      #expect(!TerminalReport.render(few, color: false).contains("Before the mask"))
    }
  }
}
