import StructuredText
import Testing

@Suite("Places in JSON values")
struct JSONPlaceTests {
  /// Names that a spelling could confuse with its own syntax.
  private static let hostileNames = [
    "", "a", "größe", "2nd", "Prep time", "it's", "say \"hi\"", "back\\slash", "\\'", "$", "@", ".",
    "a.b", "[*]", "[0]", "['x']", "*", "😀", "\u{301}x", "\u{a0}", "line\nbreak", "\u{1}", "\\u0041",
    "日本語", "end", "🇩🇪", "e\u{301}", "']", "\"]",
  ]

  @Test(
    "a place is printed in its canonical spelling, which parses to the same place",
    arguments: [
      ("$", "$"), ("$.cards", "$.cards"), (".cards", "$.cards"), ("[0]", "$[0]"),
      ("$['cards']", "$.cards"), ("$[\"Prep time\"]", "$['Prep time']"),
      ("$.cards[*].answer", "$.cards[*].answer"), ("$.*", "$[*]"), ("$[12][0]", "$[12][0]"),
      (#"$['it\'s']"#, #"$['it\'s']"#), (#"$['a\u0041\n']"#, #"$['aA\n']"#), ("$.été", "$.été"),
      ("$['0']", "$['0']"), ("$['']", "$['']"), ("$['größe']", "$.größe"),
      (#"$['\ud83d\ude00']"#, "$.😀"), ("$['a\nb']", #"$['a\nb']"#),
      (#"$["o'clock"]"#, #"$['o\'clock']"#),
    ])
  func checkSpelling(text: String, canonical: String) throws {
    let place = try JSONPlace(parsing: text)
    #expect(place.description == canonical)
    #expect(try JSONPlace(parsing: canonical) == place)
    #expect(JSONPlace.canonical(canonical) == canonical)
  }

  @Test("a place with any names parses to the same place", arguments: hostileNames)
  func checkName(name: String) throws {
    for other in Self.hostileNames {
      let place = JSONPlace(steps: [.name(name), .index(3), .name(other), .wildcard, .name(name)])
      let parsed = try JSONPlace(parsing: place.description)
      #expect(parsed.steps == place.steps)
      // Strings are equal if they have the same characters, but names must have the same scalars.
      #expect(Array(parsed.description.unicodeScalars) == Array(place.description.unicodeScalars))
      #expect(JSONPlace.canonical(place.description + " is 3") == place.description + " is 3")
      let pattern = JSONPlace(
        steps: [.name(name), .wildcard, .name(other), .wildcard, .name(name)])
      #expect(JSONPlace.pattern(place.description) == pattern.description)
    }
  }

  @Test("different places have different spellings")
  func distinctSpellings() {
    let places = Self.hostileNames.flatMap { first in
      [JSONPlace(steps: [.name(first)])]
        + Self.hostileNames.map { JSONPlace(steps: [.name(first), .name($0)]) }
    }
    let spellings = Set(places.map(\.description))
    #expect(spellings.count == Set(places).count)
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
      (#"$['\ud800\u0041']"#, 4, "the escape is not a character"),
      ("$[99999999999999999999]", 3, "`99999999999999999999` is not an index"),
      ("@.a", 1, "the path begins with `@`"), ("$.a b", 4, "unexpected ` ` in a path"),
      ("$.größe b", 8, "unexpected ` ` in a path"),
      ("$.a\u{a0}b", 4, "unexpected `\u{a0}` in a path"),
    ])
  func checkRefusal(text: String, column: Int, problem: String) {
    let error = #expect(throws: PathSyntaxError.self) { try JSONPlace(parsing: text) }
    #expect(error?.column == column)
    #expect(error?.problem == problem)
    #expect(error?.allowed.isEmpty == false)
  }

  @Test("inside `each`, a path starts at the element")
  func relativePaths() throws {
    #expect(try JSONPlace(parsing: "@.answer", isRelative: true).steps == [.name("answer")])
    #expect(throws: PathSyntaxError.self) { try JSONPlace(parsing: "$.a", isRelative: true) }
  }

  @Test("a path with too many steps is rejected")
  func tooLong() {
    let text = "$" + String(repeating: "[0]", count: 65)
    #expect(throws: PathSyntaxError.self) { try JSONPlace(parsing: text) }
    #expect(JSONPlace.pattern(text) == "$" + String(repeating: "[*]", count: 65))
  }

  @Test(
    "places that differ only in indices or spelling have the same pattern",
    arguments: [
      ("$.cards", "$.cards"), ("$.days[12].items", "$.days[*].items"),
      ("$['a[3]'][4]", "$['a[3]'][*]"), ("$[0][1]", "$[*][*]"), ("$.x[1", "$.x[1"),
      ("$['cards'][0]", "$.cards[*]"), ("$[\"o'clock\"]", #"$['o\'clock']"#),
      ("$['größe']", "$.größe"), ("$['open", "$['open"), ("$[x]", "$[x]"), ("$[*].a", "$[*].a"),
      ("$.days[3].n is 12; allowed: [0] to [9]", "$.days[*].n is 12; allowed: [0] to [9]"),
      ("not JSON: [3]", "not JSON: [3]"), ("$.2nd[1]", "$['2nd'][*]"),
      ("$['it's'][2] calm", #"$['it\'s'][*] calm"#), ("$.größe[0]", "$.größe[*]"),
    ])
  func checkPattern(path: String, pattern: String) {
    #expect(JSONPlace.pattern(path) == pattern)
  }

  @Test("a bracket in a name is no wildcard")
  func wildcards() {
    #expect(JSONPlace.isPattern("$.days[*].meals"))
    #expect(!JSONPlace.isPattern("$['[*]'].meals"))
    #expect(JSONPlace.innermostArray(around: "$.days[*]['[*]'].x") == "$.days")
    #expect(JSONPlace.innermostArray(around: "$['[*]']") == nil)
  }
}
