import EvalRecords
import StructuredText
import Testing

@testable import EvalSuites

@Suite("Assertions in suite files")
struct AssertionReadingTests {
  private static let value: JSONValue = [
    "name": "Rome", "days": 3, "mood": "calm", "price": 12.5, "note": nil,
    "stops": [["city": "Pisa"], ["city": "Siena"]], "empty": [],
  ]

  private static let schema = """
    { title: Trip, type: object, additionalProperties: false,
      properties: { name: { type: string }, days: { type: integer }, price: { type: number },
        mood: { type: string, enum: [calm, wild] },
        note: { anyOf: [ { type: string }, { type: "null" } ] },
        stops: { type: array, items: { $ref: "#/$defs/Stop" } },
        empty: { type: array, items: { type: string } } },
      required: [name, days, price, mood, note, stops, empty],
      x-order: [name, days, price, mood, note, stops, empty],
      $defs: { Stop: { title: Stop, type: object, additionalProperties: false,
        properties: { city: { type: string } }, required: [city], x-order: [city] } } }
    """

  private func load(_ assertion: String, files: [String: String] = [:]) -> LoadedSuites {
    let suite = """
      suite: trips
      generates:
        inline: \(Self.schema)
      assertions: [ \(assertion) ]
      cases: [ { id: a, input: x } ]
      """
    return SuiteLoader(
      files: .memory(["s/suite.yaml": suite].merging(files, uniquingKeysWith: { $1 }))
    ).load(["s"])
  }

  /// An assertion of each kind that passes on ``value``, and one that fails.
  private static let examples: [(String, String)] = [
    ("count: { path: $.stops, min: 2, max: 3 }", "count: { path: $.stops, exact: 1 }"),
    ("nonEmpty: { path: $.stops }", "nonEmpty: { path: $.empty }"),
    ("unique: { path: '$.stops[*].city' }", "not: { unique: { path: $.stops } }"),
    ("sorted: { path: '$.stops[*].city' }", "sorted: { path: $.stops }"),
    ("branch: { path: $.mood, is: calm }", "branch: { path: $.mood, in: [wild] }"),
    ("equals: { path: $.days, value: 3.0 }", "equals: { path: $.days, value: 4 }"),
    ("oneOf: { path: $.name, values: [Rome, Oslo] }", "oneOf: { path: $.name, values: [Oslo] }"),
    (
      "subsetOf: { path: $.stops, values: [ { city: Siena }, { city: Pisa } ] }",
      "subsetOf: { path: $.stops, values: [ { city: Siena } ] }"
    ),
    ("range: { path: $.price, min: 12.5 }", "range: { path: $.price, max: 12 }"),
    (
      "closeTo: { path: $.price, value: 12, tolerance: 0.5 }",
      "closeTo: { path: $.price, value: 12, tolerance: 0.4 }"
    ),
    ("words: { path: $.name, exact: 1 }", "words: { path: $.name, min: 2 }"),
    ("sentences: { path: $.name, max: 1 }", "sentences: { path: $.name, min: 2 }"),
    ("characters: { path: $.name, exact: 4 }", "characters: { path: $.name, max: 3 }"),
    ("matches: { path: $.name, pattern: 'R[a-z]+' }", "matches: { path: $.name, pattern: om }"),
    ("not: { dateISO8601: { path: $.name } }", "dateISO8601: { path: $.name, form: dateTime }"),
    (
      "contains: { path: $.name, text: ROM, ignoringCase: true }",
      "contains: { path: $.name, text: ROM }"
    ),
    (
      "containsAny: { path: $.name, texts: [x, om] }",
      "containsAll: { path: $.name, texts: [x, om] }"
    ),
    ("startsWith: { path: $.name, text: Ro }", "endsWith: { path: $.name, text: Ro }"),
    ("noMarkup: { path: $.name }", "not: { noMarkup: { path: $.name } }"),
    ("notPlaceholder: { path: $.name }", "notPlaceholder: { path: $.name, also: [rome] }"),
    ("present: { path: $.note }", "absent: { path: $.note }"),
    ("isNull: { path: $.note }", "isNull: { path: $.name }"),
    (
      "each: { path: '$.stops[*]', assertions: [ { characters: { path: '@.city', min: 4 } } ] }",
      "each: { path: '$.stops[*]', assertions: [ { characters: { path: '@.city', min: 5 } } ] }"
    ),
    (
      "any: { path: '$.stops[*]', assertions: [ { equals: { path: '@.city', value: Pisa } } ] }",
      "none: { path: '$.stops[*]', assertions: [ { equals: { path: '@.city', value: Pisa } } ] }"
    ),
    (
      "all: [ { nonEmpty: { path: $.name } }, { range: { path: $.days, min: 3 } } ]",
      "all: [ { nonEmpty: { path: $.name } }, { range: { path: $.days, min: 4 } } ]"
    ),
    (
      "anyOf: [ { equals: { path: $.days, value: 9 } }, { equals: { path: $.days, value: 3 } } ]",
      "anyOf: [ { equals: { path: $.days, value: 9 } }, { equals: { path: $.days, value: 8 } } ]"
    ),
    (
      "find: { path: '$.stops[*]', where: [ { equals: { path: '@.city', value: Pisa } } ], "
        + "assertions: [ { characters: { path: '@.city', min: 4 } } ] }",
      "find: { path: '$.stops[*]', where: [ { equals: { path: '@.city', value: Bari } } ], "
        + "assertions: [ { present: { path: '@' } } ] }"
    ),
    (
      "deepEquals: { path: $, value: { days: 3 }, allowingMore: true }",
      "deepEquals: { path: $, value: { days: 3 } }"
    ),
    (
      "similar: { path: $.name, to: Roma, min: 0.7 }",
      "similar: { path: $.name, to: x, min: 0.7 }"
    ),
    ("expression: '$.days == 3 and \"o\" in $.name'", "expression: '$.days > count($.stops)+1'"),
    ("stopReason: { is: complete }", "stopReason: { in: [refusal, failed] }"),
    ("latency: { max: 1000 }", "latency: { max: 10 }"),
    ("tokens: { max: 50 }", "tokens: { min: 51 }"),
    ("pressure: { max: 2 }", "pressure: { max: 1 }"),
    (
      "decision: { path: $.mood, option: calm, min: 0.8 }",
      "decision: { path: $.mood, option: wild, max: 0.1 }"
    ),
  ]

  @Test(
    "an assertion of each kind can be read from a suite, and passes and fails as expected",
    arguments: examples)
  func everyType(passing: String, failing: String) throws {
    let decision = DecisionRecord(
      kind: .choice, path: "$.mood", index: 0,
      options: [
        OptionProbability(.branch("calm"), raw: 0.8, masked: 0.8, sampled: 0.8),
        OptionProbability(.branch("wild"), raw: 0.2, masked: 0.2, sampled: 0.2),
      ], chosen: .branch("calm"), step: 9, unresolved: 0)
    let facts = AttemptFacts(
      value: Self.value, stopReason: .complete, duration: 0.5, outputTokens: 50,
      constraintPressure: 1.5, decisions: [decision])
    for (text, verdict) in [(passing, Verdict.pass), (failing, .fail)] {
      let loaded = load("{ \(text) }")
      #expect(loaded.problems.map(\.description) == [])
      let assertion = try #require(loaded.suites.first?.cases.first?.assertions.first)
      #expect(assertion.verdict(on: facts).verdict == verdict, "\(text)")
    }
  }

  @Test("`everyType` has a row for each kind except `boundHugging` and `command`")
  func completeness() {
    for kind in AssertionKind.all where kind != .boundHugging && kind != .command {
      let isTested = Self.examples.contains {
        ($0.0 + $0.1).contains("\(kind.name): ")
      }
      #expect(isTested, "no row for `\(kind.name)`")
    }
  }

  @Test("an assertion without a name gets a unique one, and using a name twice is an error")
  func names() {
    let loaded = load(
      "{ equals: { path: $.days, value: 3 } }, { equals: { path: $.days, value: 4 } }, "
        + "{ name: mine, not: { contains: { path: $.name, text: x } } }")
    #expect(
      loaded.suites.first?.cases.first?.assertions.map(\.words) == [
        "equals $.days: 3", "equals $.days #2: 4", "mine: does not contain \"x\"",
      ])
    let twice = load(
      "{ name: a, nonEmpty: { path: $.name } }, { name: a, nonEmpty: { path: $.stops } }")
    #expect(
      twice.problems.first?.description.contains(
        "the name `a` is used twice; the first one is at s/suite.yaml:") == true)
  }

  @Test("the error for an invalid pattern quotes the pattern")
  func badPattern() {
    let loaded = load("{ matches: { path: $.name, pattern: '(a' } }")
    #expect(loaded.problems.count == 1)
    #expect(loaded.problems.first?.problem.hasPrefix("`(a` is not a valid pattern: ") == true)
  }

  @Test("an assertion's expected value can be a variable of the test case, even from a CSV file")
  func variables() throws {
    let suite = """
      suite: trips
      generates:
        inline: \(Self.schema)
      assertions:
        - equals: { path: $.days, variable: days }
        - branch: { path: $.mood, variable: mood }
        - contains: { path: $.name, variable: part, ignoringCase: true }
      cases: { file: trips.csv }
      """
    let loader = { (table: String) in
      SuiteLoader(files: .memory(["s/suite.yaml": suite, "s/trips.csv": table])).load(["s"])
    }
    let loaded = loader("id,input,days,mood,part\na,x,3,calm,ROM\nb,y,4,wild,x\n")
    #expect(loaded.problems.map(\.description) == [])
    let cases = try #require(loaded.suites.first?.cases)
    let verdicts = cases.map { suiteCase in
      suiteCase.assertions.map { $0.verdict(on: AttemptFacts(value: Self.value)).verdict }
    }
    #expect(verdicts == [[.pass, .pass, .pass], [.fail, .fail, .fail]])
    #expect(cases[1].record.expectedBranches == [ExpectedBranch(path: "$.mood", branch: "wild")])
    #expect(
      loader("id,input,days,mood\na,x,3,calm\n").problems.map(\.description) == [
        "s/trips.csv:2:1: the test case `a` lacks the variable `part`, which the suite uses; the "
          + "test case has: `input`, `days`, `mood`"
      ])
  }

  @Test("an included file adds assertions, and the error for a problem in the file names the file")
  func includes() throws {
    func load(_ included: String) -> LoadedSuites {
      let suite = """
        suite: trips
        generates:
          inline: \(Self.schema)
        include: [../shared.yaml]
        cases: [ { id: a, input: x } ]
        """
      return SuiteLoader(
        files: .memory(["e/s/suite.yaml": suite, "e/s/../shared.yaml": included])
      ).load(["e/s"])
    }
    let loaded = load("assertions:\n  - nonEmpty: { path: $.name }\n")
    #expect(loaded.problems.map(\.description) == [])
    #expect(loaded.suites.first?.assertions.map(\.name) == ["nonEmpty $.name"])
    #expect(
      load("assertions:\n  - nonEmpty: { path: $.nam }\n").problems.map(\.description) == [
        "e/s/../shared.yaml:2:23: `$.nam`: the schema has no `nam` at `$`; did you mean `name`? it "
          + "has: `name`, `days`, `price`, `mood`, `note`, `stops`, `empty`"
      ])
  }
}
