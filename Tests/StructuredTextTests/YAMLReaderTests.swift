import StructuredText
import TestSupport
import Testing

/// Tests which values the YAML reader reads, and which texts it rejects.
@Suite struct YAMLReaderTests {
  @Test(
    "the reader reads the same values as PyYAML",
    arguments: YAMLSamples.all)
  func samples(sample: (title: String, text: String, json: String)) throws {
    try checkValue(of: sample.text, is: sample.json, "\(sample.title)")
    let windows = sample.text.replacing("\r\n", with: "\n").replacing("\n", with: "\r\n")
    try checkValue(of: windows, is: sample.json, "\(sample.title), Windows line ends")
  }

  /// The texts follow the productions of YAML 1.2.2, but PyYAML can't read them.
  @Test(
    "valid YAML 1.2 is accepted even if other readers reject it",
    arguments: [
      ("--- |\na\n b\n", #""a\n b\n""#), ("a:\tb\t# c\n-x\t: 1\n", #"{"a":"b","-x":1}"#),
      ("a\tb", #""a\tb""#), ("{\n\ta: [1,\n\t\t2],\n\ty\n\t: 3}", #"{"a":[1,2],"y":3}"#),
      ("[::v, a\n b]", #"["::v","a b"]"#), (#""\uD83D\uDE00""#, #""😀""#),
      ("\u{FEFF}a: 1", #"{"a":1}"#), ("a: [\n]\nb: {\n}", #"{"a":[],"b":{}}"#),
      ("1: a\ntrue: b\n~: c", #"{"1":"a","true":"b","~":"c"}"#),
      ("'<<': 1", #"{"<<":1}"#), ("a: -.0e0", #"{"a":0}"#), ("a: 1e400", #"{"a":1e400}"#),
      ("a: 00.50\nb: +1.e+3", #"{"a":0.5,"b":1000}"#),
      ("a: 0xFFFFFFFFFFFFFFFF", #"{"a":18446744073709551615}"#),
      ("&a a: &a b\nc: *a", #"{"a":"b","c":"b"}"#), ("x:\n  &y\n  z: 1", #"{"x":{"z":1}}"#),
    ])
  func beyond(text: String, json: String) throws { try checkValue(of: text, is: json, "") }

  @Test(
    "the error for unsupported syntax gives the position and says what is allowed",
    arguments: [
      ("a: !!str 1", 1, 4, "tag"), ("!x a: 1", 1, 1, "tag"),
      ("%YAML 1.2\n---\na", 1, 1, "directive"),
      ("a: 1\n<<: {b: 2}", 2, 1, "merge"), ("? a\n: b", 1, 1, "`?`"), ("{? a: b}", 1, 2, "`?`"),
      ("[a]: 1", 1, 1, "key"), ("a: 1\n{b: c}: 2", 2, 1, "key"), ("{[a]: 1}", 1, 2, "key"),
      ("x: &a b\n*a : 1", 2, 1, "key"), ("a:\n\tb: 1", 2, 1, "tab"),
      ("a:\n  b: 1\n\tc: 2", 3, 1, "tab"),
      ("-\t- a", 1, 2, "tab"), ("a: |\n \tx\n\ty", 3, 1, "tab"), ("a: .inf", 1, 4, "number"),
      ("a: -.INF", 1, 4, "number"), ("[.nan]", 1, 2, "number"),
      ("a: 1\n---\nb: 2", 2, 1, "document"),
      ("a\n...\nb", 3, 1, "document"), ("a: b: c", 1, 4, "mapping"), ("a: - b", 1, 4, "sequence"),
      ("a: b\n  c: d", 2, 4, "continues"), ("a:\n    b: 1\n  c: 2", 3, 3, "indentation"),
      ("- a\nb: 1", 2, 1, "indentation"), ("a: 1\n- b", 2, 1, "not a key"),
      ("a: 1\nb", 2, 1, "not a key"),
      ("a: \"b", 1, 4, "closed"), ("a: 'b\n\nc", 1, 4, "line 3"),
      ("a: \"b\n---\n\"", 1, 4, "document"),
      ("a: [1, 2", 1, 4, "closed"), ("a: {b: 1]", 1, 9, "`]`"), ("[1 2, [3}]", 1, 9, "`}`"),
      ("[,]", 1, 2, "`,`"), ("{,}", 1, 2, "`,`"), ("[a,,b]", 1, 4, "`,`"),
      ("[\"a\"b]", 1, 5, "`b`"),
      ("a: 'b' c", 1, 8, "`c`"), ("a: @b", 1, 4, "`@`"), ("a: `b`", 1, 4, "```"),
      ("a: %b", 1, 4, "`%`"), ("a: \"\\q\"", 1, 5, "escape"), ("a: \"\\u12\"", 1, 5, "escape"),
      ("a: \"\\uD800\"", 1, 5, "escape"), ("a: \"\\U00110000\"", 1, 5, "escape"),
      ("a: |x\n  b", 1, 5, "`x`"), ("a: |0\n  b", 1, 5, "`0`"),
      ("a: |\n    \n  b", 3, 3, "empty line"),
      ("a: *b", 1, 4, "anchor"), ("a: &b [*b]", 1, 8, "anchor"), ("a: &b &c d", 1, 7, "anchor"),
      ("a: &", 1, 4, "name"), ("a: b\u{7}", 1, 5, "U+0007"),
      ("a: 0x1FFFFFFFFFFFFFFFF", 1, 4, "large"),
      (": a", 1, 1, "missing"), ("é: 1\nü: [é, @]", 2, 8, "`@`"),
      ("[a\n: b]", 1, 2, "different lines"),
      ("[a: 1, b: ]]", 1, 12, "`]`"), ("a: > b", 1, 6, "`b`"), ("a: ''# b", 1, 6, "`#`"),
    ])
  func refusals(text: String, line: Int, column: Int, word: String) {
    let error = #expect(throws: StructuredTextError.self) { try YAMLReader.read(text) }
    #expect(
      error?.location == Place(line: line, column: column), "\(text): \(error?.description ?? "")")
    #expect(error?.problem.contains(word) == true, "\(text): \(error?.description ?? "")")
    #expect(error?.allowed.isEmpty == false)
  }

  @Test(
    "a duplicate key is an error that names both positions",
    arguments: [
      ("a: 1\nb: 2\n'a': 3", "3:1: the key \"a\" is already at 1:1"),
      ("- {x: 1,\n   y: 2, x: 3}", "2:10: the key \"x\" is already at 1:4"),
    ])
  func duplicateKeys(text: String, description: String) {
    let error = #expect(throws: StructuredTextError.self) { try YAMLReader.read(text) }
    #expect(error?.description.hasPrefix(description) == true)
  }

  @Test("nesting and the expansion of aliases are limited")
  func limits() throws {
    let limit = YAMLReader.depthLimit
    for (open, close) in [("[", "]"), ("- ", ""), ("[{a: ", "}]")] {
      let levels = limit / (open.count == 5 ? 2 : 1)
      let deepest =
        String(repeating: open, count: levels) + "1" + String(repeating: close, count: levels)
      #expect(throws: Never.self) { try YAMLReader.read(deepest) }
      #expect(throws: StructuredTextError.self) { try YAMLReader.read(open + deepest + close) }
    }
    let bomb = (1...9).reduce("- &a0 [x, x, x, x, x, x, x, x, x]\n") { text, level in
      text + "- &a\(level) [" + String(repeating: "*a\(level - 1), ", count: 9) + "]\n"
    }
    let error = #expect(throws: StructuredTextError.self) { try YAMLReader.read(bomb) }
    #expect(error?.problem == "the aliases expand to too many values")
    let nested = (1...200).reduce("- &a0 [x]\n") { "\($0)- &a\($1) [*a\($1 - 1)]\n" }
    #expect(throws: StructuredTextError.self) { try YAMLReader.read(nested) }
  }

  @Test("every node has its line and its column, even if it is an alias")
  func locations() throws {
    let text = "# c\ncases:\n  - &x {id: é, 'n': 2}\n  - |\n    t\n  - *x\nlast:\n"
    let node = try YAMLReader.read(text)
    #expect(node.location == Place(line: 2, column: 1))
    guard case .sequence(let cases)? = node["cases"]?.content else { return #expect(Bool(false)) }
    #expect(
      cases.map(\.location) == [
        Place(line: 3, column: 8), Place(line: 4, column: 5), Place(line: 6, column: 5),
      ])
    #expect(cases[0]["n"]?.location == Place(line: 3, column: 21))
    #expect(node["last"]?.location == Place(line: 7, column: 6))
  }

  @Test("the YAML reader never traps, whatever bytes it reads")
  func hostileBytes() {
    var generator = SeededGenerator(seed: 3)
    let pieces = [
      "a", "b: ", "- ", "\n", "\n  ", " ", "# ", "'", "\"", "[", "]", "{", "}", ",", ": ", "|",
      ">-",
      "2", "\\", "&x ", "*x", "---", "...", "0x", "\t", "?", "!", "é", "\r", "- a", "k:\n", "\\u00",
    ].map { Array($0.utf8) }
    var counts = (read: 0, refused: 0)
    for round in 0..<20_000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0..<14, using: &generator) {
        bytes +=
          round % 8 == 0
          ? [UInt8.random(in: 0...255, using: &generator)]
          : pieces.randomElement(using: &generator) ?? []
      }
      do {
        _ = try YAMLReader.read(bytes).value
        counts.read += 1
      } catch {
        counts.refused += 1
      }
    }
    #expect(counts.read > 1000 && counts.refused > 1000)
  }

  @Test("the YAML reader reads JSON in the same way as the JSON reader")
  func jsonIsYAML() throws {
    let text = #"{"a": [1, -2.5e3, "x\ty\/\u00e9😀", {}, []], "b": {"": null, "c": [true, false]}}"#
    let expected = try JSONValue(parsing: text)
    for style in [text, expected.compactText, expected.prettyText] {
      #expect(try YAMLReader.read(style).value == expected)
    }
  }

  private func checkValue(of text: String, is json: String, _ title: Comment) throws {
    let value = try YAMLReader.read(text).value
    #expect(value == (try JSONValue(parsing: json)), title)
    #expect(value.object?.keys == (try JSONValue(parsing: json)).object?.keys, title)
  }
}
