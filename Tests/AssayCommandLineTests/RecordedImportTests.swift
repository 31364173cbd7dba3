import EvalRecords
import Foundation
import ResultStore
import StructuredText
import Testing

@testable import AssayCommandLine

/// What an import keeps of a recorder's lines.
@Suite("assay list --prompts, and the import of recorded answers")
struct RecordedImportTests {
  private static let pair: JSONValue = ["question": "?", "answer": "."]
  private static let full: JSONValue = ["pairs": [pair, pair, pair]]
  private static let old = "Version 27.0.1 (Build 26A434)"
  private static let new = "Version 27.1 (Build 26B100)"

  private func lab(repeats: Int = 1, cases: Int = 4) throws -> CommandLab {
    let lab = try CommandLab()
    var quiz = QuizSuite(repeats: repeats, passRate: 0)
    quiz.cases = Array(quiz.cases.prefix(cases))
    try quiz.write(to: lab)
    return lab
  }

  /// Returns the lines of a recorder that answers every prompt.
  private func answers(
    _ lab: CommandLab, system: String = old, model: String = "AFM 3 Core",
    variants: [String] = ["--variant", "default"],
    edit: (Int, inout JSONObject) -> Void = { _, _ in }
  ) async -> String {
    let listed = await lab.run(["list", lab.path("quiz"), "--prompts"] + variants)
    #expect(listed.status == .passed, "\(listed.notes)")
    var lines: [String] = []
    for text in listed.output.split(separator: "\n") {
      guard let prompt = try? JSONValue(parsing: String(text)) else { continue }
      for (index, seed) in (prompt["seeds"]?.array ?? []).enumerated() {
        var line: JSONObject = [
          "output": .string(Self.full.compactText), "options": ["seed": seed],
          "model": .string(model), "system": .string(system), "assets": ["instruct_3b,16.1"],
          "usage": ["input": 100, "output": 50], "seconds": 1.25,
          "repeat": .number(JSONNumber(index)),
        ]
        for key in ["suite", "variant", "case", "prompt", "instructions"] {
          line[key] = prompt[key]
        }
        edit(lines.count, &line)
        lines.append(JSONValue.object(line).compactText)
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  @Test("the lines have everything that a request needs, for each test case in each variant")
  func prompts() async throws {
    let lab = try lab(repeats: 3)
    let listed = await lab.assay("list", lab.path("quiz"), "--prompts", "--variant", "all")
    let lines = try listed.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    #expect(lines.count == 4 * 3)
    #expect(Set(lines.map { $0["variant"]?.string }) == ["default", "same", "silent"])
    for line in lines {
      #expect(line["seeds"]?.array?.count == 3)
      #expect(line["schema"]?["title"]?.string == "QuizBook")
      #expect(line["instructions"]?.string == "You turn a passage into study cards.")
      #expect(line["options"] == ["maximumResponseTokens": 200, "temperature": 0.7])
      #expect(line["includeSchemaInPrompt"] == true)
    }
    #expect(
      await lab.assay("list", lab.path("quiz"), "--prompts", "--case", "case-2").output
        .split(separator: "\n").count == 1)
  }

  @Test("an import keeps failures, seeds, versions, usage and times")
  func facts() async throws {
    let lab = try lab()
    let failures = ["guardrailViolation", "contextSizeExceeded", "rateLimited"]
    let text = await answers(lab) { number, line in
      guard number > 0 else { return }
      line["output"] = .null
      line["failure"] = ["kind": .string(failures[number - 1]), "message": "as it was"]
    }
    try lab.write(text, to: "a.jsonl")
    let ending = await lab.assay("import", lab.path("a.jsonl"), "--suites", lab.path("quiz"))
    #expect(
      ending.notes.contains(
        "4 recorded answers to 4 prompts, AFM 3 Core; recorded, \(Self.old), instruct_3b,16.1"),
      "\(ending.notes)")
    let store = try ResultStore(path: lab.database, access: .reading)
    let run = try store.run(1)
    #expect(run.backends.map(\.model) == ["AFM 3 Core"])
    #expect(run.backends.map(\.isRecorded) == [true])
    let attempts = try store.attempts(run: 1).sorted { $0.key.caseID < $1.key.caseID }
    #expect(
      attempts.map(\.failure?.kind) == [nil, .refusal, .contextSizeExceeded, .rateLimited])
    #expect(attempts.map(\.outcome) == [.pass, .fail, .fail, .error])
    #expect(attempts.map(\.stopReason) == [.complete, .refusal, .contextFull, .failed])
    #expect(attempts[1].failure?.message == "guardrailViolation: as it was")
    let seeds = text.split(separator: "\n").map { line in
      (try? JSONValue(parsing: String(line)))?["options"]?["seed"]?.number?.text
    }
    #expect(attempts.map { "\($0.seed)" } == seeds.map { $0 ?? "" })
    for attempt in attempts {
      #expect(attempt.promptTokens == 100)
      #expect(attempt.outputTokens == 50)
      #expect(attempt.duration == 1.25)
      #expect(attempt.details.served?.model == "AFM 3 Core")
      #expect(attempt.details.served?.fingerprint == Self.old)
    }
    let summary = try lab.text("reports/latest/summary.md")
    for word in ["Version 27.0.1", "AFM 3 Core", "guardrailViolation"] {
      #expect(summary.contains(word), "\(word) in \(summary)")
    }
  }

  @Test("an import without usage and times judges no assertion and no metric that needs them")
  func unknownNumbers() async throws {
    func ending(_ assertions: String, knowing: Bool) async throws -> (CommandLab.Ending, CommandLab)
    {
      let lab = try lab(cases: 2)
      let text = try lab.text("quiz/suite.yaml").replacing(
        "gate: { passRate: 0.0 }",
        with: """
          gate:
            passRate: 1
            metrics: { speed: { max: 5000 }, length: { max: 100 } }
          metrics: { speed: { of: latency }, length: { of: outputTokens } }
          """
      ).replacing("assertions:\n", with: "assertions:\n  - \(assertions)\n")
      try lab.write(text, to: "quiz/suite.yaml")
      try lab.write(
        await answers(lab) { _, line in
          if !knowing { (line["usage"], line["seconds"]) = (nil, nil) }
        }, to: "a.jsonl")
      return (
        await lab.assay("import", lab.path("a.jsonl"), "--suites", lab.path("quiz")), lab
      )
    }
    for assertion in ["latency: { max: 2000 }", "expression: outputTokens() < 60"] {
      let (known, _) = try await ending(assertion, knowing: true)
      #expect(known.status == .passed, "\(known.output)\(known.notes)")
      let (unknown, lab) = try await ending(assertion, knowing: false)
      #expect(unknown.status == .failed, "\(unknown.output)")
      for name in ["speed", "length"] {
        #expect(
          unknown.output.contains("metric `\(name)` has no data in 2 attempts"),
          "\(unknown.output)")
      }
      let attempts = try ResultStore(path: lab.database, access: .reading).attempts(run: 1)
      #expect(attempts.allSatisfy { $0.details.metrics == nil })
      #expect(attempts.allSatisfy { $0.verdicts.first?.verdict == .vacuous })
      #expect(try lab.text("reports/latest/report.html").contains(#""t":[null,null]"#))
    }
  }

  @Test("an import judges the answers of all variants that it has, each by its own request")
  func variants() async throws {
    let lab = try lab()
    let text = await answers(lab, variants: ["--variant", "default", "--variant", "silent"]) {
      _, line in
      if line["variant"] == "silent" { line["output"] = ["pairs": []] }
    }
    try lab.write(text, to: "a.jsonl")
    let ending = await lab.assay("import", lab.path("a.jsonl"), "--suites", lab.path("quiz"))
    #expect(ending.status == .passed, "\(ending.notes)")
    let store = try ResultStore(path: lab.database, access: .reading)
    let attempts = try store.attempts(run: 1)
    #expect(attempts.count == 8)
    for attempt in attempts {
      #expect((attempt.outcome == .pass) == (attempt.key.variant == "default"))
    }
    #expect(try store.run(1).details.variants == ["default", "silent"])

    // Without one of its answers, the variant is incomplete; a prompt that was edited since the
    // recording counts nowhere.
    var lines = text.split(separator: "\n").map(String.init)
    lines.removeLast()
    lines[0] = lines[0].replacing("A short text", with: "Another text")
    try lab.write(lines.joined(separator: "\n"), to: "b.jsonl")
    let part = await lab.assay("import", lab.path("b.jsonl"), "--suites", lab.path("quiz"))
    #expect(part.status == .interrupted, "\(part.notes)")
    #expect(
      part.notes.contains("no recorded answer: quiz:default/case-1, quiz:silent/case-4"),
      "\(part.notes)")
    #expect(part.notes.contains("no test case has this prompt"))
  }

  @Test("the first line of a comparison names a changed system, and another model isn't comparable")
  func systems() async throws {
    let lab = try lab(cases: 8)
    try lab.write(await answers(lab), to: "a.jsonl")
    try lab.write(await answers(lab, system: Self.new), to: "b.jsonl")
    try lab.write(
      await answers(lab, model: "AFM 3 Core Advanced"), to: "c.jsonl")
    func add(_ file: String) async -> CommandLab.Ending {
      await lab.assay("import", lab.path(file), "--suites", lab.path("quiz"))
    }
    #expect(await add("a.jsonl").status == .passed)
    #expect(await lab.assay("baseline", "accept", "1", "--reason", "good").status == .passed)
    let same = await add("a.jsonl")
    #expect(same.status == .passed, "\(same.notes)")
    #expect(!same.output.contains("changed by itself"), "\(same.output)")
    let updated = await add("b.jsonl")
    #expect(updated.status == .passed, "\(updated.output)\(updated.notes)")
    #expect(
      updated.output.contains(
        "the system changed by itself, \(Self.old) → \(Self.new).\n"),
      "\(updated.output)")
    // The names of the model's files are long, so the first line has them only if nothing else has
    // changed.
    let asset = "com.apple.fm.language.instruct_3b.fm_api_generic_3b?variant=generic_sparse_17,0"
    try lab.write(await answers(lab) { $1["assets"] = [.string(asset)] }, to: "d.jsonl")
    let renewed = await add("d.jsonl")
    #expect(
      renewed.output.contains("the system changed by itself, instruct_3b,16.1 → \(asset)"),
      "\(renewed.output)")
    let other = await add("c.jsonl")
    #expect(other.status == .usage, "\(other.output)")
    #expect(other.output.contains("model AFM 3 Core → AFM 3 Core Advanced"), "\(other.output)")
  }

  @Test(
    "only a baseline of recorded answers in the usual folder counts as a baseline elsewhere",
    arguments: [
      ("quiz@cc324af070c2-p4.jsonl", "No baseline has been accepted yet", "one in reports"),
      ("quiz.jsonl", "No baseline has been accepted yet", "one in reports"),
      ("quiz@recorded.jsonl", "there is one in reports/baselines", "has been accepted yet"),
    ])
  func checkBaselineElsewhere(file: String, words: String, absent: String) async throws {
    let lab = try lab(cases: 8)
    try lab.write("not read", to: "reports/baselines/\(file)")
    try lab.write(await answers(lab), to: "a.jsonl")
    let command = ["import", lab.path("a.jsonl"), "--suites", lab.path("quiz")]
    let ending = await lab.run(command + ["--reports", lab.path("elsewhere")])
    #expect(ending.status == .passed, "\(ending.notes)")
    #expect(ending.output.contains(words), "\(ending.output)")
    #expect(!ending.output.contains(absent), "\(ending.output)")
    let accept = ["baseline", "accept", "--reason", "good", "--reports", lab.path("elsewhere")]
    #expect(await lab.run(accept).status == .passed)
    let again = await lab.run(command + ["--reports", lab.path("elsewhere")])
    #expect(again.output.contains("No change"), "\(again.output)")
  }

  @Test("a file with the answers of two systems becomes two runs, and lines without one join in")
  func twoSystems() async throws {
    let lab = try lab()
    let one = await answers(lab)
    try lab.write(one + (await answers(lab, system: Self.new)), to: "a.jsonl")
    let ending = await lab.assay("import", lab.path("a.jsonl"), "--suites", lab.path("quiz"))
    #expect(ending.status == .passed, "\(ending.notes)")
    let store = try ResultStore(path: lab.database, access: .reading)
    #expect(try store.runIDs() == [1, 2])
    #expect(try store.run(2).backends[0].engine.contains(Self.new))
    let unnamed = await answers(lab) { number, line in
      if number == 1 { for key in ["model", "system", "assets"] { line[key] = nil } }
    }
    try lab.write(unnamed, to: "b.jsonl")
    let joined = await lab.assay("import", lab.path("b.jsonl"), "--suites", lab.path("quiz"))
    #expect(joined.notes.contains("run 3: 4 recorded answers to 4 prompts"), "\(joined.notes)")
  }

  @Test("a recorder's attempt counts once, in however many lines and files it is")
  func copies() async throws {
    let lab = try lab(repeats: 2)
    let text = await answers(lab) { $1["time"] = "2026-11-29T03:00:00Z" }
    let other = await answers(lab) { $1["time"] = "2026-11-30T03:00:00Z" }
    try lab.write(text + text, to: "a.jsonl")
    try lab.write(text + other, to: "b.jsonl")
    func add(_ names: String...) async -> CommandLab.Ending {
      await lab.run(
        ["import"] + names.map { lab.path($0) }
          + ["--suites", lab.path("quiz"), "--reports", lab.path("reports")])
    }
    let twice = await add("a.jsonl")
    #expect(twice.notes.contains("8 recorded answers to 4 prompts"), "\(twice.notes)")
    #expect(
      twice.notes.contains(
        "a.jsonl:9:1: this is a copy of an earlier attempt and is left out, and so are 7 more"),
      "\(twice.notes)")
    let both = await add("a.jsonl", "b.jsonl")
    #expect(both.notes.contains("16 recorded answers to 4 prompts"), "\(both.notes)")
    // Without a time, a line is an answer of its own.
    try lab.write(await answers(lab), to: "c.jsonl")
    #expect(
      await add("c.jsonl", "c.jsonl").notes.contains("16 recorded answers to 4 prompts"))
  }

  @Test("--new adds each file once, by its content")
  func once() async throws {
    let lab = try lab()
    let text = await answers(lab)
    try lab.write(text, to: "a.jsonl")
    try lab.write(text, to: "copy.jsonl")
    func add(_ names: String...) async -> CommandLab.Ending {
      await lab.run(
        ["import"] + names.map { lab.path($0) }
          + ["--new", "--suites", lab.path("quiz"), "--reports", lab.path("reports")])
    }
    #expect(await add("a.jsonl", "copy.jsonl").status == .passed)
    let store = try ResultStore(path: lab.database, access: .reading)
    #expect(try store.attempts(run: 1).count == 4)
    for name in ["a.jsonl", "copy.jsonl"] {
      let again = await add(name)
      #expect(again.status == .passed)
      #expect(again.notes.contains("an earlier import has added all of these files"))
    }
    #expect(try store.runIDs() == [1])
    try lab.write(await answers(lab, system: Self.new), to: "a.jsonl")
    #expect(await add("a.jsonl", "copy.jsonl").status == .passed)
    #expect(try store.runIDs() == [1, 2])
    // A file that can't be read counts as not added.
    try lab.write("{", to: "broken.jsonl")
    for _ in 0..<2 { #expect(await add("broken.jsonl").status == .usage) }
    #expect(try lab.text("reports/imported.sha256").split(separator: "\n").count == 2)
  }

  @Test(
    "a failure or an error, also as a name alone, counts if it is known or if there is no answer",
    arguments: [
      (#""error": "guardrailViolation", "output": null"#, AttemptFailure.Kind?.some(.refusal)),
      (#""error": "guardrailViolation(Context())", "output": null"#, .refusal),
      (#""error": "guardrailViolation", "output": {"pairs": []}"#, .refusal),
      (#""error": {"kind": "exceededContextWindowSize"}, "output": null"#, .contextSizeExceeded),
      (#""error": "the user closed the app", "output": null"#, .noAnswer),
      (#""error": "the user closed the app", "output": {"pairs": []}"#, nil),
      (#""error": null, "output": {"pairs": []}"#, nil),
      (#""model": "", "system": "", "assets": [""], "output": {"pairs": []}"#, nil),
      (#""error": 7, "seed": "x", "usage": 3, "seconds": -1, "output": {"pairs": []}"#, nil),
      (#""failure": {"kind": "SomeError", "message": "x"}, "output": null"#, .backend),
      (#""failure": "rateLimited", "output": null"#, .rateLimited),
      (#""failure": "refusal", "output": {"pairs": []}"#, .refusal),
      (#""failure": "SomeError", "output": null"#, .backend),
      (#""failure": "SomeError", "output": {"pairs": []}"#, nil),
      (#""failure": null, "error": "rateLimited", "output": null"#, .rateLimited),
      (#""failure": "", "error": "timeout", "output": null"#, .timeout),
      (#""failure": {"kind": "refusal"}, "error": "timeout", "output": null"#, .refusal),
      (#""failure": true, "output": {"pairs": []}"#, nil),
    ])
  func checkError(members: String, kind: AttemptFailure.Kind?) async throws {
    let lab = try lab(cases: 1)
    try lab.write(
      #"{"prompt": "A short text, the one with number 1.", \#(members)}"#, to: "a.jsonl")
    let ending = await lab.assay("import", lab.path("a.jsonl"), "--suites", lab.path("quiz"))
    let store = try ResultStore(path: lab.database, access: .reading)
    let attempts = try store.attempts(run: 1)
    #expect(attempts.map(\.failure?.kind) == [kind], "\(ending.notes)")
    #expect(try store.run(1).backends[0].model == "recorded")
  }

  @Test("fm's saved transcript names the model, and a transcript names the system and the seed")
  func savedTranscript() async throws {
    let lab = try lab(cases: 1)
    let transcript = """
      {"type": "FoundationModels.Transcript", "version": "1.1", "transcript": {"entries": [\
      {"role": "user", "id": "C4", "contents": [{"type": "text", "id": "C9", \
      "text": "A short text, the one with number 1."}], \
      "options": {"temperature": 0.7, "randomSeed": 73, "topK": 41}}, \
      {"role": "response", "id": "EF", "contents": [{"type": "structure", "id": "29", \
      "structure": {"source": "QuizBook", "content": {"pairs": []}}}], \
      "assets": ["instruct_3b,16.1"], "metadata": {"systemVersion": "\(Self.old)"}}]}}
      """
    try lab.write(transcript, to: "a.json")
    try lab.write(#"{"modelName": "system", "transcript": \#(transcript)}"#, to: "b.json")
    for (number, name) in ["a.json", "b.json"].enumerated() {
      let ending = await lab.assay("import", lab.path(name), "--suites", lab.path("quiz"))
      let store = try ResultStore(path: lab.database, access: .reading)
      let run = try store.run(number + 1)
      #expect(run.backends.map(\.model) == [number == 0 ? "recorded" : "system"])
      #expect(run.backends[0].engine == "recorded, \(Self.old), instruct_3b,16.1")
      #expect(try store.attempts(run: number + 1).map(\.seed) == [73], "\(ending.notes)")
    }
  }
}
