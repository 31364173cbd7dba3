import EvalRecords
import Foundation
import ResultStore
import StructuredText
import Testing

@testable import AssayCommandLine

@Suite("Logged answers become test cases and runs")
struct CaseCommandTests {
  private func lab() throws -> CommandLab {
    let lab = try CommandLab()
    try QuizSuite(repeats: 1, passRate: 0, cases: [("one", "A short text.")]).write(to: lab)
    return lab
  }

  private static let log = """
    {"input": "An owl turns its head.", "output": {"pairs": []}, "time": 3}
    {"prompt": "Ice floats on water.", "output": "{\\"pairs\\": []}"}

    """

  @Test(
    "`case add` appends a test case for each logged answer, and changes nothing else in the suite")
  func fromLog() async throws {
    let lab = try lab()
    let before = try lab.text("quiz/suite.yaml")
    try lab.write(Self.log, to: "log.jsonl")
    let added = await lab.run([
      "case", "add", lab.path("quiz"), "--from", lab.path("log.jsonl"), "--tag", "production",
    ])
    #expect(added.status == .passed, "\(added.notes)")
    let ids = added.output.split(separator: "\n").map(String.init)
    #expect(ids.count == 2 && ids.allSatisfy { $0.hasPrefix("quiz/input-") }, "\(added.output)")
    let after = try lab.text("quiz/suite.yaml")
    #expect(after.hasPrefix(before.trimmingCharacters(in: .newlines)))
    #expect(after.contains("input: \"An owl turns its head.\""), "\(after.suffix(400))")
    let run = await lab.run([
      "run", lab.path("quiz"), "-b", "stub", "--tag", "production", "--reports", lab.reports,
    ])
    #expect(run.status == .passed, "\(run.notes)")
    let attempts = try ResultStore(path: lab.database, access: .reading).attempts(run: 1)
    #expect(Set(attempts.map { "quiz/\($0.key.caseID)" }) == Set(ids))

    let again = await lab.run([
      "case", "add", lab.path("quiz"), "--from", lab.path("log.jsonl"),
    ])
    #expect(again.status == .usage)
    #expect(again.errors.count == 2)
    #expect(again.errors.first?.contains("log.jsonl:1:1: the test case `input-") == true)
    #expect(try lab.text("quiz/suite.yaml") == after, "nothing was written")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: lab.path("quiz")).sorted() == [
        "schema.json", "suite.yaml",
      ])
  }

  @Test(
    "--line selects a log line, --id sets the id, and --with-answer stores the answer for the stub")
  func oneLine() async throws {
    let lab = try lab()
    try lab.write(Self.log, to: "log.jsonl")
    let added = await lab.run([
      "case", "add", "quiz", "--suites", lab.path("quiz"), "--from", lab.path("log.jsonl"),
      "--line",
      "2", "--id", "ice", "--with-answer",
    ])
    #expect(added.status == .passed, "\(added.notes)")
    #expect(added.output == "quiz/ice\n")
    let run = await lab.run([
      "run", lab.path("quiz"), "-b", "stub", "--case", "ice", "--reports", lab.reports,
    ])
    #expect(run.status == .passed, "\(run.notes)")
    let attempts = try ResultStore(path: lab.database, access: .reading).attempts(run: 1)
    #expect(attempts.map(\.output) == ["{\"pairs\":[]}"])
    #expect(attempts.map(\.outcome) == [.fail], "the empty answer is judged")
  }

  @Test("`case add` makes a test case from a stored attempt, even from an attempt of another suite")
  func fromRun() async throws {
    let lab = try lab()
    try lab.write(Self.log, to: "log.jsonl")
    let imported = await lab.assay("import", lab.path("log.jsonl"))
    #expect(imported.status == .passed, "\(imported.notes)")
    let attempts = try ResultStore(path: lab.database, access: .reading).attempts(run: 1)
    #expect(attempts.count == 2)
    let address = try #require(attempts.first?.key.address)
    let added = await lab.assay(
      "case", "add", lab.path("quiz"), "--from", "run:1/\(address)", "--with-answer")
    #expect(added.status == .passed, "\(added.notes)")
    let text = try lab.text("quiz/suite.yaml")
    #expect(text.contains("input: \"An owl turns its head.\""))
    #expect(text.contains("stub: {\"content\":{\"pairs\":[]}}"), "\(text.suffix(300))")
  }

  @Test("`case add` adds rows to the suite's data file if it has one, even through a symbolic link")
  func dataFile() async throws {
    let lab = try lab()
    let suite = try lab.text("quiz/suite.yaml")
    let start = try #require(suite.range(of: "cases:\n"))
    try lab.write(
      String(suite[..<start.lowerBound]) + "cases: { file: rows.csv }\n", to: "quiz/suite.yaml")
    try lab.write("input,when\nA short text.,1\n", to: "data/rows.csv")
    try FileManager.default.createSymbolicLink(
      atPath: lab.path("quiz/rows.csv"), withDestinationPath: "../data/rows.csv")
    try lab.write(Self.log, to: "log.jsonl")
    let added = await lab.run([
      "case", "add", lab.path("quiz"), "--from", lab.path("log.jsonl"),
    ])
    #expect(added.status == .passed, "\(added.notes)")
    #expect(
      try lab.text("data/rows.csv")
        == "input,when\nA short text.,1\nAn owl turns its head.,\nIce floats on water.,\n")
    let ids = added.output.split(separator: "\n").map(String.init)
    #expect(ids.count == 2)
    for id in ids {
      let list = await lab.run(["list", lab.path("quiz"), "--case", id])
      #expect(list.status == .passed, "the row has the reported id: \(list.notes)")
    }
  }

  @Test(
    "each mistake in a log or an option gives one error, and leaves the suite unchanged",
    arguments: [
      (#"{"prompt": "x"}"#, [], "log.jsonl:1:1: the line has no `output`"),
      (#"{"promt": "x", "output": 1}"#, [], "neither `prompt` nor `input`, but `promt`"),
      (#"{"prompt": 3, "output": 1}"#, [], "`prompt` is not a string"),
      (#"{"input": [], "output": 1}"#, [], "`input` is neither a string nor an object"),
      (#"{"input": "a", "prompt": "b", "output": 1}"#, [], "only one of them is allowed"),
      (#"{"input": {"inptu": "a"}, "output": 1}"#, [], "the line lacks `input`, but has `inptu`"),
      (#"{"q": "a", "a": 1}"#, [], "but this one has `q` and `a`; rename the keys"),
      (#"{"input": "a", "output": "b"}"#, ["--with-answer"], "the answer is not JSON"),
      (#"{"input": "a", "output": null}"#, ["--with-answer"], "there is no answer for the stub"),
      (#"{"input": "a", "output": 1}"#, ["--line", "2"], "there is no answer in line 2"),
      (#"{"input": "a", "output": 1}"#, ["--id", "one"], "the id `one` belongs to a test case"),
      (#"{"input": "a", "output": 1}"#, ["--id", "a b"], "the test case doesn't fit the suite"),
      ("{\"input\": \"a\", \"output\": 1}\nno", [], "log.jsonl:2:1: not JSON"),
    ] as [(String, [String], String)])
  func checkMistake(log: String, options: [String], message: String) async throws {
    let lab = try lab()
    let before = try lab.text("quiz/suite.yaml")
    try lab.write(log, to: "log.jsonl")
    let ending = await lab.run(
      ["case", "add", lab.path("quiz"), "--from", lab.path("log.jsonl")] + options)
    #expect(ending.status == (options.contains("--line") ? .nothingSelected : .usage))
    #expect(ending.errors.count == 1, "\(ending.notes)")
    #expect(ending.errors.first?.contains(message) == true, "\(ending.notes)")
    #expect(try lab.text("quiz/suite.yaml") == before)
  }

  @Test("`case add` rejects a missing --from, and a suite or an attempt that doesn't exist")
  func unknown() async throws {
    let lab = try lab()
    try lab.write(Self.log, to: "log.jsonl")
    let suite = await lab.run([
      "case", "add", "quizz", "--suites", lab.path("quiz"), "--from", lab.path("log.jsonl"),
    ])
    #expect(suite.status == .usage)
    #expect(suite.errors.first?.hasSuffix("did you mean quiz?") == true, "\(suite.notes)")
    let source = await lab.run(["case", "add", lab.path("quiz")])
    #expect(source.errors.first?.hasPrefix("--from is missing") == true)
    _ = await lab.assay("run", lab.path("quiz"), "-b", "stub")
    let attempt = await lab.assay("case", "add", lab.path("quiz"), "--from", "run:1/quiz/none#0")
    #expect(attempt.status == .nothingSelected, "\(attempt.notes)")
  }

  @Test("import judges the answers in a log, and finds their test cases by prompt or by input")
  func importLog() async throws {
    let lab = try lab()
    let pair = #"{"question":"?","answer":"."}"#
    try lab.write(
      """
      {"input": "A short text.", "output": {"pairs": [\(pair), \(pair), \(pair)]}}
      {"prompt": " A short text.\\n", "output": "{\\"pairs\\": []}"}
      {"input": {"input": "A short text."}, "output": null}
      {"prompt": "A short text.", "output": "I can't help with that."}
      {"input": "Another one.", "output": {"pairs": []}}
      """, to: "log.jsonl")
    let ending = await lab.assay(
      "import", lab.path("log.jsonl"), "--suites", lab.path("quiz"), "--label", "week 47")
    #expect(ending.status == .passed, "\(ending.notes)")
    #expect(
      ending.notes.contains(
        "log.jsonl:5:1: no test case has this prompt or input, so the answer is left out"))
    let store = try ResultStore(path: lab.database, access: .reading)
    let attempts = try store.attempts(run: 1)
    #expect(attempts.map(\.outcome) == [.pass, .fail, .fail, .fail])
    #expect(attempts.map(\.key.address) == (0..<4).map { "quiz/one#\($0)" })
    #expect(attempts[2].failure?.kind == .noAnswer)
  }
}
