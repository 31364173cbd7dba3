import Foundation
import Testing

@testable import AssayCommandLine

/// A suite file with one mistake.
struct BrokenSuite: Sendable, CustomTestStringConvertible {
  let name: String
  /// A text that occurs once in the correct suite.
  let text: String
  /// The text that replaces it; `▸` marks the character that the error must point to.
  let replacement: String
  /// The words that the error must contain, in any order.
  let words: [String]

  init(_ name: String, _ text: String, _ replacement: String, _ words: String...) {
    self.name = name
    self.text = text
    self.replacement = replacement
    self.words = words
  }

  var testDescription: String { name }

  /// A correct suite.
  static let sound = """
    suite: trips
    title: 'Trips by train'
    generates: { schema: schema.json }
    prompt: "{{input}}"
    assertions:
      - name: two stops
        count: { path: $.stops, min: 2, max: 5 }
      - branch: { path: $.mood, is: calm }
    stub:
      content: { mood: calm, stops: [Turin, Milan] }
    cases:
      - id: alps
        input: Over the Alps
      - id: coast
        input: Along the coast

    """

  static let schema = """
    {
      "title": "Trip", "type": "object", "additionalProperties": false,
      "properties": {
        "mood": { "type": "string", "enum": ["calm", "wild"] },
        "stops": { "type": "array", "items": { "type": "string" } }
      },
      "required": ["mood", "stops"], "x-order": ["mood", "stops"]
    }
    """

  /// Returns the text of the broken file, and the line and column of the mistake.
  func broken() throws -> (text: String, line: Int, column: Int) {
    let parts = Self.sound.components(separatedBy: text)
    try #require(parts.count == 2, "the correct suite must contain “\(text)” once")
    let marked = parts.joined(separator: replacement)
    let halves = marked.components(separatedBy: "▸")
    try #require(halves.count == 2, "▸ must mark exactly one place")
    let lines = halves[0].components(separatedBy: "\n")
    return (halves.joined(), lines.count, (lines.last ?? "").count + 1)
  }
}

@Suite("Commands reject a broken suite file before they make a request")
struct BadSuiteTests {
  static let faults = [
    BrokenSuite("a tab", "    count:", "▸\tcount:", "tab", "spaces"),
    BrokenSuite(
      "an unclosed quote", "'Trips by train'", "▸'Trips by train", "not closed",
      "a quotation mark"),
    BrokenSuite(
      "an unknown key", "prompt: ", "▸promt: ", "unknown key `promt`", "did you mean `prompt`?",
      "`instructions`"),
    BrokenSuite(
      "an unknown assertion", "    count:", "    ▸cuont:", "unknown key `cuont`",
      "did you mean `count`?", "`nonEmpty`"),
    BrokenSuite(
      "an unknown parameter of an assertion", "max: 5", "▸maxi: 5", "unknown key `maxi`",
      "did you mean `max`?", "`exact`"),
    BrokenSuite(
      "a path that the schema lacks", "$.stops", "▸$.stop", "no `stop`", "did you mean `stops`?",
      "`mood`"),
    BrokenSuite(
      "an enum case that the schema lacks", "is: calm", "is: ▸clam", "no `clam`",
      "did you mean `calm`?", "`wild`"),
    BrokenSuite(
      "an id that is used twice", "id: coast", "id: ▸alps", "`alps` is used twice",
      "suite.yaml:12:9"),
    BrokenSuite(
      "a minimum above the maximum", "min: 2", "min: ▸6", "`min` is 6", "`max`", "at most 5"),
    BrokenSuite(
      "a schema file that is missing", "schema: schema.json", "schema: ▸shema.json",
      "there is no file", "shema.json"),
    BrokenSuite(
      "a word instead of a number", "title:", "repeats: ▸many\ntitle:", "`repeats`", "integer"),
  ]

  @Test("the correct file runs without errors, so every error below comes from its one mistake")
  func sound() async throws {
    let lab = try CommandLab()
    try lab.write(BrokenSuite.sound, to: "trips/suite.yaml")
    try lab.write(BrokenSuite.schema, to: "trips/schema.json")
    let ending = await lab.assay("run", lab.path("trips"), "-b", "stub")
    #expect(ending.status == .passed, "\(ending.notes)")
    #expect(lab.has("reports/results.sqlite"))
  }

  @Test(
    "run and list reject each mistake with one error, which begins with the mistake's position",
    arguments: faults)
  func oneError(fault: BrokenSuite) async throws {
    let lab = try CommandLab()
    let (text, line, column) = try fault.broken()
    try lab.write(text, to: "trips/suite.yaml")
    try lab.write(BrokenSuite.schema, to: "trips/schema.json")
    for command in ["run", "list"] {
      let reports = command == "run" ? ["--reports", lab.reports] : []
      let ending = await lab.run([command, lab.path("trips"), "-b", "stub"] + reports)
      #expect(ending.status == .usage)
      #expect(ending.errors.count == 1, "\(ending.notes)")
      #expect(ending.output == "")
      let error = ending.errors.first ?? ""
      #expect(error.hasPrefix("\(lab.path("trips/suite.yaml")):\(line):\(column): "), "\(error)")
      for word in fault.words { #expect(error.contains(word), "\(error)") }
    }
    #expect(!lab.has("reports"), "nothing is written if nothing ran")
  }

  @Test("mistakes in two files give two errors")
  func twoCauses() async throws {
    let lab = try CommandLab()
    try lab.write(
      BrokenSuite.sound.replacing("is: calm", with: "is: clam"), to: "evals/trips/suite.yaml")
    try lab.write(BrokenSuite.schema, to: "evals/trips/schema.json")
    let other = BrokenSuite.sound.replacing("suite: trips", with: "suite: tours")
    try lab.write(other.replacing("min: 2", with: "min: 6"), to: "evals/tours/suite.yaml")
    try lab.write(BrokenSuite.schema, to: "evals/tours/schema.json")
    let ending = await lab.assay("run", lab.path("evals"), "-b", "stub")
    #expect(ending.status == .usage)
    #expect(ending.errors.count == 2, "\(ending.notes)")
    #expect(ending.errors.count { $0.contains("evals/tours/suite.yaml:7:34: ") } == 1)
    #expect(ending.errors.count { $0.contains("evals/trips/suite.yaml:8:33: ") } == 1)
    #expect(!lab.has("reports"))
  }

  @Test("for a missing file or folder, or a folder without suites, the error begins with the path")
  func missing() async throws {
    let lab = try CommandLab()
    try lab.write("", to: "empty/readme.txt")
    for name in ["nowhere", "nowhere.yaml", "empty"] {
      let ending = await lab.assay("run", lab.path(name), "-b", "stub")
      #expect(ending.status == .usage)
      #expect(ending.errors.count == 1)
      #expect(ending.errors.first?.hasPrefix("\(lab.path(name)): ") == true, "\(ending.notes)")
    }
    #expect(!lab.has("reports"))
  }
}
