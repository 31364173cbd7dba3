import StructuredText
import Testing

@testable import EvalSuites

private let schema = """
  {
    "title": "Trip", "type": "object", "additionalProperties": false,
    "properties": {
      "name": { "type": "string" },
      "days": { "type": "integer", "minimum": 1, "maximum": 30 },
      "mood": { "type": "string", "enum": ["calm", "wild"] },
      "stops": { "type": "array", "items": { "$ref": "#/$defs/Stop" } }
    },
    "required": ["name", "days", "mood", "stops"],
    "x-order": ["name", "days", "mood", "stops"],
    "$defs": {
      "Stop": {
        "title": "Stop", "type": "object", "additionalProperties": false,
        "properties": { "city": { "type": "string" } }, "required": ["city"],
        "x-order": ["city"]
      }
    }
  }
  """

/// Builds a suite from four replaceable parts: head, assertion, test case and the rest.
private func suite(
  head: String = "title: Trips", assertion: String = "nonEmpty: { path: $.name }",
  caseLines: String = "    input: To Rome", rest: String = ""
) -> String {
  """
  suite: trips
  \(head)
  generates:
    schema: schema.json
  assertions:
    - \(assertion)
  cases:
    - id: rome
  \(caseLines)
  \(rest)
  """
}

private func problems(_ text: String, _ others: [String: String] = [:]) -> [String] {
  let files = ["evals/trips/suite.yaml": text, "evals/trips/schema.json": schema]
    .merging(others.map { ("evals/trips/" + $0.key, $0.value) }, uniquingKeysWith: { $1 })
  return SuiteLoader(files: .memory(files)).load(["evals"]).problems.map(\.description)
}

@Suite("Bad input")
struct BadInputTests {
  private func check(
    _ text: String, _ others: [String: String] = [:], _ expected: String...
  ) {
    #expect(problems(text, others) == expected.map { "evals/trips/" + $0 })
  }

  @Test("a valid suite has no problems")
  func sound() {
    #expect(problems(suite()) == [])
  }

  @Test("the error for an unknown key names the nearest key")
  func unknownKey() {
    check(
      suite(head: "repaets: 3"), [:],
      "suite.yaml:2:1: unknown key `repaets` in a suite; did you mean `repeats`? keys: `suite`, "
        + "`title`, `guards`, `tags`, `generates`, `instructions`, `prompt`, `repeats`, `seed`, "
        + "`options`, `assertions`, `include`, `variants`, `threshold`, `metrics`, `environment`, `gate`, "
        + "`store`, `lint`, `stub`, `cases`")
  }

  @Test("a pattern that can't be compiled is refused at its place in the schema")
  func unusablePattern() {
    let document = #"""
      { "type": "object", "properties": {
        "name": { "type": "string", "pattern": "^(a)\\1$" } } }
      """#
    check(
      suite(), ["schema.json": document],
      "schema.json:2:42: `pattern` can't be enforced: \"^(a)\\1$\": character 5: back-references "
        + "are not supported (at #/properties/name/pattern)")
    let large = problems(
      "suite: large\ngenerates: { inline: { type: string, pattern: '(a|b)*a(a|b){24}' } }\n"
        + "cases: [{ id: a, input: A }]")
    #expect(large.count == 1)
    #expect(large.first?.hasPrefix("evals/trips/suite.yaml:2:") == true, "\(large)")
    #expect(large.first?.contains("too large") == true, "\(large)")
  }

  @Test("the error for an unknown assertion names the nearest kind")
  func unknownAssertion() {
    let found = problems(suite(assertion: "cuont: { path: $.stops, min: 3 }"))
    #expect(found.count == 1)
    #expect(
      found.first?.hasPrefix(
        "evals/trips/suite.yaml:6:5: unknown key `cuont` in an assertion; did you mean `count`? ")
        == true)
  }

  @Test("the error for an unknown parameter of an assertion lists the allowed ones")
  func unknownParameter() {
    check(
      suite(assertion: "count: { path: $.stops, minimum: 3 }"), [:],
      "suite.yaml:6:29: unknown key `minimum` in `count`; keys: `path`, `min`, `max`, `exact`, "
        + "`variable`")
  }

  @Test("the error for a path that the schema doesn't have names the nearest property")
  func unknownPath() {
    check(
      suite(assertion: "nonEmpty: { path: '$.stops[*].citty' }"), [:],
      "suite.yaml:6:23: `$.stops[*].citty`: the schema has no `citty` at `$.stops[*]`; did you "
        + "mean `city`? it has: `city`")
    check(
      suite(assertion: "nonEmpty: { path: $.name.first }"), [:],
      "suite.yaml:6:23: `$.name.first`: `$.name` is of type string, which has no `first`; only "
        + "objects have members")
    check(
      suite(assertion: "nonEmpty: { path: '$.name[*]' }"), [:],
      "suite.yaml:6:23: `$.name[*]`: `$.name` is of type string, which can't contain values; "
        + "`[*]` applies to arrays and objects")
  }

  @Test("a malformed path is reported with the position where it becomes invalid")
  func badPath() {
    check(
      suite(assertion: "nonEmpty: { path: '$.stops[*' }"), [:],
      "suite.yaml:6:23: `$.stops[*` is not a path: the bracket is not closed (character 8); `]` must "
        + "follow")
  }

  @Test("the error for an unknown case of an enum names the nearest case")
  func unknownCase() {
    check(
      suite(assertion: "branch: { path: $.mood, is: wilde }"), [:],
      "suite.yaml:6:33: there is no `wilde` among the enum cases at `$.mood`; did you mean `wild`? "
        + "they are: `calm`, `wild`")
    check(
      suite(assertion: "equals: { path: $.mood, value: Calm }"), [:],
      "suite.yaml:6:36: there is no `Calm` among the values of `$.mood`; did you mean `calm`? they "
        + "are: `calm`, `wild`")
    check(
      suite(assertion: "branch: { path: $.name, is: x }"), [:],
      "suite.yaml:6:21: `$.name` is of type string, which has no cases; `branch` applies to enums")
  }

  @Test("an assertion is rejected if it can't apply to the type or bounds of its value")
  func wrongType() {
    check(
      suite(assertion: "count: { path: $.name, min: 1 }"), [:],
      "suite.yaml:6:20: `$.name` is of type string; `count` applies to array or object")
    check(
      suite(assertion: "equals: { path: $.days, value: 31 }"), [:],
      "suite.yaml:6:36: `$.days` can never be 31; it is an integer of 1...30")
  }

  @Test("the error for a minimum above the maximum gives the position of the minimum")
  func orderedBounds() {
    check(
      suite(assertion: "count: { path: $.stops, min: 8, max: 3 }"), [:],
      "suite.yaml:6:34: `min` is 8, which is more than `max`; at most 3, which is `max`")
  }

  @Test("an assertion without a bound, or with two bounds that exclude each other, is rejected")
  func boundRules() {
    check(
      suite(assertion: "count: { path: $.stops }"), [:],
      "suite.yaml:6:12: `count` has no bound; `min`, `max`, `exact` or `variable` is expected")
    check(
      suite(assertion: "count: { path: $.stops, exact: 3, min: 1 }"), [:],
      "suite.yaml:6:39: `count` has `exact` and `min`; only one of `exact` or `min` is allowed")
  }

  @Test("the error for a duplicate id gives the position of the id's first use")
  func duplicateIDs() {
    check(
      suite(rest: "  - id: rome\n    input: Again"), [:],
      "suite.yaml:10:9: the test case id `rome` is used twice; the first one is at "
        + "evals/trips/suite.yaml:8:9")
    let twice = SuiteLoader(
      files: .memory([
        "a/suite.yaml": suite(), "a/schema.json": schema, "b/suite.yaml": suite(),
        "b/schema.json": schema,
      ])
    ).load(["a", "b"])
    #expect(
      twice.problems.map(\.description) == [
        "b/suite.yaml:1:8: the suite id `trips` is used twice; the first one is at a/suite.yaml:1:8"
      ])
  }

  @Test("a missing file is reported at the position of its name in the suite")
  func missingFiles() {
    check(
      suite().replacing("schema.json", with: "shema.json"), [:],
      "suite.yaml:4:11: there is no file `evals/trips/shema.json`; paths are relative to the "
        + "suite file")
    let cases = "cases: { file: trips.csv }"
    let text = suite().prefix(upTo: suite().firstRange(of: "cases:")?.lowerBound ?? "".startIndex)
    check(
      text + cases, [:],
      "suite.yaml:7:16: there is no file `evals/trips/trips.csv`; paths are relative to the "
        + "suite file")
    #expect(
      SuiteLoader(files: .memory([:])).load(["nowhere"]).problems.map(\.description) == [
        "nowhere: there is no such file or folder, and no suite with this id; a suite file, a "
          + "folder that contains suites, or the id of a suite is expected"
      ])
  }

  @Test("the errors for a tab and an unclosed quote give their positions")
  func syntax() {
    let tab = problems(suite(head: "options:\n\ttemperature: 1"))
    #expect(tab.count == 1)
    #expect(tab.first?.hasPrefix("evals/trips/suite.yaml:3:1: ") == true)
    #expect(tab.first?.contains("tab") == true)
    let quote = problems(suite(head: "title: \"Trips"))
    #expect(quote.count == 1)
    #expect(quote.first?.hasPrefix("evals/trips/suite.yaml:") == true)
    #expect(quote.first?.contains("quote") == true)
  }

  @Test("a value of the wrong type or out of range is rejected")
  func wrongValues() {
    check(
      suite(head: "repeats: many"), [:],
      "suite.yaml:2:10: `repeats` is the text \"many\"; an integer from 1 to 10000 is expected")
    check(
      suite(head: "repeats: 0"), [:],
      "suite.yaml:2:10: `repeats` is 0; an integer from 1 to 10000 is expected")
    check(
      suite(head: "title: 7"), [:],
      "suite.yaml:2:8: `title` is the number 7; text is expected; put it in quotes")
    check(
      suite(head: "tags: [ok, not ok]"), [:],
      "suite.yaml:2:12: `tags` is \"not ok\"; letters, digits, `.`, `_` and `-` are allowed")
    // An argument that begins with a hyphen is an option, so no command could name such a suite.
    for (id, isAllowed) in [("-x", false), ("-", false), ("X", false), ("x-", true), ("1-a", true)]
    {
      let found = problems(
        suite(head: "tags: []").replacing("suite: trips", with: "suite: \"\(id)\""))
      #expect(
        found
          == (isAllowed
            ? []
            : [
              "evals/trips/suite.yaml:1:8: `suite` is \"\(id)\"; lower-case letters, digits and, "
                + "after the first character, hyphens are allowed"
            ]))
    }
    check(
      suite(head: "options: { whitespace: compcat }"), [:],
      "suite.yaml:2:24: `whitespace` is \"compcat\"; did you mean `compact`? allowed: `compact`, "
        + "`singleSpace`, `pretty`, `any`")
  }

  @Test("the error for a missing key says what is expected under it")
  func missingKey() {
    check(
      suite().replacing("suite: trips\n", with: ""), [:],
      "suite.yaml:1:1: `suite` is missing in a suite; a name is expected under `suite`")
  }

  @Test("a variable that no test case has, and a key that no prompt uses, are rejected")
  func variables() {
    check(
      suite(head: "prompt: 'Plan {{city}}'"), [:],
      "suite.yaml:8:5: the test case `rome` lacks the variable `city`, which the suite uses; the "
        + "test case has: `input`",
      "suite.yaml:9:5: `input` is neither a key of a test case nor a variable that the suite uses; "
        + "allowed: "
        + "`city`, `id`, `title`, `aliases`, `tags`, `assertions`, `threshold`, `repeats`, "
        + "`options`, `gate`, `stub`"
    )
    check(
      suite(caseLines: "    inptu: To Rome"), [:],
      "suite.yaml:9:5: `inptu` is neither a key of a test case nor a variable that the suite uses; "
        + "did you "
        + "mean `input`? allowed: `input`, `id`, `title`, `aliases`, `tags`, `assertions`, "
        + "`threshold`, `repeats`, `options`, `gate`, `stub`"
    )
    check(
      suite(head: "prompt: 'Plan {{input'"), [:],
      "suite.yaml:2:9: `{{` is not closed in the prompt; `}}` must follow")
  }

  @Test(
    "an edit is rejected if its place or enum case doesn't exist, or if its bounds can't apply")
  func edits() {
    func variant(_ edit: String) -> String {
      "variants:\n  - id: a\n    edits: []\n  - id: b\n    edits:\n      - \(edit)"
    }
    check(
      suite(head: variant("guide: { at: Trip.moods, text: x }")), [:],
      "suite.yaml:7:22: the schema has no `Trip.moods`; did you mean `Trip.mood`? it has: `Trip`, "
        + "`Trip.name`, `Trip.days`, `Trip.mood`, `Trip.stops`, `Stop`, `Stop.city`")
    check(
      suite(head: variant("removeBranch: { at: Trip.mood, case: cald }")), [:],
      "suite.yaml:7:46: `Trip.mood` has no case `cald`; did you mean `calm`? it has: `calm`, `wild`"
    )
    check(
      suite(head: variant("bound: { at: Trip.days, min: 9, max: 2 }")), [:],
      "suite.yaml:7:38: `min` is 9, which is more than `max`; at most 2, which is `max`")
    check(
      suite(head: variant("bound: { at: Trip.name, min: 1 }")), [:],
      "suite.yaml:7:22: `Trip.name` is of type string, which has no bounds; only "
        + "arrays, integers and numbers have bounds")
  }

  @Test("a guardrail that is not an assertion is rejected")
  func guardrail() {
    check(
      suite(head: "gate: { guardrail: [1] }"), [:],
      "suite.yaml:2:21: the guardrail 1 is not an assertion; an index from 0 to 0 of the suite's "
        + "assertions, or a name")
    check(
      suite(head: "gate: { guardrail: ['nonEmpty $.nam'] }"), [:],
      "suite.yaml:2:21: the guardrail \"nonEmpty $.nam\" is not an assertion; did you mean `nonEmpty "
        + "$.name`? names: `nonEmpty $.name`")
  }

  @Test("a mistake in a schema file is reported at its position in that file")
  func badSchema() {
    let found = problems(
      suite(), ["schema.json": "{\n  \"title\": \"X\",\n  \"type\": \"objekt\"\n}"])
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("evals/trips/schema.json:3:11: ") == true)
    #expect(
      problems(suite(), ["schema.json": "{ \"type\": "]).first?
        .hasPrefix("evals/trips/schema.json:1:11: ") == true)
  }

  @Test("each of several mistakes is reported as a separate problem")
  func several() {
    let found = problems(
      suite(
        head: "repeats: 0\ntitel: x", assertion: "count: { path: $.stopps, min: 1 }",
        caseLines: "    input: x\n    assertions:\n      - branch: { path: $.mood, is: mild }"))
    #expect(found.count == 4)
  }

  @Test("deep nesting is reported as a problem and doesn't crash the loader")
  func deepNesting() {
    let deep =
      String(repeating: "{ not: ", count: 100) + "{ nonEmpty: { path: $ } }"
      + String(repeating: " }", count: 100)
    #expect(!problems(suite(assertion: "not: \(deep)")).isEmpty)
  }

  @Test("wrong parameters of `expression`, `similar`, `boundHugging` and `command` are rejected")
  func newerAssertions() {
    let cases: [(String, String)] = [
      ("expression: \"count($.stpos) > 2\"", "6:17: `$.stpos` in the formula: the schema has no"),
      ("expression: \"@.x == 1\"", "6:17: `@` in `@.x == 1` has no element to refer to"),
      ("similar: { path: $.stops, to: x, min: 0.5 }", "6:22: `$.stops` is of type array"),
      (
        "similar: { path: $.name, to: x, maxDistance: 1, measure: tokens }",
        "6:62: `maxDistance` counts edits"
      ),
      (
        "boundHugging: { path: $.stops, share: 0.5 }", "6:19: the schema has no bound at `$.stops`"
      ),
      ("boundHugging: { path: $.name, share: 0.5 }", "6:27: `$.name` is of type string"),
      ("command: { run: [] }", "6:21: `run` is empty"),
    ]
    for (assertion, expected) in cases {
      let found = problems(suite(assertion: assertion))
      #expect(found.count == 1, "\(found)")
      #expect(found.first?.hasPrefix("evals/trips/suite.yaml:" + expected) == true, "\(found)")
    }
  }
}
