import Testing

@testable import MacroExpansion

@Suite("Guides and the types they belong to")
struct GuideCheckTests {
  @Test(
    "a guide that doesn't fit a type is reported on the property",
    arguments: [
      ("String", ".range(1...2)", "`.range` can't constrain a string"),
      ("Int?", ".count(3)", "`.count` can't constrain a number"),
      ("[Card]", "/a+/", "`.pattern` can't constrain an array"),
      ("Bool", ".minimum(1)", "state the rule in the description"),
      ("Swift.String", "#/a/#", nil), ("String", ".anyOf(Data.names)", nil),
      ("Double", ".range(0...1)", nil), ("[Int]?", ".element(.range(1...2))", nil),
      ("Int", ".range(10...1)", "the range 10...1 is reversed; write 1...10"),
      ("[Card]", ".count(1_000 ... 8)", "the range 1_000...8 is reversed"),
      ("[Double]?", ".element(.range(0.5...(-1)))", nil),
      ("Double?", ".range(-0.5 ... -1)", "the range -0.5...-1 is reversed; write -1...-0.5"),
      ("[Int]", ".element(.range(2...1))", "the range 2...1 is reversed"),
      ("Int", ".range(-2...1)", nil), ("Int", ".range(1...1)", nil),
      ("Int", ".range(8...low)", nil),
      ("String", "/8...1/", nil),
      ("Card", ".count(3)", nil), ("String", ".house(1)", nil), ("String", "Guides.range", nil),
    ])
  func guides(type: String, guide: String, words: String?) {
    let source = "struct A { @Guide(\(guide)) var a: \(type) }"
    let (outline, diagnostics) = OutlineParser.outline(of: source)
    guard let words else {
      #expect(outline != nil && diagnostics.isEmpty)
      return
    }
    #expect(outline == nil)
    #expect(diagnostics.map(\.offset) == [source.utf8.count - "a: \(type) }".utf8.count])
    #expect(diagnostics[0].message.contains(words), "\(diagnostics)")
  }
}
