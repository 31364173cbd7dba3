import Testing

@testable import AssayCommandLine

@Suite("assay doctor")
struct DoctorTests {
  @Test("`assay doctor` describes the bundled model, its speed and its answer to a test case")
  func bundledModel() async throws {
    let lab = try CommandLab()
    let ending = await lab.run(["doctor", "-m", Checkout.model, "--chat-format", "plain"])
    #expect(ending.status == .passed, "\(ending.notes)")
    let rows = ending.output.split(separator: "\n").map { line in
      line.split(separator: "  ", maxSplits: 1).map { $0.drop { $0 == " " } }
    }
    let names = rows.compactMap { $0.first.map(String.init) }
    #expect(
      names == [
        "assay", "file", "SHA-256", "name", "architecture", "parameters", "weights", "vocabulary",
        "context", "chat format", "system turn", "memory", "instructions", "batches", "speed",
        "test case",
      ])
    func value(_ name: String) -> String {
      rows.first { $0.first.map(String.init) == name }?.last.map(String.init) ?? ""
    }
    #expect(value("architecture").hasPrefix("llama"))
    #expect(value("chat format") == "plain")
    // The mask allows only answers of this form, no matter what the model prefers.
    #expect(
      value("test case").contains(
        #/^\{\s*"drink"\s*:\s*"(coffee|tea|water)"\s*,\s*"count"\s*:\s*[1-9]\s*\}/#))
  }

  @Test(
    "`assay doctor` says that there is nothing to check for a backend without a server",
    arguments: ["stub", "local"])
  func nothingToCheck(name: String) async throws {
    let ending = await (try CommandLab()).run(["doctor", "-b", name])
    #expect(ending.status == .usage)
    #expect(
      ending.errors == [
        "--backend \(name): there is nothing to check; `assay doctor` checks model files (-m "
          + "FILE), served models, and programs (-b exec:COMMAND)"
      ])
  }

  @Test("a chat format whose control tokens the vocabulary lacks is refused where it was chosen")
  func missingControlTokens() async throws {
    let lab = try CommandLab()
    let tokens = "`<|start_header_id|>`, `<|end_header_id|>`, `<|eot_id|>`"
    try lab.write(
      "models: { small: { file: \(Checkout.model), chatFormat: llama3 } }\n",
      to: "evals/assay.yaml")
    try QuizSuite(repeats: 1, passRate: 0, cases: [("one", "A short text.")]).write(
      to: lab, folder: "evals/quiz")
    for words in [
      ["doctor", "-m", Checkout.model], ["run", lab.path("evals/quiz"), "-m", Checkout.model],
    ] {
      let ending = await lab.run(words + ["--chat-format", "llama3"])
      #expect(ending.status == .usage)
      #expect(ending.errors.first?.hasPrefix("--chat-format: the chat format is llama3") == true)
      #expect(ending.notes.contains(tokens), "\(ending.notes)")
    }
    let chosen = await lab.run(["run", lab.path("evals/quiz"), "-m", "small"])
    #expect(chosen.status == .usage)
    #expect(chosen.notes.contains("assay.yaml:1:"), "\(chosen.notes)")
    #expect(chosen.notes.contains(tokens), "\(chosen.notes)")
  }
}
