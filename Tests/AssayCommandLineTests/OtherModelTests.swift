import EvalFindings
import EvalReports
import Foundation
import ResultStore
import Testing

@testable import AssayCommandLine

/// A gate and its baselines can be for one model; on other models, nothing judges the suite.
@Suite("Gates that were written for one model")
struct OtherModelTests {
  private func lab(model: String, project: String) throws -> CommandLab {
    let lab = try CommandLab()
    var suite = WordSuite(passRate: 0, gate: "model: \(model)")
    suite.answers = [.good, .good]
    try suite.write(to: lab)
    try lab.write(project + "\n", to: "assay.yaml")
    try FileManager.default.copyItem(atPath: Checkout.model, toPath: lab.path("small.gguf"))
    return lab
  }

  private func run(
    _ lab: CommandLab, _ options: String..., time: Double = CommandLab.time
  ) async -> CommandLab.Ending {
    await lab.run(
      ["run", lab.path("words"), "--reports", lab.reports] + options, time: time)
  }

  @Test(
    "a gate means a model by its name in the project file, by its digest there, or by its file",
    arguments: [
      ("mine", "mine", true), ("small", "mine", true), ("other", "mine", false),
      ("mine2", "mine", false), ("mine", "DIGEST", true), ("mine", "FILE", false),
    ])
  func names(wanted: String, selected: String, isJudged: Bool) async throws {
    // The toy's digest is in its model card.
    let digest = "96afc4a2efcac9236ea8e92ab299a907213703d72fdb40e4afcb2082406c474a"
    let listed = selected == "DIGEST" ? "elsewhere.gguf" : "small.gguf"
    let lab = try lab(
      model: wanted,
      project: selected == "FILE"
        ? "models: {}" : "models: { mine: { file: \(listed), sha256: \(digest) } }")
    let model = selected == "mine" ? selected : lab.path("small.gguf")
    let ending = await run(lab, "-m", model, "--baseline", "none")
    #expect(ending.status == .passed, "\(ending.notes)")
    let words = "The gate of words was written for \(wanted), and this run used"
    let text = ending.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains(words) != isJudged, "\(ending.output)")
  }

  @Test("the figure shows the rates of each backend by name, also if no gate judges one of them")
  func figure() async throws {
    let lab = try lab(model: "other", project: "models: {}")
    let ending = await lab.run([
      "run", lab.path("words"), "--reports", lab.reports, "--baseline", "none", "-b", "local",
      "-b", "stub", "-m", lab.path("small.gguf"),
    ])
    #expect(ending.status == .passed, "\(ending.notes)")
    let page = try lab.text("reports/latest/report.html")
    let label = try #require(page.firstMatch(of: #/<figure>.*?aria-label="(.*?)"/#)?.1)
    #expect(label.contains("local: ") && label.contains("stub: "), "\(label)")
  }

  @Test("another file under the model's own name is not comparable with the model's baseline")
  func changedFile() async throws {
    let lab = try lab(model: "mine", project: "models: { mine: { file: small.gguf } }")
    #expect(await run(lab, "-m", "mine").status == .passed)
    let accepted = await lab.assay("baseline", "accept", "--by-model", "--reason", "good")
    #expect(accepted.status == .passed, "\(accepted.notes)")
    let later = CommandLab.time + 86_400
    #expect(await run(lab, "-m", "mine", time: later).output.contains("No change"))
    // A model that the user names differently isn't judged.
    try FileManager.default.copyItem(atPath: Checkout.model, toPath: lab.path("new.gguf"))
    try lab.append([0], to: "new.gguf")
    let other = await run(lab, "-m", lab.path("new.gguf"), time: later)
    #expect(other.status == .passed, "\(other.output)")
    #expect(other.output.contains("• Not judged. "), "\(other.output)")
    // The same file under the old name is a replaced model.
    try lab.append([0], to: "small.gguf")
    let changed = await run(lab, "-m", "mine", time: later)
    #expect(changed.status == .usage, "\(changed.output)")
    #expect(changed.output.contains("! Not comparable. "), "\(changed.output)")
  }

  @Test(
    "a gate that misspells a model of the project file is an error",
    arguments: [
      ("mien", true), ("Mine", true), ("mine", false), ("mine2", false), ("yours", false),
    ])
  func misspelled(name: String, isRefused: Bool) async throws {
    let lab = try lab(model: name, project: "models: { mine: { file: small.gguf } }")
    let ending = await run(lab, "-b", "stub")
    #expect(ending.status == (isRefused ? .usage : .passed), "\(ending.notes)")
    let words = "the gate is for the model `\(name)`, which the project file doesn't list; did you"
    #expect(ending.notes.contains(words) == isRefused, "\(ending.notes)")
  }

  @Test("a run on another model can't become a baseline unless its user allows it")
  func acceptance() async throws {
    let lab = try lab(model: "other", project: "models: {}")
    #expect(await run(lab, "-m", lab.path("small.gguf")).status == .passed)
    let refused = await lab.assay("baseline", "accept", "--reason", "good")
    #expect(refused.status == .usage)
    #expect(
      refused.errors.first?.contains(
        "the gate of words was written for other, and the run used small") == true,
      "\(refused.notes)")
    let allowed = await lab.assay("baseline", "accept", "--allow", "I know")
    #expect(allowed.status == .passed, "\(allowed.notes)")
  }

  @Test("a night on another model doesn't become the reference of later nights")
  func nights() async throws {
    let lab = try lab(model: "mine", project: "models: { mine: { file: small.gguf } }")
    try FileManager.default.copyItem(atPath: Checkout.model, toPath: lab.path("new.gguf"))
    try lab.append([0], to: "new.gguf")
    let first = await run(lab, "-m", lab.path("new.gguf"), "--baseline", "main")
    #expect(first.output.contains("• Not judged. "), "\(first.output)")
    let second = await run(
      lab, "-m", "mine", "--baseline", "main", time: CommandLab.time + 86_400)
    #expect(second.status == .passed, "\(second.output)")
    let third = await run(
      lab, "-m", "mine", "--baseline", "main", time: CommandLab.time + 2 * 86_400)
    #expect(third.output.contains("against words:default in run 2"), "\(third.output)")
  }
}

extension CommandLab {
  /// Appends bytes to a file.
  fileprivate func append(_ bytes: [UInt8], to name: String) throws {
    try write(try data(name) + Data(bytes), to: name)
  }
}
