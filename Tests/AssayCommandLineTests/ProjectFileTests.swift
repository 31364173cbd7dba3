import Foundation
import Testing

@testable import AssayCommandLine

@Suite("The project file")
struct ProjectFileTests {
  private static let digest = "96afc4a2efcac9236ea8e92ab299a907213703d72fdb40e4afcb2082406c474a"

  /// A lab with a suite in `evals/quiz`, and a project file in `evals`.
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

  @Test("is found upwards from the suites, and sets models, the default model and the reports")
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

  @Test("options on the command line take precedence, and a name stands for its file")
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
    "mistakes are errors with their places",
    arguments: [
      ("modle: x", ":1:1: unknown key `modle` in a project file"),
      ("model: x", ":1:8: there is no model `x`"),
      ("models: { a: { fiel: b } }", ":1:16: unknown key `fiel` in a model"),
      ("models: { a: { file: b, sha256: 12 } }", ":1:33: "),
      ("models:\n  a: { file: b, sha256: abc }", ":2:25: `sha256` is `abc`"),
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

  @Test("an unknown model, and a changed file, are rejected before anything runs")
  func models() async throws {
    let lab = try lab(Self.whole)
    let unknown = await lab.run(["run", lab.path("evals/quiz"), "-m", "smal"])
    #expect(unknown.status == .usage)
    #expect(
      unknown.errors.first?.hasSuffix("did you mean small?") == true, "\(unknown.notes)")
    try lab.write(
      Self.whole.replacingOccurrences(of: "96afc4", with: "000000"), to: "evals/assay.yaml")
    let changed = await lab.run(["run", lab.path("evals/quiz")])
    #expect(changed.status == .usage)
    #expect(
      changed.errors.first?.contains("the file of the model `small` has changed") == true,
      "\(changed.notes)")
    try lab.write(
      Self.whole.replacingOccurrences(of: "chatFormat: plain", with: "chatFormat: plane"),
      to: "evals/assay.yaml")
    let format = await lab.run(["run", lab.path("evals/quiz")])
    #expect(format.errors.first?.contains("the chat format `plane`") == true, "\(format.notes)")
  }
}
