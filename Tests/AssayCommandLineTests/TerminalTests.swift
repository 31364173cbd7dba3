import EvalFindings
import EvalRecords
import EvalReports
import EvalRunner
import EvalSuites
import Foundation
import Synchronization
import Testing

@testable import AssayCommandLine
@testable import EvalSessions

@Suite("Terminal output")
struct TerminalTests {
  private func block(
    passed: Int, failed: Int, of total: Int, passRate: Double = 0.9
  ) throws -> LiveBlock {
    let lab = try CommandLab()
    try QuizSuite(repeats: total / 8, passRate: passRate).write(to: lab)
    let suites = try Selection().apply(
      to: ProgramContext.process().evaluation.suites(at: [lab.path("quiz")]))
    let plan = RunPlan(suites: suites, backends: ["stub"])
    var block = LiveBlock(plan)
    let variant = try #require(plan.suites.first?.variants.first?.id)
    for index in 0..<(passed + failed) {
      block.add(
        AttemptRecord(
          key: AttemptKey(
            suite: "quiz", variant: variant, backend: "stub", caseID: "日本語\u{202E}",
            repeatIndex: index), seed: 1, outcome: index < passed ? .pass : .fail,
          stopReason: .complete, duration: index == 0 ? 2.1 : 0.1))
    }
    return block
  }

  @Test(
    "the live display says whether the gate is reached, already missed or can still be reached",
    arguments: [
      // The gate requires 72 of 80 attempts, so the ninth failure makes it unreachable.
      (0, 0, "the gate can be reached"), (10, 8, "the gate can be reached"),
      (10, 9, "the gate is already missed"), (72, 0, "the gate is reached"),
    ])
  func reachability(passed: Int, failed: Int, expected: String) throws {
    #expect(try block(passed: passed, failed: failed, of: 80).gates == expected)
  }

  @Test("the live display says nothing about a gate that requires no passes")
  func noPassesRequired() throws {
    #expect(try block(passed: 0, failed: 9, of: 80, passRate: 0).gates.isEmpty)
  }

  @Test("the live display has at most six lines, and none is wider than the terminal")
  func width() throws {
    let block = try block(passed: 30, failed: 12, of: 80)
    for width in [20, 40, 80, 200] {
      let lines = block.lines(elapsed: 65, width: width, style: TextStyle(isOn: false))
      #expect(lines.count <= 6 && lines.allSatisfy { $0.displayWidth < width })
      #expect(!lines.joined().unicodeScalars.contains { $0.value == 0x202E || $0.value == 0x1B })
    }
    let lines = block.lines(elapsed: 65, width: 100, style: TextStyle(isOn: false))
    #expect(lines[0].contains("42/80  52 %"))
    #expect(lines[1].contains("30 ✓  12 ✗  passing 71.4 %"))
  }

  @Test(
    "Assay inserts a space into text that a CI system would otherwise read as a command",
    arguments: [
      ("::error::x", ": :error::x"), ("  ::set-output name=a::b", "  : :set-output name=a::b"),
      ("a ##[add-mask]b", "a # #[add-mask]b"),
      ("\u{600}##[add-mask]b", "\u{600}# #[add-mask]b"), ("##vso[task.x]y", "# #vso[task.x]y"),
      ("a::b", "a::b"), ("one\n::two", "one\n: :two"),
      ("one\r\n ::two", "one\r\n : :two"), ("one\r::two", "one\r: :two"), ("", ""),
    ])
  func commandFreeText(text: String, expected: String) {
    #expect(CommandFreeText.text(text) == expected)
  }

  @Test(
    "without UTF-8, Assay's own symbols become ASCII, and other characters become Unicode escapes")
  func plainText() {
    #expect(PlainText.ascii("✗ fail … é日") == "x fail ... \\u{00E9}\\u{65E5}")
    #expect(PlainText.ascii("\u{1B}[31mx\u{1B}[0m") == "\u{1B}[31mx\u{1B}[0m")
  }

  @Test("a wide character takes two columns, and a truncated text fits the width")
  func displayWidth() {
    #expect("日本".displayWidth == 4 && "e\u{301}".displayWidth == 1 && "😀".displayWidth == 2)
    #expect("日本語".cut(toWidth: 4) == "日…")
    #expect("abc".cut(toWidth: 3) == "abc")
  }

  @Test("a replay reports the first step in which it differs from the stored attempt")
  func firstDifference() {
    func step(_ text: String, _ kept: Double = 0.5) -> TokenStep {
      TokenStep(
        text: text, path: "$", isForced: false, legalCount: 2, keptMass: kept, candidates: [])
    }
    var stored = AttemptRecord(
      key: AttemptKey(suite: "s", variant: "v", backend: "local", caseID: "c", repeatIndex: 0),
      seed: 1, outcome: .pass, stopReason: .complete, output: "[1]", outputTokens: 3)
    stored.trace = [step("["), step("1"), step("]")]
    func answer(_ trace: [TokenStep], _ output: String = "[1]") -> BackendAnswer {
      BackendAnswer(
        repeatSeed: RepeatSeed(repeatIndex: 0, seed: 1), output: output, stopReason: .complete,
        outputTokens: 3, trace: trace)
    }
    #expect(Replay.firstDifference(stored, answer(stored.trace)) == nil)
    #expect(
      Replay.firstDifference(stored, answer([step("["), step("2"), step("]")]))
        == "step 1 was `1` and is now `2`")
    #expect(
      Replay.firstDifference(stored, answer([step("[")]))
        == "step 1 was `1` and is now the end of the answer")
    #expect(
      Replay.firstDifference(stored, answer([step("["), step("1", 0.4), step("]")]))?
        .hasPrefix("step 1, `1`: the mask kept a probability of 0.5") == true)
    stored.trace = []
    #expect(
      Replay.firstDifference(stored, answer([], "[2]")) == "the outputs differ from byte 1 on")
  }

  @Test("an attempt of the toy model replays token by token")
  func replay() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 2).write(to: lab)
    let run = await lab.assay(
      "run", lab.path("quiz"), "--model", Checkout.model, "--case", "case-1", "--trace", "all")
    #expect(run.errors == [])
    let ending = await lab.assay("show", "quiz/case-1#1", "--replay", "--model", Checkout.model)
    #expect(ending.errors == [])
    #expect(ending.status == .passed && ending.output.contains("token by token"))
    #expect(await lab.assay("show", "quiz/case-1#1").output.contains("quiz/case-1#1"))
  }

  /// Shows a run of 80 attempts in a log, and returns what it prints.
  private func log(_ show: (inout ProgressReporter, [AttemptRecord]) -> Void) throws -> [String] {
    let lab = try CommandLab()
    try QuizSuite(repeats: 10, passRate: 0.9).write(to: lab)
    let suites = try Selection().apply(
      to: ProgramContext.process().evaluation.suites(at: [lab.path("quiz")]))
    let plan = RunPlan(suites: suites, backends: ["local"])
    let attempts = plan.jobs.flatMap { job in
      job.repeats.map {
        AttemptRecord(
          key: job.key($0.repeatIndex), seed: 1, outcome: .pass, stopReason: .complete,
          outputTokens: 20, duration: 2)
      }
    }
    let lines = Mutex<[String]>([])
    let console = Console(
      output: { _ in }, notes: { line in lines.withLock { $0.append(line) } },
      outputStyle: TextStyle(isOn: false), noteStyle: TextStyle(isOn: false),
      isInteractive: false, width: 80)
    let earlier = attempts.map {
      EarlierWork(key: $0.key, outputTokens: 20, seconds: $0.duration)
    }
    var reporter = ProgressReporter(
      console: console, plan: plan,
      forecast: RunForecast(plan, earlier: earlier, threads: 2), now: 1000)
    show(&reporter, attempts)
    return lines.withLock(\.self)
  }

  @Test("a log gets a line after each tenth, with the time left and without control characters")
  func logLines() throws {
    let lines = try log { reporter, attempts in
      for (index, attempt) in attempts.enumerated() {
        reporter.finished(attempt, now: 1001 + Double(index))
      }
    }
    #expect(lines.count == 10)
    #expect(lines[0].hasPrefix("[ 8/80] 10%  00:08  8 ok  0 not ok  about 1 min 10 s left"))
    #expect(lines[9] == "[80/80] 100%  01:20  80 ok  0 not ok\n")
    #expect(!lines.joined().unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }

  @Test("a log gets a line each half minute even if no attempt finishes")
  func silence() throws {
    let lines = try log { reporter, _ in
      for second in 0...95 { reporter.tick(now: 1000 + Double(second)) }
    }
    #expect(
      lines.map { $0.prefix(21) } == [
        "[ 0/80] 0%  00:30  0 ", "[ 0/80] 0%  01:00  0 ", "[ 0/80] 0%  01:30  0 ",
      ])
  }

  @Test(
    "a time left is rounded to what an estimate can tell",
    arguments: [
      (0.0, "1 s"), (7.2, "8 s"), (33, "35 s"), (61, "1 min"), (128, "2 min 10 s"),
      (1000, "17 min"), (3700, "1 h"), (9000, "2 h 30 min"), (.infinity, "2777 h 45 min"),
    ])
  func times(seconds: Double, words: String) { #expect(ForecastWords.time(seconds) == words) }

  @Test(
    "the processor's name comes from the system's description",
    arguments: [
      ("processor : 0\nmodel name\t: AMD EPYC 9R14\nmodel name\t: other\n", "AMD EPYC 9R14"),
      ("CPU implementer\t: 0x41\nCPU part\t: 0xd40\n", "Arm 0x41 0xd40"), ("", nil),
    ] as [(String, String?)])
  func processor(text: String, name: String?) {
    #expect(Machine.processor(inCPUInfo: text) == name)
  }
}
