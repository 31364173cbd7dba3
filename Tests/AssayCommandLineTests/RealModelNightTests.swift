import EvalRecords
import EvalSessions
import Foundation
import ResultStore
import Testing

@testable import AssayCommandLine

/// The paths of the repository and of the real model, and whether to run the tests of the model.
private enum RealModel {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
  static let file = "\(root)/evals/models/SmolLM2-135M-Instruct.Q4_1.gguf"
  static let isWanted =
    ProcessInfo.processInfo.environment["ASSAY_REAL_WEIGHTS"] != nil
    && FileManager.default.fileExists(atPath: file)
}

/// Tests SmolLM2 end to end: every machine reproduces the committed answers, and cutting a guide
/// makes the next run fail.
@Suite("Runs on a real model", .enabled(if: RealModel.isWanted), .serialized)
struct RealModelNightTests {
  @Test("greedy answers to two shipped suites equal the committed answers byte for byte")
  func answers() async throws {
    let lab = try CommandLab()
    let suites = ["menu", "cat-profile"]
    var expected: [String: String] = [:]
    for suite in suites {
      let name = "\(suite)@b179c9523d0e-p\(MeasurementProtocol.current).jsonl"
      let path = "\(RealModel.root)/Tests/Fixtures/smollm2/\(name)"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      for attempt in try BaselineFile(text: text, path: path).attempts {
        expected[attempt.key.address] = attempt.output
      }
    }
    let ending = await lab.run(
      ["run"] + suites.map { "\(RealModel.root)/evals/\($0)" }
        + ["-b", "local", "-m", "smollm2", "--reports", lab.reports])
    #expect(ending.status == .passed, "\(ending.output)\(ending.notes)")
    #expect(ending.output.contains("• Not judged. "), "\(ending.output)")
    let store = try ResultStore(path: lab.database, access: .reading)
    let attempts = try store.attempts(run: 1)
    #expect(attempts.count == expected.count && !attempts.isEmpty)
    for attempt in attempts {
      #expect(attempt.output == expected[attempt.key.address], "\(attempt.key.address)")
    }
  }

  @Test("if the guides no longer say when to choose each case of the enum, the next run fails")
  func cutGuide() async throws {
    let lab = try CommandLab()
    try lab.write(
      "models: { smollm2: { file: \"\(RealModel.file)\", chatFormat: chatml } }\nmodel: smollm2\n",
      to: "evals/assay.yaml")
    func read(_ name: String) throws -> String {
      try String(
        contentsOfFile: "\(RealModel.root)/evals/session-insight/\(name)", encoding: .utf8)
    }
    // Short answers suffice, because the first tokens decide the branch.
    let suite = try read("suite.yaml").replacing("maximumTokens: 200", with: "maximumTokens: 16")
      .replacing("  model: qwen2.5-coder-1.5b\n  passRate: 0.5", with: "  passRate: 0")
    #expect(suite.contains("maximumTokens: 16") && suite.contains("passRate: 0\n"))
    try lab.write(suite, to: "evals/session-insight/suite.yaml")
    let schema = try read("schema.json")
    try lab.write(schema, to: "evals/session-insight/schema.json")
    let run = [
      "run", lab.path("evals/session-insight"), "-b", "local", "--case",
      "session-insight/unclear-*",
      "--reports", lab.reports,
    ]
    let first = await lab.run(run)
    #expect(first.status == .passed, "\(first.output)\(first.notes)")
    let accepted = await lab.run(
      [
        "baseline", "accept", "1", "--reports", lab.reports, "--allow", "a part of the suite",
        "--reason",
        "first",
      ])
    #expect(accepted.status == .passed, "\(accepted.notes)")
    let document = try JSONSerialization.jsonObject(with: Data(schema.utf8))
    let cut = try JSONSerialization.data(withJSONObject: Self.cutting(document))
    try lab.write(cut, to: "evals/session-insight/schema.json")
    let second = await lab.run(run)
    #expect(second.status == .failed, "\(second.output)\(second.notes)")
    #expect(second.output.contains("P(wrong branch) at $"), "\(second.output)")
  }

  /// Returns the schema with the guides of the suite's variant `bare`, which say nothing about the
  /// cases of the enum.
  private static func cutting(_ value: Any) -> Any {
    if let list = value as? [Any] { return list.map(cutting) }
    guard var object = value as? [String: Any] else { return value }
    object = object.mapValues(cutting)
    if let title = object["title"] as? String, title.hasPrefix("Discriminated") {
      object["description"] = "A case."
    }
    return object
  }
}
