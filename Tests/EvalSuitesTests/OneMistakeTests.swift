import StructuredText
import Testing

@testable import EvalSuites

@Suite("One mistake gives one message")
struct OneMistakeTests {
  private static let schema = """
    { "title": "Receipt", "type": "object", "required": ["shop", "currency"],
      "additionalProperties": false, "properties": {
        "shop": { "type": "string" },
        "currency": { "type": "string", "enum": ["EUR", "USD"] } } }
    """

  private func load(
    _ head: String, cases: String? = nil, rows: String? = nil, schema: String = schema
  ) -> LoadedSuites {
    let list =
      cases ?? """
        cases:
          - { id: a, input: one, shop: Bo }
          - { id: b, input: two, shop: Bo }
          - { id: c, input: three, shop: Bo }
        """
    let text = """
      suite: receipt
      generates: { schema: receipt.json }
      \(head)
      \(rows == nil ? list : "cases: { file: rows.jsonl }")
      """
    return SuiteLoader(
      files: .memory([
        "evals/r/suite.yaml": text, "evals/r/receipt.json": schema,
        "evals/r/rows.jsonl": rows ?? "",
      ])
    ).load(["evals"])
  }

  private func check(_ loaded: LoadedSuites, _ beginnings: [String]) {
    #expect(loaded.problems.count == beginnings.count, "\(loaded.problems)")
    for (problem, beginning) in zip(loaded.problems, beginnings) {
      #expect(
        problem.description.hasPrefix("evals/r/" + beginning), "\(problem)")
    }
  }

  private static let uses = "assertions: [{ contains: { path: $.shop, variable: shop } }]"

  @Test("a variable that no test case has is reported once, where the suite uses it")
  func unknownVariable() {
    let typo =
      "suite.yaml:3:9: no test case has the variable `inpt`, which this prompt uses; did you mean "
      + "`input`? the test cases have: `input`, `shop`"
    check(load("prompt: 'Receipt: {{inpt}}'\n" + Self.uses), [typo])
    let rows = (0..<50).map { "{\"id\": \"r\($0)\", \"input\": \"x\", \"shop\": \"Bo\"}\n" }
    check(load("prompt: '{{inpt}}'\n" + Self.uses, rows: rows.joined()), [typo])
    check(
      load("assertions: [{ contains: { path: $.shop, variable: shpo } }]"),
      ["suite.yaml:3:52: no test case has the variable `shpo`, which this assertion uses; did you"])
    check(
      load("prompt: '{{input}} {{env.HOME}}'\n" + Self.uses),
      ["suite.yaml:3:9: `env.HOME` is used by this prompt, but not declared; list `HOME` under"])
    // A test case that lacks what others have is wrong itself.
    check(
      load(
        Self.uses,
        cases: "cases: [{ id: a, input: x, shop: y }, { id: b, inptu: x, shop: y }]"),
      ["suite.yaml:4:48: `inptu` is neither a key of a test case nor a variable that the suite"])
    check(load(Self.uses), [])
  }

  @Test("a known variable in single braces is reported at the prompt")
  func singleBraces() {
    let words = "`{input}` in the prompt is text, not a variable; did you mean `{{input}}`?"
    check(load("prompt: 'Receipt: {input}'\n" + Self.uses), ["suite.yaml:3:9: " + words])
    check(
      load(
        """
        variants: [{ id: a }, { id: b, edits: [{ prompt: { text: "{input}" } }] }]
        \(Self.uses)
        """),
      ["suite.yaml:3:58: " + words])
    check(load("prompt: 'As {json}: {{input}}'\n" + Self.uses), [])
  }

  @Test("an assertion that can't be read causes no errors about the variables that it uses")
  func unreadAssertion() {
    check(
      load("assertions: [{ contain: { path: $.shop, variable: shop } }]"),
      ["suite.yaml:3:16: unknown key `contain` in an assertion; did you mean `contains`?"])
    check(
      load("assertions: [{ contains: { path: $.shp, variable: shop } }]"),
      ["suite.yaml:3:34: `$.shp`: the schema has no `shp`"])
    check(
      load(
        "assertions: [{ contain: { path: $.shop, variable: shop } }]",
        rows: "{\"id\": \"a\", \"input\": \"x\", \"shop\": \"Bo\"}"),
      ["suite.yaml:3:16: unknown key `contain`"])
  }

  @Test("a key that many test cases have by mistake is reported once, with their number")
  func repeatedKey() {
    check(
      load(
        Self.uses,
        cases: """
          cases:
            - { id: a, input: x, shop: y, note: z }
            - { id: b, input: x, shop: y, note: z }
            - { id: c, input: x, shop: y, note: z }
          """),
      [
        "suite.yaml:5:33: `note` is neither a key of a test case nor a variable that the suite "
          + "uses, here and in 2 other test cases; allowed: "
      ])
  }

  @Test(
    "a keyword of JSON Schema suggests the assertion of the same meaning",
    arguments: [("enum", "branch"), ("pattern", "matches"), ("minItems", "count")])
  func keywords(wrong: String, right: String) {
    check(
      load("assertions: [{ \(wrong): { path: $.shop } }]"),
      ["suite.yaml:3:16: unknown key `\(wrong)` in an assertion; did you mean `\(right)`?"])
  }

  @Test("an `if` about an undeclared property is named as the cause, and in a warning")
  func condition() throws {
    let schema =
      Self.schema.dropLast(1).description + """
        , "if": { "properties": { "currncy": { "const": "EUR" } } },
          "then": { "properties": { "currency": { "const": "USD" } } } }
        """
    let cause =
      "evals/r/receipt.json:4:66: this `if` is about `currncy`, which the object doesn't declare, "
      + "so it always holds, and `then` always applies; did you mean `currency`?"
    let loaded = load(
      "assertions: [{ branch: { path: $.currency, is: EUR } }]", rows: "{\"input\": 1}",
      schema: schema)
    let problem = try #require(loaded.problems.first?.description)
    #expect(problem.hasPrefix("evals/r/suite.yaml:3:48: there is no `EUR` among the enum cases"))
    #expect(problem.hasSuffix("; the cause may be at " + cause), "\(problem)")
    #expect(loaded.problems.count == 1)
    #expect(load(Self.uses, schema: schema).suites.first?.warnings.map(\.description) == [cause])
    let declared = schema.replacing("currncy", with: "shop")
    #expect(load(Self.uses, schema: declared).suites.first?.warnings.isEmpty == true)
  }

  @Test("a text that a comment without a space cuts off gives a warning at the comment")
  func cutText() {
    let loaded = load(
      "title: Issue #7\nprompt: '{{input}}'  #quoted\nrepeats: 2 #a number\n" + Self.uses,
      cases: """
        cases:
          - id: a
            input: Shop #12 flat white
            shop: Bo # the owner
        """)
    #expect(loaded.problems.isEmpty)
    let warnings = loaded.suites.first?.warnings ?? []
    #expect(warnings.map { "\($0.line):\($0.column)" } == ["3:14", "9:17"])
    let ends = ["the text is only \"Issue\"", "the text is only \"Shop\""]
    for (warning, end) in zip(warnings, ends) { #expect(warning.problem.hasSuffix(end)) }
  }

  @Test("a variable with leading zeros gives a warning that says which number YAML reads")
  func paddedNumber() {
    let loaded = load(
      Self.uses,
      cases: """
        cases:
          - id: a
            input: x
            shop: 02134
          - id: b
            input: x
            shop: "02134"
        """)
    #expect(loaded.problems.isEmpty, "\(loaded.problems)")
    #expect(
      loaded.suites.first?.warnings.map { "\($0.problem)" } == [
        "YAML reads `02134` as the number 2134"
      ])
  }

  @Test("a gate of an impossible backend is an error, and one of a possible backend is not")
  func gateBackends() {
    func problems(_ id: String) -> [String] {
      let text = """
        suite: r
        generates: { inline: { type: object, properties: { a: { type: string } }, required: [a] } }
        gate: { backends: { "\(id)": 0.5 } }
        assertions: [{ nonEmpty: { path: $.a } }]
        cases: [{ id: a, input: x }]
        """
      return SuiteLoader(
        files: .memory(["s/suite.yaml": text]),
        backendProblem: { id in
          id == "stubb" ? (problem: "there is no backend `stubb`", allowed: "use stub") : nil
        }
      ).load(["s"]).problems.map(\.description)
    }
    #expect(problems("stub").isEmpty)
    #expect(problems("stubb") == ["s/suite.yaml:3:21: there is no backend `stubb`; use stub"])
  }

  @Test("the id of a suite names it, and a near miss of an id or a path is suggested")
  func names() {
    let text =
      "suite: receipt\ngenerates: { inline: { type: object, properties: { a: { type: string } }, required: [a] } }\n"
      + "assertions: [{ nonEmpty: { path: $.a } }]\ncases: [{ id: a, input: x }]"
    let loader = SuiteLoader(files: .memory(["evals/bills/suite.yaml": text]))
    let named = loader.load(["receipt"])
    #expect(named.problems.isEmpty)
    #expect(named.suites.map(\.path) == ["evals/bills/suite.yaml"])
    #expect(named.suites.map(\.file) == ["bills/suite.yaml"])
    for (name, hint) in [
      ("reciept", "did you mean `receipt`? the ids of suites are `receipt`"),
      ("evals/blls", "did you mean `evals/bills`?"),
      ("other", "or the id of a suite is expected; the ids of suites are `receipt`"),
      ("evals/zzzzzz", "or the id of a suite is expected"),
    ] {
      #expect(loader.load([name]).problems.first?.allowed.hasSuffix(hint) == true)
    }
  }
}
