import EvalRecords
import EvalStatistics
import Testing

@testable import EvalFindings
@testable import EvalReports

@Suite("Report document")
struct DocumentTests {
  @Test(
    "each kind of number is written in its own format",
    arguments: [
      (NumberText.fixed(-0.04, 1), "0.0"), (NumberText.fixed(-7.46, 1), "−7.5"),
      (NumberText.fixed(.nan, 1), "–"), (NumberText.fixed(1e300, 1), "–"),
      (NumberText.plain(0.0005, 3), "0.001"), (NumberText.plain(-12, 0), "-12"),
      (NumberText.grouped(1_234_567), "1,234,567"), (NumberText.grouped(-1000), "−1,000"),
      (NumberText.grouped(.min), "−9,223,372,036,854,775,808"),
      (NumberText.rate(0, of: 0), "–"), (NumberText.rate(9999, of: 10_000), "> 99.9\u{A0}%"),
      (NumberText.rate(1, of: 10_000), "< 0.1\u{A0}%"), (NumberText.rate(5, of: 5), "100.0\u{A0}%"),
      (NumberText.points(0.0004), "±0.0"), (NumberText.points(0.005), "+0.5"),
      (NumberText.pValue(0), "< 0.001"), (NumberText.pValue(0.0491), "0.049"),
      (NumberText.pValue(1), "1"), (NumberText.pValue(nil), "–"),
      (NumberText.duration(0.107), "107\u{A0}ms"),
      (NumberText.duration(664), "11\u{A0}min 04\u{A0}s"),
      (NumberText.interval(0.892, 1), "89.2–100"),
    ])
  func numbers(written: String, expected: String) { #expect(written == expected) }

  @Test(
    "joined, the parts of a word-by-word diff give the whole old text and the whole new text",
    arguments: [
      ("", ""), ("a", ""), ("", "a b"), ("3 to 8 cards", "some cards"),
      (SyntheticRun.guide, SyntheticRun.shortGuide), ("a b c d", "a x c y d"), (" a", "a "),
      ("Slip, Other", "Slip"), ("0.5, and.", "0.5."),
    ])
  func wordDifference(old: String, new: String) {
    let parts = WordDifference(from: old, to: new).parts
    func text(_ keep: (WordDifference.Part) -> String) -> String { parts.map(keep).joined() }
    #expect(
      text {
        switch $0 {
        case .same(let text), .removed(let text): text
        case .added: ""
        }
      } == old)
    #expect(
      text {
        switch $0 {
        case .same(let text), .added(let text): text
        case .removed: ""
        }
      } == new)
  }

  @Test("punctuation at the end of a word doesn't make it a different word")
  func marksOfWords() {
    #expect(
      WordDifference(from: "Slip, Progress, Unclear", to: "Slip, Progress").parts
        == [.same("Slip, Progress"), .removed(", Unclear")])
  }

  @Test("the counts of array lengths, branches and failure clusters match the attempts")
  func counts() throws {
    let run = SyntheticRun(casesPerSuite: 9, repeats: 10, keepsTraces: false)
    let summary = run.document.summary
    let cards = run.attempts.filter { $0.key.suite == "flashcards" && $0.outcome != .error }
    let empty = cards.count { $0.output == "{\"cards\":[]}" }
    #expect(empty > 0)
    #expect(summary.lengths.reduce(0) { $0 + $1.empty } == empty)
    #expect(summary.lengths.reduce(0) { $0 + $1.total } == cards.count)
    #expect(Set(summary.lengths.map(\.inputClass)).count == 3)
    #expect(summary.lengths.allSatisfy { $0.minimum == 3 && $0.maximum == 8 })
    let confusion = try #require(summary.confusions.first)
    let notes = run.attempts.filter { $0.key.suite == "session-insight" }
    #expect(confusion.total == notes.count, "errors stay in the denominator")
    #expect(confusion.wrong == notes.count { $0.outcome == .fail })
    #expect(confusion.outBranch.map { confusion.branches[$0] } == "unclear")
    #expect(
      summary.clusters.reduce(0) { $0 + $1.attempts.count }
        == run.attempts.count { $0.outcome != .pass })
  }

  @Test("Assay averages a decision within each test case first, and then over the test cases")
  func decisionMeans() throws {
    func attempt(
      _ id: String, _ index: Int, _ share: Double, unresolved: Double = 0
    ) -> AttemptRecord {
      AttemptRecord(
        key: AttemptKey(
          suite: "s", variant: "v", backend: "b", caseID: id, repeatIndex: index),
        seed: 1, outcome: .pass, stopReason: .complete,
        decisions: [
          DecisionRecord(
            kind: .array, path: "$.cards", index: 0,
            options: [
              OptionProbability(.element, raw: 0, masked: 0, sampled: 1 - share),
              OptionProbability(.end, raw: 0, masked: 0, sampled: share),
            ], chosen: .element, step: 0, unresolved: unresolved)
        ])
    }
    // Test case a has 0.9 three times and test case b has 0.1 once, so the mean over test cases is
    // 0.5, not 0.7. The mean leaves out the decision with 0.82 unresolved.
    let attempts = [
      attempt("a", 0, 0.9), attempt("a", 1, 0.9), attempt("a", 2, 0.9), attempt("b", 0, 0.1),
      attempt("b", 1, 1, unresolved: 0.82),
    ]
    let document = ReportDocument(
      run: SyntheticRun(casesPerSuite: 0).record, attempts: attempts)
    let summary = try #require(document.summary.decisions.first)
    #expect(summary.count == 5 && summary.unresolvedCount == 1)
    let rows = summary.rows
    #expect(rows.count == 1)
    #expect(abs(rows[0].sampled - 0.5) < 1e-12)
    #expect(rows[0].cases == 2 && rows[0].attempts == 4)
    #expect(rows[0].lowest == 0.1 && abs(rows[0].highest - 0.9) < 1e-12)
  }

  @Test("quantiles follow definition 7 of Hyndman and Fan")
  func quantiles() {
    let quantiles = Quantiles((1...11).map(Double.init).shuffled())
    #expect(quantiles.p50 == 6)
    #expect(quantiles.p25 == 3.5 && quantiles.p75 == 8.5)
    #expect(abs(quantiles.p5 - 1.5) < 1e-12 && abs(quantiles.p95 - 10.5) < 1e-12)
    #expect(Quantiles([.nan]).count == 0)
  }

  @Test("earlier rates come from the comparison's other variant or, if it has none, the baseline")
  func counterparts() throws {
    let document = SyntheticRun.comparison
    let naive = SliceKey(suite: "flashcards", variant: "naive", backend: "local")
    let bounded = SliceKey(suite: "flashcards", variant: "bounded", backend: "local")
    #expect(document.before(naive)?.key == bounded)
    #expect(document.before(bounded) == nil)
    #expect(document.judgedSlices.map(\.key) == [naive])
    let lengths = try #require(document.summary.lengths.first { $0.slice == naive })
    #expect(document.lengthsBefore(lengths)?.allSatisfy { $0.slice == bounded } == true)

    var earlier = SyntheticRun(casesPerSuite: 4, repeats: 2)
    earlier.id = 213
    let tonight = SyntheticRun(casesPerSuite: 4, repeats: 2)
    let nightly = ReportDocument(
      run: tonight.record, attempts: tonight.attempts, gates: tonight.gates,
      baseline: (earlier.record, earlier.attempts))
    let menu = SliceKey(suite: "menu", variant: "default", backend: "local")
    #expect(nightly.before(menu)?.tally.attempts == 8)
    #expect(nightly.judgedSlices.count == 5)
    #expect(SyntheticRun(casesPerSuite: 1, repeats: 1).document.before(menu) == nil)
  }

  @Test("a backend that is missing from the baseline has no earlier rates")
  func missingBackend() {
    let earlier = SyntheticRun(casesPerSuite: 4, repeats: 2)
    var tonight = earlier
    tonight.backends.append(SyntheticRun.stub)
    let document = ReportDocument(
      run: tonight.record, attempts: tonight.attempts, gates: tonight.gates,
      baseline: (earlier.record, earlier.attempts)
    )
    let rates = document.rates
    for lengths in document.summary.lengths {
      #expect((document.lengthsBefore(lengths) == nil) == (lengths.slice.backend == "stub"))
    }
    let arrays = rates.filter { row in
      switch row.quantity {
      case .emptyArray, .arrayLength: true
      default: false
      }
    }
    #expect(Set(arrays.compactMap(\.slice?.backend)) == ["local", "stub"])
    for row in arrays {
      #expect((row.before == nil) == (row.slice?.backend == "stub"), "\(row.name), \(row.scope)")
    }
  }
}
