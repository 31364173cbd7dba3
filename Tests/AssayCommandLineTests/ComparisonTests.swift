import Foundation
import StructuredText
import Testing

@testable import AssayCommandLine

@Suite("assay compare")
struct ComparisonTests {
  @Test("`assay compare` finds the regression that one edited guide causes in the toy model")
  func toyVariants() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 1, cases: QuizSuite.shortPassages).write(to: lab)
    let ending = await lab.assay(
      "compare", "quiz:default", "quiz:silent", "--suites", lab.path("quiz"), "-m",
      Checkout.model, "--trace", "none", "--format", "json")
    #expect(ending.status == .failed, "\(ending.notes)")
    let result = try JSONValue(parsing: ending.output)
    let comparisons = try #require(result["comparisons"]?.array)
    #expect(comparisons.count == 1)
    #expect(comparisons.first?["verdict"]?.string == "regressed")
    let effects = comparisons.first?["effects"]?.array ?? []
    let fewer = effects.first {
      $0["quantity"] == ["kind": "shortArray", "minimum": 3, "path": "$.pairs"]
    }
    // It depends on sampled text, so at one repeat, it can only be suspected; the pass rate
    // decides.
    #expect(fewer?["verdict"]?.string == "inconclusive", "\(ending.output)")
    #expect((fewer?["change"]?.double ?? 0) > 0.2)
  }

  @Test("`assay compare` shows no regression between two variants with identical guides")
  func sameWords() async throws {
    let lab = try CommandLab()
    try QuizSuite(stub: QuizSuite.sometimesEmpty).write(to: lab)
    let ending = await lab.assay(
      "compare", "quiz:default", "quiz:same", "--suites", lab.path("quiz"), "-b", "stub")
    #expect(ending.status == .passed, "\(ending.output)\(ending.notes)")
    #expect(!ending.output.contains("egressed"))
  }

  @Test("`assay compare` rejects a variant that doesn't exist, and suggests the nearest name")
  func unknownVariant() async throws {
    let lab = try CommandLab()
    try QuizSuite().write(to: lab)
    let ending = await lab.assay(
      "compare", "quiz:default", "quiz:silnet", "--suites", lab.path("quiz"), "-b", "stub")
    #expect(ending.status == .nothingSelected)
    #expect(ending.errors.count == 1)
    #expect(ending.errors.first?.contains("did you mean `quiz:silent`?") == true)
    #expect(!lab.has("reports"))
  }

  @Test("`assay compare 1 2` compares the stored runs 1 and 2")
  func compareRuns() async throws {
    let lab = try CommandLab()
    let run = ["run", lab.path("quiz"), "-b", "stub", "--reports", lab.reports]
    try QuizSuite().write(to: lab)
    #expect(await lab.run(run).status == .passed)
    try QuizSuite(guide: "The cards.", stub: QuizSuite.sometimesEmpty).write(to: lab)
    #expect(await lab.run(run).status == .passed)
    let worse = await lab.assay("compare", "1", "2")
    #expect(worse.status == .failed, "\(worse.notes)")
    #expect(worse.output.contains("✗ Regressed."))
    #expect(worse.output.contains("empty $.pairs"))
    let better = await lab.assay("compare", "2", "1")
    #expect(better.status == .passed, "\(better.output)")
    #expect(!better.output.contains("Regressed"))
    let same = await lab.assay("compare", "1", "1")
    #expect(same.status == .passed)
  }

  @Test("all reports of two stored runs name the suites that only one of them has")
  func otherSuites() async throws {
    let lab = try CommandLab()
    let run = ["run", lab.path("evals"), "-b", "stub", "--reports", lab.reports]
    func write(_ id: String, bad: Int) throws {
      let text = WordSuite(bad: bad).text.replacing("suite: words", with: "suite: \(id)")
      try lab.write(text, to: "evals/\(id)/suite.yaml")
      try lab.write(WordSuite.schema, to: "evals/\(id)/schema.json")
    }
    try write("kept", bad: 0)
    try write("gone", bad: 0)
    #expect(await lab.run(run).status == .passed)
    try lab.remove("evals/gone/suite.yaml")
    try write("added", bad: 10)
    #expect(await lab.run(run).status == .passed)
    let ending = await lab.assay("compare", "1", "2")
    #expect(ending.status == .passed, "\(ending.notes)")
    let words = "the suite gone of the baseline, the suite added of the candidate."
    for text in [
      ending.output, try lab.text("reports/latest/summary.md"),
      try lab.text("reports/latest/junit.xml"), try lab.text("reports/latest/report.html"),
    ] {
      #expect(text.contains(words), "\(text.prefix(2_000))")
    }
    #expect(ending.output.contains("Nothing clearly changed. 20 of 20 attempts"))
    let named = await lab.assay("compare", "1", "kept:default")
    #expect(!named.output.contains("Left out"), "a side names the suite to compare")
  }

  @Test(
    "a comparison says how often a test case counts, if the answers of only some test cases vary",
    arguments: [true, false])
  func unevenDraws(varies: Bool) async throws {
    let lab = try CommandLab()
    func write(isWorse: Bool) throws {
      let cases = (0..<20).map { index in
        let bad = isWorse && index.isMultiple(of: 3)
        let words = (0..<5).map { !bad || varies && $0 < 4 ? "ok" : "no" }
        let answers = words.map { "{ content: { x: \($0), list: [] } }" }.joined(separator: ", ")
        return "  - { id: c\(index), input: \"\(index).\", stub: { sequence: [\(answers)] } }"
      }
      let text = WordSuite(passRate: 0).text
      let head = text.prefix(upTo: try #require(text.range(of: "cases:")).upperBound)
      try lab.write(
        "repeats: 5\n\(head)\n\(cases.joined(separator: "\n"))\n", to: "words/suite.yaml")
      try lab.write(WordSuite.schema, to: "words/schema.json")
    }
    for isWorse in [false, true] {
      try write(isWorse: isWorse)
      _ = await lab.run(["run", lab.path("words"), "-b", "stub", "--reports", lab.reports])
    }
    let ending = await lab.assay("compare", "1", "2")
    let count = varies ? 48 : 20
    #expect(
      ending.output.contains(
        "The comparison includes \(count) of the 100 attempts, because the others are copies of "
          + (varies
            ? "them: a test case counts once if all its answers are alike, and once" : "them. ")),
      "\(ending.output)\(ending.notes)")
  }

  @Test("`assay compare` ends with status 3 if the backend failed in every attempt")
  func nothingRan() async throws {
    let lab = try CommandLab()
    try QuizSuite(stub: "  fault: error").write(to: lab)
    let ending = await lab.assay(
      "compare", "quiz:default", "quiz:same", "--suites", lab.path("quiz"), "-b", "stub")
    #expect(ending.status == .cannotRun, "\(ending.output)")
    #expect(ending.output.contains("so the comparison says too little about the model"))
    let stored = await lab.assay("report", "1")
    #expect(stored.status == .cannotRun, "\(stored.output)")
  }
}
