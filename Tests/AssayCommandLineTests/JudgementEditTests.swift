import Foundation
import Testing

@testable import AssayCommandLine

/// Tests runs whose rules for judging answers were edited since the baseline was accepted.
@Suite("Edits of judgement neither hide a regression nor make one")
struct JudgementEditTests {
  /// One edit between the accepted baseline and the run.
  struct Row: CustomTestStringConvertible {
    var name: String
    var before = JudgedSuite()
    var after = JudgedSuite()
    /// The exit status of the run.
    var status: AssayCommandLine.ExitStatus
    /// Texts in the output.
    var words: [String] = []
    /// Texts that the output must not have.
    var noWords: [String] = []
    var testDescription: String { name }

    init(
      _ name: String, _ status: AssayCommandLine.ExitStatus, words: [String] = [],
      no noWords: [String] = [], _ edit: (inout JudgedSuite, inout JudgedSuite) -> Void
    ) {
      self.name = name
      self.status = status
      self.words = words
      self.noWords = noWords
      edit(&before, &after)
    }
  }

  private static let trivial = "{ name: trivial, present: { path: $.y } }"
  private static let isOk = "{ name: is ok, equals: { path: $.x, value: ok } }"
  private static let long = "'a long text that nobody writes, so that the formula is long'"
  private static let anew = "were judged anew"

  /// Returns an assertion with a formula whose tail is beyond the text that reports show.
  private static func formula(_ tail: String) -> String {
    "{ name: is ok, expression: \"$.x != \(long) and \(tail)\" }"
  }

  static let rows: [Row] = [
    Row("control: nothing is edited", .failed, words: ["✗ Regressed."]) { _, after in
      after.answers = JudgedSuite.worse
    },
    Row("the tail of a formula is weakened", .usage, words: ["Not comparable", "is ok"]) {
      $0.assertions = [trivial, formula("$.x == 'ok'")]
      $1.assertions = [trivial, formula("$.x != 'no'")]
      $1.answers = JudgedSuite.worse
    },
    Row("the tail of a formula is tightened, equal answers", .passed, words: ["No change", anew]) {
      $0.assertions = [trivial, formula("$.x != 'no'")]
      $1.assertions = [trivial, formula("$.x == 'ok'")]
      $0.answers = JudgedSuite.worse
      $1.answers = JudgedSuite.worse
    },
    Row("answers get worse by a tightened formula", .failed, words: ["✗ Regressed.", anew]) {
      $0.assertions = [trivial, formula("$.x != 'no'")]
      $1.assertions = [trivial, formula("$.x == 'ok'")]
      $1.answers = JudgedSuite.worse
    },
    Row("the path is edited", .usage, words: ["Not comparable", "is ok"]) {
      $1.assertions[1] = "{ name: is ok, equals: { path: $.y, value: fine } }"
      $1.answers = JudgedSuite.worse
    },
    Row("an argument is dropped", .usage, words: ["Not comparable", "is ok"]) {
      $0.assertions[1] = "{ name: is ok, matches: { path: $.x, pattern: '[a-z]+' } }"
      $1.assertions[1] = "{ name: is ok, matches: { path: $.x, pattern: '.*' } }"
      $1.answers = JudgedSuite.worse
    },
    Row("an assertion is renamed, and the answers get worse", .failed, words: ["✗ Regressed."]) {
      $1.assertions[1] = "{ name: fine, equals: { path: $.x, value: ok } }"
      $1.answers = JudgedSuite.worse
    },
    Row("an assertion is renamed, equal answers", .passed) {
      $1.assertions[1] = "{ name: fine, equals: { path: $.x, value: ok } }"
    },
    Row("an assertion is dropped, and the answers get worse", .usage, words: ["is ok"]) {
      $1.assertions.removeLast()
      $1.answers = JudgedSuite.worse
    },
    Row("an assertion is dropped, equal answers", .passed, words: [anew, "is ok"]) {
      $1.assertions.removeLast()
    },
    Row("an assertion is added, equal answers", .passed, words: [anew, "is ok"]) {
      $0.assertions.removeLast()
      $0.answers = JudgedSuite.worse
      $1.answers = JudgedSuite.worse
    },
    Row("an assertion is added, and the answers get worse by it", .failed, words: [anew]) {
      $0.assertions.removeLast()
      $1.answers = JudgedSuite.worse
    },
    Row("a guardrail is dropped", .usage, words: ["Not comparable", "guardrail", "is ok"]) {
      $0.rules = "threshold: 0.5\ngate: { passRate: 0.1, guardrail: [is ok] }"
      $1.rules = "threshold: 0.5\ngate: { passRate: 0.1 }"
      $1.answers = JudgedSuite.worse
    },
    Row(
      "a guardrail is added, equal answers", .failed, words: ["guardrail"], no: ["Regressed"]
    ) {
      $0.rules = "threshold: 0.5\ngate: { passRate: 0.1 }"
      $1.rules = "threshold: 0.5\ngate: { passRate: 0.1, guardrail: [is ok] }"
      $0.answers = JudgedSuite.worse
      $1.answers = JudgedSuite.worse
    },
    Row("the threshold is lowered", .usage, words: ["Not comparable", "threshold"]) {
      $0.rules = "threshold: 1\ngate: { passRate: 0.1 }"
      $1.rules = "threshold: 0.5\ngate: { passRate: 0.1 }"
      $1.answers = JudgedSuite.worse
    },
    Row("the weight becomes 0", .usage, words: ["Not comparable", "another weight", "is ok"]) {
      $1.assertions[1] = "{ name: is ok, weight: 0, equals: { path: $.x, value: ok } }"
      $1.answers = JudgedSuite.worse
    },
    Row("the weight becomes 0, equal answers", .passed, words: ["another weight", "is ok"]) {
      $1.assertions[1] = "{ name: is ok, weight: 0, equals: { path: $.x, value: ok } }"
      $0.answers = JudgedSuite.worse
      $1.answers = JudgedSuite.worse
    },
    Row("most expectations are edited, and everything fails", .usage, words: ["expectations"]) {
      $0.assertions = [trivial]
      $1.assertions = [trivial]
      $1.rules = "gate: { passRate: 0 }"
      $0.ownRules = (0..<20).map { _ in "assertions: [ { equals: { path: $.x, value: ok } } ]" }
      $1.ownRules = (0..<20).map {
        "assertions: [ { equals: { path: $.x, value: \($0 == 0 ? "ok" : "no") } } ]"
      }
    },
    Row("texts are not stored", .usage, words: ["Not comparable", "is ok"]) {
      $0.rules += "\nstore: digests"
      $1.rules += "\nstore: digests"
      $1.assertions[1] = "{ name: is ok, equals: { path: $.x, value: [ok] } }"
      $1.assertions[1] = "{ name: is ok, contains: { path: $.x, text: o } }"
    },
    Row("the weight becomes 0 beside a new assertion", .usage, words: ["Not comparable", anew]) {
      $0.assertions = [isOk]
      $1.assertions = ["{ name: is ok, weight: 0, equals: { path: $.x, value: ok } }", trivial]
      $1.answers = JudgedSuite.worse
    },
    Row("the weight becomes 0 beside a new assertion, equal answers", .passed, words: [anew]) {
      $0.assertions = [isOk]
      $1.assertions = ["{ name: is ok, weight: 0, equals: { path: $.x, value: ok } }", trivial]
    },
    Row("new assertions outvote one that fails", .usage, words: ["Not comparable", anew]) {
      for index in 1...3 { $1.assertions.append("{ name: n\(index), present: { path: $.y } }") }
      $0.rules = "threshold: 0.6\ngate: { passRate: 0.1 }"
      $1.rules = $0.rules
      $1.answers = JudgedSuite.worse
    },
    Row("new assertions beside a threshold, other good answers", .passed, words: [anew]) {
      $0.assertions[1] = "{ name: is ok, matches: { path: $.x, pattern: '[a-z]+' } }"
      $1.assertions = $0.assertions + ["{ name: n, present: { path: $.y } }"]
      $0.rules = "threshold: 0.6\ngate: { passRate: 0.1 }"
      $1.rules = $0.rules
      $1.answers = [String](repeating: "fine", count: 20)
    },
    Row("expected values in a variable become the bad answers", .usage, words: [anew, "is ok"]) {
      (before, after) in
      for index in 0..<20 {
        before.ownRules.append("want: ok")
        after.ownRules.append("want: \(index < 8 ? "\"-\"" : "ok")")
      }
      before.assertions[1] = "{ name: is ok, equals: { path: $.x, variable: want } }"
      after.assertions = before.assertions
      after.answers = JudgedSuite.worse
    },
    Row("expected values in a variable stay, and the answers get worse", .failed) {
      $0.assertions[1] = "{ name: is ok, equals: { path: $.x, variable: want } }"
      $1.assertions = $0.assertions
      $0.ownRules = [String](repeating: "want: ok", count: 20)
      $1.ownRules = $0.ownRules
      $1.answers = JudgedSuite.worse
    },
    Row(
      "test cases with other options fail", .passed,
      words: ["Inconclusive. 8 of the 8 test cases left out fail now (c0,"]
    ) {
      $1.ownRules = [String](repeating: "options: { maximumTokens: 50 }", count: 8)
      $1.answers = JudgedSuite.worse
    },
    Row("test cases with other options pass", .passed, words: ["No change"], no: ["fail now"]) {
      $1.ownRules = [String](repeating: "options: { maximumTokens: 50 }", count: 8)
    },
    Row("texts are no longer stored, equal answers", .passed, words: ["No change"]) {
      $1.rules += "\nstore: digests"
    },
    Row("texts are no longer stored, and the answers get worse", .failed, words: ["Regressed"]) {
      $1.rules += "\nstore: digests"
      $1.answers = JudgedSuite.worse
    },
    Row("the gate's rate is lowered", .passed, words: ["gate rate 0.9 → 0.1"]) { before, _ in
      before.rules = "gate: { passRate: 0.9 }"
    },
    Row("a metric and a reducer are edited", .passed, words: ["metric", "reducer"]) {
      $0.rules = "metrics: { length: { expression: words($.x) } }\ngate: { passRate: 0.1 }"
      $1.rules =
        "metrics: { length: { expression: words($.y) } }\n"
        + "gate: { passRate: 0.1, reducer: all }"
    },
  ]

  @Test("each edit of judgement is named, and both sides are judged alike", arguments: rows)
  func checkEdit(_ row: Row) async throws {
    let lab = try await row.before.accepted()
    try row.after.write(to: lab)
    let ending = await JudgedSuite.run(lab)
    #expect(ending.status == row.status, "\(ending.notes)\(ending.output)")
    for words in row.words { #expect(ending.line.contains(words), "\(words): \(ending.output)") }
    for words in row.noWords { #expect(!ending.line.contains(words), "\(ending.output)") }
    // A later report reads the copy of the baseline, so it needs no suite.
    let pages = try ["report.html", "summary.md", "junit.xml"].map {
      try lab.data("reports/2/\($0)")
    }
    try lab.remove("judged")
    #expect(await lab.assay("report", "2").status == row.status)
    for (page, name) in zip(pages, ["report.html", "summary.md", "junit.xml"]) {
      #expect(try lab.data("reports/2/\(name)") == page, "\(name)")
    }
  }

  @Test("the program of a command judges the baseline anew, and its bytes identify it")
  func command() async throws {
    func program(_ pattern: String) -> String {
      """
      #!/bin/sh
      if grep -q '\(pattern)'; then echo '{"pass": true}'; else echo '{"pass": false}'; fi
      """
    }
    func check(
      _ pattern: String, _ answers: [String], _ status: AssayCommandLine.ExitStatus, _ words: String
    ) async throws {
      let lab = try CommandLab()
      var suite = JudgedSuite()
      suite.assertions[1] = "{ name: is ok, command: { run: [/bin/sh, ./check.sh] } }"
      try suite.write(to: lab)
      try lab.write(program("\"x\":\"ok\""), to: "judged/check.sh")
      #expect(await JudgedSuite.run(lab, "--allow-commands").status == .passed)
      #expect(await lab.assay("baseline", "accept", "--reason", "good").status == .passed)
      suite.answers = answers
      try suite.write(to: lab)
      try lab.write(program(pattern), to: "judged/check.sh")
      let ending = await JudgedSuite.run(lab, "--allow-commands")
      #expect(ending.status == status, "\(ending.notes)\(ending.output)")
      #expect(ending.line.contains(words), "\(ending.output)")
    }
    try await check("\"x\":\"ok\"", JudgedSuite.worse, .failed, "✗ Regressed.")
    try await check("\"x\":", JudgedSuite.worse, .usage, "Not comparable")
    try await check("\"x\":\"ok\",", JudgedSuite.worse, .failed, "✗ Regressed.")
    try await check("nothing", JudgedSuite.good, .failed, "were judged anew")
  }

  @Test("an answer that doesn't fit the suite's new schema is not judged anew")
  func otherSchema() async throws {
    let lab = try await JudgedSuite().accepted()
    var suite = JudgedSuite()
    suite.assertions = [
      "{ name: trivial, present: { path: $.z } }",
      "{ name: is ok, equals: { path: $.z, value: ok } }",
    ]
    try lab.write(
      suite.text.replacing("y: fine", with: "z: ok").replacing("x: \"ok\", ", with: ""),
      to: "judged/suite.yaml")
    try lab.write(
      """
      { "title": "One", "type": "object", "properties": { "z": { "type": "string" } },
        "required": ["z"], "additionalProperties": false, "x-order": ["z"] }
      """, to: "judged/schema.json")
    let ending = await JudgedSuite.run(lab)
    #expect(ending.status == .usage, "\(ending.output)")
  }

  @Test("merged shards are compared with a baseline that the suites on disk judge anew")
  func merged() async throws {
    let lab = try await JudgedSuite().accepted()
    var suite = JudgedSuite()
    suite.assertions[1] = formula("$.x == 'ok'")
    suite.answers = JudgedSuite.worse
    try suite.write(to: lab)
    for shard in 1...2 {
      _ = await lab.run([
        "run", lab.path("judged"), "-b", "stub", "--shard", "\(shard)/2", "--baseline", "none",
        "--reports", lab.path("shard\(shard)"),
      ])
    }
    let files = [1, 2].map { lab.path("shard\($0)/results.sqlite") }
    let ending = await lab.run(["merge"] + files + ["--reports", lab.reports])
    #expect(ending.status == .failed, "\(ending.notes)\(ending.output)")
    #expect(ending.line.contains(Self.anew), "\(ending.output)")
    // Without the suites, the edit makes the merged run not comparable.
    let other = try await JudgedSuite().accepted()
    try lab.remove("judged")
    let blind = await lab.run(
      ["merge"] + files
        + ["--reports", lab.path("blind"), "--database", lab.path("blind.sqlite")])
    #expect(blind.status == .passed, "there is no baseline in this folder: \(blind.output)")
    try lab.write(
      other.text("reports/baselines/judged.jsonl"), to: "blind2/baselines/judged.jsonl")
    let compared = await lab.run(["merge"] + files + ["--reports", lab.path("blind2")])
    #expect(compared.status == .usage, "\(compared.output)")
  }

  private func formula(_ tail: String) -> String { Self.formula(tail) }
}

/// Tests that a run can't be judged by two rules.
@Suite("One run is judged in one way")
struct OneJudgementTests {
  /// The edits, each with words that name it.
  static let edits: [(String, String, @Sendable (inout JudgedSuite) -> Void)] = [
    (
      "assertion", "is ok",
      { $0.assertions[1] = "{ name: is ok, contains: { path: $.x, text: o } }" }
    ),
    (
      "weight", "is ok",
      { $0.assertions[1] = "{ name: is ok, weight: 0, equals: { path: $.x, value: ok } }" }
    ),
    ("dropped assertion", "is ok", { $0.assertions.removeLast() }),
    ("rate", "gate.passRate", { $0.rules = "gate: { passRate: 0.2 }" }),
    (
      "backend's rate", "gate.backends.stub",
      { $0.rules = "gate: { passRate: 0.1, backends: { stub: 0.2 } }" }
    ),
    ("guardrail", "gate.guardrail", { $0.rules = "gate: { passRate: 0.1, guardrail: [is ok] }" }),
    ("reducer", "gate.reducer", { $0.rules = "gate: { passRate: 0.1, reducer: all }" }),
    ("threshold", "threshold", { $0.rules = "threshold: 0.5\ngate: { passRate: 0.1 }" }),
    (
      "metric", "metric length",
      { $0.rules = "metrics: { length: { expression: words($.x) } }\ngate: { passRate: 0.1 }" }
    ),
  ]

  @Test("--resume refuses each edit of judgement, and names it", arguments: edits.indices)
  func checkResume(_ index: Int) async throws {
    let (_, words, edit) = Self.edits[index]
    let lab = try CommandLab()
    var suite = JudgedSuite()
    try suite.write(to: lab)
    #expect(await JudgedSuite.run(lab, "--budget-calls", "7").status == .interrupted)
    edit(&suite)
    try suite.write(to: lab)
    let refused = await JudgedSuite.run(lab, "--resume", "1")
    #expect(refused.status == .usage, "\(refused.output)")
    #expect(refused.errors.count == 1 && refused.errors[0].contains(words), "\(refused.notes)")
    try JudgedSuite().write(to: lab)
    #expect(await JudgedSuite.run(lab, "--resume", "1").status == .passed)
  }

  @Test("merge refuses shards with each edit of judgement, and names it", arguments: edits.indices)
  func checkMerge(_ index: Int) async throws {
    let (_, words, edit) = Self.edits[index]
    let lab = try CommandLab()
    var suite = JudgedSuite()
    for shard in 1...3 {
      if shard == 3 { edit(&suite) }
      try suite.write(to: lab)
      _ = await JudgedSuite.run(
        lab, "--shard", "\(min(shard, 2))/2", "--database", lab.path("\(shard).sqlite"))
    }
    let files = (1...3).map { lab.path("\($0).sqlite") }
    let refused = await lab.assay("merge", files[0], files[2])
    #expect(refused.status == .usage, "\(refused.output)")
    #expect(refused.errors.count == 1 && refused.errors[0].contains(words), "\(refused.notes)")
    #expect(await lab.assay("merge", files[0], files[1]).status == .passed)
  }

  @Test("--resume refuses other bytes of a command's file")
  func command() async throws {
    let lab = try CommandLab()
    var suite = JudgedSuite()
    suite.assertions[1] = "{ name: is ok, command: { run: [/bin/sh, ./check.sh] } }"
    try suite.write(to: lab)
    try lab.write("echo '{\"pass\": true}'\n", to: "judged/check.sh")
    #expect(
      await JudgedSuite.run(lab, "--allow-commands", "--budget-calls", "7").status == .interrupted)
    try lab.write("echo '{\"pass\":  true}'\n", to: "judged/check.sh")
    let refused = await JudgedSuite.run(lab, "--allow-commands", "--resume", "1")
    #expect(refused.status == .usage, "\(refused.output)")
    #expect(refused.errors[0].contains("is ok"), "\(refused.notes)")
  }
}
