import Foundation
import StructuredText
import Testing

@testable import AssayCommandLine

@Suite("init, list and lint")
struct SuiteCommandTests {
  private static let schema = """
    {
      "title": "TripPlan", "type": "object", "required": ["mood", "stops"],
      "additionalProperties": false,
      "properties": {
        "mood": { "type": "string", "enum": ["calm", "wild"], "description": "How it is." },
        "stops": { "type": "array", "minItems": 2, "maxItems": 4, "items": { "type": "string" } },
        "note": { "type": "string", "description": "A good note, or nothing, in plain text." }
      }
    }
    """

  @Test("init writes a suite that can be listed, passes on the stub, and is never overwritten")
  func start() async throws {
    let lab = try CommandLab()
    try lab.write(Self.schema, to: "trip.json")
    let folder = lab.path("evals/trip-plan")
    let made = await lab.run(["init", lab.path("trip.json"), "--out", folder])
    #expect(made.status == .passed)
    #expect(
      made.output.hasPrefix(
        "\(folder)/suite.yaml: 6 test cases for the schema in \(lab.path("trip.json"))\n"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder) == ["suite.yaml"],
      "there is one copy of the schema")
    let before = try lab.text("evals/trip-plan/suite.yaml")
    let listed = await lab.run(["list", lab.path("evals"), "--repeats", "3", "-b", "stub"])
    #expect(listed.status == .passed)
    #expect(listed.output.contains("1 suite, 6 test cases, 18 model calls on stub\n"))
    let ran = await lab.assay("run", lab.path("evals"), "--backend", "stub")
    #expect(ran.status == .passed, "\(ran.output) \(ran.notes)")
    let again = await lab.run(["init", lab.path("trip.json"), "--out", folder])
    #expect(again.status == .usage)
    #expect(again.errors.first?.hasSuffix("choose another folder with --out") == true)
    #expect(try lab.text("evals/trip-plan/suite.yaml") == before)
  }

  @Test("a suite of init reads the schema where it is, inside its folder or outside")
  func schemaPlace() async throws {
    let lab = try CommandLab()
    for (file, folder, place) in [
      ("a/trip.json", "a", "trip.json"), ("b/s/trip.json", "b", "s/trip.json"),
      ("trip.json", "evals/c/d", "../../../trip.json"),
    ] {
      try lab.write(Self.schema, to: file)
      let made = await lab.run(["init", lab.path(file), "-o", lab.path(folder) + "/"])
      #expect(made.status == .passed, "\(made.notes)")
      let text = try lab.text("\(folder)/suite.yaml")
      #expect(text.contains("  schema: \"\(place)\"\n"), "\(text)")
      #expect(await lab.run(["list", lab.path(folder), "-b", "stub"]).status == .passed)
      #expect(!text.contains("$schema"))
    }
    try lab.write("{}", to: "evals/suite.schema.json")
    let made = await lab.run(["init", lab.path("trip.json"), "-o", lab.path("evals/new")])
    #expect(made.status == .passed)
    #expect(
      try lab.text("evals/new/suite.yaml").hasPrefix(
        "# yaml-language-server: $schema=../suite.schema.json\n"))
  }

  @Test(
    "init writes no suite for a file that is not a schema",
    arguments: ["{", "{\"type\": \"thing\"}", "[]"])
  func noSchema(text: String) async throws {
    let lab = try CommandLab()
    try lab.write(text, to: "bad.json")
    let ending = await lab.run(["init", lab.path("bad.json"), "--out", lab.path("s")])
    #expect(ending.status == .usage)
    #expect(ending.errors.first?.hasPrefix(lab.path("bad.json")) == true)
    #expect(!FileManager.default.fileExists(atPath: lab.path("s")))
    let missing = await lab.run(["init", lab.path("nothing.json")])
    #expect(missing.status == .usage)
  }

  @Test("lint gives the place, reason and rule of each finding, and ends with exit status 1")
  func lint() async throws {
    let lab = try CommandLab()
    try lab.write(Self.schema, to: "trip.json")
    let file = await lab.run(["lint", lab.path("trip.json")])
    #expect(file.status == .failed)
    #expect(
      file.output == """
        \(lab.path("trip.json")):5:5: TripPlan.mood: there is no fallback case: each of `calm` \
        and `wild` is for particular inputs; if no case is right, the model has to choose a wrong \
        one [noOutBranch]
        \(lab.path("trip.json")):6:5: TripPlan.stops: the property has no guide; without a guide, the \
        model knows only the name [missingGuide]
        \(lab.path("trip.json")):7:5: TripPlan.note: the guide says `good`; vague words have little \
        effect, and nobody notices if they stop working [vagueWords]
        3 findings in 1 file

        """)
    _ = await lab.run(["init", lab.path("trip.json"), "--out", lab.path("evals/trip")])
    let suite = await lab.run([
      "lint", lab.path("evals"), "--format", "json", "--rule", "vagueWords",
    ])
    #expect(suite.status == .failed)
    let found = try JSONValue(parsing: suite.output)
    #expect(found.array?.count == 1)
    #expect(found.array?[0]["line"] == 7)
    #expect(found.array?[0]["file"]?.string?.hasSuffix("/trip.json") == true)
    let text = try lab.text("evals/trip/suite.yaml")
    let silence = "[noOutBranch, missingGuide at TripPlan.stops, vagueWords, noFormat]"
    try lab.write(text + "lint: { silence: \(silence) }\n", to: "evals/trip/suite.yaml")
    let silenced = await lab.run(["lint", lab.path("evals")])
    #expect(silenced.status == .passed)
    #expect(silenced.output == "nothing found\n")
    #expect(silenced.notes.contains("`noFormat` is silenced, but the lint finds nothing there"))
  }

  @Test("lint lists its rules, and suggests the nearest name for an unknown rule")
  func rules() async throws {
    let lab = try CommandLab()
    let listed = await lab.run(["lint", "--rules"])
    #expect(
      listed.output.contains("vagueWords\n  A guide with vague words that can't be checked.\n"))
    let unknown = await lab.run(["lint", "--rule", "vagueWord"])
    #expect(unknown.status == .usage)
    #expect(
      unknown.errors.first?.hasPrefix(
        "--rule: there is no rule `vagueWord`; did you mean `vagueWords`? the rules are: ") == true)
  }
}

@Suite("External programs in assertions")
struct ExternalCommandTests {
  private static func suite(_ script: String, expected: String = "") -> String {
    """
    suite: asked
    environment: [TOWN]
    generates: { inline: { type: object, properties: { note: { type: string } }, required: [note] } }
    assertions:
      - command: { run: [sh, -c, \(JSONValue.string(script).compactText)], path: $.note, timeLimit: 1500 }
    stub: { content: { note: hello } }
    cases: [ { id: a, input: x } ]
    """
  }

  private func run(_ script: String, _ words: String...) async throws -> CommandLab.Ending {
    let lab = try CommandLab()
    try lab.write(Self.suite(script), to: "s/suite.yaml")
    return await lab.run(
      ["run", lab.path("s"), "--backend", "stub", "--reports", lab.reports] + words,
      environment: ["PATH": "/usr/bin:/bin", "TOWN": "Bern", "SECRET": "s3cret"])
  }

  @Test("the program of an assertion runs only with --allow-commands")
  func off() async throws {
    let ending = try await run("exit 1")
    #expect(ending.status == .usage)
    #expect(ending.errors.first?.hasSuffix("--allow-commands permits it") == true)
  }

  @Test(
    "a program gets only JSON, PATH and the declared variables, and its answer is the verdict")
  func verdicts() async throws {
    let good = try await run(
      #"test "$TOWN$SECRET" = Bern && grep -q '"value":"hello"' && echo '{"pass": true}'"#,
      "--allow-commands")
    #expect(good.status == .passed, "\(good.output) \(good.notes)")
    let bad = try await run(
      #"echo '{"pass": false, "expected": "a greeting", "actual": "only hello"}'"#,
      "--allow-commands")
    #expect(bad.status == .failed)
    #expect(bad.output.contains("only hello"))
  }

  @Test(
    "an attempt fails if the program fails, hangs or gives an invalid answer",
    arguments: [
      ("exit 3", "the command ended with exit status 3"),
      ("sleep 60", "the command took longer than 1500 ms"), ("echo yes", "the command answered"),
    ])
  func failures(script: String, words: String) async throws {
    let ending = try await run(script, "--allow-commands")
    #expect(ending.status == .failed)
    #expect(ending.output.contains(words), "\(ending.output)")
  }
}
