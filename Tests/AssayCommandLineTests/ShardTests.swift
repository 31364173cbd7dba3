import EvalRecords
import Foundation
import ResultStore
import Testing

@testable import AssayCommandLine

@Suite("Empty shards, placeholders, and locations of failures")
struct ShardTests {
  @Test("a shard without test cases passes, and its database can be merged with the others")
  func emptyShare() async throws {
    let lab = try CommandLab()
    var suite = QuizSuite(repeats: 1)
    suite.cases = Array(suite.cases.prefix(2))
    try suite.write(to: lab)
    var databases: [String] = []
    var empty = 0
    for shard in 1...4 {
      let folder = lab.path("shard\(shard)")
      let ending = await lab.run([
        "run", lab.path("quiz"), "-b", "stub", "--shard", "\(shard)/4", "--reports", folder,
      ])
      #expect(ending.status == .passed, "\(ending.notes)")
      databases.append("\(folder)/results.sqlite")
      let store = try ResultStore(path: "\(folder)/results.sqlite", access: .reading)
      if try store.attempts(run: 1).isEmpty { empty += 1 }
    }
    #expect(empty >= 2)
    let merged = await lab.run(["merge"] + databases + ["--reports", lab.path("merged")])
    #expect(merged.status == .passed, "\(merged.notes)")
    let store = try ResultStore(path: lab.path("merged/results.sqlite"), access: .reading)
    #expect(try store.attempts(run: 1).count == 2)
    #expect(try store.run(1).status == .complete)

    // A shard may be empty, but `--case` must select a test case.
    let none = await lab.run(["run", lab.path("quiz"), "-b", "stub", "--case", "nobody"])
    #expect(none.status == .nothingSelected)
  }

  /// Edits between two shards of test cases that are in neither or only one of them.
  static let edits: [(name: String, words: String?, edit: @Sendable (String) -> String)] = [
    ("nothing", nil, { $0 }),
    ("a comment", nil, { $0 + "# A comment.\n" }),
    ("the stub's answers", "stub's answers", { $0.replacing("x: \"ok\"", with: "x: \"-\"") }),
    ("an input", "inputs", { $0.replacing("Text 0.", with: "Another text.") }),
    ("all inputs", "inputs", { $0.replacing("Text", with: "Another text") }),
    (
      "an expectation in a variable", "of suite judged",
      { text in
        guard let first = text.range(of: "want: ok") else { return text }
        return text.replacingCharacters(in: first, with: "want: fine")
      }
    ),
  ]

  @Test("shards between which the suite was edited can't be merged", arguments: edits.indices)
  func checkEdit(_ index: Int) async throws {
    let (name, words, edit) = Self.edits[index]
    let lab = try CommandLab()
    var suite = JudgedSuite()
    suite.assertions[1] = "{ name: is ok, equals: { path: $.x, variable: want } }"
    suite.ownRules = [String](repeating: "want: ok", count: 20)
    for shard in 1...2 {
      try suite.write(to: lab)
      if shard == 2 { try lab.write(edit(suite.text), to: "judged/suite.yaml") }
      let ending = await JudgedSuite.run(
        lab, "--shard", "\(shard)/2", "--database", lab.path("\(shard).sqlite"))
      #expect(ending.status != .usage, "\(ending.notes)")
    }
    let merged = await lab.assay("merge", lab.path("1.sqlite"), lab.path("2.sqlite"))
    #expect(merged.status == (words == nil ? .passed : .usage), "\(name): \(merged.output)")
    if let words {
      #expect(merged.errors.first?.contains(words) == true, "\(name): \(merged.notes)")
    }
  }

  @Test(
    "merged shards are equal to an undivided run, whatever a single test case sets itself",
    arguments: [
      "gate: { passRate: 0.5 }", "threshold: 0.5", "options: { temperature: 0.1 }", "repeats: 6",
      "repeats: 1", "aliases: [ old ]",
    ], [[], ["-r", "2"], ["--fresh", "1", "--fresh-seed", "3"]])
  func checkOwnSettings(own: String, options: [String]) async throws {
    let lab = try CommandLab()
    try lab.write(
      """
      suite: own
      generates: { inline: { type: string } }
      repeats: 2
      options: { temperature: 0.7 }
      gate: { passRate: 0 }
      assertions: [ { equals: { path: $, value: x } } ]
      stub: { sequence: [ { content: x }, { content: y } ] }
      cases:
        - { id: a, input: a }
        - { id: b, input: b, \(own) }
        - { id: c, input: c }
        - { id: d, input: d }

      """, to: "own/suite.yaml")
    func run(_ folder: String, _ more: [String]) async {
      let ending = await lab.run(
        ["run", lab.path("own"), "-b", "stub", "--reports", lab.path(folder)] + more + options)
      #expect(ending.status == .passed, "\(ending.notes)")
    }
    await run("whole", [])
    for shard in 1...2 { await run("shard\(shard)", ["--shard", "\(shard)/2"]) }
    let databases = (1...2).map { lab.path("shard\($0)/results.sqlite") }
    let merged = await lab.run(["merge"] + databases + ["--reports", lab.path("merged")])
    #expect(merged.status == .passed, "\(merged.notes)")
    let stores = try ["whole", "merged"].map {
      try ResultStore(path: lab.path("\($0)/results.sqlite"), access: .reading)
    }
    #expect(try stores[0].run(1).suites == stores[1].run(1).suites)
    let attempts = try stores.map { store in
      try store.attempts(run: 1).map { "\($0.key.address) \($0.seed) \($0.outcome)" }.sorted()
    }
    #expect(attempts[0] == attempts[1])
    for shard in 1...2 {
      let part = try ResultStore(path: databases[shard - 1], access: .reading).attempts(run: 1)
      #expect(!part.isEmpty && part.count < attempts[0].count)
    }
  }

  @Test("lint, and runs on a model, warn about inputs from `assay init` that nobody replaced")
  func placeholders() async throws {
    let lab = try CommandLab()
    var suite = QuizSuite(repeats: 1)
    suite.cases = [
      ("a", "Write an input here for which there are pairs."), ("b", "A real input."),
      ("c", "Write here an input for which there are none."),
    ]
    try suite.write(to: lab)
    let words = "`a` and 1 more test case still have the input that `assay init` wrote"
    #expect(await lab.run(["lint", lab.path("quiz")]).notes.contains(words))
    #expect(!(await lab.assay("run", lab.path("quiz"), "-b", "stub").notes.contains(words)))
    let ending = await lab.assay(
      "run", lab.path("quiz"), "-m", Checkout.model, "--case", "a", "--case", "c", "-r", "1")
    #expect(ending.notes.contains(words), "\(ending.notes)")
  }

  @Test("annotations and GitLab's JUnit give the suite file's path; annotations also give the line")
  func repositoryPaths() async throws {
    let lab = try CommandLab()
    try lab.write("ref: refs/heads/main\n", to: ".git/HEAD")
    var suite = QuizSuite(repeats: 1)
    suite.stub = "  content: { pairs: [] }"
    suite.cases = Array(suite.cases.prefix(2))
    try suite.write(to: lab, folder: "evals/quiz")
    let lines = suite.text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = try #require(lines.firstIndex { $0.contains("case-1") }) + 1
    for (gate, word) in [(0.5, "error"), (0, "warning")] {
      suite.passRate = gate
      try lab.write(suite.text, to: "evals/quiz/suite.yaml")
      let ending = await lab.run([
        "run", lab.path("evals/quiz"), "-b", "stub", "--annotations", "github",
        "--junit-dialect", "gitlab", "--reports", lab.reports,
      ])
      #expect(
        ending.notes.contains("::\(word) file=evals/quiz/suite.yaml,line=\(line),title="),
        "\(ending.notes)")
      #expect(
        ending.notes.contains("assay show quiz/case-1#0 --run "), "the command isn't cut")
      #expect(ending.notes.contains("--reports \(lab.reports)"))
      #expect(
        try lab.text("reports/latest/junit.xml").contains(#"file="evals/quiz/suite.yaml""#))
    }
  }

  @Test("the names of the properties in a JUnit file are unique")
  func propertyNames() async throws {
    let lab = try CommandLab()
    var other = QuizSuite(repeats: 1)
    try other.write(to: lab, folder: "evals/quiz")
    other.cases = Array(other.cases.prefix(1))
    try lab.write(
      other.text.replacing("suite: quiz", with: "suite: other"), to: "evals/b/suite.yaml")
    try lab.write(other.schema, to: "evals/b/schema.json")
    #expect(await lab.assay("run", lab.path("evals"), "-b", "stub").status == .passed)
    let junit = try lab.text("reports/latest/junit.xml")
    let names = junit.matches(of: /<property name="([^"]*)"/).map { String($0.1) }
    #expect(names.count > 20)
    #expect(Set(names).count == names.count)
  }
}
