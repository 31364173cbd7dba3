import Foundation
import StructuredText
import Testing

@testable import AssayCommandLine

/// Tests situations in which a run once passed by mistake.
@Suite("A run doesn't pass by accident")
struct VerdictAttackTests {
  private static let bad = QuizSuite(
    guide: "The cards.", passRate: 0.2, stub: QuizSuite.sometimesEmpty)

  /// Creates a lab whose baseline is a good run of eight test cases with five repeats.
  private func accepted() async throws -> CommandLab {
    let lab = try CommandLab()
    try QuizSuite(passRate: 0.2).write(to: lab)
    #expect(await lab.assay("run", lab.path("quiz"), "-b", "stub").status == .passed)
    let accept = await lab.assay("baseline", "accept", "--reason", "good")
    #expect(accept.status == .passed, "\(accept.notes)")
    return lab
  }

  private func run(_ lab: CommandLab, _ words: String...) async -> CommandLab.Ending {
    await lab.run(["run", lab.path("quiz"), "-b", "stub", "--reports", lab.reports] + words)
  }

  @Test("a regression is found even if the test cases or the number of repeats changed")
  func commonPart() async throws {
    var added = Self.bad
    added.cases.append(("extra", "One more text."))
    var removed = Self.bad
    removed.cases.removeLast()
    var renamed = Self.bad
    renamed.cases[0].0 = "another-name"
    var fewer = Self.bad
    fewer.repeats = 4
    let rows: [(QuizSuite, String)] = [
      (added, "Left out: 1 new case."), (removed, "Left out: 1 case only in the baseline."),
      (renamed, "Left out: 1 new case, 1 only in the baseline."),
      (fewer, "Left out: 1 of the baseline's 5 repeats."),
    ]
    for (suite, words) in rows {
      let lab = try await accepted()
      try suite.write(to: lab)
      let ending = await run(lab)
      #expect(ending.status == .failed, "\(words): \(ending.output)")
      let text = ending.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(text.contains("✗ Regressed."), "\(ending.output)")
      #expect(text.contains(words), "\(ending.output)")
    }
  }

  @Test("test cases that newly fail are named first, and fail the run with --inconclusive fail")
  func newlyFailing() async throws {
    /// Writes a suite of 48 test cases of which some have an empty answer.
    func write(_ lab: CommandLab, empty: Set<Int>) throws {
      var suite = QuizSuite(repeats: 1, passRate: 0.2)
      suite.cases = (1...48).map { ("case-\($0)", "Text \($0).") }
      var text = suite.text
      for index in empty {
        text = text.replacing(
          "input: \"Text \(index).\" }",
          with: "input: \"Text \(index).\", stub: { content: { pairs: [] } } }")
      }
      try suite.write(to: lab)
      try lab.write(text, to: "quiz/suite.yaml")
    }
    let rows: [(now: Set<Int>, words: String?)] = [
      (
        [4, 6, 40, 41],
        "New since run 1: 3 test cases of quiz. 3 of 48 test cases newly fail since the baseline "
          + "(case-4, case-6, case-40), 1 newly passes (case-42)."
      ),
      (
        [6, 41, 42],
        "New since run 1: the test case case-6 of quiz. 1 of 48 test cases newly fails since the "
          + "baseline (case-6)."
      ),
      ([41], nil), ([41, 42], nil),
    ]
    for (now, words) in rows {
      let lab = try CommandLab()
      try write(lab, empty: [41, 42])
      #expect(await run(lab).status == .passed)
      #expect(await lab.assay("baseline", "accept", "--allow", "known").status == .passed)
      try write(lab, empty: now)
      let ending = await run(lab)
      #expect(ending.status == .passed, "\(ending.output)")
      let strict = await run(lab, "--inconclusive", "fail")
      #expect(strict.status == (words == nil ? .passed : .failed), "\(strict.output)")
      let text = ending.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        .replacing(#/ \(\d+ \w+\)/#, with: "")
      guard let words else {
        #expect(text.contains("≈ No change.") && !text.contains("newly fail"), "\(text)")
        continue
      }
      #expect(text.contains("? Inconclusive. \(words)"), "\(text)")
      for file in ["junit.xml", "report.html", "summary.md"] {
        let report = try lab.text("reports/2/\(file)")
        #expect(report.contains("newly"), "\(file)")
        #expect(!report.contains("≈ No change"), "\(file)")
      }
    }
  }

  @Test(
    "without --allow-not-comparable, a run exits with 4 if its options differ from its baseline's")
  func otherRequest() async throws {
    let lab = try await accepted()
    let text = Self.bad.text.replacingOccurrences(
      of: "maximumTokens: 200", with: "maximumTokens: 199")
    try lab.write(text, to: "quiz/suite.yaml")
    let ending = await run(lab)
    #expect(ending.status == .usage, "\(ending.output)")
    #expect(ending.output.contains("! Not comparable."))
    #expect(await lab.assay("compare", "1", "2").status == .usage)
    #expect(await run(lab, "--allow-not-comparable").status == .passed)
    #expect(
      await lab.assay("compare", "1", "2", "--allow-not-comparable").status == .passed)
  }

  @Test(
    "if most test cases of the baseline are missing, the run says so and ends with exit status 4")
  func vanishedCases() async throws {
    let lab = try await accepted()
    var short = QuizSuite(passRate: 0.2)
    short.cases = [short.cases[0]]
    try short.write(to: lab)
    let ending = await run(lab)
    #expect(ending.status == .usage, "\(ending.output)")
    #expect(ending.output.contains("7 of 8 test cases"), "\(ending.output)")
    // If a run selects one test case, the comparison covers only that test case.
    let one = await run(lab, "--case", "quiz/case-1")
    #expect(one.status == .passed, "\(one.output)")
  }

  @Test("a renamed suite loses its baseline, and the headline says so")
  func vanishedBaseline() async throws {
    let lab = try await accepted()
    try lab.write(
      QuizSuite(passRate: 0.2).text.replacingOccurrences(of: "suite: quiz", with: "suite: quizzes"),
      to: "quiz/suite.yaml")
    let ending = await run(lab)
    let text = ending.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("The baseline of quiz no longer has a suite"), "\(text)")
    #expect(text.contains("The suites of this run have no baseline"), "\(text)")
    // Writing the reports of that run again gives the same result.
    let again = await lab.assay("report", "2")
    #expect(again.output.contains("The baseline of quiz no longer"), "\(again.output)")
  }

  @Test("a run that missed its gate can be accepted as a baseline only with --allow")
  func failingBaseline() async throws {
    let lab = try CommandLab()
    try QuizSuite(passRate: 1, stub: QuizSuite.sometimesEmpty).write(to: lab)
    #expect(await run(lab).status == .failed)
    let refused = await lab.assay("baseline", "accept")
    #expect(refused.status == .usage)
    #expect(refused.errors.first?.contains("quiz missed its gate") == true, "\(refused.notes)")
    #expect(!lab.has("reports/baselines/quiz.jsonl"))
    let allowed = await lab.assay("baseline", "accept", "--allow", "the stub is meant to fail")
    #expect(allowed.status == .passed, "\(allowed.notes)")
    #expect(allowed.output.contains("although the run has problems: the stub is meant to fail"))
    #expect(try lab.text("reports/baselines/quiz.jsonl").contains("the stub is meant to fail"))
  }

  @Test("compare and import reject a file that contains an attempt twice")
  func duplicates() async throws {
    let lab = try await accepted()
    let export = await lab.assay("export", "1", "--out", lab.path("one.jsonl"))
    #expect(export.status == .passed, "\(export.notes)")
    var lines = try lab.text("one.jsonl").split(separator: "\n").map(String.init)
    let index = try #require(lines.firstIndex { $0.hasPrefix("{\"attempt\"") })
    lines.insert(lines[index], at: index)
    try lab.write(lines.joined(separator: "\n") + "\n", to: "twice.jsonl")
    let ending = await lab.assay("compare", lab.path("one.jsonl"), lab.path("twice.jsonl"))
    #expect(ending.status == .usage)
    #expect(ending.errors.first?.contains("appears twice") == true, "\(ending.notes)")
    #expect(ending.errors.first?.contains("twice.jsonl:\(index + 2):") == true)
  }

  @Test(
    "a missed gate stays missed even if additional fresh repeats pass",
    arguments: ["passRate: 0.5", "reducer: at least 2, passRate: 1"])
  func freshDoesNotDilute(gate: String) async throws {
    let lab = try CommandLab()
    // Repeat 0 passes, repeats 1 and 2 fail, and all later repeats pass.
    let pairs =
      #"{ pairs: [ { question: A, answer: B }, { question: C, answer: D }, "#
      + #"{ question: E, answer: F } ] }"#
    let stub = """
        sequence:
          - { content: \(pairs) }
          - { content: { pairs: [] } }
          - { content: { pairs: [] } }
          - { content: \(pairs) }
          - { content: \(pairs) }
          - { content: \(pairs) }
      """
    let suite = QuizSuite(repeats: 3, passRate: 0.5, stub: stub)
    try suite.write(to: lab)
    try lab.write(
      suite.text.replacingOccurrences(of: "passRate: 0.5", with: gate), to: "quiz/suite.yaml")
    #expect(await run(lab).status == .failed)
    let fresh = await run(lab, "--fresh", "3")
    #expect(fresh.status == .failed, "\(fresh.output)")
  }

  @Test("a script that gives each repeat its answer leaves nothing to chance")
  func scripted() async throws {
    func stub(_ lengths: [Int], weighted: Bool = false) -> String {
      let lines = lengths.map { length in
        let pairs = (0..<length).map { "{ question: \"Q\($0)\", answer: \"A\($0)\" }" }
        let content = "content: { pairs: [\(pairs.joined(separator: ", "))] }"
        return "    - { \(weighted ? "weight: 1, " : "")\(content) }"
      }
      return (["  \(weighted ? "weighted" : "sequence"):"] + lines).joined(separator: "\n")
    }
    /// Writes a suite whose last test case has a script of its own.
    func write(_ lab: CommandLab, _ own: String) throws {
      var suite = QuizSuite(repeats: 1, passRate: 0.2, stub: stub([3, 4]))
      suite.cases = (1...20).map { ("case-\($0)", "Text \($0).") }
      try suite.write(to: lab)
      let last = "input: \"Text 20.\""
      let flow = own.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      let entries = flow.dropFirst().map { $0.dropFirst(2) }.joined(separator: ", ")
      try lab.write(
        suite.text.replacing(last, with: "\(last), stub: { \(flow[0]) [ \(entries) ] }"),
        to: "quiz/suite.yaml")
    }
    let rows: [(String, [String], words: String?)] = [
      (
        stub([3, 0]), ["--fresh", "1"],
        "1 of 20 test cases fails in the attempts that the comparison leaves out (case-20)"
      ),
      (stub([3, 4]), ["--fresh", "1"], nil),
      (stub([0, 0, 1]), [], "1 of 20 test cases newly fails since the baseline (case-20)"),
      (stub([3, 0], weighted: true), ["--fresh", "1", "--fresh-seed", "7"], nil),
    ]
    for (own, options, words) in rows {
      let lab = try CommandLab()
      try write(lab, stub([3, 4]))
      #expect(await run(lab).status == .passed)
      #expect(await lab.assay("baseline", "accept", "--reason", "good").status == .passed)
      try write(lab, own)
      let ending = await lab.run(
        ["run", lab.path("quiz"), "-b", "stub", "--reports", lab.reports] + options)
      #expect(ending.status == .passed, "\(ending.output)")
      #expect(ending.line.contains("(case-20)") == (words != nil), "\(own): \(ending.output)")
      if let words { #expect(ending.line.contains(words), "\(own): \(ending.output)") }
    }
  }

  @Test("--resume rejects an interrupted run if the stub's answers have changed")
  func resumedWithOtherAnswers() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 2, stub: "  content: { pairs: [] }").write(to: lab)
    #expect(await run(lab, "--budget-calls", "5").status == .interrupted)
    try QuizSuite(repeats: 2).write(to: lab)
    let refused = await run(lab, "--resume", "1")
    #expect(refused.status == .usage, "\(refused.output)")
    #expect(
      refused.errors.first?.contains("the requests of 3 test cases have changed") == true,
      "\(refused.notes)")
    try QuizSuite(repeats: 2, stub: "  content: { pairs: [] }").write(to: lab)
    #expect(await run(lab, "--resume", "1").status == .failed)
  }

  @Test(
    "the output mentions new refusals, but only `--inconclusive fail` makes them fail the run")
  func newRefusals() async throws {
    let lab = try CommandLab()
    var suite = QuizSuite(repeats: 1, passRate: 0.5)
    suite.cases = (1...20).map { ("case-\($0)", "A short text, the one with number \($0).") }
    try suite.write(to: lab)
    #expect(await run(lab).status == .passed)
    #expect(await lab.assay("baseline", "accept", "--reason", "good").status == .passed)
    var text = suite.text
    for number in [3, 7, 11, 19] {
      let input = "input: \"A short text, the one with number \(number).\""
      text = text.replacingOccurrences(of: input, with: input + ", stub: { fault: refusal }")
    }
    try lab.write(text, to: "quiz/suite.yaml")
    // Only four test cases changed, all for the worse. So p is 0.0625, which is inconclusive.
    let ending = await run(lab)
    #expect(ending.status == .passed, "\(ending.output)")
    let words = ending.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("? Inconclusive."), "\(words)")
    #expect(words.contains("refus"), "\(words)")
    #expect(await run(lab, "--inconclusive", "fail").status == .failed)
  }

  @Test("the JUnit file has failures if and only if the command fails")
  func junit() async throws {
    let lab = try await accepted()
    try Self.bad.write(to: lab)
    #expect(await run(lab).status == .failed)
    let text = try lab.text("reports/latest/junit.xml")
    #expect(text.contains("name=\"[comparison]\""))
    #expect(text.contains("type=\"comparison\""), "the suite passes its gate, but it regressed")
    let gate = await run(lab, "--baseline", "none")
    #expect(gate.status == .passed, "\(gate.notes)\(gate.output)")
    #expect(!(try lab.text("reports/latest/junit.xml")).contains("<failure"))
  }
}
