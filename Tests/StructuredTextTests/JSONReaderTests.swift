import StructuredText
import Testing

/// Tests which texts the JSON reader accepts and which it rejects.
@Suite struct JSONReaderTests {
  @Test(
    "JSON values of every kind are read",
    arguments: [
      ("null", nil), (" true ", true), ("false", false), ("\"\"", ""), ("[]", []),
      ("{}", [:]), ("-0.5e+3", -500),
      ("[1,[2,{}],\"x\"]", [1, [2, [:]], "x"]),
      ("{\"a\":{\"b\":null}}", ["a": ["b": nil]]), ("\u{FEFF}1", 1),
      (#""\"\\\/\b\f\n\r\t\u0041\u00e9""#, "\"\\/\u{8}\u{C}\n\r\tAé"),
      (#""a\uD83D\uDE00b""#, "a😀b"), (#""\u0000""#, "\u{0}"), ("\"é😀\"", "é😀"),
    ] as [(String, JSONValue)])
  func values(text: String, value: JSONValue) throws {
    #expect(try JSONValue(parsing: text) == value)
    #expect(try JSONReader.read(text).value == value)
    #expect(try JSONReader.read(Array(text.utf8)).value == value)
  }

  @Test(
    "the error for invalid JSON gives the position of the problem",
    arguments: [
      ("", 1, 1), ("  ", 1, 3), ("nul", 1, 1), ("[1,]", 1, 3), ("{\"a\":1,}", 1, 7),
      ("[1 2]", 1, 4),
      ("{a:1}", 1, 2), ("{\"a\" 1}", 1, 6), ("{\"a\":}", 1, 6), ("[", 1, 2), ("01", 1, 1),
      ("1.", 1, 3), (".5", 1, 1), ("+1", 1, 1), ("1e", 1, 3), ("-", 1, 2), ("1 1", 1, 3),
      ("\"a", 1, 1), ("\"\\x\"", 1, 2), ("\"\\u12\"", 1, 2), ("\"\\uD800\"", 1, 2),
      ("\"\\uDC00\\uD800\"", 1, 2), ("\"\\uD800\\uD800\"", 1, 2), ("\"\t\"", 1, 2),
      ("// x\n1", 1, 1), ("[\n  1,\n  é]", 3, 3), ("[\"é\", x]", 1, 7), ("[\r\n\r\n?", 3, 1),
      ("[\r?", 2, 1), ("'a'", 1, 1), ("NaN", 1, 1), ("[1}", 1, 3), ("{\"a\":1]", 1, 7),
    ])
  func refusals(text: String, line: Int, column: Int) {
    let place = Place(line: line, column: column)
    checkRefusal(text, at: place)
  }

  @Test(
    "the error for bytes that are not UTF-8 gives their position",
    arguments: [
      ([0x22, 0xFF, 0x22], 2), ([0x22, 0xC0, 0xAF, 0x22], 2), ([0x22, 0xED, 0xA0, 0x80, 0x22], 2),
      ([0x22, 0xC3, 0xA9, 0xE2, 0x82, 0x22], 3), ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 2),
      ([0x22, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x80, 0x22], 10),
    ] as [([UInt8], Int)])
  func invalidBytes(bytes: [UInt8], column: Int) {
    let error = #expect(throws: StructuredTextError.self) { try JSONReader.read(bytes) }
    #expect(error?.location == Place(line: 1, column: column))
  }

  @Test("a duplicate key is an error that names both positions")
  func duplicateKeys() {
    let small = #expect(throws: StructuredTextError.self) {
      try JSONReader.read("{\"a\": 1,\n \"\\u0061\": 2}")
    }
    #expect(small?.description.hasPrefix("2:2: the key \"a\" is already at 1:2") == true)
    let many = (0..<40).map { "\"k\($0)\": {\"x\": \($0)}" }.joined(separator: ",\n")
    let large = #expect(throws: StructuredTextError.self) {
      try JSONValue(parsing: "{\(many),\n\"k30\": 0}")
    }
    #expect(large?.description.hasPrefix("41:1: the key \"k30\" is already at 31:1") == true)
  }

  @Test("nesting is accepted up to the limit and rejected beyond it")
  func depth() throws {
    let limit = JSONReader.depthLimit
    let deepest = String(repeating: "[", count: limit) + String(repeating: "]", count: limit)
    #expect(try JSONValue(parsing: deepest).compactText == deepest)
    checkRefusal("[" + deepest + "]", at: Place(line: 1, column: limit + 1))
    checkRefusal(
      String(repeating: "{\"a\":", count: 1_000_000),
      at: Place(line: 1, column: 5 * limit + 1))
  }

  @Test("comments and trailing commas are accepted on request")
  func commentsAndTrailingCommas() throws {
    let text = "// first\n{ \"a\": [1, 2, /* ] */ ], // rest\n  \"b\": {\"c\": 3,},\n}/**/"
    let node = try JSONReader.read(text, options: .commentsAndTrailingCommas)
    #expect(node.value == ["a": [1, 2], "b": ["c": 3]])
    #expect(node["b"]?.location == Place(line: 3, column: 8))
    for refused in ["[,]", "[1,,]", "{,}", "[1] /* no end", "[1] / 2"] {
      #expect(throws: StructuredTextError.self) {
        try JSONReader.read(refused, options: .commentsAndTrailingCommas)
      }
    }
  }

  @Test("every node has its line, and its column counted in Unicode scalars")
  func locations() throws {
    let node = try JSONReader.read("{\n  \"é😀\": 1, \"b\": [\n\t\"x\", 2]\n}")
    guard case .mapping(let members) = node.content else { return #expect(Bool(false)) }
    #expect(members.map(\.keyLocation) == [place(2, 3), place(2, 12)])
    #expect(members.map(\.node.location) == [place(2, 9), place(2, 17)])
    guard case .sequence(let nodes) = members[1].node.content else { return #expect(Bool(false)) }
    #expect(nodes.map(\.location) == [place(3, 2), place(3, 7)])
  }

  private func place(_ line: Int, _ column: Int) -> Place {
    Place(line: line, column: column)
  }

  private func checkRefusal(_ text: String, at place: Place) {
    let error = #expect(throws: StructuredTextError.self) { try JSONReader.read(text) }
    #expect(error?.location == place, "\(text.prefix(40)): \(error?.description ?? "")")
    #expect(throws: StructuredTextError.self) { try JSONValue(parsing: text) }
  }
}
