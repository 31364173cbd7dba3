import GuidedGeneration
import StructuredText
import Testing
import Tokenization

@testable import ConstrainedDecoding

@Suite("Rejected schemas")
struct GrammarErrorTests {
  struct Refusal: Sendable {
    var root: SchemaNode
    var definitions: [(name: String, node: SchemaNode)] = []
    var message: String
  }

  private static func object(_ properties: [PropertySchema]) -> SchemaNode {
    .object(ObjectSchema(properties: properties))
  }

  private static func one(_ node: SchemaNode, optional: Bool = false) -> SchemaNode {
    object([PropertySchema(name: "v", node: node, isOptional: optional)])
  }

  private static func multiples(of number: String) -> SchemaNode {
    var schema = NumberSchema()
    schema.multiple = JSONNumber(number)
    return .number(schema)
  }

  static let refusals: [Refusal] = [
    Refusal(
      root: one(
        .array(ArraySchema(element: .null(description: nil), minimumCount: 5, maximumCount: 3))),
      message: "$.v: no value is left between minItems 5 and maxItems 3"),
    Refusal(
      root: one(.integer(IntegerSchema(minimum: 7, maximum: 6))),
      message: "$.v: no value is left between minimum 7 and maximum 6"),
    Refusal(
      root: one(
        .number(NumberSchema(minimum: JSONNumber(0.5), maximum: JSONNumber(0.25)))),
      message: "$.v: no value is left between minimum 0.5 and maximum 0.25"),
    Refusal(
      root: one(.string(StringSchema(minimumLength: 3, maximumLength: 2))),
      message: "$.v: no value is left between minLength 3 and maxLength 2"),
    Refusal(root: one(.string(StringSchema(choices: []))), message: "$.v: no choice is left"),
    Refusal(
      root: one(.union(UnionSchema(choices: []))), message: "$.v: no choice is left"),
    Refusal(
      root: .reference("A", description: nil),
      definitions: [
        ("A", one(.reference("B", description: nil))),
        ("B", one(.reference("A", description: nil))),
      ], message: "$: can never be finished: A → B → A"),
    Refusal(
      root: .reference("A", description: nil),
      definitions: [
        (
          "A",
          .union(
            UnionSchema(choices: [
              .reference("A", description: nil), .string(StringSchema()),
            ]))
        )
      ], message: "$: refers to itself with no object or array in between: A → A"),
    Refusal(
      root: one(.reference("Nobody", description: nil)),
      message: "$.v: there is no type \"Nobody\""),
    Refusal(
      root: object([
        PropertySchema(name: "v", node: .null(description: nil)),
        PropertySchema(name: "v", node: .null(description: nil)),
      ]), message: "$: two properties are called \"v\""),
    Refusal(
      root: one(
        .array(
          ArraySchema(element: .string(StringSchema(pattern: "a(?=b)"))))),
      message: "$.v[*]: pattern \"a(?=b)\": "),
    Refusal(
      root: one(.string(StringSchema(pattern: "a{3}", maximumLength: 2))),
      message: "$.v: no string that the other keywords allow matches the pattern \"a{3}\""),
    Refusal(
      root: one(
        .array(ArraySchema(element: .null(description: nil), maximumCount: 1_000_000_000))),
      message: "$.v: number of elements: 1000000000 is more than the limit of 10000000"),
  ]

  @Test("the error for a rejected schema gives the path and the reason", arguments: 0..<13)
  func refused(row: Int) throws {
    let item = Self.refusals[row]
    #expect(Self.refusals.count == 13)
    let schema = GenerationSchema(root: item.root, definitions: item.definitions)
    do throws(GrammarError) {
      _ = try Grammar(schema: schema)
      Issue.record("the schema compiled, without the error \(item.message)")
    } catch {
      #expect(error.description.hasPrefix(item.message), "\(error.description)")
    }
  }

  @Test(
    "the error for look-around or a back-reference names that construct",
    arguments: [
      ("a(?=b)", "look-ahead"), ("a(?!b)", "look-ahead"), ("(?<=a)b", "look-behind"),
      ("(?<!a)b", "look-behind"), (#"(a)\1"#, "back"),
    ])
  func unsupported(pattern: String, name: String) {
    let schema = GenerationSchema(
      root: Self.one(.string(StringSchema(pattern: pattern))), definitions: [])
    do throws(GrammarError) {
      _ = try Grammar(schema: schema)
      Issue.record("the schema compiled with the pattern \(pattern)")
    } catch {
      #expect(error.path == "$.v")
      #expect(error.description.lowercased().contains(name), "\(error)")
    }
  }

  @Test(
    "the error for an exceeded limit gives the path and the limit",
    arguments: [
      (
        one(.string(StringSchema(pattern: "(a|b)*a(a|b){24}"))), "$.v: "
      ),
      (
        one(.string(StringSchema(pattern: "((a{100}){100}){100}"))), "$.v: "
      ),
      (
        one(.array(ArraySchema(element: .null(description: nil), minimumCount: 20_000_000))),
        "$.v: number of elements: 20000000 is more than the limit of 10000000"
      ),
      (
        one(.string(StringSchema(maximumLength: 20_000_000))),
        "$.v: length of a string: 20000000 is more than the limit of 10000000"
      ),
      (
        one(multiples(of: "1e-300")),
        "$.v: `multipleOf` 1e-300 has more digits after its point than the limit of 30"
      ),
      (
        one(multiples(of: "123456789")),
        "$.v: `multipleOf` 123456789 needs more states than the limit of 50000"
      ),
      (
        one(multiples(of: "1e30")),
        "$.v: `multipleOf` 1e30 needs more states than the limit of 50000"
      ),
    ])
  func beyondLimits(root: SchemaNode, message: String) {
    do throws(GrammarError) {
      _ = try Grammar(schema: GenerationSchema(root: root, definitions: []))
      Issue.record("the schema compiled, without the error \(message)")
    } catch {
      #expect(error.description.hasPrefix(message), "\(error)")
      #expect("\(error)".contains("limit") || "\(error)".contains("more than"), "\(error)")
    }
  }

  @Test("the grammar distinguishes names that differ only in their Unicode normal form")
  func normalForms() throws {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    let schema = GenerationSchema(
      root: Self.object(
        [composed, decomposed].flatMap { form in
          [
            PropertySchema(name: form, node: .string(StringSchema(pattern: form))),
            PropertySchema(name: form + "s", node: .string(StringSchema(choices: [form]))),
          ]
        }), definitions: [])
    let bytes = (UInt8.min...UInt8.max).map { [$0] }
    let vocabulary = Vocabulary(
      tokens: [[]] + bytes, kinds: [.special] + bytes.map { _ in .text }, endTokens: [0])
    var matcher = Matcher(try automaton(schema, vocabulary))
    let text =
      "{"
      + [composed, decomposed].map { #""\#($0)":"\#($0)","\#($0)s":"\#($0)""# }
      .joined(separator: ",") + "}"
    let isAccepted = matcher.accept(bytes: text.utf8)
    #expect(isAccepted && matcher.isFinished)
  }

  @Test("patterns that together exceed a limit are rejected, even if each of them is within it")
  func manyPatterns() {
    let root = Self.object(
      (0..<1000).map { number in
        PropertySchema(
          name: "p\(number)",
          node: .string(StringSchema(pattern: "(a|b)*a(a|b){5}|[ab]*(\(number))?")))
      })
    var options = GrammarOptions()
    options.limits.patternSteps = 200_000
    do throws(GrammarError) {
      _ = try Grammar(schema: GenerationSchema(root: root, definitions: []), options: options)
      Issue.record("the schema compiled")
    } catch {
      #expect(error.path != "$.p0")
      #expect(error.description.contains("more than 200000 steps"), "\(error)")
    }
  }

  @Test("recursion that can end is allowed")
  func recursion() throws {
    let list = Self.object([
      PropertySchema(
        name: "next", node: .reference(SchemaNode.rootName, description: nil), isOptional: true)
    ])
    let vocabulary = vocabulary(["{", "}", "\"next\":", "{\"next\":", "}}"])
    let automaton = try automaton(GenerationSchema(root: list, definitions: []), vocabulary)
    var matcher = Matcher(automaton)
    let isAccepted = matcher.accept(bytes: #"{"next":{"next":{}}}"#.utf8)
    #expect(isAccepted && matcher.isFinished)
  }

  @Test("large enums, counts and patterns compile if they are within the limits")
  func large() throws {
    let choices = (0..<20_000).map { "choice number \($0)" }
    let schema = GenerationSchema(
      root: .array(
        ArraySchema(
          element: .union(
            UnionSchema(choices: [
              .string(StringSchema(choices: choices)),
              .string(StringSchema(pattern: "(a|b)*a(a|b){8}")),
            ])), minimumCount: 2, maximumCount: 1_000_000)), definitions: [])
    let vocabulary = vocabulary((0..<128).map { String(UnicodeScalar(UInt8($0))) })
    var matcher = Matcher(try automaton(schema, vocabulary))
    let isAccepted = matcher.accept(bytes: #"["choice number 19999","abbbbbbbb"]"#.utf8)
    #expect(isAccepted && matcher.isFinished)
    #expect(throws: GrammarError.self) {
      try Grammar(
        schema: GenerationSchema(
          root: .string(StringSchema(pattern: "(a|b)*a(a|b){24}")), definitions: []))
    }
  }

  @Test("if each type refers twice to the next type, 60 types compile and 5000 don't")
  func sharing() throws {
    func reference(_ number: Int) -> SchemaNode { .reference("T\(number)", description: nil) }
    func types(_ count: Int) -> GenerationSchema {
      var definitions = (0..<count).map { number in
        (
          name: "T\(number)",
          node: SchemaNode.union(
            UnionSchema(choices: [reference(number + 1), reference(number + 1)]))
        )
      }
      definitions.append((name: "T\(count)", node: .boolean(description: nil)))
      return GenerationSchema(root: reference(0), definitions: definitions)
    }
    var matcher = Matcher(try automaton(types(60), vocabulary(["true", "false"])))
    let isAccepted = matcher.accept(bytes: "true".utf8)
    #expect(isAccepted && matcher.isFinished)
    #expect(throws: GrammarError.self) { try Grammar(schema: types(5000)) }
  }
}
