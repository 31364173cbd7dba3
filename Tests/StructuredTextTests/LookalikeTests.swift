import Testing

@testable import StructuredText

@Suite("Texts that look the same, and texts that a comment cuts off")
struct LookalikeTests {
  @Test(
    "two texts that look the same are told apart by their code points",
    arguments: [
      ("caf\u{E9}", "cafe\u{301}", "`\u{E9}` (U+00E9)", "`e\u{301}` (U+0065 U+0301)"),
      ("a b", "a\u{A0}b", "U+0020", "U+00A0"), ("tee", "te\u{200B}e", "nothing", "U+200B"),
      ("tot", "t\u{43E}t", "`o` (U+006F)", "`\u{43E}` (U+043E)"),
      ("A-1", "\u{391}\u{2011}1", "`A-` (U+0041 U+002D)", "`\u{391}\u{2011}` (U+0391 U+2011)"),
    ])
  func lookalikes(left: String, right: String, first: String, second: String) throws {
    let parts = try #require(Lookalike.parts(left, right))
    #expect(parts.left.unicodeScalars.elementsEqual(first.unicodeScalars), "\(parts)")
    #expect(parts.right.unicodeScalars.elementsEqual(second.unicodeScalars), "\(parts)")
  }

  @Test("equal texts and visibly different texts are no lookalikes")
  func others() {
    #expect(Lookalike.parts("tee", "tee") == nil)
    #expect(Lookalike.parts("tee", "Tee") == nil)
    #expect(Lookalike.parts("e", "e\u{301}") == nil)
  }

  @Test(
    "a part of a text that looks like another text is found",
    arguments: [
      ("It costs 5\u{A0}€.", "5 €", "5\u{A0}€"), ("a b a\u{202F}b", "a b", "a\u{202F}b"),
      ("x\u{200B}-y", "x\u{2011}y", "x\u{200B}-y"), ("a b", "a b", nil), ("ab", "abc", nil),
      ("", "a", nil), ("a", "", nil), ("a\u{200B}", "\u{200B}", nil), ("A b", "a\u{A0}b", nil),
    ])
  func parts(text: String, other: String, part: String?) {
    #expect(Lookalike.part(of: text, like: other) == part)
  }

  @Test("a comment that cuts off a text inside brackets is named in the error about the bracket")
  func cutInBrackets() {
    for (text, hint) in [
      ("- { a: Shop #12, b: x }\n- { a: y }", "; ` #` in line 1 begins a comment"),
      ("a:\n- [x #1]", "; ` #` in line 2 begins a comment"),
    ] {
      let error = #expect(throws: StructuredTextError.self) { try YAMLReader.read(text) }
      #expect(error?.allowed.contains(hint) == true, "\(String(describing: error))")
    }
    for text in ["- [x # y]\n- z", "a: [b #c\n  ]\nd: [e", "a: Shop #12\nb: [c d: e: f"] {
      let error = #expect(throws: StructuredTextError.self) { try YAMLReader.read(text) }
      #expect(error?.allowed.contains("begins a comment") == false, "\(String(describing: error))")
    }
  }

  @Test("only a comment without a space after its `#` cuts off a plain string")
  func cutStrings() {
    let text = """
      a: Shop #12 flat
      b: Shop # a comment
      c: "Shop #12" #x
      d: Shop#12
      e: { f: x #y
        }
      """
    let cuts = YAMLReader.doubts(in: text).cuts
    let places = cuts.sorted { $0.key.line < $1.key.line }.map {
      [$0.key.line, $0.key.column, $0.value.line, $0.value.column]
    }
    #expect(places == [[1, 4, 1, 9], [5, 9, 5, 11]])
    #expect(YAMLReader.doubts(in: "a: b").isEmpty)
  }

  @Test("a plain number with leading zeros is noted, and no other value is")
  func paddedNumbers() {
    let text = """
      a: 02134
      b: "02134"
      c: { d: -007, e: 0.5, f: 0, g: 10, h: 00.5 }
      i: 2026-01-02
      j: 0x1F
      k: 100
      """
    let numbers = YAMLReader.doubts(in: text).paddedNumbers
    let found = numbers.sorted { ($0.key.line, $0.key.column) < ($1.key.line, $1.key.column) }
    #expect(found.map(\.value) == ["02134", "-007", "00.5"])
    #expect(found.map(\.key.line) == [1, 3, 3] && found.first?.key.column == 4)
  }

  @Test("an unquoted path in brackets is told to be quoted")
  func unquotedPath() throws {
    for (text, hint) in [
      ("a: { path: $.x[*], exact: 2 }", "; inside brackets, quote a path that contains `[`"),
      ("a: { pattern: b{1} }", "; inside brackets, quote a text that contains `{`"),
      ("a: { b: \"x\" [1] }", "`}` is expected"),
    ] {
      let error = #expect(throws: StructuredTextError.self) { try YAMLReader.read(text) }
      #expect(error?.allowed.contains(hint) == true, "\(String(describing: error))")
    }
  }
}
