import StructuredText
import Testing

@testable import EvalSuites

@Suite("Paths")
struct PathTests {
  @Test(
    "a path is printed in its canonical form, which parses to the same path",
    arguments: [
      ("$", "$"), ("$.cards", "$.cards"), (".cards", "$.cards"), ("[0]", "$[0]"),
      ("$['cards']", "$.cards"), ("$[\"Prep time\"]", "$['Prep time']"),
      ("$.cards[*].answer", "$.cards[*].answer"), ("$.*", "$[*]"), ("$[12][0]", "$[12][0]"),
      (#"$['it\'s']"#, #"$['it\'s']"#), (#"$['a\u0041\n']"#, #"$['aA\n']"#), ("$.été", "$.été"),
      ("$['0']", "$['0']"), ("$['']", "$['']"),
    ])
  func canonicalSpelling(text: String, canonical: String) throws {
    let path = try ValuePath(parsing: text)
    #expect(path.description == canonical)
    #expect(try ValuePath(parsing: canonical) == path)
  }

  @Test(
    "the error for a malformed path gives the column of the problem",
    arguments: [
      ("", 1, "the path is empty"), ("cards", 1, "the path begins with `c`"),
      ("$cards", 2, "unexpected `c` in a path"), ("$.", 3, "a name is missing after the dot"),
      ("$..a", 3, "`..` is not supported"), ("$.0", 3, "a name is missing after the dot"),
      ("$[", 3, "the bracket contains neither an index, `*` nor a quoted name"),
      ("$[-1]", 3, "the bracket contains neither an index, `*` nor a quoted name"),
      ("$[01]", 3, "`01` is not an index"), ("$[1", 2, "the bracket is not closed"),
      ("$['a", 3, "the quote is not closed"), (#"$['\q']"#, 4, #"`\q` is not an escape"#),
      (#"$['\ud800']"#, 4, "the escape is not a character"),
      ("$[99999999999999999999]", 3, "`99999999999999999999` is not an index"),
      ("@.a", 1, "the path begins with `@`"), ("$.a b", 4, "unexpected ` ` in a path"),
    ])
  func refusal(text: String, column: Int, problem: String) {
    let error = #expect(throws: PathSyntaxError.self) { try ValuePath(parsing: text) }
    #expect(error?.column == column)
    #expect(error?.problem == problem)
    #expect(error?.allowed.isEmpty == false)
  }

  @Test("inside `each`, a path starts at the element")
  func relativePaths() throws {
    #expect(try ValuePath(parsing: "@.answer", isRelative: true).steps == [.name("answer")])
    #expect(throws: PathSyntaxError.self) { try ValuePath(parsing: "$.a", isRelative: true) }
  }

  @Test("a path with too many steps is rejected")
  func tooLong() {
    let text = "$" + String(repeating: "[0]", count: 65)
    #expect(throws: PathSyntaxError.self) { try ValuePath(parsing: text) }
  }

  @Test(
    "a path selects places in a value, and also reports places that don't exist",
    arguments: [
      ("$", ["$"]), ("$.a", ["$.a"]), ("$.a[*]", ["$.a[0]", "$.a[1]"]),
      ("$.a[*].b", ["$.a[0].b", "$.a[1].b -"]), ("$.none[*].b", ["$.none -"]),
      ("$.empty[*]", []), ("$.empty[*].b.c", []), ("$.a[5]", ["$.a[5] -"]),
      ("$.c[*]", ["$.c.x", "$.c['y z']"]), ("$.n.b", ["$.n.b -"]), ("$.n[*]", ["$.n[*] -"]),
    ])
  func selection(path: String, places: [String]) throws {
    let value: JSONValue = [
      "a": [["b": 1], ["c": 2]], "empty": [], "c": ["x": 1, "y z": 2], "n": 3,
    ]
    // In the expected places, “ -” marks a place that doesn't exist.
    let matches = try ValuePath(parsing: path).matches(in: value)
    #expect(matches.map { "\($0.path)" + ($0.value == nil ? " -" : "") } == places)
  }
}
