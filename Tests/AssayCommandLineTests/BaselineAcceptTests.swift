import EvalRecords
import Foundation
import ResultStore
import Testing

@testable import AssayCommandLine
@testable import EvalSessions

@Suite("Accepting a baseline")
struct BaselineAcceptTests {
  private static let file = "reports/baselines/quiz.jsonl"

  private func lab(_ suite: QuizSuite = QuizSuite()) throws -> CommandLab {
    let lab = try CommandLab()
    try suite.write(to: lab)
    return lab
  }

  private func run(_ lab: CommandLab, _ words: String...) async -> CommandLab.Ending {
    await lab.run(["run", lab.path("quiz"), "-b", "stub", "--reports", lab.reports] + words)
  }

  private func accept(_ lab: CommandLab, _ words: String...) async -> CommandLab.Ending {
    await lab.run(["baseline", "accept", "--reports", lab.reports] + words)
  }

  /// Checks that a run is refused with a reason, that no file is written, and that the report of
  /// the run doesn't recommend accepting it.
  private func checkRefused(
    _ lab: CommandLab, run: Int, _ reason: String, isFinal: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let kept = lab.has(Self.file) ? try lab.text(Self.file) : nil
    let refused = await accept(lab, "\(run)")
    #expect(refused.status == .usage, sourceLocation: sourceLocation)
    #expect(
      refused.errors.first?.contains(reason) == true, "\(refused.notes)",
      sourceLocation: sourceLocation)
    #expect(
      (lab.has(Self.file) ? try lab.text(Self.file) : nil) == kept, sourceLocation: sourceLocation)
    let report = await lab.assay("report", "\(run)")
    #expect(
      !report.output.contains("baseline accept"), "\(report.output)",
      sourceLocation: sourceLocation)
    let allowed = await accept(lab, "\(run)", "--allow", "a trial")
    #expect(
      allowed.status == (isFinal ? .usage : .passed), "\(allowed.notes)",
      sourceLocation: sourceLocation)
  }

  @Test(
    "a part of a suite is refused",
    arguments: [
      ["--case", "case-1"], ["--shard", "1/2"], ["--variant", "silent"], ["--variant", "all"],
    ])
  func part(options: [String]) async throws {
    let lab = try lab()
    #expect(
      await lab.run(
        ["run", lab.path("quiz"), "-b", "stub", "--reports", lab.reports] + options
      ).status == .passed)
    let none = await accept(lab)
    #expect(none.status == .nothingSelected, "\(none.notes)")
    #expect(none.errors.first?.contains("no complete run of whole suites") == true)
    try await checkRefused(lab, run: 1, "not a run of whole suites as they stand (\(options[0])")
  }

  @Test("without a number, the last complete run of whole suites is accepted")
  func lastWholeRun() async throws {
    let lab = try lab()
    #expect(await run(lab).status == .passed)
    #expect(await run(lab, "--case", "case-1").status == .passed)
    let compare = await lab.assay(
      "compare", "quiz:default", "quiz:same", "-b", "stub", "--suites", lab.path("quiz"))
    #expect(compare.status == .passed, "\(compare.notes)")
    let accepted = await accept(lab)
    #expect(accepted.output.contains("run 1, 40 of 40 attempts pass"), "\(accepted.output)")
  }

  @Test("a comparison of variants is refused, whatever the reason")
  func variants() async throws {
    let lab = try lab()
    _ = await lab.assay(
      "compare", "quiz:default", "quiz:silent", "-b", "stub", "--suites", lab.path("quiz"))
    try await checkRefused(lab, run: 1, "compares variants or tries edits", isFinal: true)
  }

  @Test("a run with backend errors, and a run that got worse, are refused")
  func badRuns() async throws {
    let lab = try lab(QuizSuite(passRate: 0.2))
    #expect(await run(lab).status == .passed)
    #expect(await accept(lab).status == .passed)
    try QuizSuite(passRate: 0.2, stub: QuizSuite.sometimesEmpty).write(to: lab)
    #expect(await run(lab).status == .failed)
    try await checkRefused(lab, run: 2, "quiz got worse than its baseline")
    try QuizSuite(passRate: 0, stub: "  fault: error").write(to: lab)
    _ = await run(lab, "--baseline", "none")
    try await checkRefused(lab, run: 3, "ended in a backend error")
  }

  @Test("accepting a run that wasn't comparable, or whose test cases newly fail, prints a warning")
  func doubts() async throws {
    let lab = try lab(QuizSuite(passRate: 0.2))
    #expect(await run(lab).status == .passed)
    let first = await accept(lab)
    #expect(first.status == .passed && !first.notes.contains("warning"), "\(first.notes)")
    let text = try lab.text("quiz/suite.yaml")
    try lab.write(
      text.replacingOccurrences(of: "temperature: 0.7", with: "temperature: 0.1"),
      to: "quiz/suite.yaml")
    #expect(await run(lab, "--allow-not-comparable").status == .passed)
    let second = await accept(lab)
    #expect(second.status == .passed)
    #expect(
      second.notes.contains("quiz was not comparable with its reference"), "\(second.notes)")
  }

  /// Edits of judgement between the baseline and the accepted run.
  static let edits:
    [(
      String, status: AssayCommandLine.ExitStatus, words: [String],
      @Sendable (inout JudgedSuite) -> Void
    )] = [
      ("nothing", .passed, [], { _ in }),
      ("a name", .passed, [], { $0.assertions[0] = "{ name: new, present: { path: $.y } }" }),
      (
        "an assertion is dropped", .passed, ["1 removed assertion: “is ok”"],
        { $0.assertions.removeLast() }
      ),
      (
        "an assertion is dropped, and answers change", .usage,
        ["1 removed assertion: “is ok”", "8 answers that differ", "was not comparable"],
        {
          $0.assertions.removeLast()
          $0.answers = JudgedSuite.worse
        }
      ),
      (
        "the gate's rate", .passed, ["gate rate 0.1 → 0.2"],
        { $0.rules = "gate: { passRate: 0.2 }" }
      ),
      (
        "a guardrail", .passed, ["guardrails", "is ok"],
        { $0.rules = "gate: { passRate: 0.1, guardrail: [is ok] }" }
      ),
    ]

  @Test("accepting a run whose judgement was edited says what was edited", arguments: edits.indices)
  func checkEdit(_ index: Int) async throws {
    let (name, status, words, edit) = Self.edits[index]
    let lab = try await JudgedSuite().accepted()
    var suite = JudgedSuite()
    edit(&suite)
    try suite.write(to: lab)
    let ending = await JudgedSuite.run(lab)
    #expect(ending.status == status, "\(name): \(ending.output)")
    let accepted = await lab.assay("baseline", "accept", "--reason", "edited")
    #expect(accepted.status == .passed, "\(name): \(accepted.notes)")
    let notes = accepted.notes.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(notes.contains("judged by other rules") == !words.isEmpty, "\(name): \(notes)")
    #expect(notes.contains("not comparable") == (status == .usage), "\(name): \(notes)")
    for word in words { #expect(notes.contains(word), "\(name): \(notes)") }
  }

  @Test("an import has a baseline of its own, and doesn't replace the baseline of a model")
  func kinds() async throws {
    let lab = try lab(QuizSuite(repeats: 1))
    #expect(
      await lab.assay("run", lab.path("quiz"), "-m", Checkout.model, "--baseline", "none").status
        != .cannotRun)
    #expect(await accept(lab, "--allow", "the toy").status == .passed)
    let model = try lab.text(Self.file)
    let answer = #"{\"pairs\": [{\"question\": \"Q\", \"answer\": \"A\"}]}"#
    let lines = QuizSuite().cases.map { #"{"input": "\#($0.1)", "output": "\#(answer)"}"# }
    try lab.write(lines.joined(separator: "\n"), to: "log.jsonl")
    let imported = await lab.assay(
      "import", lab.path("log.jsonl"), "--suites", lab.path("quiz"))
    #expect(!imported.output.contains("Not comparable"), "\(imported.output)")
    let accepted = await accept(lab, "2", "--allow", "the first week")
    #expect(accepted.status == .passed, "\(accepted.notes)")
    #expect(try lab.text(Self.file) == model)
    #expect(lab.has("reports/baselines/quiz@recorded.jsonl"))
    // The next import is compared with the accepted import, and a run of the model with its own.
    let next = await lab.assay(
      "import", lab.path("log.jsonl"), "--suites", lab.path("quiz"), "--label", "next")
    #expect(
      next.output.contains("in run 3 against quiz:default on recorded in run 2"), "\(next.output)")
    // A stub's answers don't replace a model's.
    #expect(await run(lab, "--baseline", "none").status == .passed)
    try await checkRefused(
      lab, run: 4, "has the answers of a model, and this run has the fixed answers of the stub")
  }

  @Test("a baseline that was edited or truncated is noticed, and other line ends are not")
  func checksum() async throws {
    let lab = try lab()
    #expect(await run(lab).status == .passed)
    #expect(await accept(lab).status == .passed)
    let text = try lab.text(Self.file)
    func check(_ text: String, _ problem: String?) async throws {
      try lab.write(text, to: Self.file)
      let ending = await run(lab)
      if let problem {
        #expect(ending.status == .usage)
        #expect(ending.errors.first?.contains(problem) == true, "\(ending.notes)")
      } else {
        #expect(ending.status == .passed, "\(ending.notes)")
      }
    }
    try await check(text, nil)
    try await check(text.replacing("\n", with: "\r\n"), nil)
    try await check(text + "\n", nil)
    try await check(
      text.replacing("\"outcome\":\"pass\"", with: "\"outcome\":\"fail\"", maxReplacements: 1),
      "the file was changed after its acceptance")
    let lines = text.split(separator: "\n")
    try await check(lines.dropLast().joined(separator: "\n") + "\n", "the file is truncated")
    try await check(
      (lines.dropLast(3) + lines.suffix(1)).joined(separator: "\n") + "\n",
      "the file was changed after its acceptance")
    try await check(String(text.prefix(text.count / 2)), "the file is truncated")
  }

  @Test("`baseline show` says what a new baseline changes")
  func show() async throws {
    let lab = try lab(QuizSuite(passRate: 0.2))
    #expect(await run(lab).status == .passed)
    #expect(await accept(lab, "--reason", "first").status == .passed)
    let first = await lab.assay("baseline", "show")
    #expect(first.output.contains("nothing: this is the first baseline"), "\(first.output)")
    try QuizSuite(guide: "The cards.", passRate: 0.2, stub: QuizSuite.sometimesEmpty).write(to: lab)
    #expect(await run(lab).status == .failed)
    #expect(await accept(lab, "--allow", "empty ones are fine").status == .passed)
    let shown = await lab.assay("baseline", "show", "quiz")
    for words in [
      "  replaces  run 1, 40 of 40 attempts pass", "  guide     Quiz", "→", "  worse     case-",
      "although the run has problems: empty ones are fine",
    ] { #expect(shown.output.contains(words), "\(shown.output)") }
    #expect(await lab.assay("baseline", "show", "other").status == .nothingSelected)
  }

  @Test("a renewal is refused like an acceptance, and shows the old answers beside the new ones")
  func renewal() async throws {
    let lab = try lab(QuizSuite(passRate: 0.2))
    #expect(await run(lab).status == .passed)
    #expect(await accept(lab).status == .passed)
    let kept = try lab.text(Self.file)
    func renew(_ words: String...) async -> CommandLab.Ending {
      await lab.run(
        ["baseline", "renew", "quiz", "--suites", lab.path("quiz"), "--reports", lab.reports]
          + words)
    }
    for (suite, reason) in [
      (QuizSuite(passRate: 0.2, stub: QuizSuite.sometimesEmpty), "quiz got worse"),
      (QuizSuite(passRate: 1, stub: QuizSuite.sometimesEmpty), "quiz missed its gate"),
    ] {
      try suite.write(to: lab)
      let refused = await renew()
      #expect(refused.status == .usage, "\(refused.output)")
      #expect(refused.errors.first?.contains(reason) == true, "\(refused.notes)")
      #expect(refused.output.contains("  replaces  run 1, 40 of 40"), "\(refused.output)")
      #expect(try lab.text(Self.file) == kept)
    }
    #expect(await renew("--allow", "as expected").status == .passed)
    try QuizSuite(passRate: 0.2).write(to: lab)
    let renewed = await renew()
    #expect(renewed.status == .passed, "\(renewed.notes)")
    #expect(renewed.output.contains("  better    case-"), "\(renewed.output)")
  }

  @Test(
    "a log with uneven numbers of answers is compared, and a log that lacks some is not accepted")
  func unevenLog() async throws {
    let lab = try lab(QuizSuite(passRate: 0))
    let pair = #"{\"question\": \"Q\", \"answer\": \"A\"}"#
    func line(_ input: String, _ pairs: Int) -> String {
      let list = Array(repeating: pair, count: pairs).joined(separator: ", ")
      return #"{"input": "\#(input)", "output": "{\"pairs\": [\#(list)]}"}"#
    }
    let inputs = QuizSuite().cases.map(\.1)
    let even = inputs.map { line($0, 3) }
    func imported(
      _ lines: [String], _ label: String, _ words: String...
    ) async throws
      -> CommandLab.Ending
    {
      try lab.write(lines.joined(separator: "\n"), to: "\(label).jsonl")
      return await lab.run(
        [
          "import", lab.path("\(label).jsonl"), "--suites", lab.path("quiz"), "--label", label,
          "--reports", lab.reports,
        ] + words)
    }
    // The first test case is logged twice.
    #expect(try await imported(even + [even[0]], "uneven").status == .passed)
    #expect(await accept(lab, "--reason", "a week").status == .passed)
    let same = try await imported(even + [even[0]], "same")
    #expect(same.status == .passed && same.output.contains("No change"), "\(same.output)")
    let other = try await imported(even + [even[1], even[1], even[2]], "other")
    #expect(other.status == .passed && other.output.contains("No change"), "\(other.output)")
    // The control: the same log with worse answers.
    let worse = try await imported(inputs.map { line($0, 1) } + [line(inputs[0], 1)], "worse")
    #expect(worse.status == .failed, "\(worse.output)")

    let part = try await imported(Array(even.prefix(5)), "part")
    #expect(part.status == .interrupted, "\(part.output)")
    #expect(!part.output.contains("--resume"), "\(part.output)")
    let allowed = try await imported(Array(even.prefix(5)), "allowed", "--allow-missing")
    #expect(allowed.status != .interrupted, "\(allowed.output)")
    let refused = await accept(lab, "6")
    #expect(
      refused.errors.first?.contains("3 test cases without a recorded answer: quiz/case-6") == true,
      "\(refused.notes)")
  }

  @Test("a damaged baseline, or one that the run is worse than, is not replaced without a reason")
  func replacedBaseline() async throws {
    let lab = try lab(QuizSuite(passRate: 0.2))
    #expect(await run(lab).status == .passed)
    #expect(await accept(lab).status == .passed)
    let text = try lab.text(Self.file)
    try QuizSuite(passRate: 0, stub: QuizSuite.sometimesEmpty).write(to: lab)
    // The run was compared with nothing, but it would replace a better baseline.
    #expect(await run(lab, "--baseline", "none").status == .passed)
    let worse = await accept(lab, "2")
    #expect(worse.errors.first?.contains("quiz got worse than its baseline") == true)
    try lab.write(String(text.prefix(2000)), to: Self.file)
    let damaged = await accept(lab, "2")
    #expect(damaged.errors.first?.contains("it is damaged") == true, "\(damaged.notes)")
    #expect(try lab.text(Self.file) == String(text.prefix(2000)))
    #expect(await accept(lab, "2", "--allow", "a new start").status == .passed)
  }

  @Test("a damaged baseline file doesn't keep the report of a run that has its own reference")
  func damagedLater() async throws {
    let lab = try lab(QuizSuite(passRate: 0.2))
    #expect(await run(lab).status == .passed)
    #expect(await accept(lab).status == .passed)
    try QuizSuite(passRate: 0.2, stub: QuizSuite.sometimesEmpty).write(to: lab)
    #expect(await run(lab).status == .failed)
    try lab.write("x", to: Self.file)
    let report = await lab.assay("report", "2")
    #expect(report.status == .failed, "\(report.notes)")
    #expect(await run(lab).status == .usage, "a new run needs the file")
  }
}
