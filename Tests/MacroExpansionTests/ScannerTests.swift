import Testing

@testable import MacroExpansion

@Suite("Scanner")
struct ScannerTests {
  static let sources: [(String, [String])] = [
    ("let a: [Int] // c {\nvar b", ["let", "a", ":", "[", "Int", "]", "var", "b"]),
    ("/* { /* } */ */ x", ["x"]),
    (#""a \(f("}")) b" y"#, [#""a \(f("}")) b""#, "y"]),
    (##"#"a " \(x) \#(y("#"))"# z"##, [##"#"a " \(x) \#(y("#"))"#"##, "z"]),
    ("\"\"\"\na \"\" }\n\"\"\" z", ["\"\"\"\na \"\" }\n\"\"\"", "z"]),
    (#"(/a\/b}/, 1)"#, ["(", #"/a\/b}/"#, ",", "1", ")"]),
    ("a / b / c", ["a", "/", "b", "/", "c"]),
    ("#/ a/b \n /# c", ["#/ a/b \n /#", "c"]),
    ("`in` é 0x1F 1.5e3 0...2", ["`in`", "é", "0x1F", "1.5e3", "0", ".", ".", ".", "2"]),
    ("() -> Int", ["(", ")", "->", "Int"]),
  ]

  @Test("a string or regular expression is one token, and comments are skipped", arguments: sources)
  func tokens(source: String, expected: [String]) {
    #expect(Scanner.tokens(of: source).map { String($0.text) } == expected)
  }

  @Test("offsets are counted in bytes")
  func offsets() {
    let tokens = Scanner.tokens(of: "é: Ü\n  x")
    #expect(tokens.map(\.range) == [0..<2, 2..<3, 4..<6, 9..<10])
    #expect(tokens.map(\.startsLine) == [true, false, false, true])
  }

  @Test(
    "scanning a text that is cut off anywhere never traps",
    arguments: [#"@A("x \(y("z"))") var a: [B<C>] = #/d/# { didSet {} } /* e */ `f`"#])
  func prefixes(source: String) {
    for end in source.indices {
      _ = OutlineParser.outline(of: "struct S {" + source[..<end])
      _ = OutlineParser.outline(of: "enum S { case a(" + source[..<end])
    }
  }
}
