import GuidedGeneration
import StructuredText
import Testing

@testable import ConstrainedDecoding

/// Checks schemas that once took minutes or gigabytes to compile, or never finished.
///
/// The tests don't measure time, because anyone would notice a test that takes minutes.
@Suite("Schemas designed to be expensive")
struct HostileSchemaTests {
  private static func object(_ properties: [PropertySchema]) -> SchemaNode {
    .object(ObjectSchema(properties: properties))
  }

  private static func error(_ schema: GenerationSchema, _ options: GrammarOptions) -> GrammarError?
  {
    do throws(GrammarError) {
      _ = try Grammar(schema: schema, options: options)
      return nil
    } catch {
      return error
    }
  }

  @Test("an object with 40,000 required members compiles")
  func manyMembers() throws {
    let count = 40_000
    let names = (0..<count).map { #""p\#($0)""# }
    let text =
      #"{"type":"object","properties":{"#
      + names.map { $0 + #":{"type":"null"}"# }.joined(separator: ",")
      + #"},"required":["# + names.joined(separator: ",") + #"],"x-order":["#
      + names.reversed().joined(separator: ",") + "]}"
    let grammar = try Grammar(schema: try schema(text))
    #expect(grammar.heights.count == grammar.nodes.count)
    #expect(grammar.heights[Int(grammar.root)] == 1)
  }

  @Test("the required parts of a value determine its minimum depth")
  func heights() throws {
    func height(_ text: String) throws -> UInt32 {
      let grammar = try Grammar(schema: try schema(text))
      return grammar.heights[Int(grammar.root)]
    }
    #expect(try height(#"{"type":"string"}"#) == 0)
    #expect(try height(#"{"type":"array","items":{"type":"array","items":{}}}"#) == 1)
    #expect(try height(#"{"type":"array","items":{"type":"array","items":{}},"minItems":1}"#) == 2)
    #expect(try height(#"{"anyOf":[{"type":"array","items":{}},{"type":"null"}]}"#) == 0)
    #expect(try height(wrapped(wrapped(#"{"type":"null"}"#))) == 2)
    #expect(try height(##"{"type":"object","properties":{"v":{"$ref":"#"}}}"##) == 1)
  }

  @Test("a type whose values are all nested too deeply is rejected")
  func tooDeep() throws {
    func chain(_ count: Int) -> GenerationSchema {
      func type(_ number: Int) -> SchemaNode {
        Self.object([
          PropertySchema(
            name: "v",
            node: number == count
              ? .null(description: nil) : .reference("T\(number + 1)", description: nil))
        ])
      }
      return GenerationSchema(
        root: type(1), definitions: (2...count).map { (name: "T\($0)", node: type($0)) })
    }
    #expect(Self.error(chain(512), GrammarOptions()) == nil)
    #expect(
      Self.error(chain(513), GrammarOptions())?.description
        == "$: minimum nesting of a value: 513 is more than the limit of 512")
  }

  @Test("the path in an error stays short even if a name has 100,000 combining marks")
  func paths() {
    let name = "a" + String(repeating: "\u{301}", count: 100_000)
    var node = SchemaNode.string(StringSchema(pattern: "(?=a)"))
    for _ in 0..<20 { node = .array(ArraySchema(element: node)) }
    node = Self.object([PropertySchema(name: name, node: node)])
    let error = Self.error(GenerationSchema(root: node, definitions: []), GrammarOptions())
    #expect(error?.path.utf8.starts(with: "$.a\u{301}\u{301}".utf8) == true)
    #expect(error?.path.hasSuffix("[*]") == true)
    #expect((error?.path.utf8.count ?? .max) < 2048)
  }

  @Test("references count towards the limit on nodes")
  func references() {
    var options = GrammarOptions()
    options.limits.nodes = 10
    let names = (0..<20).map { "T\($0)" }
    let schema = GenerationSchema(
      root: Self.object(
        names.map { PropertySchema(name: $0, node: .reference($0, description: nil)) }),
      definitions: names.map { (name: $0, node: SchemaNode.null(description: nil)) })
    #expect(
      Self.error(schema, options)?.description
        == "$.T9: nodes of the schema: 11 is more than the limit of 10")
  }

  @Test("the alternatives of a union get distinct names")
  func optionNames() throws {
    let options = ["a", "a", "a#2", "a"].map { name in
      wrapped(#"{"const":"\#(name)"}"#)
    }
    let grammar = try Grammar(
      schema: try schema(#"{"anyOf":[\#(options.joined(separator: ","))]}"#))
    let names = grammar.nodes.compactMap { node -> [String]? in
      if case .union(let union) = node, case .branches(let names) = union.names {
        names
      } else {
        nil
      }
    }
    #expect(names == [["a", "a#3", "a#2", "a#4"]])
  }

  @Test(
    "bounds that need too many digits are rejected",
    arguments: ["1e-401", "-1e401", "1" + String(repeating: "0", count: 400) + ".5"])
  func digits(bound: String) throws {
    let number = try #require(JSONNumber(bound))
    let schema = GenerationSchema(
      root: .number(NumberSchema(minimum: number)), definitions: [])
    let error = Self.error(schema, GrammarOptions())
    #expect(error?.problem == .longBound(bound, maximum: 400))
    #expect(error?.description.contains("more digits than the limit of 400") == true)
  }

  @Test(
    "the fractional minimum of an integer is rounded up exactly, and the fractional maximum down",
    arguments: [
      ("9007199254740992.5", 9_007_199_254_740_993, 9_007_199_254_740_992),
      ("-9007199254740992.5", -9_007_199_254_740_992, -9_007_199_254_740_993),
      ("4611686018427387904.000001", 4_611_686_018_427_387_905, 4_611_686_018_427_387_904),
      ("0.5", 1, 0), ("-0.5", 0, -1), ("1e-30", 1, 0), ("-25e-1", -2, -3), ("7.0", 7, 7),
    ])
  func rounding(bound: String, up: Int, down: Int) throws {
    for (keyword, expected) in [("minimum", (up, Int?.none)), ("maximum", (Int.min, down))] {
      let read = try schema(#"{"type":"integer","\#(keyword)":\#(bound)}"#)
      let range =
        expected.1 == nil
        ? IntegerSchema(minimum: expected.0) : IntegerSchema(maximum: expected.1)
      #expect(read.root == .integer(range))
    }
  }

  @Test("a lookup in a union of 20,000 alternatives finds the 10,000 distinct ones")
  func shapes() throws {
    let choices = (0..<200).map { outer in
      SchemaNode.union(
        UnionSchema(
          choices: (0..<100).map {
            Self.object([
              PropertySchema(
                name: "v", node: .string(StringSchema(choices: ["\(outer) \($0 / 2)"])))
            ])
          }))
    }
    let schema = GenerationSchema(root: .union(UnionSchema(choices: choices)), definitions: [])
    #expect(schema.shapes(of: schema.root).count == 10_000)
  }

  // MARK: Explanations

  private static func doubling(_ count: Int, leaf: String) -> String {
    let types = (0..<count).map { number in
      let next = number == count - 1 ? leaf : ##"{"$ref":"#/$defs/D\##(number + 1)"}"##
      let members = #""x":\#(next),"y":\#(next)"#
      return #""D\#(number)":{"type":"object","properties":{\#(members)},"required":["x","y"]}"#
    }
    return ##"{"type":"object","properties":{"v":{"$ref":"#/$defs/D0"}},"##
      + #""$defs":{\#(types.joined(separator: ","))}}"#
  }

  @Test("a schema can be explained even if the number of its paths doubles at each level")
  func explanation() throws {
    let plain = GrammarExplanation(
      schema: try schema(Self.doubling(30, leaf: #"{"type":"string"}"#)))
    #expect(plain.rules.count == 31)
    #expect(plain.decisions.map(\.path) == ["$.v"])
    #expect(!plain.isCut)
    let deciding = GrammarExplanation(
      schema: try schema(Self.doubling(30, leaf: #"{"enum":["a","b"]}"#)))
    #expect(deciding.decisions.count == GrammarExplanation.mostDecisions)
    #expect(deciding.isCut)
    // The types refer to each other in a circle, and only D0 has a decision.
    func pair(_ number: Int, last: [PropertySchema] = []) -> SchemaNode {
      let next = SchemaNode.reference("D\((number + 1) % 30)", description: nil)
      return Self.object(["x", "y"].map { PropertySchema(name: $0, node: next) } + last)
    }
    let option = PropertySchema(name: "z", node: .null(description: nil), isOptional: true)
    let round = GrammarExplanation(
      schema: GenerationSchema(
        root: .reference("D0", description: nil),
        definitions: (0..<30).map {
          (name: "D\($0)", node: pair($0, last: $0 == 0 ? [option] : []))
        }
      ))
    #expect(round.isCut)
    #expect(round.decisions.map(\.path) == ["$.z"])
  }

  @Test("the pointer to a keyword is cut off after a very long name")
  func keywordPlaces() throws {
    let name = String(repeating: "a", count: 10_000)
    let uses = KeywordUse.uses(
      in: try JSONValue(
        parsing: #"{"properties":{"\#(name)":{"properties":{"b/c":{"items":{"type":"null"}}}}}}"#))
    #expect(uses.last?.place == "#/properties/" + name)
    let short = KeywordUse.uses(
      in: try JSONValue(parsing: #"{"properties":{"b/c":{"items":{"type":"null"}}}}"#))
    #expect(short.last?.place == "#/properties/b~1c/items")
  }
}
