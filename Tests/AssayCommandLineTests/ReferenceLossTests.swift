import Foundation
import Testing

@testable import AssayCommandLine

/// Tests runs whose reference is gone, was replaced, or doesn't fit any more.
@Suite("A lost or replaced reference is never a silent pass")
struct ReferenceLossTests {
  private static let good = QuizSuite(passRate: 0.2)
  private static let bad = QuizSuite(
    guide: "The cards.", passRate: 0.2, stub: QuizSuite.sometimesEmpty)

  /// Returns a lab that is a git repository with a branch checked out, or a detached HEAD.
  private func repository(on branch: String? = "main") throws -> CommandLab {
    let lab = try CommandLab()
    try checkOut(branch, in: lab)
    return lab
  }

  private func checkOut(_ branch: String?, in lab: CommandLab) throws {
    let hash = String(repeating: "a", count: 40) + "\n"
    try lab.write(branch.map { "ref: refs/heads/\($0)\n" } ?? hash, to: ".git/HEAD")
    if let branch { try lab.write(hash, to: ".git/refs/heads/\(branch)") }
  }

  private func night(
    _ lab: CommandLab, _ words: String..., environment: [String: String] = [:], seconds: Double = 0
  ) async -> CommandLab.Ending {
    await lab.run(
      ["run", lab.path("evals"), "--reports", lab.reports, "--baseline", "main"]
        + (words.contains("-m") ? [] : ["-b", "stub"]) + words, environment: environment,
      time: CommandLab.time + seconds)
  }

  private func run(_ lab: CommandLab, _ words: String...) async -> CommandLab.Ending {
    await lab.run(
      ["run", lab.path("evals"), "-b", "stub", "--reports", lab.reports] + words)
  }

  private func text(_ ending: CommandLab.Ending) -> String {
    ending.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Checks the exit status and a part of the output.
  private func check(
    _ ending: CommandLab.Ending, _ status: AssayCommandLine.ExitStatus, _ words: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      ending.status == status, "\(ending.output) \(ending.notes)", sourceLocation: sourceLocation)
    #expect(
      words.isEmpty || text(ending).contains(words), "\(words): \(text(ending))",
      sourceLocation: sourceLocation)
  }

  // MARK: History and database

  @Test(
    "a lost history or database changes a sentence, not the status",
    arguments: [
      (["history.jsonl"], ""), (["results.sqlite"], "compared with the counts in the history"),
      ([], ""),
    ])
  func lostFiles(files: [String], words: String) async throws {
    for (suite, status) in [(Self.bad, AssayCommandLine.ExitStatus.failed), (Self.good, .passed)] {
      let lab = try repository()
      try Self.good.write(to: lab, folder: "evals/quiz")
      check(await night(lab), .passed, "no earlier run of the branch is known")
      check(await night(lab), .passed, "≈ No change")
      for file in files {
        for suffix in ["", "-wal", "-shm"] where lab.has("reports/\(file)\(suffix)") {
          try lab.remove("reports/\(file)\(suffix)")
        }
      }
      try suite.write(to: lab, folder: "evals/quiz")
      // The night after the loss doesn't become the reference.
      for number in 1...2 { check(await night(lab, seconds: Double(number)), status, words) }
    }
  }

  private func loseDatabase(_ lab: CommandLab) throws {
    for suffix in ["", "-wal", "-shm"] where lab.has("reports/results.sqlite\(suffix)") {
      try lab.remove("reports/results.sqlite\(suffix)")
    }
  }

  @Test("counts without attempts aren't compared with a suite whose judgement or inputs changed")
  func editedCounts() async throws {
    let rows: [(old: String, new: String, status: AssayCommandLine.ExitStatus)] = [
      ("assertions:\n", "threshold: 0.1\nassertions:\n", .usage),
      ("temperature: 0.7", "temperature: 0.1", .usage), ("input: \"", "input: \"New: ", .usage),
      ("title: Pairs for a quiz", "title: Pairs", .passed),
    ]
    for (old, new, status) in rows {
      let lab = try repository()
      try Self.good.write(to: lab, folder: "evals/quiz")
      check(await night(lab), .passed)
      try loseDatabase(lab)
      let text = Self.good.text.replacingOccurrences(of: old, with: new)
      #expect(text != Self.good.text)
      try lab.write(text, to: "evals/quiz/suite.yaml")
      let words = status == .usage ? "its counts in the history can't be compared" : ""
      for number in 1...2 { check(await night(lab, seconds: Double(number)), status, words) }
      check(await night(lab, "--allow-not-comparable", seconds: 3), .passed)
      // The allowed run is the reference from now on.
      check(await night(lab, seconds: 4), .passed, "≈ No change")
    }
  }

  @Test("a line of an older version doesn't tell whether the suite was edited")
  func oldCounts() async throws {
    let lab = try repository()
    try Self.good.write(to: lab, folder: "evals/quiz")
    check(await night(lab), .passed)
    try loseDatabase(lab)
    let line = try lab.text("reports/history.jsonl")
    #expect(line.contains("\"bases\":["))
    let older = line.replacingOccurrences(of: "\"bases\"", with: "\"unknown\"")
    try lab.write(older, to: "reports/history.jsonl")
    check(await night(lab, seconds: 1), .passed, "whether the suite was edited since is not known")
  }

  @Test(
    "a run with too many backend errors for a comparison doesn't become the reference",
    arguments: [(3, "no earlier run of the branch is known"), (1, "≈ No change")])
  func brokenFirstNight(errors: Int, words: String) async throws {
    let lab = try repository()
    try Self.good.write(to: lab, folder: "evals/quiz")
    let lines = Self.good.text.components(separatedBy: "\n").map { line in
      (1...errors).contains { line.contains("id: case-\($0),") }
        ? String(line.dropLast(2)) + ", stub: { fault: timeout } }" : line
    }
    try lab.write(lines.joined(separator: "\n"), to: "evals/quiz/suite.yaml")
    check(await night(lab), .passed)
    try Self.good.write(to: lab, folder: "evals/quiz")
    check(await night(lab, seconds: 1), .passed, words)
    check(await night(lab, seconds: 2), .passed, "≈ No change")
  }

  @Test("if neither the history nor the database is left, the headline says so")
  func lostBoth() async throws {
    let lab = try repository()
    try Self.good.write(to: lab, folder: "evals/quiz")
    check(await night(lab), .passed)
    try lab.remove("reports")
    try Self.bad.write(to: lab, folder: "evals/quiz")
    check(
      await night(lab), .passed,
      "no earlier run of the branch is known, so nothing was compared")
  }

  // MARK: Branches

  @Test("a run on a detached HEAD is compared, but never becomes a reference")
  func detachedHead() async throws {
    let lab = try repository(on: nil)
    try Self.bad.write(to: lab, folder: "evals/quiz")
    check(await night(lab), .passed, "The branch of this run is not known")
    try checkOut("main", in: lab)
    try Self.good.write(to: lab, folder: "evals/quiz")
    check(await night(lab), .passed, "no earlier run of the branch is known")
    // The good run is the reference of later nights, even without a branch.
    try Self.bad.write(to: lab, folder: "evals/quiz")
    try checkOut(nil, in: lab)
    check(await night(lab), .failed)
    // The control: a variable of the CI job names the branch.
    let other = try repository(on: nil)
    try Self.good.write(to: other, folder: "evals/quiz")
    for name in ["GITHUB_REF_NAME", "CI_COMMIT_BRANCH"] {
      try? other.remove("reports")
      try Self.good.write(to: other, folder: "evals/quiz")
      check(await night(other, environment: [name: "main"]), .passed)
      try Self.bad.write(to: other, folder: "evals/quiz")
      check(await night(other, environment: [name: "main"]), .failed)
    }
  }

  // MARK: Models

  /// Writes a program's worth of two models with different digests.
  private func models(_ lab: CommandLab) throws -> (String, String) {
    let data = try Data(contentsOf: URL(fileURLWithPath: Checkout.model))
    try lab.write(data, to: "a/model.gguf")
    // The last bytes belong to a tensor, so this is another model with the same name.
    var other = data
    other[other.count - 1] ^= 1
    try lab.write(other, to: "b/model.gguf")
    return (lab.path("a/model.gguf"), lab.path("b/model.gguf"))
  }

  @Test("a replaced model ends with status 4 until somebody allows it")
  func replacedModel() async throws {
    let lab = try repository()
    let (before, after) = try models(lab)
    var suite = QuizSuite(repeats: 1, passRate: 0)
    suite.cases = Array(suite.cases.prefix(2))
    try suite.write(to: lab, folder: "evals/quiz")
    check(await night(lab, "-m", before), .passed)
    check(await night(lab, "-m", before), .passed)
    for _ in 1...2 { check(await night(lab, "-m", after), .usage, "ran on local") }
    check(await lab.assay("report", "3"), .usage)
    check(await night(lab, "-m", before), .passed)
    check(await night(lab, "-m", after, "--allow-not-comparable"), .passed)
    check(await night(lab, "-m", after), .passed, "≈ No change")
  }

  @Test("a backend of the baseline that didn't run ends with status 4")
  func missingBackend() async throws {
    let lab = try CommandLab()
    var suite = QuizSuite(repeats: 1, passRate: 0)
    suite.cases = Array(suite.cases.prefix(2))
    try suite.write(to: lab, folder: "evals/quiz")
    let both = ["-b", "local", "-m", Checkout.model]
    func runBoth() async -> CommandLab.Ending {
      await lab.run(
        ["run", lab.path("evals"), "-b", "stub", "--reports", lab.reports] + both)
    }
    check(await runBoth(), .passed)
    #expect(await lab.assay("baseline", "accept").status == .passed)
    check(await run(lab), .usage, "backend local is only in the baseline")
    check(await runBoth(), .passed)
    check(await run(lab, "--allow-not-comparable"), .passed)
  }

  // MARK: Variants

  @Test("another variant in the first place ends with status 4, unless it only has another name")
  func otherVariant() async throws {
    func suite(_ variants: [(id: String, stub: String)]) -> String {
      let stub = "stub:\n\(QuizSuite.fullAnswer)\n"
      let list = variants.map { "  - { id: \($0.id), stub: { \($0.stub) } }" }
      let text = Self.good.text.replacingOccurrences(of: stub, with: "")
      let start = text.range(of: "variants:")!.lowerBound
      let end = text.range(of: "assertions:")!.lowerBound
      return text.replacingCharacters(
        in: start..<end, with: "variants:\n" + list.joined(separator: "\n") + "\n")
    }
    let full = QuizSuite.fullAnswer.trimmingCharacters(in: .whitespaces)
    let lab = try CommandLab()
    try Self.good.write(to: lab, folder: "evals/quiz")
    func run(_ text: String, _ words: String...) async throws -> CommandLab.Ending {
      try lab.write(text, to: "evals/quiz/suite.yaml")
      return await lab.run(
        ["run", lab.path("evals"), "-b", "stub", "--reports", lab.reports] + words)
    }
    let empty = "content: { pairs: [] }"
    check(try await run(suite([("prod", full), ("old", full + " ")])), .passed)
    #expect(await lab.assay("baseline", "accept").status == .passed)
    // In the other variant, the answers stay as they were, but `prod` fails everywhere.
    let other = full.replacingOccurrences(of: "First.", with: "The first.")
    check(
      try await run(suite([("old", other), ("prod", empty)])), .usage,
      "the first variant was prod and is now old")
    check(try await run(suite([("old", other), ("prod", empty)]), "--variant", "prod"), .failed)
    check(try await run(suite([("renamed", full), ("old", other)])), .passed, "≈ No change")
    check(try await run(suite([("prod", empty), ("old", other)])), .failed)
  }

  @Test(
    "a run of chosen variants is never the reference of a plain night",
    arguments: ["all", "silent", "default"], ["", "results.sqlite", "history.jsonl"])
  func chosenVariants(name: String, lost: String) async throws {
    let lab = try repository()
    try Self.good.write(to: lab, folder: "evals/quiz")
    check(await night(lab, "--variant", name), .passed, "no earlier run of the branch is known")
    if lost == "results.sqlite" { try loseDatabase(lab) }
    if lost == "history.jsonl" { try lab.remove("reports/history.jsonl") }
    check(await night(lab, seconds: 1), .passed, "no earlier run of the branch is known")
    check(await lab.assay("report"), .passed)
    check(await night(lab, seconds: 2), .passed, "≈ No change")
    check(await lab.assay("report"), .passed)
  }

  @Test("a line that doesn't name the chosen variants shows at least that they were several")
  func oldVariants() async throws {
    let lab = try repository()
    try Self.good.write(to: lab, folder: "evals/quiz")
    check(await night(lab, "--variant", "all"), .passed)
    let line = try lab.text("reports/history.jsonl")
    #expect(line.contains("\"variants\":[\"all\"]"))
    try lab.write(
      line.replacingOccurrences(of: "\"variants\"", with: "\"unknown\""),
      to: "reports/history.jsonl")
    try loseDatabase(lab)
    check(await night(lab, seconds: 1), .passed, "no earlier run of the branch is known")
    check(await lab.assay("report"), .passed)
  }

  @Test("if the database is lost, another variant in the first place still ends with status 4")
  func otherVariantThanCounted() async throws {
    let lab = try repository()
    try Self.good.write(to: lab, folder: "evals/quiz")
    check(await night(lab), .passed)
    try loseDatabase(lab)
    try lab.write(
      Self.good.text.replacingOccurrences(of: "  - { id: default, edits: [] }\n", with: "")
        .replacingOccurrences(of: "  - { id: same, edits: [] }\n", with: ""),
      to: "evals/quiz/suite.yaml")
    let words = "the first variant was default and is now silent"
    for number in 1...2 { check(await night(lab, seconds: Double(number)), .usage, words) }
    check(await lab.assay("report"), .usage)
  }

  // MARK: Suites

  @Test("a renamed or deleted suite ends with status 4; a run that names other suites doesn't")
  func vanishedSuites() async throws {
    let lab = try CommandLab()
    func write(_ id: String, folder: String) throws {
      try Self.good.write(to: lab, folder: folder)
      try lab.write(
        Self.good.text.replacingOccurrences(of: "suite: quiz", with: "suite: \(id)"),
        to: "\(folder)/suite.yaml")
    }
    try write("one", folder: "evals/one")
    try write("two", folder: "evals/two")
    check(await run(lab), .passed)
    #expect(await lab.assay("baseline", "accept").status == .passed)
    check(await run(lab), .passed, "≈ No change")
    try write("three", folder: "evals/two")
    check(await run(lab), .usage, "The baseline of two no longer has a suite")
    check(await lab.assay("report"), .usage)
    check(await run(lab, "--allow-not-comparable"), .passed)
    let file = lab.path("evals/two")
    check(await lab.run(["run", file, "-b", "stub", "--reports", lab.reports]), .usage)
    try lab.remove("evals/two")
    check(await run(lab), .usage, "The baseline of two no longer has a suite")
    // The controls: runs that select on purpose.
    check(await run(lab, "--case", "one/*"), .passed)
    check(await run(lab, "--shard", "1/2", "--baseline", "auto"), .passed)
    let one = lab.path("evals/one")
    check(await lab.run(["run", one, "-b", "stub", "--reports", lab.reports]), .passed)
    // Without the baseline, the deletion is deliberate.
    try lab.remove("reports/baselines/two.jsonl")
    check(await run(lab), .passed)
  }

  @Test("a suite of the last whole run of the branch that no longer exists ends with status 4")
  func vanishedSuiteOfBranch() async throws {
    let lab = try repository()
    try Self.good.write(to: lab, folder: "evals/quiz")
    try Self.good.write(to: lab, folder: "evals/other")
    try lab.write(
      Self.good.text.replacingOccurrences(of: "suite: quiz", with: "suite: other"),
      to: "evals/other/suite.yaml")
    check(await night(lab), .passed)
    // A run of chosen variants leaves out suites on purpose, so it isn't the last whole run.
    check(await night(lab, "--variant", "quiz:same"), .passed)
    try lab.remove("evals/other")
    for _ in 1...2 { check(await night(lab), .usage, "other") }
    check(await night(lab, "--case", "quiz/*"), .passed)
    check(await night(lab, "--allow-not-comparable"), .passed)
    check(await night(lab), .passed)
  }

  @Test("a deleted baseline file ends with status 4 until somebody allows it")
  func deletedBaseline() async throws {
    for baseline in ["auto", "main"] {
      let lab = try repository()
      try Self.good.write(to: lab, folder: "evals/quiz")
      check(await run(lab), .passed)
      #expect(await lab.assay("baseline", "accept").status == .passed)
      check(await run(lab, "--baseline", baseline), .passed, "≈ No change")
      try lab.remove("reports/baselines/quiz.jsonl")
      let words = "now there is no baseline file"
      for _ in 1...2 { check(await run(lab, "--baseline", baseline), .usage, words) }
      check(await run(lab, "--baseline", baseline, "--allow-not-comparable"), .passed, words)
      check(await run(lab, "--baseline", baseline), .passed)
    }
  }

  @Test("a baseline file that was deleted before any comparison is missed, too")
  func deletedBeforeComparison() async throws {
    let lab = try CommandLab()
    try Self.good.write(to: lab, folder: "evals/quiz")
    check(await run(lab), .passed, "No baseline has been accepted yet")
    #expect(await lab.assay("baseline", "accept").status == .passed)
    try lab.remove("reports/baselines/quiz.jsonl")
    let words = "Run 1 was accepted as the baseline of quiz, but there is no baseline file"
    for _ in 1...2 {
      let ending = await run(lab)
      check(ending, .usage, words)
      #expect(!text(ending).contains("There is no baseline for"), "\(ending.output)")
    }
    check(await run(lab, "--allow-not-comparable"), .passed, words)
    check(await run(lab), .passed)
  }

  @Test("a misspelled branch is named in the first line")
  func misspelledBranch() async throws {
    let lab = try repository()
    try Self.good.write(to: lab, folder: "evals/quiz")
    check(await night(lab), .passed)
    for (name, words) in [("mian", "branch mian; did you mean main?"), ("other", "")] {
      let ending = await run(lab, "--baseline", "branch:\(name)")
      check(ending, .passed, words)
      #expect(text(ending).contains("did you mean") == !words.isEmpty)
    }
  }

  // MARK: Test cases

  @Test(
    "if half of the test cases are gone, renamed or edited, or most are new, the status is 4")
  func smallPart() async throws {
    func cases(_ ids: some Sequence<String>) -> [(String, String)] {
      ids.map { ($0, "A short text, the one with number \($0.suffix(1)).") }
    }
    let all = (1...8).map { "case-\($0)" }
    let rows: [(ids: [String], status: AssayCommandLine.ExitStatus)] = [
      (Array(all.prefix(4)), .usage), (Array(all.prefix(5)), .passed),
      (all.prefix(4) + (5...8).map { "renamed-\($0)" }, .usage),
      (all.prefix(5) + (6...8).map { "renamed-\($0)" }, .passed),
      (all + (1...8).map { "new-\($0)" }, .passed), (all + (1...9).map { "new-\($0)" }, .usage),
    ]
    for (ids, status) in rows {
      let lab = try CommandLab()
      var suite = Self.good
      suite.cases = cases(all)
      try suite.write(to: lab, folder: "evals/quiz")
      check(await run(lab), .passed)
      #expect(await lab.assay("baseline", "accept").status == .passed)
      suite.cases = cases(ids)
      try suite.write(to: lab, folder: "evals/quiz")
      check(await run(lab), status)
      check(await run(lab, "--case", "quiz/case-1"), .passed)
    }
  }
}
