import StructuredText
import Testing

@testable import EvalSuites

@Suite("Adding test cases to files")
struct CaseListTests {
  private static func draft(_ input: String, id: String? = nil) -> CaseDraft {
    var draft = CaseDraft(place: "log.jsonl:1:1", variables: ["input": .string(input)])
    if let id { draft.id = id }
    return draft
  }

  private static func added(
    _ text: String, _ drafts: [CaseDraft], to name: String = "suite.yaml"
  ) throws(SuiteProblem) -> String {
    var files = [name: text]
    if !name.hasPrefix("suite") { files["suite.yaml"] = "cases: { file: \(name) }" }
    return try CaseList(
      of: name.hasPrefix("suite") ? name : "suite.yaml", in: .memory(files)
    ).adding(drafts)
  }

  @Test(
    "adding a test case changes only the end of the list, and keeps the list's style",
    arguments: [
      (
        "suite.yaml", "cases:\n  - id: a\n    input: x\n", "",
        "  - id: new\n    input: \"one: two\"\n", ""
      ),
      (
        "suite.yaml", "cases:\n  # first\n  - { id: a, input: x } # kept\n", "",
        "  - { id: \"new\", input: \"one: two\" }\n", "\n# the end\ngate: { passRate: 1 }\n"
      ),
      (
        "suite.yaml", "cases:\n-   id: a\n    input: |\n      x\n\n      y\n", "",
        "-   id: new\n    input: \"one: two\"\n", "gate:\n  passRate: 1"
      ),
      (
        "suite.yaml", "cases:\n  - id: a\n    input: x", "\n",
        "  - id: new\n    input: \"one: two\"\n", ""
      ),
      (
        "suite.yaml", "cases:\r\n  - id: a\r\n    input: x\r\n", "",
        "  - id: new\r\n    input: \"one: two\"\r\n", "title: t\r\n"
      ),
      (
        "rows.yaml", "- id: a\n  input: x\n", "", "- id: new\n  input: \"one: two\"\n", "# end\n"
      ),
      (
        "rows.jsonl", #"{"id": "a", "input": "x"}"# + "\n", "",
        #"{"id":"new","input":"one: two"}"# + "\n", ""
      ),
      (
        "rows.jsonl", #"{"id": "a", "input": "x"}"#, "\n",
        #"{"id":"new","input":"one: two"}"# + "\n", ""
      ),
      ("rows.csv", "id,input,note\na,x,\"1\"\n", "", "new,one: two,\n", ""),
      ("rows.csv", "note,input,id\r\n1,x,a", "\r\n", ",one: two,new\r\n", ""),
      (
        "rows.json", "[\n    {\"id\": \"a\", \"input\": \"]\\\"\"}", "",
        ",\n    {\"id\":\"new\",\"input\":\"one: two\"}", "\n]\n"
      ),
      ("rows.json", "[{\"id\": \"a\"}", "", ", {\"id\":\"new\",\"input\":\"one: two\"}", "]"),
      (
        "suite.json", "{\"cases\": [\n  {\"id\": \"a\"}", "",
        ",\n  {\"id\":\"new\",\"input\":\"one: two\"}", "\n], \"title\": \"[\"}"
      ),
    ])
  func checkAdded(name: String, before: String, gap: String, new: String, after: String) throws {
    let text = try Self.added(before + after, [Self.draft("one: two", id: "new")], to: name)
    #expect(text == before + gap + new + after)
  }

  @Test(
    "a text that is added to a file reads back unchanged",
    arguments: [
      "plain", "# no comment", "a: b", "- dash", "\"quoted\" 'twice'", "", " spaces ", "tab\there",
      "two\nlines", "two\n\nlines\n", "trailing \nspace", "\nfirst", "end\n\n", "emoji 🦉 é",
      "control\u{1}", "nel\u{85}x\ny", "separator\u{2028}x\ny", "back\\slash\n# x", "{{input}}",
      "true", "12", "cr\r\nlf", "last\n ", "~\n...\n---\nx",
    ])
  func checkText(text: String) throws {
    let texts = [
      "suite.yaml": "cases:\n  - id: a\n    input: x\n", "rows.yaml": "- { id: a, input: x }\n",
      "rows.jsonl": "{\"id\": \"a\"}\n", "rows.json": "[{\"id\": \"a\"}]",
      "rows.csv": "id,input\na,x\n",
    ]
    for (name, before) in texts {
      let new = try Self.added(
        before, [Self.draft(text, id: "n1"), Self.draft("y", id: "n2")], to: name)
      let reader = DocumentReader(files: .memory([name: new]))
      let rows =
        name == "suite.yaml"
        ? try reader.document(name)["cases"]?.elements ?? [] : reader.cases(name).nodes
      try #require(rows.count == 3)
      #expect(rows[1]["input"]?.value == .string(text), "\(name): \(new)")
      #expect(rows[2]["id"]?.text == "n2")
    }
  }

  @Test(
    "if a test case can't be added at the end of a list, the error gives a position",
    arguments: [
      (
        "suite.yaml", "cases: [ { id: a, input: x } ]",
        "suite.yaml:1:8: the list of test cases can't"
      ),
      ("suite.yaml", "title: x", "suite.yaml:1:1: there is no list of test cases here"),
      ("suite.yaml", "cases:\n  -\n    id: a\n", "suite.yaml:2:3: the list of test cases can't"),
      ("rows.csv", "id,text\na,x\n", "log.jsonl:1:1: the table rows.csv has no column `input`"),
      ("rows.json", "{\"id\": 3}", "rows.json:1:1: there is no list of test cases here"),
    ])
  func checkRefused(name: String, text: String, message: String) {
    let problem = #expect(throws: SuiteProblem.self) {
      try Self.added(text, [Self.draft("one")], to: name)
    }
    #expect(problem?.description.hasPrefix(message) == true, "\(problem?.description ?? "")")
  }

  @Test("a generated id depends on the values of the variables, but not on their order")
  func ids() {
    let one = CaseID.generated(from: ["a": "x", "b": 2])
    #expect(one == CaseID.generated(from: ["b": 2, "a": "x"]))
    #expect(one != CaseID.generated(from: ["a": "x", "b": 3]))
    // If this id changed, so would the generated ids of the test cases in users' files.
    #expect(CaseID.generated(from: ["input": "The owl turns its head."]) == "input-9e4a386e2007")
  }

  @Test("a variable of a template is found even before a mark that joins its brace")
  func joinedBraces() throws {
    let template = try PromptTemplate(parsing: "{{a}}\u{FE0F}\u{600}{{b}}")
    #expect(template.variables == ["a", "b"])
  }

  @Test(
    "the values of a template's variables are read from a prompt if only one set of values fits",
    arguments: [
      ("{{input}}", "anything {{}}", ["input": "anything {{}}"]),
      ("Text: {{input}}\n", "Text: a\nb", ["input": "a\nb"]),
      ("  Cards from {{input}}, please. ", "Cards from x, y, please.", ["input": "x, y"]),
      ("From {{from}} to {{to}}", "From Rome to Oslo", ["from": "Rome", "to": "Oslo"]),
      ("From {{from}} to {{to}}", "From A to B to C", nil),
      ("{{a}}{{b}}", "xy", nil), ("Text: {{input}}", "Texts: a", nil),
      ("{{a}} and {{a}}", "x and x", ["a": "x"]), ("{{a}} and {{a}}", "x and y", nil),
      ("no variable", "no variable", [:]), ("no variable", "another", nil),
    ] as [(String, String, [String: String]?)])
  func checkMatch(template: String, prompt: String, values: [String: String]?) throws {
    let found = try PromptTemplate(parsing: template).values(in: prompt)
    let pairs = found.map { object in
      Dictionary(uniqueKeysWithValues: object.members.map { ($0.key, $0.value.string ?? "?") })
    }
    #expect(pairs == values)
  }
}
