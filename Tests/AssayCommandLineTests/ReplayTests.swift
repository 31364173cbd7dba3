import Foundation
import Testing

@testable import AssayCommandLine

@Suite("Replaying a stored attempt")
struct ReplayTests {
  @Test(
    "a replay uses the options of the test case, or the suite's if the test case has none",
    arguments: ["own", "plain"])
  func checkOptions(ofCase id: String) async throws {
    let lab = try CommandLab()
    var suite = QuizSuite(repeats: 1)
    suite.cases = [("plain", "A short text."), ("own", "Another short text.")]
    let text = suite.text.replacingOccurrences(
      of: "Another short text.\" }",
      with: "Another short text.\", options: { temperature: 1.5, maximumTokens: 23 } }")
    #expect(text != suite.text)
    try lab.write(text, to: "quiz/suite.yaml")
    try lab.write(suite.schema, to: "quiz/schema.json")
    let run = await lab.assay("run", lab.path("quiz"), "-m", Checkout.model, "--trace", "all")
    #expect([.passed, .failed].contains(run.status), "\(run.notes)")
    let replay = await lab.assay("show", "quiz/\(id)", "--replay", "-m", Checkout.model)
    #expect(replay.status == .passed, "\(replay.output) \(replay.notes)")
    #expect(replay.output.contains("✓ the same"))
  }
}
