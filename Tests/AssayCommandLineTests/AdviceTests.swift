import EvalFindings
import EvalRecords
import EvalSessions
import ResultStore
import Testing

@testable import AssayCommandLine

@Suite("Advice in reports")
struct AdviceTests {
  /// A suite whose stub gives the answers, with the assertions of the suite and of its test cases.
  struct Lengths: Sendable, CustomTestStringConvertible {
    var name: String
    /// The assertions of the suite, as the lines of a list.
    var shared = ""
    /// The number of elements in the answers to two test cases, what they expect, and what the
    /// third test case expects of its answer, which has ten elements or `last` elements.
    var cases: (String, String, String)
    var last = 10
    /// The advice, or `nil` if a bound would contradict a test case.
    var advice: String?

    var testDescription: String { name }

    /// The suite file; each answer to the first two test cases has four elements.
    var text: String {
      func content(_ count: Int) -> String {
        "stub: { content: { items: [\((0..<count).map { "a\($0)" }.joined(separator: ", "))] } }"
      }
      return """
        suite: a
        repeats: 5
        generates:
          inline:
            title: List
            description: A list.
            type: object
            properties:
              items:
                description: All things.
                type: array
                items: { type: string }
                minItems: 1
                maxItems: 12
            required: [items]
            additionalProperties: false
        \(shared.isEmpty ? "" : "assertions:\n  - \(shared)")
        cases:
          - { id: one, input: "x", \(cases.0), \(content(4)) }
          - { id: two, input: "y", \(cases.1), \(content(4)) }
          - { id: ten, input: "z", \(cases.2), \(content(last)) }

        """
    }
  }

  private static func asserting(_ text: String) -> String { "assertions: [ { \(text) } ]" }
  private static let atMostTwo = asserting("count: { path: $.items, max: 2 }")

  static let suites = [
    Lengths(
      name: "variables that expect other lengths", shared: "count: { path: $.items, variable: n }",
      cases: ("n: 2", "n: 2", "n: 10"), advice: nil),
    Lengths(
      name: "variables that expect other lengths, and wrong answers",
      shared: "count: { path: $.items, variable: n }", cases: ("n: 2", "n: 2", "n: 10"), last: 3,
      advice: nil),
    Lengths(
      name: "a test case with another bound",
      cases: (atMostTwo, atMostTwo, asserting("count: { path: $.items, min: 5 }")), last: 1,
      advice: nil),
    Lengths(
      name: "a formula that counts",
      cases: (atMostTwo, atMostTwo, asserting(#"expression: "count($.items) == 10""#)), last: 1,
      advice: nil),
    Lengths(
      name: "a whole expected value",
      cases: (atMostTwo, atMostTwo, asserting("deepEquals: { path: $.items, value: [a, b, c] }")),
      last: 1, advice: nil),
    Lengths(
      name: "an answer that passes",
      cases: (atMostTwo, atMostTwo, asserting("nonEmpty: { path: $.items }")), advice: nil),
    Lengths(
      name: "nothing against it", cases: (atMostTwo, atMostTwo, atMostTwo), last: 1,
      advice: "add maxItems: 2 to the schema of $.items, because 10 arrays were too long"),
    Lengths(
      name: "a formula that holds within the bound",
      cases: (atMostTwo, atMostTwo, asserting(#"expression: "count($.items) < 4""#)), last: 1,
      advice: "add maxItems: 2 to the schema of $.items, because 10 arrays were too long"),
  ]

  @Test("no report advises a bound that a test case contradicts", arguments: suites)
  func checkBound(_ suite: Lengths) async throws {
    let lab = try CommandLab()
    try lab.write(suite.text, to: "a/suite.yaml")
    let run = await lab.run(["run", lab.path("a"), "-b", "stub", "--reports", lab.reports])
    #expect(run.status == .failed, "\(run.notes)")
    let reports = try ["report.html", "summary.md", "junit.xml"].map {
      try lab.text("reports/latest/\($0)")
    }
    for text in reports + [run.output] {
      let plain = text.replacing("\u{A0}", with: " ").replacing("\\", with: "")
        .replacing("&#58;", with: ":")
      #expect(plain.contains("to the schema of") == (suite.advice != nil), "\(plain)")
      if let advice = suite.advice { #expect(plain.contains(advice)) }
    }
  }

  @Test("nobody is advised to accept answers of the stub")
  func stub() async throws {
    let lab = try CommandLab()
    try QuizSuite().write(to: lab)
    let words = ["run", lab.path("quiz"), "-b", "stub", "--reports", lab.reports]
    let first = await lab.run(words)
    #expect(first.output.contains("do next: run the suites on a model"), "\(first.output)")
    #expect(!first.output.contains("baseline accept"))
    // The command itself still accepts such a run, for those who ask for it.
    #expect(await lab.assay("baseline", "accept").status == .passed)
    try QuizSuite(stub: QuizSuite.varyingAnswer).write(to: lab)
    let second = await lab.run(words + ["-r", "1"])
    #expect(!second.output.contains("baseline accept"), "\(second.output)")
  }

  @Test("the number of failures before counts what the comparison compares")
  func failuresBefore() async throws {
    let lab = try CommandLab()
    try QuizSuite(passRate: 0, stub: QuizSuite.sometimesEmpty).write(to: lab)
    func run(_ repeats: Int) async -> String {
      await lab.run([
        "run", lab.path("quiz"), "-b", "stub", "--reports", lab.reports, "-r", "\(repeats)",
      ]).output
    }
    _ = await run(6)
    #expect(await lab.assay("baseline", "accept", "--reason", "x").status == .passed)
    let one = await run(1)
    // The stub's draws depend on the seed alone, so the repeat that both have fails as before.
    let line = try #require(
      one.split(separator: "\n").first { $0.contains(" in the baseline)") }, "\(one)")
    let count = line.split(separator: " ").first
    #expect(line.hasSuffix("(\(count ?? "") in the baseline)"), "\(line)")
    let nine = await run(9)
    #expect(nine.contains(" of them compared with "), "\(nine)")
  }

  @Test("with one suite, the terminal lists each failure once, and all advice comes at the end")
  func order() async throws {
    let lab = try CommandLab()
    try lab.write(Self.suites[6].text, to: "a/suite.yaml")
    let output = await lab.run(["run", lab.path("a"), "-b", "stub", "--reports", lab.reports])
      .output
    let lines = output.split(separator: "\n").map(String.init)
    #expect(lines.count { $0.contains("10 of 15 attempts (") } == 1, "\(output)")
    let headline = try #require(lines.firstIndex { $0.hasPrefix("✗ Gate missed") })
    let advice = try #require(lines.firstIndex { $0.contains("to the schema of") })
    #expect(advice > headline, "\(output)")
  }

  @Test("a command in the report of an older run shows an attempt of that run")
  func olderRun() async throws {
    let lab = try CommandLab()
    for stub in ["  content: { pairs: [] }", QuizSuite.fullAnswer] {
      try QuizSuite(repeats: 1, passRate: 1, stub: stub).write(to: lab)
      _ = await lab.assay("run", lab.path("quiz"), "-b", "stub")
    }
    let report = await lab.assay("report", "1").output
    let commands = report.matches(of: #/assay show (\S+) --run (\d+)/#)
    #expect(!commands.isEmpty, "\(report)")
    #expect(report.ranges(of: "assay show ").count == commands.count)
    for command in commands {
      let shown = await lab.assay("show", String(command.1), "--run", String(command.2)).output
      #expect(shown.contains("✗ fail"), "\(shown)")
    }
  }

  @Test(
    "commands that reports advise take every option that they repeat",
    arguments: [
      ("lab", ReportDocument.labOptions), ("power", ReportDocument.powerOptions),
    ])
  func checkOptions(command: String, options: [String]) throws {
    let declared = try #require(
      AssayProgram.commands.first { $0.specification.name == command })
    let names = declared.specification.options.map(\.name)
    #expect(Set(options).subtracting(names) == [])
  }

  @Test("a run records the options that commands in its reports repeat")
  func recorded() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 1, passRate: 1).write(to: lab)
    _ = await lab.assay(
      "run", lab.path("quiz"), "-b", "stub", "-r", "2", "--case", "case-*", "--label", "x")
    let store = try ResultStore(path: lab.database, access: .reading)
    let options = try store.runs().first?.details.options
    #expect(options == ["backend": ["stub"], "repeats": ["2"], "case": ["case-*"]])
  }

  @Test("a cause of failures is compared with the same group in the baseline")
  func sameGroup() async throws {
    let lab = try CommandLab()
    func suite(_ rate: Int) -> String {
      """
      suite: s
      gate: { passRate: \(rate) }
      generates:
        inline:
          title: T
          type: object
          additionalProperties: false
          required: [ok]
          properties: { ok: { type: string, enum: [good, bad, odd] } }
      assertions:
        - branch: { path: $.ok, is: good }
      cases:
        - { id: a, input: "Text a.", stub: { content: { ok: bad } } }
        - { id: b, input: "Text b.", stub: { content: { ok: odd } } }

      """
    }
    try lab.write(suite(0), to: "s/suite.yaml")
    _ = await lab.assay("run", lab.path("s"), "-b", "stub")
    _ = await lab.assay("baseline", "accept", "--reason", "x", "--allow", "y")
    try lab.write(suite(1), to: "s/suite.yaml")
    let output = await lab.assay("run", lab.path("s"), "-b", "stub").output
      .replacing("\u{A0}", with: " ")
    #expect(output.contains("bad instead of good, 1 time; 1 in the baseline)"), "\(output)")
  }
}
