import EvalRecords
import Foundation
import ResultStore
import Testing

@testable import AssayCommandLine

@Suite("Several models in one run")
struct SeveralModelsTests {
  @Test(
    "a single model is called `local`, and several models are named after their files",
    arguments: [
      (["a.gguf"], ["local"]),
      (["x/a.gguf", "y/b.GGUF"], ["a", "b"]),
      (["x/a.gguf", "y/a.gguf", "a"], ["a", "a-2", "a-3"]),
      (["stub.gguf", "my model.gguf"], ["stub-2", "my-model"]),
    ])
  func names(paths: [String], ids: [String]) throws {
    let backends = try RunOptions.localBackends(paths)
    #expect(backends.map(\.id) == ids)
    #expect(backends.map(\.path) == paths)
  }

  @Test("Assay rejects a model file that is given twice")
  func twice() {
    #expect(throws: UsageError("--model a.gguf is given twice; give each file only once")) {
      try RunOptions.localBackends(["a.gguf", "b.gguf", "a.gguf"])
    }
  }

  @Test("each backend of a run answers all test cases, and has its own gate")
  func matrix() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 2, passRate: 0, cases: [("owl", "An owl turns its head.")]).write(
      to: lab)
    for name in ["one.gguf", "two.gguf"] {
      try FileManager.default.copyItem(atPath: Checkout.model, toPath: lab.path(name))
    }
    let ending = await lab.assay(
      "run", lab.path("quiz"), "--model", lab.path("one.gguf"), "-m", lab.path("two.gguf"),
      "-b", "stub", "-b", "local")
    #expect(ending.status == .passed, "\(ending.notes)")
    let store = try ResultStore(path: lab.path("reports/results.sqlite"), access: .reading)
    let run = try store.run(1)
    #expect(run.backends.map(\.id) == ["stub", "one", "two"])
    #expect(run.backends.map { $0.modelDigest != nil } == [false, true, true])
    let attempts = try store.attempts(run: 1, AttemptFilter(includesTraces: false))
    func outputs(_ id: String) -> [String] {
      attempts.filter { $0.key.backend == id }.sorted { $0.key.repeatIndex < $1.key.repeatIndex }
        .map(\.output)
    }
    // The weights are the same, so the file's name makes no difference.
    #expect(outputs("one").count == 2)
    #expect(outputs("one") == outputs("two"))
    // Both models processed equally many tokens. The number of reused tokens may differ, because it
    // depends on which attempts were computed in the same step.
    let use = try #require(run.details.evaluations)
    #expect(use.keys.sorted() == ["one", "two"])
    #expect(use["one"]?.promptTokens == use["two"]?.promptTokens)
    #expect(use["one"]?.outputTokens == use["two"]?.outputTokens)
    #expect(use["one"]?.forcedTokens == use["two"]?.forcedTokens)
    #expect(
      use["one"].map { $0.outputTokens }
        == attempts.filter { $0.key.backend == "one" }
        .reduce(0) { $0 + $1.outputTokens })
    #expect(use["one"].map { $0.savedShare > 0 } == true)
    #expect(ending.notes.contains("one: \(use["one"]?.evaluatedTokens ?? 0) of "))
    let page = try lab.text("reports/latest/report.html")
    for (id, use) in use {
      #expect(page.contains("\(id): \(use.evaluatedTokens) of \(use.tokensWithoutReuse) tokens"))
    }
    for id in ["quiz on one", "quiz on two", "quiz on stub"] {
      #expect(ending.output.contains(id), "\(ending.output)")
    }
  }

  @Test("the gate for `local` applies to each local model of a run")
  func gate() async throws {
    let lab = try CommandLab()
    // Without a number in the guide, the toy model doesn't always write three pairs.
    try QuizSuite(guide: "The cards.", passRate: 1, cases: QuizSuite.shortPassages).write(to: lab)
    for name in ["one.gguf", "two.gguf"] {
      try FileManager.default.copyItem(atPath: Checkout.model, toPath: lab.path(name))
    }
    func run() async -> CommandLab.Ending {
      await lab.assay(
        "run", lab.path("quiz"), "-m", lab.path("one.gguf"), "-m", lab.path("two.gguf"),
        "--baseline", "none")
    }
    #expect(await run().status == .failed)
    let text = try lab.text("quiz/suite.yaml")
    let gate = "passRate: 1.0"
    #expect(text.contains(gate))
    try lab.write(
      text.replacingOccurrences(of: gate, with: gate + ", backends: { local: 0 }"),
      to: "quiz/suite.yaml")
    let ending = await run()
    #expect(ending.status == .passed, "\(ending.output)\(ending.notes)")
  }

  @Test("a gate for a backend that no model file has the name of is an error")
  func unknownGateBackend() async throws {
    let lab = try CommandLab()
    for name in ["one.gguf", "two.gguf"] {
      try FileManager.default.copyItem(atPath: Checkout.model, toPath: lab.path(name))
    }
    try QuizSuite(passRate: 0, cases: Array(QuizSuite.shortPassages.prefix(1))).write(to: lab)
    let text = try lab.text("quiz/suite.yaml")
    func check(
      _ gate: String, _ models: [String], _ options: [String] = [], error: String? = nil,
      warns: Bool = false
    ) async throws {
      try lab.write(
        text.replacingOccurrences(
          of: "passRate: 0.0", with: "passRate: 0.0, backends: { \(gate): 0.1 }"),
        to: "quiz/suite.yaml")
      let words = ["run", lab.path("quiz"), "--baseline", "none", "--reports", lab.reports]
      let ending = await lab.run(words + options + models.flatMap { ["-m", lab.path($0)] })
      let message = "the gate has a pass rate for `\(gate)`"
      if let error {
        #expect(ending.status == .usage)
        #expect(ending.errors.first?.contains(message) == true, "\(ending.errors)")
        #expect(
          ending.errors.first?.contains("this run's backends are \(error), and") == true,
          "\(ending.errors)")
      } else {
        #expect(ending.status != .usage, "\(ending.errors)")
        #expect(ending.notes.contains(message) == warns, "\(ending.notes)")
      }
    }
    try await check("three", ["one.gguf"], error: "local")
    try await check("three", ["one.gguf", "two.gguf"], error: "one, two")
    try await check("one", ["one.gguf"], warns: true)
    try await check("two", ["one.gguf"])
    try await check("one", ["one.gguf", "two.gguf"])
    try await check("'openai:gpt-4o'", ["one.gguf"])
    // Nor does a run without model files know `three`, unless the project file does.
    try await check("three", [], ["-b", "stub"], error: "stub")
    try await check("three", [], ["-b", "stub", "-b", "local"], error: "stub, local")
    try lab.write("models: { third: { file: ../three.gguf } }\n", to: "quiz/assay.yaml")
    try await check("three", [], ["-b", "stub"])
    try await check("four", [], ["-b", "stub"], error: "stub")
    try await check("two", [], ["-b", "stub"])
  }
}
