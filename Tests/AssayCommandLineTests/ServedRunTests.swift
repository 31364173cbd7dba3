import EvalRecords
import FaultServer
import Foundation
import ResultStore
import Testing

@testable import AssayCommandLine

@Suite("A run on a served model", .timeLimit(.minutes(10)))
struct ServedRunTests {
  private static let answer =
    #"{\"pairs\":[{\"question\":\"One?\",\"answer\":\"First.\"},{\"question\":\"Two?\",\"answer\":"#
    + #"\"Second.\"},{\"question\":\"Three?\",\"answer\":\"Third.\"}]}"#

  private static func reply(
    model: String = "m", _ answer: String = ServedRunTests.answer
  ) -> [FaultServer.Step] {
    .reply(
      200,
      #"{"model":"\#(model)","choices":[{"finish_reason":"stop","message":{"content":"\#(answer)"}}],"#
        + #""usage":{"prompt_tokens":100,"completion_tokens":50}}"#)
  }

  private func lab(_ project: String? = nil) throws -> CommandLab {
    let lab = try CommandLab()
    try QuizSuite(repeats: 2, passRate: 1, cases: [("one", "A text."), ("two", "Another.")]).write(
      to: lab, folder: "evals/quiz")
    if let project { try lab.write(project, to: "evals/assay.yaml") }
    return lab
  }

  @Test("a run on a served model passes, and its record says which model answered")
  func passes() async throws {
    let server = try FaultServer { _, _ in Self.reply() }
    defer { server.stop() }
    let lab = try lab()
    let run = await lab.run([
      "run", lab.path("evals/quiz"), "-b", "openai-api:m@\(server.url)", "--reports", lab.reports,
    ])
    #expect(run.status == .passed, "\(run.notes)")
    #expect(run.notes.contains("openai-api:m: 4 requests to \(server.url)/v1, 4 answers"))
    let store = try ResultStore(path: lab.database)
    let record = try store.run(1)
    #expect(record.details.served?["openai-api:m"]?.models == ["m": 4])
    #expect(record.details.served?["openai-api:m"]?.capabilities?.enforcesSchema == .no)
    #expect(record.backends.first?.isDeterministic == false)
    #expect(server.requests.allSatisfy { $0.path == "/v1/chat/completions" })
    #expect(try lab.text("reports/latest/report.html").contains("4 requests to"))
  }

  @Test("a run can use served and local models from the project file, with the settings of each")
  func matrix() async throws {
    let server = try FaultServer { _, _ in Self.reply() }
    defer { server.stop() }
    let lab = try lab(
      """
      models:
        toy: { file: toy.gguf }
        far:
          server: openai-api:m@\(server.url)
          prices: { prompt: 2, output: 10 }
          members: { user: me }
      """)
    try lab.write(Data(contentsOf: URL(fileURLWithPath: Checkout.model)), to: "evals/toy.gguf")
    let run = await lab.run([
      "run", lab.path("evals/quiz"), "-m", "toy", "-m", "far", "--reports", lab.reports,
      "--case", "one",
    ])
    #expect(run.status == .failed || run.status == .passed, "\(run.notes)")
    let store = try ResultStore(path: lab.database)
    let record = try store.run(1)
    #expect(record.backends.map(\.id) == ["local", "openai-api:m"])
    // Each of the two attempts has 100 prompt tokens at 2 per million and 50 output tokens at 10.
    #expect(abs((record.details.served?["openai-api:m"]?.cost ?? 0) - 0.0014) < 1e-9)
    #expect(server.requests.first?.body.contains(#""user":"me""#) == true)
  }

  @Test("a run makes no more requests once they have cost more than --budget-cost allows")
  func budget() async throws {
    let server = try FaultServer { _, _ in Self.reply() }
    defer { server.stop() }
    let lab = try lab(
      "models: { far: { server: 'openai-api:m@\(server.url)', concurrency: 1, "
        + "probe: false, prices: { prompt: 10000, output: 0 } } }")
    let run = await lab.run([
      "run", lab.path("evals/quiz"), "-b", "far", "--reports", lab.reports, "--budget-cost", "1.5",
    ])
    // Each request costs 1, for 100 prompt tokens at 10,000 per million.
    #expect(run.notes.contains("the budget of 1.5 for served models is used up"), "\(run.notes)")
    #expect(server.requests.count == 2)
  }

  @Test(
    "if the server rejects the key, the run skips its other attempts and ends with exit status 3")
  func refusedKey() async throws {
    let server = try FaultServer { _, number in
      number < 1 ? Self.reply() : .reply(401, #"{"error":{"message":"wrong key"}}"#)
    }
    defer { server.stop() }
    let lab = try lab()
    let run = await lab.run([
      "run", lab.path("evals/quiz"), "-b", "openai-api:m@\(server.url)", "--reports", lab.reports,
      "-j", "1",
    ])
    #expect(run.status == .cannotRun, "\(run.notes)")
    #expect(run.notes.contains("the server refuses the key (status 401): wrong key"))
    let attempts = try ResultStore(path: lab.database).attempts(run: 1)
    #expect(attempts.count == 4)
    #expect(attempts.count { $0.outcome == .error } == 1)
    #expect(attempts.contains { $0.outcome == .skipped })
  }

  @Test("a run can't be compared if several models answered its requests")
  func changedModel() async throws {
    // Eleven requests test the server. The model changes after the first four attempts.
    let server = try FaultServer { _, number in Self.reply(model: number < 15 ? "m-1" : "m-2") }
    defer { server.stop() }
    let lab = try lab()
    let compared = await lab.run([
      "compare", "quiz:default", "quiz:same", "--suites", lab.path("evals/quiz"), "-b",
      "openai-api:m@\(server.url)", "--reports", lab.reports, "-j", "1",
    ])
    #expect(compared.status == .usage, "\(compared.notes) \(compared.output)")
    #expect(
      (compared.notes + compared.output).contains("several models answered"),
      "\(compared.notes) \(compared.output)")
  }

  @Test(
    "no command stores or repeats a password in an address",
    arguments: [
      (["run"], ["-b", "openai-api:m@http://me:sesame@127.0.0.1:1/v1"], nil),
      (["list"], ["-b", "openai-api:m@http://me:sesame@127.0.0.1:1/v1"], nil),
      (["power"], ["-b", "openai-api:m@https://me:sesame@gpu"], nil),
      (["doctor"], ["-b", "openai-api:m@http://me:sesame@gpu"], nil),
      (["run"], ["-b", "opanai:m@http://me:sesame@gpu"], nil),
      (["run"], ["-b", "http://me:sesame@gpu"], nil),
      (["run"], ["-m", "openai-api:m@http://me:sesame@gpu"], nil),
      (["run"], ["-b", "stub"], "models: { far: { server: 'vllm:m@http://me:sesame@gpu' } }"),
      (["list"], [], "models: { far: { server: 'vllm:m@http://me:sesame@gpu' } }"),
    ] as [([String], [String], String?)])
  func checkPassword(command: [String], options: [String], project: String?) async throws {
    let lab = try lab(project)
    let place = command == ["doctor"] ? [] : [lab.path("evals/quiz"), "--reports", lab.reports]
    let ending = await lab.run(command + place + options)
    #expect(ending.status == .usage, "\(ending.notes)")
    #expect(ending.errors.count == 1, "\(ending.notes)")
    #expect(!(ending.notes + ending.output).contains("sesame"), "\(ending.notes)")
    #expect(!lab.has("reports"))
    if project?.contains("far") == true {
      let place = "\(lab.path("evals/assay.yaml")):1:26: "
      #expect(
        ending.errors.first?.hasPrefix(place + "the address contains a ") == true,
        "\(ending.notes)")
    }
  }

  @Test("a gate of a suite can't name a server by an address with a password")
  func checkPasswordInGate() async throws {
    let lab = try lab()
    let text = try lab.text("evals/quiz/suite.yaml")
    try lab.write(
      text.replacing(
        #/gate: .*/#, with: "gate: { backends: { 'vllm:m@http://me:sesame@gpu': 0.5 } }"),
      to: "evals/quiz/suite.yaml")
    let ending = await lab.run(["list", lab.path("evals/quiz")])
    #expect(ending.status == .usage, "\(ending.output)")
    #expect(ending.notes.contains("the address contains a user name"), "\(ending.notes)")
    #expect(!ending.notes.contains("sesame"), "\(ending.notes)")
  }

  static let mistakes: [(options: [String], environment: [String: String], words: String)] = [
    (["-b", "opanai:m"], [:], "did you mean `openai`?"),
    (["-b", "openai-api:m"], [:], "needs a server; write openai-api:MODEL@ADDRESS"),
    (["-b", "ollama:"], [:], "needs a model"),
    (["-b", "vllm:m@ftp://x"], [:], "the scheme is `ftp`"),
    (["-b", "openai:gpt"], [:], "needs a key in the environment variable OPENAI_API_KEY"),
    (
      ["-b", "vllm:m@http://gpu.test:8000"], ["ASSAY_SERVER_KEY": "k"],
      "would go unencrypted to gpu.test"
    ),
  ]

  @Test(
    "a run rejects an unusable server or model before it sends anything",
    arguments: mistakes.indices)
  func checkMistake(_ index: Int) async throws {
    let mistake = Self.mistakes[index]
    let lab = try lab()
    let run = await lab.run(
      ["run", lab.path("evals/quiz"), "--reports", lab.reports] + mistake.options,
      environment: mistake.environment)
    #expect(run.status == .usage, "\(run.notes)")
    #expect(run.notes.contains(mistake.words), "\(run.notes)")
    #expect(!run.notes.contains("= k"))
  }

  @Test("--replay repeats a recorded run without a server, even if an assertion has changed")
  func replays() async throws {
    // The first eleven requests test the server; the twelfth is the first attempt.
    let server = try FaultServer { _, number in number == 11 ? .reply(503, "wait") : Self.reply() }
    let lab = try lab()
    let words = ["run", lab.path("evals/quiz"), "-b", "openai-api:m@\(server.url)"]
    let recorded = await lab.run(
      words + ["--reports", lab.reports, "--record", lab.path("r.jsonl")],
      environment: ["ASSAY_SERVER_KEY": "sk-secret"])
    #expect(recorded.status == .passed, "\(recorded.notes)")
    server.stop()
    // The run tested the server with eleven requests, and made four attempts and one retry.
    #expect(try lab.text("r.jsonl").split(separator: "\n").count == 16)
    #expect(try !lab.text("r.jsonl").contains("secret"))
    let replay = ["--reports", lab.path("again"), "--replay", lab.path("r.jsonl")]
    let again = await lab.run(words + replay)
    #expect(again.status == .passed, "\(again.notes)")
    let uses = try [lab.database, lab.path("again/results.sqlite")].map {
      try ResultStore(path: $0, access: .reading).run(1).details.served?["openai-api:m"]
    }
    #expect(uses[0]?.capabilities?.requests == 11)
    #expect(uses[0]?.capabilities == uses[1]?.capabilities)
    let suite = try lab.text("evals/quiz/suite.yaml")
    try lab.write(
      suite.replacingOccurrences(of: "min: 3, max: 8", with: "min: 4, max: 8"),
      to: "evals/quiz/suite.yaml")
    let stricter = await lab.run(words + replay)
    #expect(stricter.status == .failed, "\(stricter.notes)")
    try lab.write(
      suite.replacingOccurrences(of: "You turn", with: "You always turn"),
      to: "evals/quiz/suite.yaml")
    let other = await lab.run(words + replay)
    #expect(other.status == .cannotRun, "\(other.notes)")
    #expect(other.notes.contains("the request was not recorded; the nearest one differs in"))
    let twice = await lab.run(words + ["--record", lab.path("r.jsonl")])
    #expect(twice.status == .usage && twice.notes.contains("the file already exists"))
  }

  @Test("a replay has no second look, because the recording has no answers for it")
  func replayedSuspicion() async throws {
    let server = try FaultServer { request, _ in
      let isEmpty = request.body.contains("naive") && request.body.contains("Unlucky")
      return isEmpty ? Self.reply(#"{\"pairs\":[]}"#) : Self.reply()
    }
    defer { server.stop() }
    let lab = try CommandLab()
    func write(guide: String) throws {
      // Four answers are empty after the edit; five would show a regression without a second look.
      try QuizSuite(
        guide: guide, repeats: 1, passRate: 0,
        cases: (0..<40).map { ("case-\($0)", $0 % 10 == 0 ? "Unlucky text \($0)." : "Text \($0).") }
      ).write(to: lab, folder: "evals/quiz")
    }
    let words = [
      "run", lab.path("evals/quiz"), "-b", "openai-api:m@\(server.url)", "--reports", lab.reports,
    ]
    try write(guide: "careful")
    #expect(await lab.run(words).status == .passed)
    #expect(await lab.assay("baseline", "accept").status == .passed)
    try write(guide: "naive")
    let file = lab.path("r.jsonl")
    let recorded = await lab.run(words + ["--record", file, "--no-second-look"])
    #expect(
      recorded.status == .passed && recorded.output.contains("suspected"), "\(recorded.output)")
    let replayed = await lab.run(words + ["--replay", file])
    #expect(replayed.status == .passed, "\(replayed.notes)")
    #expect(replayed.output.contains("suspected") && !replayed.notes.contains("is suspected"))
    let store = try ResultStore(path: lab.database, access: .reading)
    #expect(try store.runs(matching: RunFilter(secondLookOf: 3)).isEmpty)
  }

  @Test(
    "`assay schema sent` shows the schema that a server gets, and which keywords it won't enforce")
  func sentSchema() async throws {
    let lab = try lab()
    let schema = lab.path("bounded.json")
    try lab.write(
      #"{"title":"L","type":"array","items":{"type":"string"},"maxItems":4}"#, to: "bounded.json")
    let sent = await lab.run(["schema", "sent", schema, "--for", "anthropic"])
    #expect(sent.status == .passed, "\(sent.notes)")
    #expect(sent.output.contains("doesn't enforce `maxItems`"), "\(sent.output)")
    let json = await lab.run(["schema", "sent", schema, "--for", "vllm", "--format", "json"])
    #expect(json.output.contains("\"losses\": []"), "\(json.output)")
    #expect(await lab.run(["schema", "sent", schema]).status == .usage)
    #expect(await lab.run(["schema", "json", schema, "--for", "vllm"]).status == .usage)
  }

  @Test("`assay doctor` reports whether a server enforces schemas and honors seeds")
  func doctor() async throws {
    let server = try FaultServer { request, number in
      let text =
        number == 0
        ? #"{\"mood\":\"calm\",\"words\":[]}"#
        : #"{\"name\":\"T\#((7...9).first { request.body.contains("\"seed\":\($0)") } ?? 0)\"}"#
      return .reply(
        200, #"{"model":"m","choices":[{"finish_reason":"stop","message":{"content":"\#(text)"}}]}"#
      )
    }
    defer { server.stop() }
    let lab = try CommandLab()
    let checked = await lab.run(["doctor", "-b", "openai-api:m@\(server.url)"])
    #expect(checked.status == .passed, "\(checked.notes)")
    #expect(checked.output.contains("enforces schemas     yes"), "\(checked.output)")
    #expect(checked.output.contains("honors seeds         yes"), "\(checked.output)")
    #expect(checked.output.contains("decisions            counted"), "\(checked.output)")
    #expect(server.requests.count == 9)
  }

  @Test("answers of another model in the cache count as answers of the run")
  func cachedModel() async throws {
    let server = try FaultServer { request, _ in
      Self.reply(model: request.body.contains("A text.") ? "m-1" : "m-2")
    }
    defer { server.stop() }
    let lab = try lab(
      "models: { far: { server: 'openai-api:m@\(server.url)', probe: false } }")
    let words = [
      "run", lab.path("evals/quiz"), "-b", "far", "--reports", lab.reports, "--cache",
    ]
    #expect(await lab.run(words + ["--case", "one"]).status == .passed)
    let run = await lab.run(words)
    #expect(run.notes.contains("2 requests to"), "\(run.notes)")
    #expect(
      run.notes.contains("the model changed during the run: m-1 (2 answers), m-2 (2 answers)"),
      "\(run.notes)")
    let accepted = await lab.run(["baseline", "accept", "2", "--reports", lab.reports])
    #expect(accepted.status == .usage)
    #expect(accepted.notes.contains("changed during the run (m-1, m-2)"), "\(accepted.notes)")
  }

  @Test(
    "a run warns once if a server's answers don't count toward its budget",
    arguments: [
      (["--budget-cost", "9"], "--budget-cost can't"),
      (["--budget-tokens", "9"], "--budget-tokens can't"),
      (["--budget-tokens", "9", "--budget-cost", "9"], "--budget-tokens and --budget-cost can't"),
      (["--budget-calls", "9"], nil),
    ] as [([String], String?)])
  func checkUncountedBudget(options: [String], words: String?) async throws {
    let server = try FaultServer { _, _ in
      let answer = Self.answer
      return .reply(
        200,
        #"{"choices":[{"finish_reason":"stop","message":{"content":"\#(answer)"}}],"usage":null}"#)
    }
    defer { server.stop() }
    let lab = try lab(
      "models: { far: { server: 'openai-api:m@\(server.url)', probe: false, "
        + "prices: { prompt: 1, output: 1 } } }")
    let run = await lab.run(
      ["run", lab.path("evals/quiz"), "-b", "far", "--reports", lab.reports] + options)
    #expect(run.status == .passed, "\(run.notes)")
    let warnings = run.notes.components(separatedBy: "doesn't report how many tokens").count - 1
    #expect(warnings == (words == nil ? 0 : 1), "\(run.notes)")
    if let words { #expect(run.notes.contains(words), "\(run.notes)") }
    #expect(!run.notes.contains("the answers cost"))
    #expect(run.notes.contains("the cost isn't known, because the server doesn't report tokens"))
  }

  @Test("a run ends with exit status 3 if its recording can't be written")
  func lostRecording() async throws {
    let lab = try lab()
    let path = lab.path("r.jsonl")
    let server = try FaultServer { _, number in
      if number == 2 { try? FileManager.default.removeItem(atPath: path) }
      return Self.reply()
    }
    defer { server.stop() }
    try lab.write(
      "models: { far: { server: 'openai-api:m@\(server.url)', probe: false, concurrency: 1 } }",
      to: "evals/assay.yaml")
    let run = await lab.run([
      "run", lab.path("evals/quiz"), "-b", "far", "--reports", lab.reports, "--record", path,
    ])
    #expect(run.status == .cannotRun, "\(run.notes)")
    #expect(
      run.notes.contains("the recording can't be written: No such file or directory"),
      "\(run.notes)")
    #expect(server.requests.count == 3)
  }

  @Test("a server's message that quotes the key is shown and stored without it")
  func quotedKey() async throws {
    let server = try FaultServer { request, _ in
      let key = (request.headers["authorization"] ?? "").dropFirst(7)
      return .reply(401, #"{"error":{"message":"wrong key \#(key)"}}"#)
    }
    defer { server.stop() }
    let lab = try lab()
    let run = await lab.run(
      [
        "run", lab.path("evals/quiz"), "-b", "openai-api:m@\(server.url)", "--reports",
        lab.reports, "--record", lab.path("r.jsonl"),
      ], environment: ["ASSAY_SERVER_KEY": "sk-secret-42"])
    #expect(run.notes.contains("wrong key [key]"), "\(run.notes)")
    for text in [
      run.notes, run.output, try lab.text("r.jsonl"), try lab.text("reports/latest/report.html"),
      try lab.text("reports/latest/results.jsonl"),
    ] {
      #expect(!text.contains("sk-secret"))
    }
  }
}
