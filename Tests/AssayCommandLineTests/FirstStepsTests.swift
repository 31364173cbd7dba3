import EvalRecords
import Foundation
import ResultStore
import Testing

@testable import AssayCommandLine

@Suite("First steps and near misses")
struct FirstStepsTests {
  private func lab() throws -> CommandLab {
    let lab = try CommandLab()
    try QuizSuite(repeats: 1, passRate: 0, cases: [("owl", "An owl."), ("ice", "Some ice.")])
      .write(to: lab)
    return lab
  }

  @Test(
    "a model that can't be a file suggests the backend",
    arguments: [
      ("gpt-4o", "for a model on a server, use --backend (-b openai:gpt-4o)"),
      ("claude-sonnet-4", "(-b anthropic:claude-sonnet-4)"),
      ("openai:gpt-4o", "(-b openai:gpt-4o)"), ("llama3.2:3b", "(-b ollama:llama3.2:3b)"),
      ("quiet-model", "give the path of a GGUF file"),
    ])
  func servedModel(name: String, hint: String) async throws {
    let lab = try lab()
    let ending = await lab.run(
      ["list", lab.path("quiz"), "-m", name], environment: ["HOME": lab.folder])
    #expect(ending.status == .usage)
    #expect(ending.errors.first?.contains(hint) == true, "\(ending.notes)")
  }

  @Test(
    "a missing file and a folder are named as what they are",
    arguments: [
      ["schema", "outline"], ["init"], ["import"], ["case", "add", "quiz", "--from"],
    ])
  func missingFiles(command: [String]) async throws {
    let lab = try lab()
    let words = command.map { $0 == "quiz" ? lab.path("quiz") : $0 }
    for (name, reason) in [
      ("nope.json", "there is no such file"), ("quiz", "this is a folder; a file is expected"),
    ] {
      let ending = await lab.run(words + [lab.path(name)])
      #expect(ending.status == .usage)
      #expect(ending.errors == ["\(lab.path(name)): \(reason)"])
    }
  }

  @Test("`show` ends with the outcome, and says nothing about the speed of a recorded answer")
  func shownAttempt() async throws {
    let lab = try lab()
    let log = """
      {"input": "An owl.", "output": {"pairs": []}}
      {"input": "Some ice.", "output": {"pairs": []}}
      """
    try lab.write(log, to: "log.jsonl")
    let imported = await lab.assay(
      "import", lab.path("log.jsonl"), "--suites", lab.path("quiz"))
    #expect(imported.status == .passed, "\(imported.notes)")
    let shown = await lab.assay("show", "quiz/owl")
    #expect(shown.output.hasSuffix("\n\n✗ fail: 1 of 1 assertion failed\n"), "\(shown.output)")
    for word in [" s,", "pressure", "seed", "trace"] { #expect(!shown.output.contains(word)) }
    #expect(await lab.assay("run", lab.path("quiz"), "-b", "stub").status == .passed)
    let passed = await lab.assay("show", "quiz/owl")
    #expect(passed.output.hasSuffix("\n\n✓ pass\n"), "\(passed.output)")
  }

  @Test("decoding steps are folded into a line unless --trace shows them and their columns")
  func foldedSteps() async throws {
    let lab = try lab()
    let ran = await lab.assay(
      "run", lab.path("quiz"), "-m", Checkout.model, "--case", "owl", "--trace", "all")
    #expect(ran.status == .passed, "\(ran.notes)")
    let folded = await lab.assay("show", "quiz/owl")
    let whole = await lab.assay("show", "quiz/owl", "--trace")
    #expect(folded.output.contains("of them forced; --trace shows them"))
    #expect(!folded.output.contains("legal"))
    #expect(whole.output.contains("legal: the number of tokens that the mask allows"))
    #expect(folded.output.count < whole.output.count)
    #expect(folded.output.split(separator: "\n").last == whole.output.split(separator: "\n").last)
  }

  @Test("trends and the newest run of a branch leave out parts, and keep variants apart")
  func partsAndVariants() async throws {
    let lab = try lab()
    let on = ["GITHUB_REF_NAME": "main"]
    try lab.write("ref: refs/heads/main\n", to: ".git/HEAD")
    for extra in [[], ["--variant", "same"], [], ["--case", "owl"]] {
      let ran = await lab.run(
        ["run", lab.path("quiz"), "-b", "stub", "--reports", lab.reports] + extra, environment: on)
      #expect(ran.status == .passed, "\(ran.notes)")
    }
    let trends = await lab.assay("history", "trends")
    let rows = trends.output.split(separator: "\n").map(String.init)
    #expect(rows.count == 5, "\(trends.output)")
    #expect(rows[2].contains("default") && rows[2].contains(" 2 "))
    #expect(rows[3].contains("same") && rows[3].contains(" 1 "))
    #expect(rows[4] == "left out: 1 run of some test cases, comparisons of variants or labs")
    let compared = await lab.assay("compare", "main", "3")
    #expect(compared.output.contains("run 1 of branch main"), "\(compared.output)")
  }

  @Test("`case add` takes expected values beside the input, and names the ones that are missing")
  func expectedValues() async throws {
    let lab = try CommandLab()
    let suite = """
      suite: receipt
      generates: { inline: { type: object, properties: { total: { type: number } }, required: [total] } }
      prompt: "{{text}} in {{language}}"
      assertions: [{ equals: { path: $.total, variable: total } }]
      cases:
        - { id: a, text: One., language: en, total: 1 }

      """
    try lab.write(suite, to: "r/suite.yaml")
    for (line, problem) in [
      (#"{"input": "Two.", "language": "en", "total": 2, "user": 7, "output": {}}"#, nil),
      (#"{"prompt": "Three. in en", "total": 3, "output": {}}"#, nil),
      (#"{"input": {"text": "Four.", "language": "en", "total": 4}, "output": {}}"#, nil),
      (
        #"{"input": "Five.", "language": "en", "totl": 5, "output": {}}"#,
        "the line lacks `total`, but has `totl`; the suite `receipt` compares answers with it; add"
      ),
      (
        #"{"input": {"text": "Six."}, "output": {}}"#,
        "the line lacks `language` and `total`; the suite `receipt` uses them; add the values to"
      ),
    ] as [(String, String?)] {
      try lab.write(line, to: "log.jsonl")
      let before = try lab.text("r/suite.yaml")
      let ending = await lab.run(
        ["case", "add", lab.path("r"), "--from", lab.path("log.jsonl")])
      #expect(ending.status == (problem == nil ? .passed : .usage), "\(ending.notes)")
      #expect((try lab.text("r/suite.yaml") == before) == (problem != nil))
      if let problem { #expect(ending.errors.first?.contains(problem) == true, "\(ending.notes)") }
    }
    #expect(try lab.text("r/suite.yaml").contains("total: 3"))
    try lab.write(
      #"{"input": "One.", "language": "en", "total": 9, "output": {"total": 1}}"#, to: "log.jsonl")
    let imported = await lab.assay(
      "import", lab.path("log.jsonl"), "--suites", lab.path("r"), "--allow-missing")
    #expect(
      imported.notes.contains(
        "log.jsonl:1:1: `total` is 9, but the test case receipt/a expects 1, which counts"),
      "\(imported.notes)")
  }

  @Test("`schema suite` and `schema project` print the schemas for editors")
  func editorSchemas() async throws {
    let lab = try CommandLab()
    for (name, file) in [("suite", "suite.schema.json"), ("project", "assay.schema.json")] {
      let ending = await lab.run(["schema", name])
      let kept = Checkout.suites.appendingPathComponent(file)
      #expect(try ending.output == String(contentsOf: kept, encoding: .utf8))
    }
    #expect(await lab.run(["schema", "suite", "x.json"]).status == .usage)
    #expect(await lab.run(["schema", "outline"]).status == .usage)
  }
}
