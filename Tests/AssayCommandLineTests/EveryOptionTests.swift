import Foundation
import Testing

@testable import AssayCommandLine

@Suite("Every option of every command")
struct EveryOptionTests {
  /// The help's placeholders for values of a fixed form, such as numbers, shares and durations.
  private static let measured: Set<String> = [
    "N", "P", "SHARE", "SECONDS", "DAYS", "MIB", "I/N", "RUN", "WHICH",
  ]

  /// Returns valid arguments for each command; a test adds one bad option to them.
  private func lines(_ lab: CommandLab) -> [String: [String]] {
    let suites = lab.path("quiz")
    return [
      "run": [suites, "-b", "stub"],
      "compare": ["quiz:default", "quiz:same", "--suites", suites, "-b", "stub"],
      "lab": ["quiz", "--suites", suites], "baseline": ["list"], "report": ["1"],
      "acknowledge": ["--reason", "x", "--until", "2099-01-01"],
      "show": ["quiz/apple"], "history": [], "export": ["1"], "recheck": ["1", suites],
      "import": [lab.path("x.jsonl")],
      "merge": [lab.database], "recover": [], "list": [suites], "lint": [suites],
      "init": [lab.path("quiz/schema.json"), "--out", lab.path("new")], "power": [suites],
      "schema": ["mask", lab.path("quiz/schema.json")], "doctor": [],
      "case": ["add", suites, "--from", lab.path("log.jsonl")], "completions": ["bash"],
    ]
  }

  private func lab() async throws -> CommandLab {
    let lab = try CommandLab()
    try QuizSuite(repeats: 1, cases: [("apple", "On apples."), ("pear", "On pears.")]).write(
      to: lab)
    #expect(await lab.assay("run", lab.path("quiz"), "-b", "stub").status == .passed)
    return lab
  }

  /// Checks that a command rejects an option with one error, which names the option or its value.
  private func check(
    _ lab: CommandLab, _ command: String, _ option: String, _ value: String?,
    _ allowed: Set<AssayCommandLine.ExitStatus> = [.usage]
  ) async {
    var words = [command] + (lines(lab)[command] ?? [])
    words += value.map { ["--\(option)", $0] } ?? ["--\(option)=x"]
    let declared = AssayProgram.commands.first { $0.specification.name == command }
    for (name, path) in [("reports", lab.reports)]
    where option != name
      && declared?.specification.options.contains(where: { $0.name == name }) == true
    {
      words += ["--\(name)", path]
    }
    let ending = await lab.run(words)
    #expect(allowed.contains(ending.status), "\(words): \(ending.status) \(ending.notes)")
    #expect(ending.errors.count == 1, "\(words): \(ending.notes)")
    #expect(
      ending.errors.first?.contains(allowed == [.usage] ? "--\(option)" : value ?? option) == true,
      "\(words): \(ending.notes)")
    #expect(ending.output == "", "\(words)")
  }

  @Test("an invalid value for any option gives one error, which names the option")
  func badValues() async throws {
    let lab = try await lab()
    for command in AssayProgram.commands.map(\.specification) {
      for option in command.options {
        guard let value = option.value else {
          await check(lab, command.name, option.name, nil)
          continue
        }
        guard option.allowed != nil || Self.measured.contains(value) else { continue }
        for bad in ["", "-1", "x", "1e400", "nan", "99999999999999999999"] {
          await check(lab, command.name, option.name, bad)
        }
      }
    }
    #expect(!lab.has("new"))
  }

  @Test("a command with --help lists its options, even if arguments are missing")
  func help() async throws {
    let lab = try CommandLab()
    for command in AssayProgram.commands.map(\.specification) {
      let ending = await lab.run([command.name, "--help"])
      #expect(ending.status == .passed, "\(ending.notes)")
      for option in command.options { #expect(ending.output.contains("--\(option.name)")) }
    }
  }

  @Test("an unknown test case, tag, suite or variant causes one error, which contains the name")
  func unknownNames() async throws {
    let lab = try await lab()
    for command in ["run", "compare", "list", "power"] {
      let declared = AssayProgram.commands.first { $0.specification.name == command }
      let names = [("case", "aple"), ("tag", "shrt"), ("suite", "quzi"), ("variant", "x")]
      for (option, name) in names
      where declared?.specification.options.contains(where: { $0.name == option }) == true {
        await check(lab, command, option, name, [.nothingSelected])
      }
    }
  }

  @Test(
    "a command rejects options and arguments that would have no effect",
    arguments: [
      (["run", "-b", "stub", "--model", "x.gguf"], "--model only applies to the local backend"),
      (
        ["run", "-b", "stub", "--chat-format", "chatml"],
        "--chat-format only applies to the local backend"
      ),
      (["list", "-b", "stub", "--model", "x.gguf"], "--model only applies to the local backend"),
      (["compare", "1", "1", "--jobs", "2"], "--jobs only applies to variants that are run now"),
      (["compare", "1", "1", "--cache"], "--cache only applies to variants that are run now"),
      (["baseline", "list", "--reason", "x"], "--reason doesn't apply to `assay baseline list`"),
      (["baseline", "list", "1"], "`assay baseline list` takes no run"),
      (["history", "--keep", "3"], "--keep only applies to `assay history prune`"),
      (["show", "quiz/apple", "--model", "x.gguf"], "--model only applies to --replay"),
      (
        ["schema", "json", "x.json", "--whitespace", "any"],
        "--whitespace only applies to `assay schema mask` and `assay schema gbnf`"
      ),
    ])
  func noEffect(words: [String], message: String) async throws {
    let ending = await (try lab()).run(words)
    #expect(ending.status == .usage)
    #expect(ending.errors.count == 1)
    #expect(ending.errors.first?.hasPrefix(message) == true, "\(ending.notes)")
  }

  @Test("a file that is missing, not UTF-8 or not valid gives an error that names the file")
  func files() async throws {
    let lab = try await lab()
    try lab.write(Data([0x73, 0xC3, 0x28]), to: "bytes/suite.yaml")
    try lab.write("", to: "empty/suite.yaml")
    try lab.write("suite: twice\nsuite: twice\n", to: "doubled/suite.yaml")
    try lab.write("suite: x\n", to: "folder/suite.yaml/inner.txt")
    try lab.write(Data([0xFF, 0xFE, 0x00]), to: "bytes.json")
    let rows: [(words: [String], message: String)] = [
      (["bytes"], "bytes/suite.yaml:1:2: is not UTF-8"), (["empty"], "empty/suite.yaml:1:1: "),
      (["doubled"], "doubled/suite.yaml:2:1: "), (["missing"], "missing"),
      (["bytes.json"], "bytes.json"),
    ]
    for (words, message) in rows {
      for command in ["run", "list", "power", "lint"] {
        let ending = await lab.run([command] + words.map(lab.path))
        #expect(ending.status == .usage, "\(command) \(words): \(ending.status)")
        #expect(!ending.errors.isEmpty)
        #expect(ending.errors.first?.contains(message) == true, "\(command): \(ending.notes)")
        #expect(ending.output == "")
      }
    }
    for command in [["schema", "outline"], ["init"]] {
      for path in ["bytes.json", "quiz", "missing.json"] {
        let ending = await lab.run(command + [lab.path(path)])
        #expect(ending.status == .usage, "\(command) \(path): \(ending.status)")
        #expect(ending.errors.count == 1)
        #expect(ending.errors.first?.contains(lab.path(path)) == true, "\(ending.notes)")
      }
    }
    for path in ["bytes.json", "quiz", "missing.jsonl"] {
      let ending = await lab.assay("import", lab.path(path))
      #expect([.usage, .cannotRun].contains(ending.status), "\(path): \(ending.status)")
      #expect(ending.errors.count == 1)
      #expect(ending.errors.first?.contains(lab.path(path)) == true, "\(ending.notes)")
    }
  }

  @Test(
    "a suite from `assay init` runs, even if its name looks like a number, a boolean or null",
    arguments: ["1e400", "0", "null", "true"])
  func starterNames(name: String) async throws {
    let lab = try await lab()
    let made = await lab.run([
      "init", lab.path("quiz/schema.json"), "--name", name, "--out", lab.path("made"),
    ])
    #expect(made.status == .passed, "\(made.notes)")
    let run = await lab.run([
      "run", lab.path("made"), "-b", "stub", "--reports", lab.reports,
    ])
    #expect(run.status == .passed, "\(run.notes)")
  }
}
