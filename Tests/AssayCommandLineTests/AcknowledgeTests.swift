import EvalSessions
import Foundation
import Testing

@testable import AssayCommandLine

@Suite("A finding can be acknowledged for a time")
struct AcknowledgeTests {
  private static let good = QuizSuite(passRate: 0.2)
  private static let bad = QuizSuite(
    guide: "The cards.", passRate: 0.2, stub: QuizSuite.sometimesEmpty)
  /// The day of the lab's clock.
  private static let today = "2026-09-21"

  /// Returns a lab with an accepted baseline and a run that regressed.
  private func regressed() async throws -> CommandLab {
    let lab = try CommandLab()
    try Self.good.write(to: lab)
    #expect(await run(lab).status == .passed)
    #expect(await lab.assay("baseline", "accept").status == .passed)
    try Self.bad.write(to: lab)
    #expect(await run(lab).status == .failed)
    return lab
  }

  private func run(
    _ lab: CommandLab, _ words: String..., days: Double = 0
  ) async -> CommandLab.Ending {
    await lab.run(
      ["run", lab.path("quiz"), "-b", "stub", "--reports", lab.reports] + words,
      time: CommandLab.time + days * 86_400)
  }

  private func acknowledge(_ lab: CommandLab, _ words: String...) async -> CommandLab.Ending {
    await lab.run(
      ["acknowledge"] + words + [
        "--until", "2026-10-01", "--reason", "waiting for the guides", "--reports", lab.reports,
      ])
  }

  private func text(_ ending: CommandLab.Ending) -> String {
    ending.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The names in the list of findings that an error shows.
  private func names(in list: String) -> [String] {
    ["pass rate", "empty $.pairs", "fewer than 3 at $.pairs", "gate: pass rate"].filter {
      list.contains("): \($0), ")
    }
  }

  /// Acknowledges all findings of the last run.
  private func acknowledgeEverything(_ lab: CommandLab) async {
    let refused = await acknowledge(lab, "no such quantity")
    #expect(refused.status == .nothingSelected, "\(refused.notes)")
    let names = names(in: refused.notes)
    #expect(!names.isEmpty, "\(refused.notes)")
    let done = await lab.run(
      ["acknowledge"] + names + [
        "--until", "2026-10-01", "--reason", "waiting for the guides", "--reports", lab.reports,
      ])
    #expect(done.status == .passed, "\(done.notes)")
  }

  @Test("every output says that a regression is acknowledged, and none is red")
  func outputs() async throws {
    let lab = try await regressed()
    await acknowledgeEverything(lab)
    let words = "Acknowledged, since \(Self.today)"
    let night = await lab.run(
      ["run", lab.path("quiz"), "-b", "stub", "--reports", lab.reports],
      environment: ["GITHUB_ACTIONS": "true"])
    #expect(night.status == .passed, "\(night.output)")
    #expect(text(night).contains("• \(words). Until 2026-10-01: "), "\(text(night))")
    let commands = night.output + night.notes
    #expect(
      commands.contains("::notice title=• \(words.replacing(",", with: "%2C"))"), "\(commands)")
    #expect(!commands.contains("::error"))
    #expect(try lab.text("reports/latest/report.html").contains(words))
    #expect(try lab.text("reports/latest/summary.md").contains(words))
    #expect(try lab.text("reports/badge.svg").contains("acknowledged, since \(Self.today)"))
    let junit = try JUnitFile(lab.data("reports/latest/junit.xml"))
    #expect(junit.failures.isEmpty && junit.errors.isEmpty)
    #expect(try lab.text("reports/latest/junit.xml").contains(words))
    // A later report gives the same bytes, even without the file.
    let before = try lab.text("reports/3/report.html")
    try lab.remove("reports/baselines/acknowledged.yaml")
    #expect(await lab.assay("report", "3").status == .passed)
    #expect(try lab.text("reports/3/report.html") == before)
    // The controls: the run before the acknowledgement, and a run without the file.
    #expect(await lab.assay("report", "2").status == .failed)
    #expect(await run(lab).status == .failed)
  }

  @Test("a run is red again after the date, if the finding grows, or if another one appears")
  func ends() async throws {
    let lab = try await regressed()
    await acknowledgeEverything(lab)
    #expect(await run(lab, days: 10).status == .passed, "the last day")
    let late = await run(lab, days: 11)
    #expect(late.status == .failed)
    #expect(text(late).contains("ended on 2026-10-01"), "\(text(late))")

    var worse = Self.bad
    worse.stub = """
        weighted:
          - { weight: 1, \(QuizSuite.fullAnswer.trimmingCharacters(in: .whitespaces)) }
          - { weight: 9, content: { pairs: [] } }
      """
    worse.passRate = 0
    try worse.write(to: lab)
    let grown = await run(lab)
    #expect(grown.status == .failed)
    #expect(text(grown).contains("grew"), "\(text(grown))")

    // Another finding: the gate is missed, which nobody acknowledged.
    var strict = Self.bad
    strict.passRate = 0.9
    try strict.write(to: lab)
    let missed = await run(lab)
    #expect(missed.status == .failed, "\(missed.output)")
    #expect(text(missed).contains("Acknowledged, since"), "\(text(missed))")
    #expect(text(missed).contains("Gate missed. "), "\(text(missed))")
    #expect(!(try JUnitFile(lab.data("reports/latest/junit.xml"))).failures.isEmpty)
  }

  @Test("an entry about an unknown quantity, suite, guardrail or backend is named in every output")
  func unmatched() async throws {
    let lab = try await regressed()
    await acknowledgeEverything(lab)
    func entry(_ suite: String, _ quantity: String, backend: String = "stub") -> String {
      """
      - { suite: \(suite), backend: \(backend), quantity: "\(quantity)", limit: 0.1, reason: x, \
      since: 2026-09-01, until: 2026-12-31 }

      """
    }
    let good = try lab.text("reports/baselines/acknowledged.yaml")
    let file = good + entry("quiz", "pas rate") + entry("quiz", "gate: guardrail none")
    // A night may lack the local backend, but there is no backend `stb`.
    let others =
      entry("quiz", "gate: pass rate", backend: "stb")
      + entry("quiz", "gate: pass rate", backend: "local") + entry("quizz", "pass rate")
    try lab.write(file + others, to: "reports/baselines/acknowledged.yaml")
    let ending = await run(lab)
    let outputs =
      try [text(ending)]
      + ["report.html", "summary.md"].map {
        try lab.text("reports/latest/\($0)").replacing("&#58;", with: ":")
      }
    for output in outputs {
      #expect(output.contains("“pas rate” of quiz matches nothing in this run"), "\(output)")
      #expect(output.contains("“gate: guardrail none” of quiz matches nothing"))
      #expect(output.contains("“gate: pass rate” of quiz matches nothing"))
    }
    let misspelled = outputs[0].components(separatedBy: "“gate: pass rate” of quiz").count - 1
    #expect(misspelled == 1, "not of the local backend: \(outputs[0])")
    #expect(!outputs[0].contains("“pass rate” of quiz matches nothing"))
  }

  @Test("a missed gate can be acknowledged; broken and interrupted runs can't")
  func gates() async throws {
    let lab = try CommandLab()
    var suite = Self.bad
    suite.passRate = 0.9
    try suite.write(to: lab)
    #expect(await run(lab).status == .failed)
    let done = await acknowledge(lab)
    #expect(done.status == .passed, "\(done.notes)")
    #expect(done.output.contains("gate: pass rate"), "\(done.output)")
    #expect(!(try JUnitFile(lab.data("reports/latest/junit.xml"))).failures.isEmpty)
    #expect(await run(lab).status == .passed)
    let junit = try JUnitFile(lab.data("reports/latest/junit.xml"))
    #expect(junit.failures.isEmpty && junit.errors.isEmpty)
    let accept = await lab.assay("baseline", "accept")
    #expect(accept.status == .usage, "an acknowledged run is not a good reference")
    #expect(await run(lab, "--budget-calls", "3").status == .interrupted)
    suite.stub = "  fault: error"
    try suite.write(to: lab)
    #expect(await run(lab).status != .passed)
    #expect(await acknowledge(lab).status != .passed)
    try Self.good.write(to: lab)
    #expect(await run(lab).status == .passed)
    #expect(await acknowledge(lab).status == .nothingSelected)
  }

  @Test(
    "an acknowledged suite is not the reference of later nights, even beside a suite that is red",
    arguments: [false, true])
  func reference(isBesideRed: Bool) async throws {
    let lab = try CommandLab()
    var suite = Self.bad
    suite.passRate = 0.9
    try suite.write(to: lab)
    #expect(await run(lab, "--baseline", "none").status == .failed)
    #expect(await acknowledge(lab).status == .passed)
    try lab.remove("reports/history.jsonl")
    let database = try lab.data("reports/results.sqlite")
    #expect(!database.isEmpty)
    for suffix in ["", "-wal", "-shm"] where lab.has("reports/results.sqlite\(suffix)") {
      try lab.remove("reports/results.sqlite\(suffix)")
    }
    if isBesideRed {
      try suite.write(to: lab, folder: "other")
      try lab.write(
        suite.text.replacing("suite: quiz", with: "suite: other"), to: "other/suite.yaml")
      #expect(await run(lab, lab.path("other"), "--baseline", "main").status == .failed)
    } else {
      #expect(await run(lab, "--baseline", "main").status == .passed)
    }
    let second = await run(lab, "--baseline", "main")
    #expect(text(second).contains("no earlier run of the branch is known"), "\(text(second))")
  }

  @Test(
    "the file may have comments; every mistake in it is an error with its place",
    arguments: [
      ("# nothing\n", nil as String?),
      ("- suite: quiz\n", ":1:3: `quantity` is missing"),
      ("- 3\n", ":1:3: an entry with"), ("a: b\n", ":1:1: a list"),
      ("- suite: [\n", ":"),
      (entry.replacing("limit: 0.3", with: "limit: much"), ":3:10: `limit` must be a number"),
      (entry.replacing("until: 2026-10-01", with: "until: 2026-02-30"), ":6:10: `until` must be"),
      (entry.replacing("until: 2026-10-01", with: "until: 2026-08-31"), ":6:10: `until` must not"),
      (entry.replacing("limit: 0.3", with: "limit: 60"), ":3:10: `limit` is 60"),
      (entry.replacing("limit: 0.3", with: "limit: -1"), ":3:10: `limit` is -1"),
      (entry.replacing("because", with: "\"  \""), ":4:11: `reason` is blank; allowed: "),
      (entry.replacing("limit: 0.3", with: "limit: 0.3\n  cases: all"), ":4:10: `cases` isn't"),
      (entry.replacing("limit: 0.3", with: "limit: 0.3\n  cases: [\"case-1\"]"), nil),
      (
        entry.replacing("limit: 0.3", with: "limit: 60")
          .replacing("pass rate", with: "gate: metric seconds"), nil
      ),
      (entry.replacing("reason:", with: "because:"), ":4:3: there is no key `because`"),
      (entry, nil),
    ] as [(String, String?)])
  func file(text: String, problem: String?) async throws {
    let lab = try CommandLab()
    try Self.good.write(to: lab)
    try lab.write(text, to: "reports/baselines/acknowledged.yaml")
    let ending = await run(lab)
    #expect(ending.status == (problem == nil ? .passed : .usage), "\(ending.notes)")
    if let problem {
      let place = lab.path("reports/baselines/acknowledged.yaml") + problem
      #expect(ending.errors.contains { $0.hasPrefix(place) }, "\(ending.notes)")
    }
  }

  private static let entry = """
    - suite: quiz  # the only one
      quantity: "pass rate"
      limit: 0.3
      reason: because
      since: 2026-09-01
      until: 2026-10-01

    """

  @Test("the command keeps the rest of the file, and refuses a wrong call")
  func command() async throws {
    let lab = try await regressed()
    let other = Self.entry.replacing("pass rate", with: "another")
    try lab.write(
      "# By hand.\n\(other)\(Self.entry)# The last.\n",
      to: "reports/baselines/acknowledged.yaml")
    await acknowledgeEverything(lab)
    let text = try lab.text("reports/baselines/acknowledged.yaml")
    // The entry about the pass rate is replaced, and the others stay.
    #expect(text.hasPrefix("# By hand.\n\(other)# The last.\n- suite: \"quiz\"\n"), "\(text)")
    let reports = ["--reports", lab.reports]
    let calls: [([String], String)] = [
      (["pass rate", "--until", "2026-10-01"], "--reason is missing"),
      (["pass rate", "--reason", "x"], "--until is missing"),
      (["pass rate", "--reason", "x", "--until", "soon"], "expected a date"),
      (["pass rate", "--reason", "x", "--until", "2026-09-20"], "the date has passed"),
    ]
    for (words, problem) in calls {
      let ending = await lab.run(["acknowledge"] + words + reports)
      #expect(ending.status == .usage)
      #expect(ending.notes.contains(problem), "\(ending.notes)")
    }
  }

  @Test("the command says which findings still fail the run")
  func stillRed() async throws {
    let lab = try await regressed()
    let refused = await acknowledge(lab, "no such quantity")
    let names = names(in: refused.notes)
    let name = try #require(names.first)
    let first = await acknowledge(lab, name)
    for name in names.dropFirst() {
      #expect(first.output.contains("still red: \(name); acknowledge it too, or mend it\n"))
    }
    var last = first
    for name in names.dropFirst() { last = await acknowledge(lab, name) }
    #expect(!last.output.contains("still red"), "\(last.output)")
    #expect(await run(lab).status == .passed)
  }

  @Test(
    "the command names what stays red although every finding is acknowledged",
    arguments: [
      ("passRate: 0", "content: { x: a, list: [a] }", "metric `size` has no data in 1 attempt"),
      (
        "passRate: 0, guardrail: [short]", "content: { x: a, n: 2, list: [] }",
        "guardrail `short` was never checked: it had nothing to check in 1 attempt"
      ),
      ("passRate: 0.5", "fault: error", "1 of 1 attempt ended in a backend error"),
      ("passRate: 0.5", "content: { x: a, n: 2, list: [a] }", nil),
    ] as [(String, String, String?)])
  func lasting(gate: String, stub: String, reason: String?) async throws {
    let lab = try CommandLab()
    var suite = Self.bad
    suite.passRate = 0.9
    try suite.write(to: lab)
    try lab.write(
      """
      suite: other
      generates:
        inline:
          title: Note
          type: object
          properties:
            x: { type: string }
            n: { type: integer }
            list: { type: array, items: { type: string } }
          required: [x, list]
          additionalProperties: false
      metrics: { size: { value: $.n } }
      gate: { \(gate) }
      assertions:
        - { name: some text, nonEmpty: { path: $.x } }
        - { name: short, characters: { path: "$.list[*]", max: 9 } }
      stub: { \(stub) }
      cases:
        - { id: a, input: a }

      """, to: "other/suite.yaml")
    #expect(await run(lab, lab.path("other")).status == .failed)
    let done = await acknowledge(lab)
    #expect(done.status == .passed, "\(done.notes)")
    let lines = done.output.split(separator: "\n").filter { $0.hasPrefix("still red") }
    let expected = reason.map {
      "still red: the gate of other on stub, because \($0); that can't be acknowledged, so mend it"
    }
    #expect(lines.map(String.init) == [expected].compactMap(\.self), "\(done.output)")
    #expect(await run(lab, lab.path("other")).status == (reason == nil ? .passed : .failed))
  }

  @Test("the strictest entry counts, and an entry holds only from its first day")
  func severalEntries() async throws {
    let lab = try await regressed()
    await acknowledgeEverything(lab)
    let path = "reports/baselines/acknowledged.yaml"
    let text = try lab.text(path)
    #expect(await run(lab).status == .passed)
    try lab.write(text + Self.entry.replacing("limit: 0.3", with: "limit: 0.95"), to: path)
    let strict = await run(lab)
    #expect(strict.status == .failed)
    #expect(self.text(strict).contains("grew"), "\(self.text(strict))")
    // The control: a wider entry changes nothing.
    try lab.write(text + Self.entry.replacing("limit: 0.3", with: "limit: 0.0"), to: path)
    #expect(await run(lab).status == .passed)
    try lab.write(text.replacing("since: \(Self.today)", with: "since: 2026-09-22"), to: path)
    let early = await run(lab)
    #expect(early.status == .failed)
    #expect(self.text(early).contains("only begins on 2026-09-22"), "\(self.text(early))")
    #expect(await run(lab, days: 1).status == .passed)
  }

  /// A later night of a suite that samples nothing, in which the test cases 0 to 7 regressed.
  struct Night: Sendable, CustomTestStringConvertible {
    var bad: [Int]
    var errors: [Int] = []
    var edit: @Sendable (String) -> String = { $0 }
    var status: AssayCommandLine.ExitStatus
    var words = ""
    var testDescription: String { "\(bad) \(errors)" }
  }

  @Test(
    "if nothing is sampled, one more or another failing test case is red again",
    arguments: [
      Night(bad: Array(0..<8), status: .passed),
      Night(bad: Array(0..<7), status: .passed),
      Night(bad: Array(0..<4), status: .passed, words: "; it shrank). "),
      Night(bad: [3], status: .passed, words: "• Acknowledged, since 2026-09-21."),
      Night(bad: Array(8..<12), status: .failed, words: "? Inconclusive."),
      Night(bad: [], status: .passed, words: "≈ No change."),
      Night(
        bad: Array(0..<8), edit: { $0.replacing("id: c00,", with: "id: n00, aliases: [c00],") },
        status: .passed, words: "• Acknowledged"),
      Night(
        bad: Array(1..<9), edit: { $0.replacing("id: c00,", with: "id: n00, aliases: [c00],") },
        status: .failed, words: "1 other test case newly fails, c08"),
      Night(
        bad: Array(0..<8), edit: { $0.replacing("Word 19.", with: "Word 20.") }, status: .passed,
        words: "• Acknowledged"),
      Night(
        bad: Array(0..<9), edit: { $0.replacing("Word 19.", with: "Word 20.") }, status: .failed,
        words: "1 other test case newly fails, c08"),
      Night(
        bad: Array(0..<8),
        edit: { text in
          text.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.contains("id: c19,") }.joined(separator: "\n")
        }, status: .passed, words: "• Acknowledged"),
      Night(bad: Array(0..<9), status: .failed, words: "1 other test case newly fails, c08"),
      Night(bad: Array(8..<16), status: .failed, words: "8 other test cases newly fail, c08, c09"),
      Night(bad: Array(0..<20), status: .failed, words: "grew: 0.0 % now"),
      Night(bad: Array(0..<8), errors: [19], status: .passed),
    ])
  func checkFixed(_ night: Night) async throws {
    let lab = try CommandLab()
    func assay(
      bad: [Int], errors: [Int] = [], edit: (String) -> String = { $0 }
    ) async throws -> CommandLab.Ending {
      var suite = WordSuite()
      for index in bad { suite.answers[index] = .bad }
      for index in errors { suite.answers[index] = .error }
      try suite.write(to: lab)
      try lab.write(edit(suite.text), to: "words/suite.yaml")
      return await lab.run([
        "run", lab.path("words"), "-b", "stub", "--reports", lab.reports, "--inconclusive", "fail",
      ])
    }
    let before = try await assay(bad: [])
    #expect(before.status == .passed)
    #expect(await lab.assay("baseline", "accept").status == .passed)
    let regressed = try await assay(bad: Array(0..<8))
    #expect(regressed.status == .failed)
    let done = await acknowledge(lab, "pass rate")
    #expect(text(done).contains("60.0 %; at least 59.0 % from now on"), "\(done.output)")
    let file = try lab.text("reports/baselines/acknowledged.yaml")
    #expect(file.contains("  cases: [\"c00\", \"c01\", "), "\(file)")
    let ending = try await assay(bad: night.bad, errors: night.errors, edit: night.edit)
    #expect(ending.status == night.status, "\(ending.output)")
    #expect(night.words.isEmpty || text(ending).contains(night.words), "\(text(ending))")
  }

  @Test("an acknowledged gate fails again if another test case newly fails")
  func gateOfCases() async throws {
    let lab = try CommandLab()
    func assay(bad: [Int]) async throws -> CommandLab.Ending {
      var suite = WordSuite(passRate: 0.98)
      for index in bad { suite.answers[index] = .bad }
      try suite.write(to: lab)
      return await lab.run(["run", lab.path("words"), "-b", "stub", "--reports", lab.reports])
    }
    #expect(try await assay(bad: []).status == .passed)
    #expect(await lab.assay("baseline", "accept").status == .passed)
    #expect(try await assay(bad: [1]).status == .failed)
    #expect(await acknowledge(lab, "gate: pass rate").status == .passed)
    #expect(try lab.text("reports/baselines/acknowledged.yaml").contains("  cases: [\"c01\"]"))
    #expect(try await assay(bad: [1]).status == .passed)
    let other = try await assay(bad: [2])
    #expect(other.status == .failed, "\(other.output)")
    #expect(text(other).contains("1 other test case newly fails, c02"), "\(text(other))")
  }
}
