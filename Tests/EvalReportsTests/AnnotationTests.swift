import EvalRecords
import EvalStatistics
import Testing

@testable import EvalFindings
@testable import EvalReports

@Suite("Annotations on GitHub")
struct AnnotationTests {
  /// The comparison of two variants, with the place of the edited guide.
  private func document(guides: GuideSource?) throws -> ReportDocument {
    let original = SyntheticRun.comparison
    var run = original.run
    run.details.sources = [
      "flashcards": SuiteSource(
        file: "evals/flashcards/suite.yaml", lines: ["tides": 12], guides: guides)
    ]
    return ReportDocument(
      run: run, attempts: original.summary.attempts, gates: original.gates,
      comparisons: original.comparisons)
  }

  @Test("the conclusion is on the line of the edited guide")
  func guideLine() throws {
    let edits = try document(guides: nil).edits
    let place = try #require(edits.first).place
    let guides = GuideSource(file: "evals/flashcards/schema.json", lines: [place: 7])
    let text = GitHubAnnotations.render(try document(guides: guides))
    #expect(text.hasPrefix("::error file=evals/flashcards/schema.json,line=7,title="))
    #expect(
      GitHubAnnotations.render(try document(guides: nil)).hasPrefix("::error title="),
      "without a known line, the annotation names no file")
  }

  @Test("failures of the baseline's variant have no annotation")
  func baselineSide() throws {
    let original = try document(guides: nil)
    var attempts = original.summary.attempts
    let failing = try #require(attempts.first { $0.key.variant == "naive" && $0.outcome == .fail })
    let bounded = attempts.indices.filter { attempts[$0].key.variant == "bounded" }
    #expect(bounded.count > 3)
    for index in bounded.prefix(3) {
      (attempts[index].outcome, attempts[index].verdicts) = (.fail, failing.verdicts)
    }
    let text = GitHubAnnotations.render(
      ReportDocument(
        run: original.run, attempts: attempts, gates: original.gates,
        comparisons: original.comparisons))
    // The first line is the conclusion, which names both variants.
    let groups = text.split(separator: "\n").dropFirst()
    #expect(groups.contains { $0.contains("naive") }, "\(text)")
    #expect(!groups.contains { $0.contains("bounded") }, "\(text)")
  }

  @Test("failures that the baseline has as well have no annotation")
  func oldFailures() {
    let run = SyntheticRun(casesPerSuite: 12, repeats: 5)
    let comparisons = run.record.suites.map { suite in
      let selection = ComparisonSelection(suite: suite.id, variant: suite.variants.first?.id)
      let side = ComparisonSide(run: run.record, attempts: run.attempts, selection: selection)
      return ReportComparison(Comparison.compare(baseline: side, candidate: side))
    }
    let same = ReportDocument(
      run: run.record, attempts: run.attempts, gates: run.gates, comparisons: comparisons,
      baseline: (run.record, run.attempts))
    let lines = GitHubAnnotations.render(same).split(separator: "\n")
    #expect(lines.count <= 1, "only the conclusion: \(lines)")
    #expect(GitHubAnnotations.render(run.document).split(separator: "\n").count > 1)
  }

  @Test("failures that the previous night had as well have no annotation, if a finding is known")
  func knownFailures() throws {
    let run = SyntheticRun(casesPerSuite: 12, repeats: 5)
    func groups(_ isMissed: Bool, _ change: (inout HistoryEntry.CaseCount) -> Void) -> Int {
      let gates = run.gates.map { gate in
        var gate = gate
        gate.isPassed = !isMissed
        return gate
      }
      var before = HistoryEntry(
        ReportDocument(run: run.record, attempts: run.attempts, gates: gates), exitStatus: 1)
      (before.run, before.startedAt) = (before.run - 1, SyntheticHistory.time(daysBefore: 1))
      for slice in before.slices.indices {
        for number in before.slices[slice].cases.indices {
          change(&before.slices[slice].cases[number])
        }
      }
      let document = ReportDocument(
        run: run.record, attempts: run.attempts, gates: gates, history: RunHistory([before]))
      // The first line may be the conclusion.
      return GitHubAnnotations.render(document).split(separator: "\n")
        .count { $0.contains(". See: ") }
    }
    #expect(groups(true) { _ in } == 0)
    #expect(groups(true) { $0.passed = $0.made } > 0, "other test cases fail now")
    #expect(groups(false) { _ in } > 0, "the conclusion says nothing about these failures")
  }
}
