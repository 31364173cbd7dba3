import EvalRecords
import Foundation
import ResultStore
import StructuredText
import Testing

@testable import AssayCommandLine

@Suite("assay export, import, merge and recover")
struct ExchangeTests {
  private func lab(stub: String = QuizSuite.sometimesEmpty) async throws -> CommandLab {
    let lab = try CommandLab()
    try QuizSuite(repeats: 4, passRate: 0.1, stub: stub).write(to: lab)
    return lab
  }

  // MARK: Export and import

  @Test("if an exported run is imported and exported again, both exports have the same bytes")
  func exportIsImported() async throws {
    let lab = try await lab()
    for _ in 0..<2 {
      #expect(await lab.assay("run", lab.path("quiz"), "-b", "stub").status == .passed)
    }
    #expect(await lab.assay("baseline", "accept", "1", "--reason", "good").status == .passed)
    #expect(await lab.assay("export", "--out", lab.path("a.jsonl")).status == .passed)
    let other = ["--reports", lab.path("other")]
    for words in ["run 1, 32 attempts\n", "run 1, 32 attempts, was already there\n"] {
      let imported = await lab.run(["import", lab.path("a.jsonl")] + other)
      #expect(imported.status == .passed, "\(imported.notes)")
      #expect(imported.output.contains(words))
    }
    let again = await lab.run(["export"] + other)
    #expect(again.status == .passed, "\(again.notes)")
    #expect(again.output == (try lab.text("a.jsonl")))
    #expect(
      await lab.run(["export", "2"] + other).output == (await lab.assay("export", "2")).output)

    // With the same history, and with the same pages beside it, the imported run has the same
    // reports as the original run.
    for name in ["history.jsonl", "index.html"] {
      try lab.write(try lab.data("reports/\(name)"), to: "other/\(name)")
    }
    #expect(await lab.run(["report", "1", "--baseline", "none"] + other).status == .passed)
    #expect(await lab.assay("report", "2", "--baseline", "none").status == .passed)
    #expect(await lab.run(["report", "2", "--baseline", "none"] + other).status == .passed)
    for name in ReportFilesTests.names {
      #expect(try texts(name, "reports/2", lab) == texts(name, "other/2", lab), "\(name)")
    }
  }

  /// Returns the text of a report without the `--reports` options in its commands, and with
  /// `reports/` in place of `merged/`.
  private func texts(_ name: String, _ folder: String, _ lab: CommandLab) throws -> String {
    let reports = lab.path(String(folder.prefix { $0 != "/" }))
    func kept(_ word: String) -> String { "<span class=\"nowrap\">\(word)</span>" }
    var text = try lab.text("\(folder)/\(name)")
    for path in [kept(reports), reports] {
      text = text.replacing(" \(kept("--reports")) \(path)", with: "")
    }
    return text.replacing(" --reports \(reports)", with: "").replacing("merged/", with: "reports/")
  }

  @Test(
    "every field of an exported CSV file can be read back, and no field looks like a formula")
  func exportCSV() async throws {
    let hostile = [
      "=1+1", "+SUM(A1)", "-2+3", "@cmd", "\tx", "  =1", "a,b", "say \"hi\"", "two\nlines", "＝1",
    ]
    let lab = try CommandLab()
    var quiz = QuizSuite(repeats: 1)
    quiz.cases = hostile.indices.map { ("case-\($0)", "x") }
    try quiz.write(to: lab)
    #expect(await lab.assay("run", lab.path("quiz"), "-b", "stub").status == .passed)
    let store = try ResultStore(path: lab.database)
    var run = try store.run(1)
    run.label = hostile[0]
    let attempts = try store.attempts(run: 1)
    let changed = zip(attempts, hostile).map { attempt, text in
      var attempt = attempt
      attempt.output = text
      attempt.failure = AttemptFailure(kind: .backend, message: text)
      return attempt
    }
    _ = try store.add(run, changed)

    let csv = await lab.assay("export", "2", "--format", "csv").output
    #expect(csv.hasSuffix("\r\n"))
    let rows = Self.fields(of: csv)
    #expect(rows.count == 1 + hostile.count)
    #expect(rows.allSatisfy { $0.count == rows[0].count })
    let output = try #require(rows[0].firstIndex(of: "output"))
    let expected = hostile.map { text in
      "=+-@\t＝".contains(text.drop { $0 == " " }.first ?? "x") ? "'" + text : text
    }
    #expect(rows.dropFirst().map { $0[output] } == expected)
    for row in rows.dropFirst() {
      for field in row where Double(field) == nil {
        #expect(!"=+-@\t\r".contains(field.drop { $0 == " " }.first ?? "x"), "\(field)")
      }
    }
  }

  /// Reads CSV by the grammar in RFC 4180.
  private static func fields(of csv: String) -> [[String]] {
    var rows: [[String]] = [[]]
    var field = ""
    var isQuoted = false
    var scalars = csv.unicodeScalars.makeIterator()
    var next = scalars.next()
    while let scalar = next {
      next = scalars.next()
      switch (isQuoted, scalar) {
      case (true, "\""):
        if next == "\"" {
          field.unicodeScalars.append(scalar)
          next = scalars.next()
        } else {
          isQuoted = false
        }
      case (true, _): field.unicodeScalars.append(scalar)
      case (false, "\""): isQuoted = true
      case (false, ","):
        rows[rows.count - 1].append(field)
        field = ""
      case (false, "\r") where next == "\n":
        next = scalars.next()
        rows[rows.count - 1].append(field)
        field = ""
        rows.append([])
      case (false, _): field.unicodeScalars.append(scalar)
      }
    }
    return rows.dropLast()
  }

  private func transcript(_ answers: [(prompt: String, answer: JSONValue?)]) -> String {
    let entries: [JSONValue] = answers.enumerated().flatMap { index, pair -> [JSONValue] in
      let asked: JSONValue = [
        "role": "user", "id": .string("p\(index)"),
        "contents": [["type": "text", "text": .string(pair.prompt), "id": "t"]],
      ]
      guard let answer = pair.answer else { return [asked] }
      return [
        asked,
        [
          "role": "response", "id": .string("r\(index)"),
          "contents": [
            [
              "type": "structure", "id": "s",
              "structure": ["source": "QuizBook", "content": answer],
            ]
          ],
        ],
      ]
    }
    let document: JSONValue = [
      "type": "FoundationModels.Transcript", "version": 1,
      "transcript": ["entries": .array(entries)],
    ]
    return document.compactText
  }

  @Test("imported transcripts become attempts of the backend `recorded`, and the suite judges them")
  func transcriptsAreJudged() async throws {
    let lab = try await lab()
    let pair: JSONValue = ["question": "?", "answer": "."]
    let full: JSONValue = ["pairs": [pair, pair, pair]]
    let prompts = QuizSuite().cases.map(\.1)
    try lab.write(
      transcript([(prompts[0], full), (prompts[1], ["pairs": []]), ("something else", full)])
        + "\n" + transcript([(prompts[0], ["pairs": [pair]])]) + "\n",
      to: "sessions.jsonl")
    let ending = await lab.assay(
      "import", lab.path("sessions.jsonl"), "--suites", lab.path("quiz"), "--label", "phone")
    #expect(ending.status == .interrupted, "\(ending.notes)")
    #expect(ending.notes.contains("run 1: 3 recorded answers to 2 of 8 prompts"), "\(ending.notes)")
    #expect(ending.notes.contains("no recorded answer: quiz/case-3, quiz/case-4"))
    #expect(
      ending.notes.contains(
        "prompt 3: no test case has this prompt or input, so the answer is left out"))
    let store = try ResultStore(path: lab.database, access: .reading)
    let run = try store.run(1)
    #expect(run.label == "phone")
    #expect(run.backends.map(\.id) == ["recorded"])
    let all = try store.attempts(run: 1)
    let attempts = all.filter { $0.outcome != .skipped }
    #expect(attempts.map(\.key.address) == ["quiz/case-1#0", "quiz/case-1#1", "quiz/case-2#0"])
    // Test cases whose prompts were not recorded count as skipped.
    #expect(Set(all.map(\.key.caseID)).count == prompts.count)
    #expect(attempts.map(\.outcome) == [.pass, .fail, .fail])
    #expect(try JSONValue(parsing: attempts[0].output) == full)
    #expect(try lab.text("reports/latest/summary.md").contains("quiz"))

    let unjudged = await lab.assay("import", lab.path("sessions.jsonl"))
    #expect(unjudged.status == .passed, "\(unjudged.notes)")
    #expect(try store.attempts(run: 2).count == 4)
  }

  @Test("prompts without an answer, and answers that violate the schema, count as failed attempts")
  func unansweredPrompts() async throws {
    let lab = try await lab()
    let pair: JSONValue = ["question": "?", "answer": "."]
    let full: JSONValue = ["pairs": [pair, pair, pair]]
    let wrong: JSONValue = ["pairs": [pair, pair, ["question": 7, "answer": "."]]]
    let prompt = QuizSuite().cases.map(\.1)[0]
    try lab.write(
      transcript([(prompt, full), (prompt, nil), (prompt, wrong), (prompt, nil)]),
      to: "sessions.json")
    let ending = await lab.assay(
      "import", lab.path("sessions.json"), "--suites", lab.path("quiz"))
    #expect(ending.status == .interrupted, "\(ending.notes)")
    let store = try ResultStore(path: lab.database, access: .reading)
    let attempts = try store.attempts(run: 1).filter { $0.outcome != .skipped }
    #expect(attempts.map(\.outcome) == [.pass, .fail, .fail, .fail])
    #expect(attempts.map(\.failure?.kind) == [nil, .noAnswer, .schemaMismatch, .noAnswer])
    #expect(
      attempts[2].failure?.message == "$.pairs[2].question is a number; allowed: a string")
  }

  @Test("import rejects a file that is neither an export nor a transcript, and says why")
  func otherFiles() async throws {
    let lab = try await lab()
    try lab.write("{\"a\":1}", to: "a.json")
    try lab.write("{\"type\":\"FoundationModels.Transcript\"}\n{", to: "b.jsonl")
    try lab.write(Data([0xFF, 0xFE]), to: "c.json")
    try lab.write("", to: "e.jsonl")
    try lab.write("{\"assay\":\"results\",\"version\":1}\n{\"run\":x}", to: "d.jsonl")
    for (name, words) in [
      ("a.json", "a.json:1:1: a line of a log has `output`, and `prompt` or `input`, but this one"),
      ("b.jsonl", "b.jsonl:2:1: not JSON"),
      ("c.json", "UTF-8"), ("none.json", "no such file"),
      ("e.jsonl", "e.jsonl:1:1: the file is empty"),
    ] {
      let ending = await lab.assay("import", lab.path(name))
      #expect(ending.status == .usage)
      #expect(ending.errors.count == 1 && ending.errors[0].contains(words), "\(ending.notes)")
    }
    #expect(!lab.has("reports/results.sqlite"))

    let archive = await lab.assay("import", lab.path("d.jsonl"))
    #expect(archive.status == .usage)
    #expect(archive.errors.first?.contains("d.jsonl:2:8: the line is not JSON: ") == true)
  }

  // MARK: Merge

  @Test("the merged shards of a run give the same reports as the undivided run")
  func mergedIsUndivided() async throws {
    let lab = try await lab()
    #expect(await lab.assay("run", lab.path("quiz"), "-b", "stub").status == .passed)
    var databases: [String] = []
    for share in 1...3 {
      let ending = await lab.run([
        "run", lab.path("quiz"), "-b", "stub", "--shard", "\(share)/3", "--reports",
        lab.path("share\(share)"),
      ])
      #expect(ending.status == .passed, "\(ending.notes)")
      databases.append(lab.path("share\(share)/results.sqlite"))
    }
    #expect(databases.count > 1)
    for round in 0..<2 {
      let merged = await lab.run(
        ["merge"] + (round == 0 ? databases : databases.reversed())
          + ["--reports", lab.path("merged")])
      #expect(merged.status == .passed, "\(merged.notes)")
      #expect(merged.notes.contains("already") == (round == 1))
    }
    for name in ReportFilesTests.names {
      #expect(try texts(name, "merged/1", lab) == texts(name, "reports/1", lab), "\(name)")
    }
    let store = try ResultStore(path: lab.path("merged/results.sqlite"), access: .reading)
    #expect(try store.runIDs() == [1])

    #expect(!lab.has("merged/history.jsonl"))
    for _ in 0..<2 {
      let noted = await lab.run(
        ["merge", "--history"] + databases + ["--reports", lab.path("merged")])
      #expect(noted.status == .passed, "\(noted.notes)")
    }
    #expect(try lab.data("merged/history.jsonl") == lab.data("reports/history.jsonl"))
    #expect(lab.has("merged/index.html"))

    let part = await lab.run(["merge", "--history", databases[0], "--reports", lab.path("part")])
    #expect(part.status == .interrupted)
    #expect(part.notes.contains("no shard has quiz/case-"))
  }

  @Test("merge rejects shards of different runs, and the error names the difference")
  func mixedSharesAreRefused() async throws {
    let lab = try await lab()
    for (share, arguments) in [(1, []), (2, ["--repeats", "2"])] {
      _ = await lab.run(
        ["run", lab.path("quiz"), "-b", "stub", "--shard", "\(share)/2", "--reports"]
          + [lab.path("share\(share)")] + arguments)
    }
    let merged = await lab.assay(
      "merge", lab.path("share1/results.sqlite"), lab.path("share2/results.sqlite:1"))
    #expect(merged.status == .usage)
    #expect(
      merged.errors.first?.contains("they differ in the repeats of suite quiz: `4` in") == true,
      "\(merged.notes)")
    #expect(!lab.has("reports/results.sqlite"))
  }

  // MARK: Recover

  @Test("recover reports a damaged database, and saves the readable part in a new file beside it")
  func salvage() async throws {
    let lab = try await lab()
    #expect(await lab.assay("run", lab.path("quiz"), "-b", "stub").status == .passed)
    #expect(await lab.assay("recover").output == "\(lab.database): intact\n")
    var bytes = try lab.data("reports/results.sqlite")
    // Damage the page with the last verdict.
    let verdict = try #require(bytes.range(of: Data("0 elements".utf8), options: .backwards))
    let page = verdict.lowerBound / 4096 * 4096
    bytes.replaceSubrange(page..<page + 4096, with: Data(repeating: 0xA5, count: 4096))
    try lab.write(bytes, to: "reports/results.sqlite")
    let check = await lab.assay("recover", "--check")
    #expect(check.status == .failed)
    #expect(check.output.hasPrefix("\(lab.database): damaged\n"))
    let saved = await lab.assay("recover")
    #expect(saved.status == .failed)
    #expect(saved.output.contains("saved 1 run with"), "\(saved.output)")
    #expect(try lab.data("reports/results.sqlite") == bytes)
    #expect(await lab.assay("recover").status == .usage, "recover doesn't replace a saved file")
    let history = await lab.assay(
      "history", "--database", lab.path("reports/results.sqlite.recovered"))
    #expect(history.status == .passed)

    try lab.write("no database at all", to: "text.sqlite")
    let hopeless = await lab.assay("recover", lab.path("text.sqlite"))
    #expect(hopeless.status == .cannotRun)
    #expect(!lab.has("text.sqlite.recovered"))
  }
}
