import EvalRecords
import EvalSuites
import Foundation
import ResultStore
import Testing

@testable import AssayCommandLine

@Suite("Assay rejects unusable files, folders and names, and says why")
struct RefusalTests {
  /// Creates a lab with a suite that passes on the stub.
  private func lab() throws -> CommandLab {
    let lab = try CommandLab()
    try QuizSuite(repeats: 1, cases: [("apple", "On apples."), ("pear", "On pears.")]).write(
      to: lab)
    return lab
  }

  /// Checks that a run ends with the given status, and with one error that contains all the words.
  private func check(
    _ lab: CommandLab, _ options: [String], _ status: AssayCommandLine.ExitStatus,
    _ words: [String],
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) async {
    let ending = await lab.run(["run", lab.path("quiz")] + options)
    #expect(ending.status == status, "\(ending.notes)", sourceLocation: sourceLocation)
    #expect(ending.errors.count == 1, "\(ending.notes)", sourceLocation: sourceLocation)
    for word in words {
      #expect(
        ending.errors.first?.contains(word) == true, "\(word) in: \(ending.notes)",
        sourceLocation: sourceLocation)
    }
  }

  // MARK: Models

  @Test("Assay rejects a model file that is missing, incomplete or of the wrong kind, and says why")
  func models() async throws {
    let lab = try lab()
    let whole = try Data(contentsOf: URL(fileURLWithPath: Checkout.model))
    try lab.write(whole.prefix(whole.count / 2), to: "cut.gguf")
    try lab.write(whole.prefix(3), to: "tiny.gguf")
    try lab.write(Data(), to: "empty.gguf")
    try lab.write(String(repeating: "no model ", count: 20), to: "text.gguf")
    var wrongVersion = whole
    wrongVersion[wrongVersion.startIndex + 4] = 99
    try lab.write(wrongVersion, to: "version.gguf")
    let rows = [
      ("missing.gguf", "there is no such file"), ("cut.gguf", "ends too early"),
      ("tiny.gguf", "ends too early"), ("empty.gguf", "ends too early"),
      ("text.gguf", "GGUF"), ("version.gguf", "99"),
      ("quiz", "it is a folder; name a GGUF file (the folder has none)"),
    ]
    for (name, reason) in rows {
      let path = lab.path(name)
      await check(
        lab, ["--model", path, "--reports", lab.reports], .cannotRun, ["\(path): ", reason])
      let doctor = await lab.run(["doctor", "--model", path])
      #expect(doctor.status == .cannotRun)
      #expect(doctor.errors.count == 1)
      #expect(doctor.errors.first?.contains(reason) == true, "\(doctor.notes)")
    }
    #expect(!lab.has("reports"), "nothing is written if nothing ran")
  }

  @Test("a run on a local model rejects a schema with a part that no value meets, before it begins")
  func impossibleSchema() async throws {
    let lab = try CommandLab()
    try lab.write(
      """
      { "suite": "odd", "prompt": "{{input}}", "cases": [{ "id": "a", "input": "A" }],
        "assertions": [{ "present": { "path": "$.a" } }],
        "generates": { "inline": { "title": "Odd", "type": "object",
          "properties": { "a": { "type": "boolean" },
            "n": { "type": "integer", "multipleOf": 7, "minimum": 8, "maximum": 13 } },
          "required": ["a"], "additionalProperties": false } } }
      """, to: "odd/suite.json")
    let ending = await lab.run(
      ["run", lab.path("odd"), "--model", Checkout.model, "--reports", lab.reports])
    #expect(ending.status == .usage, "\(ending.notes)")
    #expect(
      ending.errors == [
        "odd:default: the backend `local` can't enforce the schema: $.n: no value is left between "
          + "minimum 8 and maximum 13; leave the variant out, or choose another backend"
      ])
  }

  @Test("each command refuses a suite whose schema has a pattern that Assay can't compile")
  func unusablePattern() async throws {
    let lab = try CommandLab()
    try lab.write(
      #"""
      { "suite": "odd", "prompt": "{{input}}", "cases": [{ "id": "a", "input": "A" }],
        "assertions": [{ "present": { "path": "$.a" } }], "stub": { "content": { "a": "1" } },
        "generates": { "inline": { "title": "Odd", "type": "object", "required": ["a"],
          "properties": { "a": { "type": "string", "pattern": "(x)\\1" } } } } }
      """#, to: "odd/suite.json")
    try lab.write(#"{"input":"A","output":{"a":"1"}}"#, to: "log.jsonl")
    let (path, reports) = (lab.path("odd"), ["--reports", lab.reports])
    for words in [
      ["run", path, "-b", "stub"] + reports, ["run", path, "-b", "exec:cat"] + reports,
      ["run", path, "--model", Checkout.model] + reports, ["list", path],
      ["import", lab.path("log.jsonl"), "--suites", path] + reports,
    ] {
      let ending = await lab.run(words)
      #expect(ending.status == .usage, "\(words): \(ending.notes)")
      #expect(
        ending.errors == [
          "\(path)/suite.json:4:57: `pattern` can't be enforced: \"(x)\\1\": character 4: "
            + "back-references are not supported (at #/properties/a/pattern)"
        ], "\(words): \(ending.notes)")
    }
    #expect(!lab.has("reports/results.sqlite"))
  }

  @Test("an imported answer doesn't pass if Assay can't compile a pattern of its schema")
  func unusableImportedPattern() async throws {
    let lab = try CommandLab()
    let line = { (pattern: String) in
      #"{"prompt":"\#(pattern)","schema":{"title":"T","type":"string","pattern":"\#(pattern)"},"#
        + #""output":"\"x\""}"#
    }
    try lab.write([line("x"), line("(")].joined(separator: "\n"), to: "log.jsonl")
    _ = await lab.run(["import", lab.path("log.jsonl"), "--reports", lab.reports])
    let attempts = try ResultStore(path: lab.database).attempts(run: 1)
    #expect(attempts.count { $0.outcome == .pass } == 1)
    let failures = attempts.compactMap(\.failure)
    #expect(failures.map(\.kind) == [.unsupportedGenerationGuide])
    #expect(failures.first?.message.contains("the group is not closed") == true)
  }

  // MARK: Folders and databases

  @Test("a run rejects a path for its reports if the path, or a folder above it, is a file")
  func fileInPlace() async throws {
    let lab = try lab()
    try lab.write("kept", to: "taken")
    for name in ["taken", "taken/below/deeper"] {
      let path = lab.path(name)
      await check(
        lab, ["-b", "stub", "--reports", path], .cannotRun,
        ["\(path): can't be written: ", "\(lab.path("taken")) is not a folder"])
    }
    #expect(try lab.text("taken") == "kept")
  }

  @Test("a run that can't write its reports stays in the database, and leaves no partial file")
  func reportsInTheWay() async throws {
    let lab = try lab()
    let run = ["run", lab.path("quiz"), "-b", "stub", "--reports", lab.reports]
    try lab.write("kept", to: "reports/latest")
    let file = await lab.run(run)
    #expect(file.status == .cannotRun)
    let latest = lab.path("reports/latest")
    #expect(file.errors.count == 1)
    #expect(
      file.errors.first?.hasPrefix("\(latest): can't be written: \(latest) is not a folder; ")
        == true
    )
    #expect(file.errors.first?.contains("`assay report 1 --reports ") == true)
    #expect(try lab.text("reports/latest") == "kept")

    try lab.write("kept", to: "reports/2/report.html/file")
    let folder = await lab.run(run)
    #expect(folder.status == .cannotRun)
    let page = lab.path("reports/2/report.html")
    #expect(folder.errors.first?.hasPrefix("\(page): can't be written: is a directory; ") == true)
    #expect(folder.errors.count == 1)
    let left = try FileManager.default.contentsOfDirectory(atPath: lab.path("reports/2"))
    #expect(left.sorted() == ["junit.xml", "report.html"])
    let history = await lab.assay("history")
    #expect(history.output.split(separator: "\n").count { $0.contains("complete") } == 2)
  }

  @Test("a run rejects a read-only folder of reports", .enabled(if: geteuid() != 0))
  func readOnlyFolder() async throws {
    let lab = try lab()
    let path = lab.path("locked")
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o555])
    await check(
      lab, ["-b", "stub", "--reports", path], .cannotRun, ["\(path)/", "permission denied"])
  }

  #if os(Linux)
    @Test("a run rejects a folder of reports that not even the superuser can create")
    func impossibleFolder() async throws {
      await check(
        try lab(), ["-b", "stub", "--reports", "/proc/assay-reports"], .cannotRun,
        ["/proc/assay-reports: can't be written: no such file or directory"])
    }
  #endif

  @Test("a run rejects a database that is damaged, of the wrong kind or in an impossible place")
  func databases() async throws {
    let lab = try lab()
    let made = await lab.run([
      "run", lab.path("quiz"), "-b", "stub", "--reports", lab.reports,
    ])
    #expect(made.status == .passed)
    try lab.write(try lab.data("reports/results.sqlite").prefix(3000), to: "cut.sqlite")
    try lab.write(String(repeating: "no database ", count: 500), to: "text.sqlite")
    try lab.write("a file", to: "file")
    let rows = [
      ("cut.sqlite", "damaged"), ("text.sqlite", "not a result database"),
      ("file/results.sqlite", "\(lab.path("file")) is not a folder"),
      ("quiz", "can't be opened"),
    ]
    for (name, reason) in rows {
      let path = lab.path(name)
      let before = try? lab.data(name)
      await check(
        lab, ["-b", "stub", "--reports", lab.path("other"), "--database", path], .cannotRun,
        ["\(path): ", reason])
      #expect((try? lab.data(name)) == before, "a damaged file stays as it is")
    }
    #expect(!lab.has("other/latest"), "no report is written if there was no run")
  }

  @Test("a run rejects a damaged baseline before it makes any attempt")
  func damagedBaseline() async throws {
    let lab = try lab()
    try lab.write("{\"assay\":\"baseline\"", to: "reports/baselines/quiz.jsonl")
    await check(
      lab, ["-b", "stub", "--reports", lab.reports], .usage,
      [lab.path("reports/baselines/quiz.jsonl:1:1: "), "assay baseline accept"])
    #expect(!lab.has("reports/results.sqlite"))
  }

  // MARK: Names

  @Test(
    "an invalid command line gives one error, which suggests a name or says what is allowed",
    arguments: [
      (["rnu"], "there is no command `rnu`; did you mean run?"),
      (["compere"], "there is no command `compere`; did you mean compare?"),
      (["frobnicate"], "there is no command `frobnicate`; `assay help` lists the commands"),
      (["help", "histroy"], "there is no command `histroy`; did you mean history?"),
      (
        ["run", "--bakcend", "stub"], "`assay run` has no option --bakcend; did you mean --backend?"
      ),
      (
        ["run", "--backend", "cloud"],
        "--backend can't be cloud; the allowed values are local, stub, served models such as "
          + "ollama:llama3.2, and programs such as exec:COMMAND"
      ),
      (["run", "--jobs", "0"], "--jobs 0: expected a whole number from 1 to 1024"),
      (
        ["run", "--baseline", "old"],
        "--baseline old: expected auto, main, branch:NAME, none or the number of a run"
      ),
      (
        ["compare", "quiz:default", "quiz:default"],
        "`quiz:default` is compared with itself; name two variants"
      ),
      (
        ["compare", "1", "quiz:default", "--case", "apple"],
        "--case only applies to variants that are run now; these sides are stored"
      ),
      (
        ["baseline", "reject"],
        "there is no `assay baseline reject`; use accept, list, show or renew"
      ),
      (["run", "--reports", ""], "--reports: the value is empty; give a folder"),
      (["run", "--database="], "--database: the value is empty; give a file"),
      (
        ["lint", "--rule", "zz"],
        "--rule: there is no rule `zz`; the rules are: "
          + LintRule.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
      ),
      (["show", "quiz"], "`quiz`: expected SUITE/CASE or SUITE/CASE#N; N counts from 0"),
    ])
  func usage(words: [String], message: String) async throws {
    let ending = try await CommandLab().run(words)
    #expect(ending.status == .usage)
    #expect(ending.errors == [message])
    #expect(ending.output == "")
  }

  @Test(
    "a name that matches nothing gives one error, which says which names exist",
    arguments: [
      (["--case", "aple"], ["no test case `aple`", "did you mean `apple`?", "`pear`"]),
      (["--case", "quiz/aple"], ["no test case `quiz/aple`", "did you mean `quiz/apple`?"]),
      (["--case", "none"], ["no test case `none`", "the test cases are `apple`, `pear`"]),
      (["--suite", "quizz"], ["no suite `quizz`", "did you mean `quiz`?"]),
      (["--variant", "defualt"], ["no variant `defualt`", "did you mean `default`?"]),
      (["--tag", "none"], ["there is no tag `none`; there are no tags"]),
    ])
  func nothingSelected(options: [String], words: [String]) async throws {
    let lab = try lab()
    await check(
      lab, options + ["-b", "stub", "--reports", lab.reports], .nothingSelected, words)
    #expect(!lab.has("reports"))
  }

  @Test("show suggests the nearest test case of the run, or the option that selects another run")
  func shownAttempt() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 1).write(to: lab)
    #expect(await lab.assay("run", lab.path("quiz"), "-b", "stub").status == .passed)
    for (address, words) in [
      ("quiz/case-11", "run 1 has no attempt quiz/case-11; did you mean quiz/case-1?"),
      ("other/thing", "run 1 has no attempt other/thing; --run N shows an attempt of another run"),
      ("quiz/case-1#7", "run 1 has no attempt quiz/case-1#7; the last one is #0"),
    ] {
      let ending = await lab.assay("show", address)
      #expect(ending.errors.first == words, "\(ending.notes)")
    }
  }

  @Test("show names an unknown variant or backend, and those that the test case has")
  func shownVariant() async throws {
    let lab = try lab()
    for options in [["-b", "stub"], ["-m", Checkout.model]] {
      let ran = await lab.run(
        ["run", lab.path("quiz"), "--variant", "all", "--reports", lab.reports] + options)
      #expect([.passed, .failed].contains(ran.status), "\(ran.notes)")
    }
    for (options, words) in [
      (["--variant", "z"], " with the variant `z`; its variants are: `default`, `same`, `silent`"),
      (
        ["--variant", "sane"],
        " with the variant `sane`; did you mean `same`? its variants are: `default`, `same`, "
          + "`silent`"
      ),
      (["--backend", "gpu"], " with the backend `gpu`; its backends are: `local`"),
      (["--backend", "stub", "--run", "2"], " with the backend `stub`; its backends are: `local`"),
    ] {
      let ending = await lab.run(["show", "quiz/apple", "--reports", lab.reports] + options)
      #expect(ending.status == .nothingSelected)
      #expect(ending.errors == ["run 2 has no attempt quiz/apple" + words])
    }
    let known = await lab.assay("show", "quiz/apple", "--variant", "same", "--backend", "local")
    #expect(known.output.contains("same on local"), "\(known.notes)")
  }

  @Test("compare names the misspelled suite of one side, and refuses variants of two suites")
  func suitesOfSides() async throws {
    let lab = try lab()
    let other = QuizSuite(repeats: 1).text.replacing("suite: quiz", with: "suite: test")
      .replacing("schema.json", with: "../quiz/schema.json")
    try lab.write(other, to: "test/suite.yaml")
    for (sides, words) in [
      (["quizz:default", "quiz:default"], "no suite `quizz`; did you mean `quiz`?"),
      (["quiz:default", "quizz:default"], "no suite `quizz`; did you mean `quiz`?"),
      (["quiz:default", "test:default"], "belong to different suites"),
    ] {
      let ending = await lab.run(["compare"] + sides + ["-b", "stub", "--suites", lab.path(".")])
      #expect(ending.errors.first?.contains(words) == true, "\(ending.notes)")
    }
  }

  @Test("a command whose database or run is missing gives an error that names it")
  func nothingStored() async throws {
    let lab = try lab()
    for command in [
      ["history"], ["report"], ["show", "quiz/apple"], ["compare", "1", "2"],
      ["baseline", "accept"], ["history", "prune", "--keep", "1"],
    ] {
      let ending = await lab.run(command + ["--reports", lab.reports])
      #expect(ending.status == .cannotRun)
      #expect(
        ending.errors == [
          "\(lab.database): there is no result database yet; run `assay run` first, or name "
            + "another database with --reports or --database"
        ])
    }
    #expect(!lab.has("reports"))
    #expect(await lab.assay("run", lab.path("quiz"), "-b", "stub").status == .passed)
    for command in [["report", "7"], ["compare", "1", "7"], ["baseline", "accept", "7"]] {
      let ending = await lab.run(command + ["--reports", lab.reports])
      #expect(ending.status == .usage)
      #expect(
        ending.errors == ["\(lab.database): there is no run 7; `assay history` lists the runs"])
    }
    let show = await lab.assay("show", "quiz/plum")
    #expect(show.status == .nothingSelected)
  }
}
