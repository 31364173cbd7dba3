import EvalRecords
import Foundation
import ResultStore
import Testing

@testable import AssayCommandLine

@Suite("The project file")
struct ProjectFileTests {
  private static let digest = "96afc4a2efcac9236ea8e92ab299a907213703d72fdb40e4afcb2082406c474a"

  /// Creates a lab with a suite in `evals/quiz`, and a model and a project file in `evals`.
  private func lab(_ project: String) throws -> CommandLab {
    let lab = try CommandLab()
    try QuizSuite(repeats: 1, passRate: 0, cases: [("one", "A short text.")]).write(
      to: lab, folder: "evals/quiz")
    try lab.write(Data(contentsOf: URL(fileURLWithPath: Checkout.model)), to: "evals/toy.gguf")
    try lab.write(project, to: "evals/assay.yaml")
    return lab
  }

  private static let whole = """
    models:
      small: { file: toy.gguf, sha256: \(digest), chatFormat: plain }
      other: { file: missing.gguf }
    model: small
    reports: ../results
    jobs: 1
    """

  @Test(
    "a project file sets models, default model, reports folder and jobs for suites in its folder")
  func defaults() async throws {
    let lab = try lab(Self.whole)
    let run = await lab.run(["run", lab.path("evals/quiz/suite.yaml")])
    #expect(run.status == .passed, "\(run.notes)")
    #expect(run.notes.contains("local (Assay Toy)"), "\(run.notes)")
    #expect(run.notes.contains("1 at a time"), "\(run.notes)")
    #expect(lab.has("results/results.sqlite"), "the folder is relative to the project file")
    #expect(try lab.text("results/latest/results.jsonl").contains("chat format plain"))
    let compared = await lab.run([
      "compare", "quiz:default", "quiz:same", "--suites", lab.path("evals/quiz"),
    ])
    #expect(compared.notes.contains("local (Assay Toy)"), "\(compared.notes)")
  }

  @Test("command-line options override the project file, and -m accepts a name from the file")
  func commandLineWins() async throws {
    let lab = try lab(Self.whole)
    let run = await lab.run([
      "run", lab.path("evals/quiz"), "-m", "small", "--chat-format", "chatml", "--reports",
      lab.path("mine"), "-j", "2",
    ])
    #expect(run.status == .passed, "\(run.notes)")
    #expect(try lab.text("mine/latest/results.jsonl").contains("chat format chatml"))
    #expect(run.notes.contains("2 at a time"))
    let stub = await lab.run(["run", lab.path("evals/quiz"), "-b", "stub"])
    #expect(stub.status == .passed, "\(stub.notes)")
  }

  @Test(
    "-b SERVER runs only that server, whatever model the project file names, and list counts it",
    arguments: [
      (["-b", "openai-api:x@http://127.0.0.1:9"], ["openai-api:x"]),
      (
        ["-b", "openai-api:x@http://127.0.0.1:9", "-m", "small"],
        ["local", "openai-api:x"]
      ),
      (["-b", "stub"], ["stub"]), (["-b", "local"], ["local"]), ([], ["local"]),
    ])
  func checkBackends(options: [String], backends: [String]) async throws {
    let lab = try lab(Self.whole)
    let words = [lab.path("evals/quiz/suite.yaml"), "-r", "1", "--reports", lab.reports] + options
    let list = await lab.run(["list"] + words)
    #expect(
      list.output.contains(
        "\(backends.count.counted("model call")) on " + backends.joined(separator: " and ") + "\n"),
      "\(list.output) \(list.notes)")
    let ending = await lab.run(["run", "--retries", "0"] + words)
    #expect(!ending.notes.contains("there is no file"), "\(ending.notes)")
    let store = try ResultStore(path: lab.database, access: .reading)
    #expect(try store.run(1).backends.map(\.id) == backends)
  }

  @Test(
    "each mistake in a project file gives an error that begins with the mistake's position",
    arguments: [
      ("modle: x", ":1:1: unknown key `modle` in a project file"),
      ("model: x", ":1:8: there is no model `x`"),
      ("models: { a: { fiel: b } }", ":1:16: unknown key `fiel` in a model"),
      ("models: { a: { file: b, sha256: 12 } }", ":1:33: "),
      ("models:\n  a: { file: b, sha256: abc }", ":2:25: `sha256` is `abc`"),
      (
        "models: { a: { file: b, chatFormat: plane } }",
        ":1:37: `chatFormat` is \"plane\"; did you "
      ),
      ("models: { a: { file: b, context: 2 } }", ":1:34: `context` is 2"),
      ("models: { a: { file: b, memory: 0 } }", ":1:33: `memory` is 0"),
      ("models: { a: { file: b, cue: [x] } }", ":1:30: `cue` is a list"),
      ("models: { a: { file: b, retries: 2 } }", ":1:25: `retries` only applies to a model with "),
      ("models: { a: { server: 'ollama:x', cue: y } }", ":1:36: `cue` only applies to a model wi"),
      ("reports: ''", ":1:10: `reports` is empty; a folder is expected"),
      ("jobs: 0", ":1:7: `jobs` is 0"), ("models: [", ":"), ("- a", ":1:1: "),
    ])
  func checkMistake(text: String, message: String) async throws {
    let lab = try lab(text)
    for command in [["run"], ["list"], ["power"]] {
      let ending = await lab.run(command + [lab.path("evals/quiz")])
      #expect(ending.status == .usage, "\(ending.notes)")
      #expect(
        ending.errors.first?.hasPrefix(lab.path("evals/assay.yaml") + message) == true,
        "\(ending.notes)")
    }
  }

  @Test("an unknown model, and a missing or changed model file, are rejected before anything runs")
  func models() async throws {
    let lab = try lab(Self.whole)
    let unknown = await lab.run(["run", lab.path("evals/quiz"), "-m", "smal"])
    #expect(unknown.status == .usage)
    #expect(
      unknown.errors.first?.hasSuffix("did you mean small?") == true, "\(unknown.notes)")
    let far = await lab.run(["run", lab.path("evals/quiz"), "-m", "something"])
    #expect(far.status == .usage)
    #expect(far.errors.first?.hasSuffix("known models: small, other") == true, "\(far.notes)")
    let missing = await lab.run(["run", lab.path("evals/quiz"), "-m", "other"])
    #expect(missing.status == .cannotRun)
    #expect(
      missing.errors.first?.hasPrefix(
        "\(lab.path("evals/assay.yaml")):3:18: there is no file \(lab.path("evals/missing.gguf"))")
        == true, "\(missing.notes)")
    try lab.write(
      Self.whole.replacingOccurrences(of: "96afc4", with: "000000"), to: "evals/assay.yaml")
    let changed = await lab.run(["run", lab.path("evals/quiz")])
    #expect(changed.status == .usage)
    let place = "\(lab.path("evals/assay.yaml")):2:36: the file of the model `small` has changed"
    #expect(changed.errors.first?.hasPrefix(place) == true, "\(changed.notes)")
    #expect(changed.errors.first?.hasSuffix("40e4afcb2082406c474a") == true)
  }

  @Test("commands find the models in the caches of other programs, and suggest their names")
  func cachedModels() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 1, passRate: 0, cases: [("one", "A short text.")]).write(to: lab)
    let digest = Self.digest
    let models = "home/.ollama/models"
    try lab.write(
      Data(contentsOf: URL(fileURLWithPath: Checkout.model)),
      to: "\(models)/blobs/sha256-\(digest)")
    let manifest = """
      {"layers": [{"mediaType": "application/vnd.ollama.image.model", "digest": "sha256:\(digest)"}]}
      """
    try lab.write(manifest, to: "\(models)/manifests/registry.ollama.ai/library/toy/1b")
    try lab.write("{", to: "\(models)/manifests/registry.ollama.ai/library/bad/latest")
    let environment = ["HOME": lab.path("home")]
    let list = await lab.run(["doctor"], environment: environment)
    let path = lab.path("\(models)/blobs/sha256-\(digest)")
    #expect(list.output.contains("found    ollama:toy:1b: \(path)\n"), "\(list.output)")
    #expect(list.output.contains("found    ollama:bad, can't be used: "), "\(list.output)")
    for (name, message) in [
      ("toy:1b", "did you mean ollama:toy:1b?"), ("toi:1b", "did you mean ollama:toy:1b?"),
      ("elsewhere", "known models: ollama:bad, ollama:toy:1b"),
      ("ollama:bad", "/bad/latest: the man"),
      ("ollama:toy", "did you mean `ollama:toy:1b`?"), ("hf:a/b", "no cache of Hugging Face"),
    ] {
      let ending = await lab.run(
        ["run", lab.path("quiz"), "-m", name, "--reports", lab.reports], environment: environment)
      #expect(ending.status == .usage)
      #expect(ending.errors.count == 1)
      #expect(ending.errors.first?.contains(message) == true, "\(ending.notes)")
    }
    let run = await lab.run(
      ["run", lab.path("quiz"), "-m", "ollama:toy:1b", "--reports", lab.reports],
      environment: environment)
    #expect(run.status == .passed, "\(run.notes)")
    #expect(run.notes.contains("local (Assay Toy)"), "\(run.notes)")
    try lab.write(
      "models: { mine: { file: 'ollama:toy:1b' } }\nmodel: mine\n", to: "quiz/assay.yaml")
    let named = await lab.run(
      ["run", lab.path("quiz"), "--reports", lab.path("named")], environment: environment)
    #expect(named.status == .passed, "\(named.notes)")
    let digestLine = try lab.text("named/latest/results.jsonl")
    #expect(digestLine.contains(digest), "the file's digest is in the record")
  }

  @Test(
    "a run uses the options that the project file sets for its model",
    arguments: [
      ("cue: 'Now answer:'", ", cue Now answer:\"", "Now answer:"), ("cue: ''", ", no cue\"", ""),
      ("context: 512", ", context 512\"", ""), ("chatFormat: plain", "chat format plain\"", ""),
      (
        "context: 16", ", context 16\"",
        "tokens, but the model's context holds 16; shorten the prompt"
      ),
    ])
  func checkOption(option: String, engine: String, text: String) async throws {
    let lab = try lab(
      "models: { small: { file: toy.gguf, \(option) } }\nmodel: small\nreports: ../r\n")
    let run = await lab.run(["run", lab.path("evals/quiz")])
    // If no prompt fits in the context, the run doesn't pass.
    #expect((run.status == .passed) != (option == "context: 16"), "\(run.status) \(run.notes)")
    let lines = try lab.text("r/latest/results.jsonl")
    #expect(lines.contains(engine), "\(lines.prefix(3000))")
    #expect(text.isEmpty || lines.contains(text), "\(lines.suffix(3000))")
  }

  @Test(
    "if `context` exceeds the model's context, the error gives the position in the project file")
  func longContext() async throws {
    let lab = try lab("models: { small: { file: toy.gguf, context: 1000000 } }\nmodel: small\n")
    let run = await lab.run(["run", lab.path("evals/quiz")])
    #expect(run.status == .usage)
    let place = "\(lab.path("evals/assay.yaml")):1:45: `context` is 1000000; the maximum is "
    #expect(run.errors.first?.hasPrefix(place) == true, "\(run.notes)")
  }
}
