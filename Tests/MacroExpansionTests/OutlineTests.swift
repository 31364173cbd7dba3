import Testing

@testable import MacroExpansion

@Suite("Outlines of declarations")
struct OutlineTests {
  @Test("the model generates stored properties with a declared type, but no constants with a value")
  func properties() throws {
    let outline = try #require(
      OutlineParser.outline(
        of: """
          @Generable(description: "a, b") public struct S<T: P>: Q, R<A, B> where T: Sendable {
            let a: String; var b: [Int] = [1, 2], c: Double
            var d = true, e = -1, f = 1.5, g = "x"
            let h = UUID(), i: Int = 4
            static let j: Int = 1
            lazy var k: Int = { 5 }()
            var l: Int { get { 5 } set {} }
            var m: String = "y" { didSet { print("{") } }
            @Wrapped(a: 1) private(set) public var n: Map<Int,
              String>?
            fileprivate var o: Int
              = 3 + f(
                1) +
              4
            func var1(_ x: Int = { 3 }()) -> [Int] { [] }
            init(p: Int) {}
            enum Nested { case q }
            typealias U = [Int]
            subscript(r: Int) -> Int { 4 }
            var s: (Int) = 3
          }
          """
      ).outline)
    #expect(
      outline.properties.map { "\($0.access)\($0.name): \($0.type)" } == [
        "a: String", "b: [Int]", "c: Double", "m: String", "public n: Map<Int,\n    String>?",
        "fileprivate o: Int", "s: (Int)",
      ])
    #expect(outline.access == "public ")
    #expect(outline.inherited == ["Q", "R<A, B>"])
    #expect(outline.ownNames.isSuperset(of: ["var1", "Nested", "U", "l", "j"]))
    #expect(!outline.hasContentInitializer)
  }

  @Test("the cases of an enum keep their payloads, raw values and guides")
  func cases() throws {
    let outline = try #require(
      OutlineParser.outline(
        of: """
          indirect enum E: String {
            @Guide(description: "x" + "y")
            case a(_ b: Int = 5, c: [Int].Element, D<E, F>), g
            case h = "i, j", `in`
            case k = -1
            init(_ content: FoundationModels.GeneratedContent) throws { self = .g }
          }
          """
      ).outline)
    #expect(outline.isIndirect)
    #expect(outline.hasContentInitializer)
    #expect(outline.cases.map(\.name) == ["a", "g", "h", "`in`", "k"])
    #expect(outline.cases[0].payload.map(\.label) == [nil, "c", nil])
    #expect(outline.cases[0].payload.map(\.type) == ["Int", "[Int].Element", "D<E, F>"])
    #expect(outline.cases[0].keys == ["value1", "c", "value3"])
    #expect(outline.cases[1].guide.description == #""x" + "y""#)
    #expect(outline.cases.map(\.rawValue) == [nil, nil, #""i, j""#, nil, "-1"])
  }

  @Test("several guides on a property are joined")
  func guides() throws {
    let outline = try #require(
      OutlineParser.outline(
        of: #"""
          struct S {
            @Guide(description: """
              a, b
              """, .anyOf(["x", "y"]), .constant(a < b ? "c" : "d"))
            @FoundationModels.Guide(/e,f/)
            var g: String
          }
          """#
      ).outline)
    let guide = outline.properties[0].guide
    #expect(guide.description == "\"\"\"\n    a, b\n    \"\"\"")
    #expect(guide.guides == [#".anyOf(["x", "y"])"#, #".constant(a < b ? "c" : "d")"#, "/e,f/"])
  }

  /// Each row has a declaration, and the text at the position of its error.
  static let wrong: [(String, String)] = [
    ("final class C { var a: Int }", "class"),
    ("protocol P {}", "protocol"),
    ("struct S { @Guide(description: \"a\") var x = f() }", "x"),
    ("struct S { var (x, y): (Int, Int) }", "(x"),
    ("struct S { var x: [String: Int] }", "x"),
    ("struct S { var x: Dictionary<String, Int>? }", "x"),
    ("struct S { var x: [[String: Int]] }", "x"),
    ("struct S { var x: (Int, Int) }", "x"),
    ("struct S { var x: Set<Int> }", "x"),
    ("struct S { var x: any P }", "x"),
    ("struct S { var x: Int?? }", "x"),
    ("struct S { var x: (Int) -> Int }", "x"),
    ("struct S { var x: [Int?]? }", "x"),
    ("struct S {\n#if DEBUG\nvar x: Int\n#endif\nvar z: Int }", "var x"),
    ("actor A { var x: Int }", "x"),
    ("enum E {}", "E"),
    ("enum E { case a(type: Int) }", "a("),
    ("enum E { case a(x: Int, x: Int) }", "a("),
    ("enum E { case a([String: Int]) }", "[String"),
    ("enum E { @Guide(.range(0...1)) case a(Int) }", "case"),
  ]

  @Test("every misuse is reported at its position", arguments: wrong)
  func diagnostics(source: String, place: String) throws {
    let result = OutlineParser.outline(of: source)
    #expect(result.outline == nil)
    #expect(result.diagnostics.count == 1)
    let offset = try #require(result.diagnostics.first?.offset)
    #expect(source.dropFirst(offset).hasPrefix(place), "\(result.diagnostics)")
    #expect(GenerableExpansion.members(declaration: source, attribute: "@Generable").source == "")
    #expect(
      GenerableExpansion.conformance(
        declaration: source, attribute: "@Generable", type: "S", isConforming: false)
        == Expansion())
  }

  @Test(
    "a guide on a declaration that the model doesn't generate is reported",
    arguments: [
      ("@Guide(description: \"a\") var x: Int { 5 }", "x"),
      ("@Guide(description: \"a\") static var x: Int", "x"),
      ("@Guide(description: \"a\") let x = 5", "x"),
      ("@Guide(description: \"a\") func f() {}", "@"),
    ])
  func misplacedGuides(source: String, place: String) throws {
    let diagnostics = GuideExpansion.peer(declaration: source).diagnostics
    #expect(diagnostics.count == 1)
    #expect(source.dropFirst(try #require(diagnostics.first?.offset)).hasPrefix(place))
  }

  @Test(
    "`@Guide` itself expands to nothing on a stored property or a case of an enum",
    arguments: ["@Guide(description: \"a\") var x: Int = 5", "@Guide(.count(3)) case x(Int)"])
  func guidePlaces(source: String) {
    #expect(GuideExpansion.peer(declaration: source) == Expansion())
  }
}
