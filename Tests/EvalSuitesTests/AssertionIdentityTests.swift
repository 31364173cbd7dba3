import EvalRecords
import Foundation
import StructuredText
import Testing

@testable import EvalSuites

@Suite("What identifies an assertion")
struct AssertionIdentityTests {
  private static let schema = """
    { title: Trip, type: object, additionalProperties: false,
      properties: { name: { type: string }, other: { type: string }, days: { type: integer },
        price: { type: number }, mood: { type: string, enum: [calm, wild] },
        temper: { type: string, enum: [calm, wild] },
        note: { anyOf: [ { type: string }, { type: "null" } ] },
        memo: { anyOf: [ { type: string }, { type: "null" } ] },
        stops: { type: array, items: { $ref: "#/$defs/Stop" } },
        tours: { type: array, items: { $ref: "#/$defs/Stop" } },
        tags: { type: array, items: { type: string } },
        more: { type: array, items: { type: string } } },
      required: [name, other, days, price, mood, temper, note, memo, stops, tours, tags, more],
      x-order: [name, other, days, price, mood, temper, note, memo, stops, tours, tags, more],
      $defs: { Stop: { title: Stop, type: object, additionalProperties: false,
        properties: { city: { type: string }, land: { type: string } },
        required: [city, land], x-order: [city, land] } } }
    """

  /// A text that is longer than the words of a record, in which only the end differs.
  private static let long = String(repeating: "long ", count: 20)

  /// Returns the identities of the assertions of a suite whose first assertion is the given entry.
  private func identities(
    _ entry: String, files: [String: String] = [:]
  ) throws -> [AssertionIdentity] {
    let entry = entry.replacing("LONG", with: Self.long)
    let suite = """
      suite: trips
      generates:
        inline: \(Self.schema)
      assertions: [ { \(entry) }, { present: { path: $.name } } ]
      cases: [ { id: a, input: x } ]
      """
    var all = ["s/suite.yaml": suite, "s/check.py": "pass", "s/other.py": "pass"]
    all.merge(files, uniquingKeysWith: { $1 })
    let loaded = SuiteLoader(files: .memory(all)).load(["s"])
    #expect(loaded.problems == [])
    let record = try #require(loaded.suites.first?.record())
    let found = try #require(record.details.assertions?.assertions(of: "a"))
    #expect(found.count == record.cases[0].assertions.count)
    return found
  }

  private static let different: [(String, String)] = [
    (#"count: { path: $.stops, min: 2 }"#, #"count: { path: $.tours, min: 2 }"#),
    (#"count: { path: $.stops, min: 2 }"#, #"count: { path: $.stops, min: 3 }"#),
    (#"count: { path: $.stops, min: 2 }"#, #"count: { path: $.stops, max: 2 }"#),
    (#"nonEmpty: { path: $.stops }"#, #"nonEmpty: { path: $.tours }"#),
    (#"unique: { path: $.stops }"#, #"unique: { path: $.tours }"#),
    (#"unique: { path: $.tags }"#, #"unique: { path: $.tags, normalized: true }"#),
    (#"sorted: { path: $.tags }"#, #"sorted: { path: $.tags, descending: true }"#),
    (#"sorted: { path: $.tags }"#, #"sorted: { path: $.more }"#),
    (#"branch: { path: $.mood, is: calm }"#, #"branch: { path: $.mood, is: wild }"#),
    (#"branch: { path: $.mood, is: calm }"#, #"branch: { path: $.temper, is: calm }"#),
    (#"branch: { path: $.mood, in: [calm] }"#, #"branch: { path: $.mood, in: [calm, wild] }"#),
    (#"equals: { path: $.name, value: Rome }"#, #"equals: { path: $.other, value: Rome }"#),
    (#"equals: { path: $.days, value: 3 }"#, #"equals: { path: $.days, value: 4 }"#),
    (#"equals: { path: $.name, value: LONGa }"#, #"equals: { path: $.name, value: LONGb }"#),
    (
      #"deepEquals: { path: $.tags, value: [LONGa] }"#,
      #"deepEquals: { path: $.tags, value: [LONGb] }"#
    ),
    (#"deepEquals: { path: $.tags, value: [a] }"#, #"deepEquals: { path: $.more, value: [a] }"#),
    (
      #"deepEquals: { path: $.tags, value: [a] }"#,
      #"deepEquals: { path: $.tags, value: [a], ignoringOrder: true }"#
    ),
    (
      #"deepEquals: { path: $.tags, value: [a] }"#,
      #"deepEquals: { path: $.tags, value: [a], ignoringCase: true }"#
    ),
    (
      #"deepEquals: { path: $.tags, value: [a] }"#,
      #"deepEquals: { path: $.tags, value: [a], tolerance: 0.1 }"#
    ),
    (
      #"deepEquals: { path: $.tags, value: [a] }"#,
      #"deepEquals: { path: $.tags, value: [a], ignoring: [city] }"#
    ),
    (
      #"oneOf: { path: $.name, values: [a, b] }"#,
      #"oneOf: { path: $.name, values: [a, b, LONGa] }"#
    ),
    (#"oneOf: { path: $.name, values: [a] }"#, #"oneOf: { path: $.other, values: [a] }"#),
    (#"subsetOf: { path: $.tags, values: [a, b] }"#, #"subsetOf: { path: $.tags, values: [a] }"#),
    (#"subsetOf: { path: $.tags, values: [a] }"#, #"subsetOf: { path: $.more, values: [a] }"#),
    (#"range: { path: $.price, min: 1 }"#, #"range: { path: $.price, min: 1.5 }"#),
    (#"range: { path: $.price, min: 1 }"#, #"range: { path: $.days, min: 1 }"#),
    (
      #"closeTo: { path: $.price, value: 12, tolerance: 0.5 }"#,
      #"closeTo: { path: $.price, value: 12, tolerance: 0.4 }"#
    ),
    (
      #"closeTo: { path: $.price, value: 12, tolerance: 0.5 }"#,
      #"closeTo: { path: $.price, value: 13, tolerance: 0.5 }"#
    ),
    (#"words: { path: $.name, max: 3 }"#, #"words: { path: $.other, max: 3 }"#),
    (#"words: { path: $.name, max: 3 }"#, #"words: { path: $.name, max: 4 }"#),
    (#"sentences: { path: $.name, max: 1 }"#, #"sentences: { path: $.name, min: 1 }"#),
    (#"characters: { path: $.name, max: 3 }"#, #"characters: { path: $.other, max: 3 }"#),
    (#"matches: { path: $.name, pattern: 'a+' }"#, #"matches: { path: $.name, pattern: 'a*' }"#),
    (#"matches: { path: $.name, pattern: 'a+' }"#, #"matches: { path: $.other, pattern: 'a+' }"#),
    (#"dateISO8601: { path: $.name }"#, #"dateISO8601: { path: $.name, form: dateTime }"#),
    (#"dateISO8601: { path: $.name }"#, #"dateISO8601: { path: $.name, orEmpty: true }"#),
    (#"contains: { path: $.name, text: LONGa }"#, #"contains: { path: $.name, text: LONGb }"#),
    (#"contains: { path: $.name, text: a }"#, #"contains: { path: $.other, text: a }"#),
    (
      #"contains: { path: $.name, text: a }"#,
      #"contains: { path: $.name, text: a, ignoringCase: true }"#
    ),
    (
      #"containsAny: { path: $.name, texts: [a, LONGa] }"#,
      #"containsAny: { path: $.name, texts: [a, LONGb] }"#
    ),
    (
      #"containsAll: { path: $.name, texts: [a, LONGa] }"#,
      #"containsAll: { path: $.name, texts: [a, LONGb] }"#
    ),
    (
      #"containsAll: { path: $.name, texts: [a, b] }"#,
      #"containsAny: { path: $.name, texts: [a, b] }"#
    ),
    (#"startsWith: { path: $.name, text: a }"#, #"startsWith: { path: $.other, text: a }"#),
    (#"endsWith: { path: $.name, text: a }"#, #"endsWith: { path: $.name, text: b }"#),
    (
      #"similar: { path: $.name, to: LONGa, min: 0.8 }"#,
      #"similar: { path: $.name, to: LONGb, min: 0.8 }"#
    ),
    (
      #"similar: { path: $.name, to: a, min: 0.8 }"#,
      #"similar: { path: $.name, to: a, min: 0.8, measure: tokens }"#
    ),
    (
      #"similar: { path: $.name, to: a, min: 0.8 }"#,
      #"similar: { path: $.name, to: a, min: 0.80001 }"#
    ),
    (
      #"similar: { path: $.name, to: a, min: 0.8 }"#,
      #"similar: { path: $.name, to: a, maxDistance: 1 }"#
    ),
    (#"noMarkup: { path: $.name }"#, #"noMarkup: { path: $.other }"#),
    (#"notPlaceholder: { path: $.name }"#, #"notPlaceholder: { path: $.other }"#),
    (#"notPlaceholder: { path: $.name }"#, #"notPlaceholder: { path: $.name, also: [none] }"#),
    (
      #"notPlaceholder: { path: $.name, also: [x] }"#,
      #"notPlaceholder: { path: $.name, also: [y] }"#
    ),
    (#"present: { path: $.note }"#, #"present: { path: $.name }"#),
    (#"absent: { path: $.note }"#, #"absent: { path: $.name }"#),
    (#"isNull: { path: $.note }"#, #"isNull: { path: $.memo }"#),
    (
      #"each: { path: '$.tags[*]', assertions: [ { equals: { path: '@', value: "#
        + #"LONGa } } ] }"#,
      #"each: { path: '$.tags[*]', assertions: [ { equals: { path: '@', value: "#
        + #"LONGb } } ] }"#
    ),
    (
      #"each: { path: '$.tags[*]', assertions: [ { words: { path: '@', max: 3 } } ] "#
        + #"}"#,
      #"each: { path: '$.more[*]', assertions: [ { words: { path: '@', max: 3 } } ] "#
        + #"}"#
    ),
    (
      #"each: { path: '$.stops[*]', assertions: [ { words: { path: '@.city', max: 3 "#
        + #"} } ] }"#,
      #"each: { path: '$.stops[*]', assertions: [ { words: { path: '@.land', max: 3 "#
        + #"} } ] }"#
    ),
    (
      #"any: { path: '$.tags[*]', assertions: [ { equals: { path: '@', value: a } } "#
        + #"] }"#,
      #"any: { path: '$.tags[*]', assertions: [ { equals: { path: '@', value: b } } "#
        + #"] }"#
    ),
    (
      #"none: { path: '$.tags[*]', assertions: [ { equals: { path: '@', value: a } "#
        + #"} ] }"#,
      #"any: { path: '$.tags[*]', assertions: [ { equals: { path: '@', value: a } } "#
        + #"] }"#
    ),
    (
      #"none: { path: '$.tags[*]', assertions: [ { equals: { path: '@', value: a } "#
        + #"} ] }"#,
      #"none: { path: '$.more[*]', assertions: [ { equals: { path: '@', value: a } "#
        + #"} ] }"#
    ),
    (
      #"find: { path: '$.stops[*]', where: [ { equals: { path: '@.city', value: a } "#
        + #"} ], assertions: [ { equals: { path: '@.land', value: b } } ] }"#,
      #"find: { path: '$.stops[*]', where: [ { equals: { path: '@.land', value: a } "#
        + #"} ], assertions: [ { equals: { path: '@.land', value: b } } ] }"#
    ),
    (
      #"find: { path: '$.stops[*]', where: [ { equals: { path: '@.city', value: a } "#
        + #"} ], assertions: [ { equals: { path: '@.land', value: b } } ] }"#,
      #"find: { path: '$.stops[*]', where: [ { equals: { path: '@.city', value: a } "#
        + #"} ], assertions: [ { equals: { path: '@.land', value: c } } ] }"#
    ),
    (
      #"all: [ { present: { path: $.name } }, { equals: { path: $.name, value: "#
        + #"LONGa } } ]"#,
      #"all: [ { present: { path: $.name } }, { equals: { path: $.name, value: "#
        + #"LONGb } } ]"#
    ),
    (
      #"all: [ { present: { path: $.name } }, { present: { path: $.note } } ]"#,
      #"anyOf: [ { present: { path: $.name } }, { present: { path: $.note } } ]"#
    ),
    (
      #"anyOf: [ { present: { path: $.name } }, { equals: { path: $.name, value: a } "#
        + #"} ]"#,
      #"anyOf: [ { present: { path: $.name } }, { equals: { path: $.other, value: a } "#
        + #"} ]"#
    ),
    (
      #"not: { contains: { path: $.name, text: LONGa } }"#,
      #"not: { contains: { path: $.name, text: LONGb } }"#
    ),
    (
      #"not: { contains: { path: $.name, text: a } }"#,
      #"not: { contains: { path: $.other, text: a } }"#
    ),
    (#"not: { contains: { path: $.name, text: a } }"#, #"contains: { path: $.name, text: a }"#),
    (
      #"expression: "$.name != 'LONGa' and $.days > 3""#,
      #"expression: "$.name != 'LONGa' and $.days >= 3""#
    ),
    (#"expression: "$.days > 3""#, #"expression: "$.price > 3""#),
    (#"expression: "$.days + 1 > 3""#, #"expression: "$.days - 1 > 3""#),
    (#"command: { run: [./check.py] }"#, #"command: { run: [./check.py, --strict] }"#),
    (#"command: { run: [./check.py] }"#, #"command: { run: [./check.py], path: $.name }"#),
    (#"command: { run: [./check.py] }"#, #"command: { run: [./other.py] }"#),
    (#"command: { run: [./check.py] }"#, #"command: { run: [./check.py], timeLimit: 5 }"#),
    (
      #"boundHugging: { path: $.stops, share: 0.5, max: 8 }"#,
      #"boundHugging: { path: $.stops, share: 0.6, max: 8 }"#
    ),
    (
      #"boundHugging: { path: $.stops, share: 0.5, max: 8 }"#,
      #"boundHugging: { path: $.tours, share: 0.5, max: 8 }"#
    ),
    (#"stopReason: { is: refusal }"#, #"stopReason: { is: complete }"#),
    (#"latency: { max: 500 }"#, #"latency: { max: 501 }"#),
    (#"tokens: { max: 100 }"#, #"tokens: { max: 101 }"#),
    (#"pressure: { max: 2 }"#, #"pressure: { max: 2.0001 }"#),
    (
      #"decision: { path: $.stops, option: end, max: 0.05 }"#,
      #"decision: { path: $.tours, option: end, max: 0.05 }"#
    ),
    (
      #"decision: { path: $.stops, option: end, max: 0.05 }"#,
      #"decision: { path: $.stops, option: element, max: 0.05 }"#
    ),
    (#"weight: 2, present: { path: $.name }"#, #"weight: 3, present: { path: $.name }"#),
  ]

  @Test("an edit of an assertion changes its digest, whether it has a name or not")
  func edits() throws {
    for (before, after) in Self.different {
      let plain = try (identities(before)[0], identities(after)[0])
      #expect(plain.0.digest != plain.1.digest, "\(before)")
      let named = try (identities("name: n, \(before)")[0], identities("name: n, \(after)")[0])
      #expect(named.0.name == "n" && named.1.name == "n")
      #expect(named.0.digest != named.1.digest, "named \(before)")
      #expect(named.0.digest == plain.0.digest, "the name doesn't count: \(before)")
    }
    for kind in AssertionKind.all {
      #expect(
        Self.different.contains { $0.0.contains("\(kind.name):") }, "no edit of `\(kind.name)`")
    }
  }

  private static let equal: [(String, String)] = [
    (#"count: { path: $.stops, min: 2, max: 3 }"#, #"count: { max: 3, min: 2, path: $.stops }"#),
    (#"count: { path: $.stops, exact: 2 }"#, #"count: { path: $.stops, min: 2, max: 2 }"#),
    (#"count: { path: $.stops, min: 2 }"#, #"count: { path: '$["stops"]', min: 2 }"#),
    (#"unique: { path: $.tags }"#, #"unique: { path: $.tags, normalized: false }"#),
    (#"branch: { path: $.mood, is: calm }"#, #"branch: { path: $.mood, in: [calm] }"#),
    (#"stopReason: { is: refusal }"#, #"stopReason: { in: [refusal] }"#),
    (#"equals: { path: $.days, value: 3 }"#, #"equals: { path: $.days, value: 3.0 }"#),
    (
      #"range: { path: $.price, min: 1, max: 10 }"#,
      #"range: { path: $.price, max: 1e1, min: 1.00 }"#
    ),
    (#"expression: "$.days>3 and $.price==2""#, #"expression: "($.days > 3) and $.price == 2.0""#),
    (#"present: { path: $.name }"#, #"weight: 1, present: { path: $.name }"#),
    (
      #"similar: { path: $.name, to: a, min: 0.8 }"#,
      #"similar: { measure: edit, min: 0.8, to: 'a', path: $.name, ignoringCase: "#
        + #"false }"#
    ),
    (
      #"deepEquals: { path: $.stops, value: [ { city: a, land: b } ] }"#,
      #"deepEquals: { path: $.stops, value: [ { land: b, city: a } ], tolerance: 0 }"#
    ),
    (#"dateISO8601: { path: $.name }"#, #"dateISO8601: { path: $.name, form: date }"#),
    (
      #"command: { run: [./check.py] }"#,
      #"command: { run: [./check.py], path: $, timeLimit: 10000 }"#
    ),
    (
      #"not: { unique: { path: $.tags } }"#,
      #"not: { unique: { normalized: false, path: $.tags } }"#
    ),
    (
      #"each: { path: '$.tags[*]', assertions: [ { words: { path: '@', exact: 3 } } "#
        + #"] }"#,
      #"each: { assertions: [ { words: { max: 3, min: 3, path: '@' } } ], path: "#
        + #"'$.tags[*]' }"#
    ),
  ]

  @Test("two spellings of one assertion have the same digest", arguments: equal)
  func checkSpelling(_ pair: (String, String)) throws {
    #expect(try identities(pair.0)[0].digest == identities(pair.1)[0].digest)
  }

  @Test("flow style and block style give the same digest")
  func blockStyle() throws {
    let block = """
      assertions:
        - count:
            max: 3
            path: $.stops
            min: 2
      """
    let flow = "assertions: [ { count: { path: $.stops, min: 2, max: 3 } } ]"
    let digests = try [block, flow].map { assertions in
      let suite = """
        suite: trips
        generates:
          inline: \(Self.schema)
        cases: [ { id: a, input: x } ]
        \(assertions)
        """
      let loaded = SuiteLoader(files: .memory(["s/suite.yaml": suite])).load(["s"])
      let record = try #require(loaded.suites.first?.record())
      return record.details.assertions?.assertions(of: "a").map(\.digest)
    }
    #expect(digests[0] == digests[1] && digests[0]?.count == 1)
  }

  @Test(
    "the contents of the files that a command names count",
    arguments: [
      ("command: { run: [./check.py] }", "s/./check.py"),
      ("command: { run: [python3, check.py] }", "s/check.py"),
      ("command: { run: [./check.py, --rules=rules/a.json] }", "s/rules/a.json"),
      ("not: { command: { run: [./check.py] } }", "s/./check.py"),
    ])
  func checkProgram(_ row: (entry: String, file: String)) throws {
    let before = try identities(row.entry, files: [row.file: "1"])
    let same = try identities(row.entry, files: [row.file: "1", "s/unrelated.py": "2"])
    let after = try identities(row.entry, files: [row.file: "2"])
    #expect(before[0].digest == same[0].digest)
    #expect(before[0].digest != after[0].digest)
  }

  @Test("each different identity is stored once, also for test cases with their own assertions")
  func storage() throws {
    let one = AssertionIdentity(name: "a", digest: "1")
    let two = AssertionIdentity(name: "b", digest: "2")
    let identities = AssertionIdentities(
      shared: [one], own: [("x", [two]), ("y", [two, one]), ("z", [])])
    #expect(identities.assertions(of: "x") == [one, two])
    #expect(identities.assertions(of: "y") == [one, two, one])
    #expect(identities.assertions(of: "z") == [one])
    var details = SuiteDetails()
    details.assertions = identities
    let text = String(decoding: try JSONEncoder().encode(details), as: UTF8.self)
    #expect(text.ranges(of: "\"digest\"").count == 2)
    #expect(identities.differences(to: .init(shared: [two], own: []), of: "z") == ["a", "b"])
  }
}
