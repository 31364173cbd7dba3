import StructuredText
import Testing

@testable import AssayCommandLine

@Suite("assay power")
struct PowerTests {
  @Test(
    "without making an attempt, `assay power` shows the gate, repeats and smallest detectable drop")
  func plan() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 5, passRate: 0.9).write(to: lab)
    let ending = await lab.run(["power", lab.path("quiz"), "--trials", "8"])
    #expect(ending.status == .passed, "\(ending.notes)")
    for part in [
      "8 test cases × 5 repeats = 40 attempts", "gate 90 %, 36 passes",
      "counts compared with an assumed baseline in which everything passed, because there is "
        + "none yet",
      "8 simulated runs, 70 % of the draws the same on both sides",
      "at least once with a probability of 95 %: 6 repeats",
      "smallest drop found with a probability of 80 %: ", "a drop of 6.67 points is found with ",
      "enough test cases (the minimum is 7)",
    ] {
      #expect(ending.output.contains(part), "\(ending.output)")
    }
    #expect(!lab.has("reports"))
    let json = await lab.run(
      ["power", lab.path("quiz"), "-r", "1", "--format", "json", "--trials", "2"])
    #expect(json.output.hasPrefix("[{\"suite\":\"quiz\",\"backend\":\"local\",\"cases\":8,"))
    #expect(json.output.contains("\"trials\":2"))
  }

  @Test(
    "repeats add nothing to the power of a suite that samples nothing",
    arguments: ["sampling: greedy", "temperature: 0", "topK: 1"])
  func copies(option: String) async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 1).write(to: lab)
    let text = QuizSuite(repeats: 1).text.replacing("temperature: 0.7", with: option)
    try lab.write(text, to: "quiz/suite.yaml")
    func power(_ repeats: Int) async -> String {
      await lab.run([
        "power", lab.path("quiz"), "--reports", lab.reports, "--trials", "8", "--drop", "0.3",
        "--repeats", "\(repeats)",
      ]).output
    }
    func chance(_ output: String) -> Substring? {
      output.split(separator: "\n").first { $0.contains("a drop of 30 points is found with") }
    }
    let (one, twenty) = (await power(1), await power(20))
    #expect(chance(one) != nil)
    #expect(chance(one) == chance(twenty), "\(one)\(twenty)")
    #expect(twenty.contains("the repeats of a test case are one draw"), "\(twenty)")
    #expect(twenty.contains("add test cases: further repeats are no new draws"), "\(twenty)")
  }

  @Test("`assay power` counts the copies of test cases that sample nothing, and guardrails")
  func copiesAndGuardrails() async throws {
    let lab = try CommandLab()
    func power(_ text: String, _ options: String...) async throws -> CommandLab.Ending {
      try QuizSuite().write(to: lab)
      try lab.write(text, to: "quiz/suite.yaml")
      return await lab.run(
        ["power", lab.path("quiz"), "--reports", lab.reports, "--trials", "4"] + options)
    }
    var suite = QuizSuite(repeats: 3, passRate: 0.8)
    suite.cases = (1...10).map { ("case-\($0)", "Text \($0).") }
    var mixed = suite.text
    for number in 1...5 {
      mixed = mixed.replacing(
        "{ id: case-\(number),", with: "{ id: case-\(number), options: { sampling: greedy },")
    }
    // SciPy's binomial distribution gives these rates and numbers.
    let ending = try await power(mixed)
    for part in [
      "= 30 attempts; in 5 test cases, nothing is sampled", "gate 80 %, 24 passes: ",
      "a true pass rate of 91.87 % passes the gate", "with a probability of 95 %: 8 repeats",
    ] {
      #expect(ending.output.contains(part), "\(ending.output)")
    }
    let guarded = suite.text.replacing(
      "gate: { passRate: 0.8 }",
      with: "gate: { passRate: 0.8, guardrail: [ three to eight pairs ] }")
    let all = try await power(guarded)
    for part in [
      "gate 80 %, 30 passes because every assertion is a guardrail: a true pass rate of 99.83 %",
      "a rate of 94.78 % misses it",
    ] {
      #expect(all.output.contains(part), "\(all.output)")
    }
    let some = try await power(
      guarded.replacing("stub:\n", with: "  - { nonEmpty: { path: $.pairs } }\nstub:\n"))
    #expect(
      some.output.contains("guardrails and metrics can miss it at any rate"), "\(some.output)")
    #expect(some.output.contains("gate 80 %, 24 passes: "), "\(some.output)")
  }

  @Test("`assay power` refuses a drop that is larger than the pass rate")
  func impossibleDrops() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 2).write(to: lab)
    let power = ["power", lab.path("quiz"), "--reports", lab.reports, "--trials", "2"]
    let refused = await lab.run(power + ["--pass-rate", "0.5", "--drop", "0.6"])
    #expect(refused.status == .usage)
    #expect(
      refused.errors == [
        "--drop 0.6 is impossible from --pass-rate 0.5; a drop is at most the pass rate"
      ], "\(refused.notes)")
    let low = await lab.run(power + ["--pass-rate", "0.05"])
    #expect(
      low.output.contains("a drop of 6.67 points is impossible: only 5 % of the attempts passed"),
      "\(low.output)")
    let json = await lab.run(power + ["--pass-rate", "0.05", "--format", "json"]).output
    #expect(json.contains("\"powerToFindDrop\":null"), "\(json)")
    #expect(await lab.run(power + ["--pass-rate", "0.5", "--drop", "0.5"]).status == .passed)
  }

  @Test("a greedy suite has no second look, so twenty repeats rarely find a small drop")
  func greedy() async throws {
    let lab = try CommandLab()
    let text = QuizSuite(repeats: 20).text.replacing("temperature: 0.7", with: "sampling: greedy")
    try QuizSuite(repeats: 20).write(to: lab)
    try lab.write(text, to: "quiz/suite.yaml")
    let power = [
      "power", lab.path("quiz"), "--reports", lab.reports, "--trials", "20", "--pass-rate", "0.9",
      "--drop", "0.3", "--format", "json",
    ]
    let output = await lab.run(power).output
    let json = try JSONReader.readValue(Array(output.utf8))
    // Eight test cases with one draw each: five or more of them must fail and none may improve.
    let found = try #require(json.array?.first?["powerToFindDrop"]?.double)
    #expect(found < 0.3, "\(output)")
    #expect(json.array?.first?["repeatsNeeded"] == .null)
    #expect(json.array?.first?["powerWithoutSecondLook"] == .null)
    #expect(json.array?.first?["simulationError"]?.double ?? 0 > 0.05)
  }

  @Test("on a server, no draws are shared, and the suites of a night share α")
  func servers() async throws {
    let lab = try CommandLab()
    for name in ["one", "two", "three"] {
      var suite = QuizSuite(repeats: 3)
      suite.cases = (1...8).map { ("case-\($0)", "Text \($0).") }
      try suite.write(to: lab, folder: name)
      try lab.write(
        suite.text.replacing("suite: quiz", with: "suite: \(name)"), to: "\(name)/suite.yaml")
    }
    func power(_ suites: [String], _ backend: [String]) async throws -> (Double, Double?, String) {
      let arguments =
        ["power"] + suites.map(lab.path) + backend + [
          "--reports", lab.reports, "--pass-rate", "0.9", "--drop", "0.4",
        ]
      let output = await lab.run(arguments + ["--trials", "16", "--format", "json"]).output
      let first = try #require(try JSONReader.readValue(Array(output.utf8)).array?.first)
      return (
        try #require(first["powerToFindDrop"]?.double), first["powerWithoutSecondLook"]?.double,
        await lab.run(arguments + ["--trials", "2"]).output
      )
    }
    let served = ["-b", "ollama:m"]
    let local = try await power(["one"], [])
    let alone = try await power(["one"], served)
    let night = try await power(["one", "two", "three"], served)
    #expect(local.1 == nil && local.2.contains("70 % of the draws the same"), "\(local.2)")
    #expect(alone.2.contains("no draws the same on both sides"), "\(alone.2)")
    #expect(night.2.contains("α shared with 2 other suites"), "\(night.2)")
    #expect(local.0 >= alone.0)
    // Sixteen trials have an error of about 0.12.
    #expect(try #require(night.1) <= (try #require(alone.1)) + 0.25)
    #expect(try #require(alone.1) <= alone.0)
  }

  @Test("`assay power` accounts for reducers, and for test cases with their own repeats and gates")
  func reducers() async throws {
    let lab = try CommandLab()
    let suite = QuizSuite(repeats: 2, passRate: 0.9)
    try suite.write(to: lab)
    try lab.write(
      suite.text.replacing("gate: { passRate: 0.9 }", with: "gate: { passRate: 0.5, reducer: all }")
        .replacing("{ id: case-1,", with: "{ id: case-1, repeats: 5,")
        .replacing("{ id: case-2,", with: "{ id: case-2, gate: { passRate: 1 },"),
      to: "quiz/suite.yaml")
    let ending = await lab.run([
      "power", lab.path("quiz"), "--reports", lab.reports, "--trials", "2",
    ])
    #expect(ending.status == .passed, "\(ending.notes)")
    for part in [
      "8 test cases × 2 repeats (1 test case with a different number) = 19 attempts",
      "gate 50 %, 4 of 7 test cases by `all`", "a true pass rate per attempt of",
      "1 test case has its own gate",
    ] {
      #expect(ending.output.contains(part), "\(ending.output)")
    }
    try lab.write(
      suite.text.replacing(
        "gate: { passRate: 0.9 }", with: "gate: { passRate: 0.9, reducer: pass@5 }"),
      to: "quiz/suite.yaml")
    let few = await lab.run(["power", lab.path("quiz"), "--reports", lab.reports, "--trials", "2"])
    #expect(
      few.output.contains("missed whatever the outcomes are, because `pass@5` needs 5 repeats")
        || few.status == .usage, "\(few.output)\(few.notes)")
  }

  @Test("`assay power` doesn't use a run of other test cases as its reference")
  func otherCases() async throws {
    let lab = try CommandLab()
    var suite = QuizSuite(repeats: 2)
    try suite.write(to: lab)
    #expect(await lab.assay("run", lab.path("quiz"), "-b", "stub").status == .passed)
    let power = [
      "power", lab.path("quiz"), "-b", "stub", "--reports", lab.reports, "--trials", "2",
    ]
    #expect(
      await lab.run(power).output.contains(
        "with the newest run (run 1), in which 16 of 16 attempts passed"))
    suite.cases = (1...8).map { ("other-\($0)", "Another text, number \($0).") }
    try suite.write(to: lab)
    let ending = await lab.run(power)
    #expect(ending.output.contains("there is none yet"), "\(ending.output)")
  }

  @Test(
    "`assay power` takes the pass rates from the accepted baseline of a model, or from an option")
  func references() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 2).write(to: lab)
    #expect(await lab.assay("run", lab.path("quiz"), "-b", "stub").status == .passed)
    #expect(await lab.assay("baseline", "accept", "1").status == .passed)
    let power = [
      "power", lab.path("quiz"), "-b", "stub", "--reports", lab.reports, "--trials", "2",
    ]
    let accepted = await lab.run(power).output
    #expect(accepted.contains("with the accepted baseline, in which 16 of 16"), "\(accepted)")
    let assumed = await lab.run(power + ["--pass-rate", "0.95", "--drop", "0.1"]).output
    #expect(
      assumed.contains("with an assumed pass rate of 95 % in each test case"), "\(assumed)")
    #expect(assumed.contains("a drop of 10 points is found with"), "\(assumed)")
  }
}
