import StructuredText
import Testing

@testable import AssayCommandLine

/// Tests that all outputs show the same interval of a rate: the one over test cases.
@Suite("The interval of a rate is about inputs, not about repeats")
struct RateIntervalTests {
  /// Runs a suite of nine test cases, of which six pass in every repeat.
  private func lab(repeats: Int) async throws -> CommandLab {
    let lab = try CommandLab()
    var suite = QuizSuite(repeats: repeats, passRate: 0.5)
    suite.cases = (1...9).map { ("case-\($0)", "Text \($0).") }
    try suite.write(to: lab)
    var text = suite.text
    for number in 7...9 {
      text = text.replacing(
        "input: \"Text \(number).\"",
        with: "input: \"Text \(number).\", stub: { content: { pairs: [] } }")
    }
    try lab.write(text, to: "quiz/suite.yaml")
    let ending = await lab.assay("run", lab.path("quiz"), "-b", "stub", "--baseline", "none")
    #expect(ending.status == .passed, "\(ending.output)\(ending.notes)")
    #expect(ending.output.contains("31.1–89.9"), "\(ending.output)")
    return lab
  }

  // SciPy: Wilson's interval of 6 of 9 with Student's t distribution and 8 degrees of freedom is
  // 0.3109…0.8986.
  @Test(
    "copies of nine answers have the interval of nine answers, in every output", arguments: [1, 20])
  func copies(repeats: Int) async throws {
    let lab = try await lab(repeats: repeats)
    for (file, parts) in [
      ("junit.xml", ["name=\"pass.rate.low\" value=\"0.3109\"", "value=\"0.8986\""]),
      ("summary.md", ["31.1–89.9"]), ("report.html", ["31.1–89.9"]),
    ] {
      let text = try lab.text("reports/1/\(file)")
      for part in parts { #expect(text.contains(part), "\(file): \(part)") }
    }
    #expect(try lab.text("reports/index.html").contains("31.1–89.9"))
    // A row about one test case: however many repeats there are, the stub's answer is one draw.
    // With so few attempts that every interval would be wide, the page shows none.
    #expect(try lab.text("reports/1/report.html").contains("20.7–100") == (repeats > 3))
  }

  @Test("separate draws of a test case make the interval of its row narrower")
  func draws() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 10, stub: QuizSuite.varyingAnswer).write(to: lab)
    let ending = await lab.assay("run", lab.path("quiz"), "-b", "stub", "--baseline", "none")
    #expect(ending.status == .passed, "\(ending.notes)")
    // SciPy: 10 of 10 draws have the Wilson interval 0.7225…1, and 8 of 8 test cases 0.6756…1.
    #expect(ending.output.contains("67.6–100"), "\(ending.output)")
    #expect(try lab.text("reports/1/report.html").contains("72.2–100"))
  }
}
