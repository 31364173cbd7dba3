import Foundation
import Testing

@testable import AssayCommandLine

/// A regression that a shipped suite is meant to catch; the stub simulates it in a copy of the
/// suite.
struct PlantedRegression: Sendable, CustomTestStringConvertible {
  let suite: String
  let name: String
  /// A passage of the suite file; the test replaces its first occurrence.
  let text: String
  let replacement: String
  /// The words that the output of the run must contain.
  let words: [String]

  init(_ suite: String, _ name: String, _ text: String, _ replacement: String, _ words: String...) {
    self.suite = suite
    self.name = name
    self.text = text
    self.replacement = replacement
    self.words = words
  }

  var testDescription: String { "\(suite): \(name)" }
}

@Suite("Every shipped suite can miss its gate")
struct ShippedGateTests {
  static let suites =
    ["cat-profile", "cocktail", "extracted-meeting", "flashcards", "menu"]
    + ["session-insight"]

  static let regressions = [
    PlantedRegression(
      "flashcards", "one set is empty", "  - id: octopus\n",
      "  - id: octopus\n    stub: { content: { cards: [] } }\n", "$.cards: 0 elements",
      "expected 3...8 elements"),
    PlantedRegression(
      "flashcards", "sets of two cards",
      "      - question: What does the Sun add?\n"
        + "        answer: The Sun pulls on the sea too, but less than the Moon.\ncases:",
      "cases:", "$.cards: 2 elements", "expected 3...8 elements"),
    PlantedRegression(
      "session-insight", "a guess although the note says nothing",
      "        type: unclear\n        reason: ", "        type: craving\n        reframe: ",
      "craving", "unclear", "session-insight/unclear-hello#0"),
    PlantedRegression(
      "session-insight", "the right case of the enum with an empty payload",
      "reframe: An urge is a wave, and it will be lower in ten minutes.", "reframe: \"\"",
      "$.reframe: an empty string"),
    PlantedRegression(
      "extracted-meeting", "a meeting longer than the schema allows",
      "durationMinutes: 90\n        agenda", "durationMinutes: 481\n        agenda",
      "$.durationMinutes is 481", "allowed: 5 to 480"),
    PlantedRegression(
      "extracted-meeting", "a date although the note has none",
      "date: \"\"\n        durationMinutes: 60",
      "date: \"2026-01-01\"\n        durationMinutes: 60",
      "$.date"),
    PlantedRegression(
      "extracted-meeting", "a length that isn't the fallback",
      "durationMinutes: 30\n        agenda", "durationMinutes: 45\n        agenda",
      "$.durationMinutes: 45", "expected 30"),
    PlantedRegression(
      "extracted-meeting", "a title of one word", "title: Roof inspection\n", "title: Roof\n",
      "$.title: expected 2...6 words; "),
    PlantedRegression(
      "cocktail", "an empty sub-component", "Prep: Freeze large ice cubes the night before.",
      "Prep: \"\"", "$.subComponents.Prep: an empty string"),
    PlantedRegression(
      "cocktail", "a confidence above one hundred", "confidence: 97", "confidence: 101",
      "$.confidence: expected 0...100; "),
    PlantedRegression(
      "menu", "the wrong soup", "content: { dailySoup: Tomato }",
      "content: { dailySoup: Clam Chowder }",
      "Clam Chowder", "Tomato", "menu/tomato-plain#0"),
    PlantedRegression(
      "cat-profile", "the wrong age", "age: 3,", "age: 4,", "$.age: 4", "expected 3"),
    PlantedRegression(
      "cat-profile", "an empty profile",
      "profile: He is gentle with children and hides from the hoover.", "profile: \"\"",
      "$.profile: an empty string"),
  ]

  /// Copies a suite to a lab.
  private func copy(_ suite: String, to lab: CommandLab) throws {
    try FileManager.default.copyItem(
      atPath: Checkout.suites.appendingPathComponent(suite).path, toPath: lab.path(suite))
  }

  @Test("the table contains every shipped suite")
  func complete() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Checkout.suites.path)
      .filter {
        let file = Checkout.suites.appendingPathComponent("\($0)/suite.yaml")
        return FileManager.default.fileExists(atPath: file.path)
      }
    #expect(folders.sorted() == Self.suites)
    #expect(Set(Self.regressions.map(\.suite)).sorted() == Self.suites)
  }

  @Test("every shipped suite passes on the stub", arguments: suites)
  func passes(suite: String) async throws {
    let lab = try CommandLab()
    try copy(suite, to: lab)
    let ending = await lab.assay("run", lab.path(suite), "-b", "stub")
    #expect(ending.status == .passed, "\(ending.output)\(ending.notes)")
    #expect(ending.output.contains("✓ Passed."))
  }

  @Test("a run with a planted regression ends with exit status 1", arguments: regressions)
  func fires(regression: PlantedRegression) async throws {
    let lab = try CommandLab()
    try copy(regression.suite, to: lab)
    let file = "\(regression.suite)/suite.yaml"
    let text = try lab.text(file)
    let place = try #require(text.range(of: regression.text), "the file must contain the text")
    try lab.write(text.replacingCharacters(in: place, with: regression.replacement), to: file)
    let ending = await lab.assay("run", lab.path(regression.suite), "-b", "stub")
    #expect(ending.status == .failed, "\(ending.output)\(ending.notes)")
    #expect(ending.output.contains("exit 1"))
    for word in regression.words {
      #expect(ending.output.contains(word), "\(word) in: \(ending.output)")
    }
    let junit = try JUnitFile(lab.data("reports/latest/junit.xml"))
    #expect(!junit.failures.isEmpty)
  }
}
