import Testing

@testable import MacroExpansion

@Suite("Expansions of macros")
struct ExpansionTests {
  private func members(_ declaration: String, _ attribute: String = "@Generable") -> String {
    GenerableExpansion.members(declaration: declaration, attribute: attribute).source
  }

  private func conformance(_ declaration: String) -> String {
    GenerableExpansion.conformance(
      declaration: declaration, attribute: "@Generable", type: "Outer.S", isConforming: false
    ).source
  }

  @Test("the macro adds a schema and a partial type to a struct")
  func structMembers() {
    #expect(
      members(
        "public struct S { public var a: Int?; @Guide(.count(2)) var `in`: [String] }",
        #"@Generable(name: "T", description: x + "y")"#)
          == """
          nonisolated public static var generationSchema: GuidedGeneration.GenerationSchema {
          GuidedGeneration.GenerationSchema(type: Self.self, name: "T", description: x + "y", \
          representNilExplicitlyInGeneratedContent: false, properties: [
          GuidedGeneration.GenerationSchema.Property(name: "a", type: Int?.self),
          GuidedGeneration.GenerationSchema.Property(name: "in", type: [String].self, \
          guides: [.count(2)])
          ])
          }
          nonisolated public struct PartiallyGenerated: \
          GuidedGeneration.ConvertibleFromGeneratedContent, Swift.Identifiable {
          public var id: GuidedGeneration.GenerationID
          public var a: Int.PartiallyGenerated?
          var `in`: [String].PartiallyGenerated?
          nonisolated public init(_ content: GuidedGeneration.GeneratedContent) throws {
          self.id = content.id ?? GuidedGeneration.GenerationID()
          self.a = try content.partialValue(forProperty: "a")
          self.`in` = try content.partialValue(forProperty: "in")
          }
          }
          """)
  }

  @Test("the conformance converts content to a value, and a value to content")
  func structConformance() {
    #expect(
      conformance("struct S { let id: GenerationID; let a: Int }")
        == """
        nonisolated extension Outer.S: GuidedGeneration.Generable {
        init(_ content: GuidedGeneration.GeneratedContent) throws {
        self.id = content.id ?? GuidedGeneration.GenerationID()
        self.a = try content.value(forProperty: "a")
        }
        var generatedContent: GuidedGeneration.GeneratedContent {
        var builder = GuidedGeneration.GeneratedContent.Builder(id: self.id, \
        representsNilExplicitly: false)
        builder.add("a", self.a)
        return builder.content
        }
        }
        """)
  }

  @Test("the macro doesn't replace members that the app declares")
  func ownMembers() {
    let source = """
      struct S {
        var a: Int
        static var generationSchema: GenerationSchema { .init(type: S.self, properties: []) }
        struct PartiallyGenerated {}
        init(_ content: GeneratedContent) throws { a = 1 }
        var generatedContent: GeneratedContent { .init(1) }
      }
      """
    #expect(members(source) == "")
    #expect(
      conformance(source) == "nonisolated extension Outer.S: GuidedGeneration.Generable {\n\n}")
  }

  @Test("the content of an enum is the raw string or the name of its case")
  func plainEnum() {
    #expect(
      conformance(#"enum S: String { case a = "b c", `in` }"#)
        == #"""
        nonisolated extension Outer.S: GuidedGeneration.Generable {
        init(_ content: GuidedGeneration.GeneratedContent) throws {
        switch try content.value(Swift.String.self) {
        case "b c": self = .a
        case "in": self = .`in`
        case let name: throw content.unknownCase(name)
        }
        }
        var generatedContent: GuidedGeneration.GeneratedContent {
        switch self {
        case .a: return GuidedGeneration.GeneratedContent("b c")
        case .`in`: return GuidedGeneration.GeneratedContent("in")
        }
        }
        }
        """#)
  }

  @Test("payloads keep their labels in the partial enum")
  func payloads() {
    let source = members("indirect enum S: Sendable { case a(b: [S], Int?), c }")
    #expect(source.contains("indirect enum PartiallyGenerated"))
    #expect(source.contains("Swift.Sendable {"))
    #expect(source.contains("case a(b: [S].PartiallyGenerated?, Int.PartiallyGenerated?)\ncase c"))
    #expect(
      source.contains(
        #"self = try .a(b: content.partialValue(forProperty: "b"), content.partialValue(forProperty: "value"))"#
      ))
  }

  @Test("a regular expression in `@Guide` becomes a `.pattern` guide next to the other guides")
  func mixedGuides() {
    let source = members("struct S { @Guide(/a/) @Guide(.constant(\"a\")) var b: String }")
    #expect(source.contains(#"guides: [.pattern(/a/), .constant("a")]"#))
  }
}
