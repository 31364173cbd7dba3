import EvalRecords
import Foundation
import GuidedGeneration
import StructuredText
import Testing

@testable import AssayCommandLine

@Generable(description: "A note about a text.")
private struct Remark {
  @Guide(description: "One short sentence; empty where there is nothing to say.")
  var text: String
}

@Generable
private struct CrossedCounts {
  @Guide(description: "Words.", .minimumCount(10), .maximumCount(1))
  var words: [String]
}

@Generable
private struct CrossedBounds {
  @Guide(description: "A number.", .minimum(5), .maximum(3))
  var number: Int
}

@Generable
private struct WordsAndNumber {
  var words: [String]
  var number: Int
}

/// A backend that gives the same answer to every test case.
private struct EchoBackend: EvalBackend {
  let record = BackendRecord(
    id: "echo", model: "one answer", engine: "test", isDeterministic: true)

  func answers(
    to request: BackendRequest, repeats: [RepeatSeed]
  ) -> AsyncStream<BackendAnswer> {
    AsyncStream { continuation in
      for repeatSeed in repeats {
        continuation.yield(
          BackendAnswer(
            repeatSeed: repeatSeed, output: #"{"text": "A note."}"#, stopReason: .complete))
      }
      continuation.finish()
    }
  }
}

@Suite("A program with its own types, suites and backends")
struct OwnProgramTests {
  private let remarks = SwiftSuite(
    "remarks", generates: Remark.self, guards: "Empty remarks.", repeats: 2,
    guardrails: ["a final full stop"],
    assertions: [
      .nonEmpty("$.text"), .words("$.text", 1...20),
      .holds("a final full stop", for: Remark.self) { $0.text.hasSuffix(".") },
    ],
    cases: [
      SwiftCase("ice", input: "Ice floats.", stubAnswer: Remark(text: "Ice is light.")),
      SwiftCase("rust", input: "Iron rusts.", stubAnswer: Remark(text: "Iron and water")),
    ])

  private let file = """
    suite: notes
    generates: { type: Remark }
    assertions: [ { nonEmpty: { path: $.text } } ]
    stub: { content: { text: A note. } }
    cases: [ { id: one, input: A text. } ]
    """

  @Test(
    "run, show and list find the program's suites; a closure can judge answers and be a guardrail")
  func runs() async throws {
    let lab = try CommandLab()
    let program = AssayProgram(suites: [remarks])
    let ending = await lab.run(
      ["run", "remarks", "-b", "stub", "--reports", lab.reports], by: program)
    #expect(ending.status == .failed)
    #expect(
      ending.notes.contains(
        "custom $ is rejected by the closure, expected a final full stop"))
    let shown = await lab.run(
      ["show", "remarks/rust", "--reports", lab.reports], by: program)
    #expect(shown.output.contains("a final full stop"), "\(shown.output) \(shown.notes)")
    let list = await lab.run(["list", "remarks", "--cases"], by: program)
    #expect(list.output.contains("rust"), "\(list.output) \(list.notes)")
  }

  @Test("a suite file can name a registered type; a program without that type reports an error")
  func registeredType() async throws {
    let lab = try CommandLab()
    try lab.write(file, to: "notes/suite.yaml")
    let words = ["run", lab.path("notes"), "-b", "stub", "--reports", lab.reports]
    let known = await lab.run(words, by: AssayProgram(types: [Remark.self]))
    #expect(known.status == .passed, "\(known.notes)")
    let unknown = await lab.run(words)
    #expect(unknown.status == .usage)
    #expect(unknown.notes.contains("there is no registered type `Remark`"))
  }

  @Test(
    "a command accepts suite files and the program's suites together; a duplicate id is an error")
  func both() async throws {
    let lab = try CommandLab()
    try lab.write(file, to: "notes/suite.yaml")
    let program = AssayProgram(types: [Remark.self], suites: [remarks])
    let list = await lab.run(["list", lab.path("notes"), "remarks"], by: program)
    #expect(list.output.contains("notes") && list.output.contains("remarks"))
    try lab.write(
      file.replacingOccurrences(of: "suite: notes", with: "suite: remarks"), to: "x/suite.yaml")
    let twice = await lab.run(["list", lab.path("x"), "remarks"], by: program)
    #expect(twice.status == .usage)
    #expect(twice.notes.contains("the suite id `remarks` is used twice"))
  }

  @Test("lint checks the program's suites, whether or not the command line names them")
  func lint() async throws {
    let lab = try CommandLab()
    let program = AssayProgram(suites: [
      remarks,
      SwiftSuite(
        "quiet", generates: Remark.self, more: ["lint": ["silence": ["noFormat"]]],
        assertions: [.nonEmpty("$.text")], cases: [SwiftCase("one", input: "x")]),
    ])
    let finding = "Swift suite remarks: Remark.text: the guide does not say which formatting"
    for words in [["lint"], ["lint", "remarks"]] {
      let ending = await lab.run(words, by: program)
      #expect(ending.status == .failed, "\(ending.notes)")
      #expect(ending.output.hasPrefix(finding), "\(ending.output)")
      #expect(!ending.output.contains("quiet"))
    }
    #expect(await lab.run(["lint", "quiet"], by: program).status == .passed)
  }

  @Test(
    "--backend selects the program's backend by id; an unknown id gives an error with all choices")
  func ownBackend() async throws {
    let lab = try CommandLab()
    try lab.write(
      file.replacingOccurrences(of: "type: Remark", with: "schema: s.json"), to: "n/suite.yaml")
    try lab.write(Remark.generationSchema.json.compactText, to: "n/s.json")
    let words = ["run", lab.path("n"), "-b", "echo", "--reports", lab.reports]
    let known = await lab.run(words, by: AssayProgram(backends: [EchoBackend()]))
    #expect(known.status == .passed, "\(known.notes)")
    #expect(known.notes.contains("echo (one answer)"), "\(known.notes)")
    let unknown = await lab.run(words)
    #expect(
      unknown.errors == [
        "--backend can't be echo; the allowed values are local, stub, served models such as "
          + "ollama:llama3.2, and programs such as exec:COMMAND"
      ])
    #expect(unknown.status == .usage)
  }

  @Test("before it makes a request, a run rejects options that its backend doesn't support")
  func optionThatCannotBeHonoured() async throws {
    let lab = try CommandLab()
    try lab.write(Remark.generationSchema.json.compactText, to: "n/s.json")
    let program = AssayProgram(backends: [EchoBackend()])
    for (option, obstacle) in [
      ("mask: off", "can't answer with `mask: off`"),
      ("outline: example", "can't show the schema with `outline: example`"),
    ] {
      try lab.write(
        file.replacingOccurrences(of: "type: Remark", with: "schema: s.json")
          + "\noptions: { \(option) }\n", to: "n/suite.yaml")
      let words = ["run", lab.path("n"), "-b", "echo", "--reports", lab.reports]
      let ending = await lab.run(words, by: program)
      #expect(
        ending.errors == [
          "notes:default: the backend `echo` \(obstacle); leave the variant out, or choose another "
            + "backend"
        ], "\(ending.notes)")
      #expect(ending.status == .usage)
    }
  }

  @Test("`assay list` reports every mistake in a suite of the program")
  func mistakes() async throws {
    let lab = try CommandLab()
    let line = #line
    let broken = SwiftSuite(
      "broken", generates: Remark.self, prompt: "{{text}}",
      assertions: [.nonEmpty("$.texts"), .check("word", ["path": "$.text"])],
      cases: [
        SwiftCase("one", input: "x"),
        SwiftCase("one", input: "y"),
      ])
    let ending = await lab.run(["list", "broken"], by: AssayProgram(suites: [broken]))
    #expect(ending.status == .usage)
    #expect(ending.errors.count >= 4, "\(ending.errors)")
    let (suite, assertions) = ("\(#filePath):\(line + 1):", "\(#filePath):\(line + 3):")
    let (first, second) = ("\(#filePath):\(line + 5):", "\(#filePath):\(line + 6):")
    #expect(
      ending.errors.allSatisfy { error in
        [suite, assertions, first, second].contains(where: error.hasPrefix)
      }, "\(ending.errors)")
    #expect(ending.errors.filter { $0.hasPrefix(assertions) }.count == 2)
    let twice = ending.errors.filter { $0.contains("`one` is used twice") }
    #expect(twice.count == 1)
    #expect(twice.allSatisfy { $0.hasPrefix(second) && $0.contains("one is at \(first)") })
  }

  @Test("a reversed range in an assertion is an error at its place, literal or not")
  func reversedRanges() async throws {
    let lab = try CommandLab()
    let (low, high) = (1, 8)
    let range = 1...8
    func check(
      _ assertion: SuiteAssertion, of test: SuiteAssertion? = nil, _ words: String?,
      line: Int = #line
    ) async {
      let suite = SwiftSuite(
        "ranges", generates: WordsAndNumber.self, assertions: [assertion],
        cases: [
          SwiftCase(
            "one", input: "x", stubAnswer: WordsAndNumber(words: ["a"], number: 3),
            assertions: test.map { [$0] } ?? [])
        ])
      let ending = await lab.run(["list", "ranges"], by: AssayProgram(suites: [suite]))
      #expect(ending.status == (words == nil ? .passed : .usage), "\(ending.notes)")
      #expect(ending.errors.count == (words == nil ? 0 : 1), "\(ending.errors)")
      if let words, let error = ending.errors.first {
        #expect(error.hasPrefix("\(#filePath):\(line):"), "\(error)")
        #expect(error.contains(words), "\(error)")
      }
    }
    let reversed = "`min` is 8, which is more than `max`"
    await check(.count("$.words", high...low), reversed)
    await check(.count("$.words", 8...1), reversed)
    await check(.words("$.words[*]", 8...low), reversed)
    await check(.range("$.number", 8...1), reversed)
    await check(.not(.range("$.number", 8.0...1.0)).named("n"), reversed)
    await check(.present("$.words"), of: .count("$.words", high...low).weighing(2), reversed)
    await check(.count("$.words", low...high), nil)
    await check(.count("$.words", range), nil)
    await check(.count("$.words", low...low), nil)
    await check(.range("$.number", -1...Double(high)), nil)
  }

  @Test("guides that contradict each other are an error before anything runs, as in a suite file")
  func contradictoryGuides() async throws {
    let lab = try CommandLab()
    func check(_ suite: SwiftSuite, _ words: String) async {
      let ending = await lab.run(
        ["run", "broken", "-b", "stub", "--reports", lab.reports],
        by: AssayProgram(suites: [suite]))
      #expect(ending.status == .usage, "\(ending.notes)")
      #expect(ending.errors.count == 1)
      #expect(ending.errors.first?.contains(words) == true, "\(ending.errors)")
    }
    let cases = [SwiftCase("one", input: "x")]
    await check(
      SwiftSuite(
        "broken", generates: CrossedCounts.self, assertions: [.present("$")], cases: cases),
      "no value is between 10 and 1")
    await check(
      SwiftSuite(
        "broken", generates: CrossedBounds.self, assertions: [.present("$")], cases: cases),
      "no value is between 5 and 3")
    let sound = AssayProgram(suites: [
      SwiftSuite("sound", generates: Remark.self, assertions: [.present("$")], cases: cases)
    ])
    #expect(await lab.run(["list", "sound"], by: sound).status == .passed)
  }

  @Test("the commands of `schema` read a type of the program, or a type of one of its suites")
  func schemaOfType() async throws {
    let lab = try CommandLab()
    let suite = SwiftSuite(
      "remarks", generates: Remark.self, assertions: [.present("$")],
      cases: [SwiftCase("one", input: "x")])
    for program in [AssayProgram(types: [Remark.self]), AssayProgram(suites: [suite])] {
      let outline = await lab.run(["schema", "outline", "Remark"], by: program)
      #expect(outline.output == Remark.generationSchema.outline + "\n", "\(outline.notes)")
      let sent = await lab.run(["schema", "sent", "Remark", "--for", "openai"], by: program)
      #expect(sent.status == .passed, "\(sent.notes)")
      let wrong = await lab.run(["schema", "outline", "Remar"], by: program)
      #expect(wrong.status == .usage)
      #expect(
        wrong.notes.contains(
          "Remar: there is no such file, and no type with this name; did you mean `Remark`? the "
            + "program's types: `Remark`"), "\(wrong.notes)")
      let file = await lab.run(["schema", "outline", "remark.json"], by: program)
      #expect(!file.notes.contains("type"), "\(file.notes)")
    }
  }

  @Test("messages and help of a program name the program, and those of `assay` name `assay`")
  func programName() async throws {
    let lab = try CommandLab()
    let program = AssayProgram(suites: [remarks])
    let wrong = await lab.run(["runn"], by: program, named: "note-evals")
    #expect(!wrong.notes.contains("assay"), "\(wrong.notes)")
    let help = await lab.run(["help", "run"], by: program, named: "note-evals")
    #expect(help.output.contains("usage: note-evals run"))
    let words = ["run", "-b", "stub", "--reports", lab.reports]
    let run = await lab.run(words, by: program, named: "note-evals")
    #expect(run.output.contains("note-evals show remarks/rust"), "\(run.output)")
    #expect(!run.output.contains("assay show"))
    for shell in ShellCompletions.allNames {
      let script = await lab.run(["completions", shell], by: program, named: "note-evals").output
      #expect(script.contains("note-evals"), "\(shell)")
      #expect(!script.contains("_assay") && !script.contains("-c assay"), "\(shell)")
    }
    try lab.write(#"{"type": "object", "properties": {"a": {"type": "string"}}}"#, to: "s.json")
    let start = await lab.run(
      ["init", lab.path("s.json"), "--out", lab.path("first")], by: program, named: "note-evals")
    #expect(start.output.contains("next: note-evals run"), "\(start.notes)")
    #expect(!start.output.contains("assay "))
    let stopped = await lab.run(
      words + ["--budget-calls", "1"], by: program, named: "note-evals")
    #expect(stopped.status == .interrupted, "\(stopped.notes)")
    let page = try lab.text("reports/index.html").replacing(/<[^>]*>/, with: "")
    let step = try #require(page.firstRange(of: "Do next: "))
    let advice = page[step.upperBound...].prefix(200)
    #expect(advice.contains("note-evals run ") && !page.contains("assay run"), "\(advice)")
    #expect(await lab.run(["help", "run"]).output.contains("usage: assay run"))
  }
}
