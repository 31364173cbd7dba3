import EvalRecords
import Foundation
import ResultStore
import StructuredText
import TestSupport
import Testing

@testable import AssayCommandLine

@Suite("A run on the user's own program", .timeLimit(.minutes(10)))
struct ProgramRunTests {
  /// The environment in which programs find their interpreters.
  private static let environment = [
    "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
  ]

  private func lab() throws -> CommandLab {
    let lab = try CommandLab()
    try lab.write(
      """
      suite: tips
      generates: { schema: tips.json }
      instructions: You give tips about what you read.
      repeats: 3
      options: { maximumTokens: 300 }
      assertions:
        - count: { path: $.tips, min: 3, max: 6 }
      gate: { passRate: 1 }
      cases:
        - id: bread
          input: Bread gets stale in the fridge. A paper bag keeps the crust crisp. Slices toast well.
        - id: bicycle
          input: Oil the chain after rain. Check the brakes once a week.
      """, to: "evals/tips/suite.yaml")
    try lab.write(
      """
      { "title": "TipList", "type": "object", "required": ["tips"], "additionalProperties": false,
        "properties": { "tips": { "type": "array", "items": { "type": "string" } } } }
      """, to: "evals/tips/tips.json")
    return lab
  }

  private func run(
    _ lab: CommandLab, _ command: String, _ options: String...
  ) async -> CommandLab.Ending {
    await lab.run(
      ["run", lab.path("evals/tips"), "-b", "exec:\(command)", "--reports", lab.reports] + options,
      environment: Self.environment)
  }

  // MARK: Examples

  @Test("the examples of programs pass, and their records say what the programs can do")
  func examples() async throws {
    let folder = Checkout.root.appendingPathComponent("docs/exec").path
    let swift = try #require(Checkout.program).deletingLastPathComponent()
      .appendingPathComponent("tips-example").path
    for (command, honorsSeeds, version) in [
      ("python3 '\(folder)/tips.py'", ServerCapabilities.Finding.yes, "tips 1"),
      ("sh '\(folder)/tips.sh'", nil, nil), ("'\(swift)' '\(Checkout.model)'", .yes, nil),
    ] {
      let lab = try lab()
      let ending = await run(lab, command)
      #expect(ending.status == .passed, "\(command): \(ending.notes)")
      let record = try ResultStore(path: lab.database, access: .reading).run(1)
      #expect(record.backends.first?.engine == "served, exec")
      let use = try #require(record.details.served?["exec:\(command)"])
      #expect(use.answers == 6 && use.address == "exec:\(command)", "\(command): \(use)")
      if let honorsSeeds { #expect(use.capabilities?.repeatsSeeds == honorsSeeds, "\(use)") }
      #expect(use.fingerprints.keys.first == version)
    }
  }

  @Test("`assay doctor` tests a program, and says what is wrong with one that can't be run")
  func doctor() async throws {
    let lab = try CommandLab()
    let program = Checkout.root.appendingPathComponent("docs/exec/tips.py").path
    let command = "exec:python3 '\(program)'"
    let good = await lab.run(["doctor", "-b", command], environment: Self.environment)
    #expect(good.status == .passed, "\(good.notes)")
    #expect(good.output.contains("honors seeds         yes"), "\(good.output)")
    #expect(good.output.contains("build                tips 1"), "\(good.output)")
    let bad = await lab.run(
      ["doctor", "-b", "exec:no-such-program"], environment: Self.environment)
    #expect(bad.status == .cannotRun, "\(bad.notes)")
    #expect(bad.errors.first?.contains("`no-such-program` can't be run: ") == true, "\(bad.notes)")
  }

  // MARK: Commands

  @Test("`exec` without a command is refused, and the lists of backends name programs")
  func mistakes() async throws {
    let lab = try lab()
    let empty = await run(lab, " ")
    #expect(empty.status == .usage)
    #expect(empty.errors.first?.contains("`exec` needs a command; write exec:COMMAND") == true)
    let unknown = await lab.run([
      "run", lab.path("evals/tips"), "-b", "exce:true", "--reports", lab.reports,
    ])
    #expect(unknown.errors.first?.contains("did you mean `exec`?") == true, "\(unknown.notes)")
    let missing = await run(lab, "no-such-program")
    #expect(missing.status == .cannotRun, "\(missing.notes)")
    #expect(missing.notes.contains("`no-such-program` can't be run: "), "\(missing.notes)")
    let attempts = try ResultStore(path: lab.database, access: .reading).attempts(run: 1)
    #expect(attempts.count == 6 && attempts.count { $0.outcome == .error } == 1)
  }

  @Test("a command of the project file runs in the file's folder, and only if commands are allowed")
  func project() async throws {
    let lab = try lab()
    let example = Checkout.root.appendingPathComponent("docs/exec/tips.sh")
    try lab.write(Data(contentsOf: example), to: "evals/app.sh")
    try lab.write(
      "models: { app: { server: 'exec:sh app.sh', concurrency: 1 } }", to: "evals/assay.yaml")
    let words = ["run", lab.path("evals/tips"), "-m", "app", "--reports", lab.reports]
    let refused = await lab.run(words, environment: Self.environment)
    #expect(refused.status == .usage)
    #expect(
      refused.errors == [
        "the project file runs the command `sh app.sh`; allow it with --allow-commands"
      ])
    let allowed = await lab.run(words + ["--allow-commands"], environment: Self.environment)
    #expect(allowed.status == .passed, "\(allowed.notes)")
    let use = try ResultStore(path: lab.database, access: .reading).run(1).details.served
    #expect(use?["exec:sh app.sh"]?.mostAtOnce == 1)
    let doctor = await lab.run(
      ["doctor", "-b", "app", "--suites", lab.path("evals/tips")], environment: Self.environment)
    #expect(doctor.status == .usage, "\(doctor.output)")
  }

  @Test("a recording of a program's replies needs no program to be replayed")
  func replays() async throws {
    let lab = try lab()
    let example = Checkout.root.appendingPathComponent("docs/exec/tips.sh")
    try lab.write(Data(contentsOf: example), to: "app.sh")
    let command = "sh '\(lab.path("app.sh"))'"
    let recorded = await run(lab, command, "--record", lab.path("r.jsonl"))
    #expect(recorded.status == .passed, "\(recorded.notes)")
    try lab.remove("app.sh")
    let replayed = await run(lab, command, "--replay", lab.path("r.jsonl"))
    #expect(replayed.status == .passed, "\(replayed.notes)")
  }

  // MARK: Ends

  @Test(
    "if Assay is interrupted or killed, no process of the program is left",
    arguments: [SIGINT, SIGTERM, SIGKILL])
  func checkNothingIsLeft(_ signal: Int32) async throws {
    let lab = try lab()
    let file = lab.path("pids")
    let hangs = "exec:echo $$ >>'\(file)'; trap '' TERM; sleep 3600 & echo $! >>'\(file)'; wait"
    let started = try RunningProgram(
      ["run", "evals/tips", "-b", hangs, "-j", "2", "--reports", "reports"], in: lab.folder,
      environment: Self.environment)
    await waitUntil { (try? lab.text("pids"))?.split(separator: "\n").count ?? 0 >= 2 }
    kill(started.process.processIdentifier, signal)
    _ = await started.status()
    let ids = try lab.text("pids").split(separator: "\n").compactMap { Int32($0) }
    await waitUntil { ids.allSatisfy(hasEnded) }
    #expect(ids.count >= 2 && ids.allSatisfy(hasEnded), "\(ids)")
  }
}
