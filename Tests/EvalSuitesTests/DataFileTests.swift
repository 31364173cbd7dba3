import EvalRecords
import StructuredText
import Testing

@testable import EvalSuites

@Suite("Files of test cases")
struct DataFileTests {
  private func load(_ name: String, _ text: String) -> LoadedSuites {
    let suite = """
      suite: trips
      generates:
        inline: { title: Trip, type: object, properties: { name: { type: string } },
          required: [name], additionalProperties: false, x-order: [name] }
      prompt: "From {{from}} to {{to}}"
      assertions: [ { nonEmpty: { path: $.name } } ]
      cases: { file: \(name) }
      """
    return SuiteLoader(files: .memory(["s/suite.yaml": suite, "s/\(name)": text])).load(["s"])
  }

  private func check(_ name: String, _ text: String, problems: [String]) {
    #expect(load(name, text).problems.map(\.description) == problems.map { "s/\(name)" + $0 })
  }

  private let prompts = ["From Rome to Oslo", "From Bern to \"the sea\", by train"]

  @Test("the same test cases can be read from CSV, JSON Lines, JSON and YAML")
  func formats() {
    let texts = [
      "trips.csv":
        "id,from,to,tags,unused\r\na,Rome,Oslo,short;north,1\r\nb,Bern,\"\"\"the sea\"\", by train\",,\n",
      "trips.jsonl": """
      {"id": "a", "from": "Rome", "to": "Oslo", "tags": ["short", "north"]}

      {"id": "b", "from": "Bern", "to": "\\"the sea\\", by train"}
      """,
      "trips.json": """
      [{"id": "a", "from": "Rome", "to": "Oslo", "tags": ["short", "north"]},
       {"id": "b", "from": "Bern", "to": "\\"the sea\\", by train"}]
      """,
      "trips.yaml": """
      - { id: a, from: Rome, to: Oslo, tags: [short, north] }
      - { id: b, from: Bern, to: '"the sea", by train' }
      """,
    ]
    for (name, text) in texts {
      let loaded = load(name, text)
      #expect(loaded.problems.map(\.description) == [])
      let suite = loaded.suites.first
      #expect(suite?.cases.map(\.id) == ["a", "b"], "\(name)")
      #expect(suite?.cases.first?.tags == ["short", "north"])
      let found = suite?.cases.map { $0.variables }.map {
        suite?.variants[0].prompt.render($0) ?? ""
      }
      #expect(found == prompts, "\(name)")
    }
  }

  @Test("an assertion's expected value can come from a row; numbers and lists are read as JSON")
  func expectedValues() {
    func load(_ rows: String) -> LoadedSuites {
      let suite = """
        suite: s
        generates:
          inline: { title: T, type: object, required: [n, tags, mood], additionalProperties: false,
            x-order: [n, tags, mood], properties: { n: { type: number },
            tags: { type: array, items: { type: string } },
            mood: { type: string, enum: [calm, wild] } } }
        assertions:
          - count: { path: $.tags, variable: count }
          - subsetOf: { path: $.tags, variable: labels }
          - closeTo: { path: $.n, variable: n, tolerance: 0.5 }
          - branch: { path: $.mood, variable: mood }
          - expression: "case.mood == $.mood"
        cases: { file: r.csv }
        """
      return SuiteLoader(
        files: .memory(["s/suite.yaml": suite, "s/r.csv": "id,input,count,labels,n,mood\n" + rows])
      ).load(["s"])
    }
    let sound = load("a,x,2,\"[\"\"p\"\", \"\"q\"\"]\",1.5,calm\n")
    #expect(sound.problems.map(\.description) == [])
    let assertions = sound.suites.first?.cases.first?.assertions ?? []
    let facts = AttemptFacts(value: ["n": 1.2, "tags": ["q", "p"], "mood": "calm"])
    #expect(assertions.map { $0.verdict(on: facts).verdict } == Array(repeating: .pass, count: 5))
    let problems = load("a,x,two,\"p, q\",many,clam\n").problems.map(\.description)
    #expect(
      problems == [
        "s/r.csv:2:5: `count` of the test case `a` is \"two\"; `count` needs a whole number",
        "s/r.csv:2:9: `labels` of the test case `a` is \"p, q\"; `subsetOf` needs a list such as "
          + "`[\"a\", 2]`",
        "s/r.csv:2:16: `n` of the test case `a` is \"many\"; `closeTo` needs a number",
        "s/r.csv:2:21: there is no `clam` among the enum cases at `$.mood`; did you mean `calm`? "
          + "they are: `calm`, `wild`",
      ])
  }

  @Test("a malformed row is reported with its file and line, and the other rows are still read")
  func malformedRows() {
    check(
      "t.csv", "id,from,to\na,Rome,Oslo\nb,Bern\nc,Bonn,Kiel,Lund\n",
      problems: [
        ":3:1: the row has 2 cells; 3 are expected, as in the first row",
        ":4:1: the row has 4 cells; 3 are expected, as in the first row",
      ])
    check(
      "t.csv", "id,from,to\na,\"Rome,Oslo\nb,Bern,x",
      problems: [":2:3: the quote is not closed; `\"` must follow"])
    check(
      "t.csv", "id,from,to\na,Ro\"me,Oslo\n",
      problems: [
        ":2:5: a quotation mark in the middle of a cell; quote a cell that contains quotes, and "
          + "double "
          + "its quotes"
      ])
    let lines = load(
      "t.jsonl", "{\"id\": \"a\", \"from\": \"x\", \"to\": \"y\"}\n{\"id\": \n\n{\"id\": \"a b\"}")
    #expect(lines.problems.map(\.line) == [2, 4])
    #expect(lines.problems.map(\.file) == ["s/t.jsonl", "s/t.jsonl"])
    #expect(lines.suites.isEmpty)
  }

  @Test("rows are checked like test cases in a suite file")
  func rows() {
    check(
      "t.csv", "id,from,to\na,Rome,Oslo\na,Bern,Kiel\n",
      problems: [":3:1: the test case id `a` is used twice; the first one is at s/t.csv:2:1"])
    check(
      "t.csv", "id,form,to\na,Rome,Oslo\nb,Bern,Kiel\n",
      problems: [
        ":2:3: `form` is neither a key of a test case nor a variable that the suite uses; did you "
          + "mean `from`? "
          + "allowed: `from`, `to`, `id`, `title`, `aliases`, `tags`, `assertions`, "
          + "`threshold`, `repeats`, `options`, `gate`, `stub`"
      ])
    check(
      "t.csv", "name,from,to\nx,Rome,Oslo\ny,Rome,Oslo\n",
      problems: [
        ":3:1: the row has the same input as an earlier row, and neither has an `id`; the earlier "
          + "row is at s/t.csv:2:1"
      ])
    check(
      "t.jsonl", "{\"title\": \"x\"}\n",
      problems: [":1:1: `id` is missing in a test case; a name is expected under `id`"])
  }

  @Test("a row without an id gets an id that depends only on the row's input")
  func generatedIDs() {
    let ids = { (name: String, text: String) in
      Dictionary(
        uniqueKeysWithValues: load(name, text).suites[0].cases.map {
          ("\($0.variables["from"]?.string ?? "")", $0.id)
        })
    }
    let first = ids("t.csv", "from,to\nRome,Oslo\nBern,Kiel\n")
    #expect(first.count == 2 && Set(first.values).count == 2)
    #expect(first.values.allSatisfy { $0.hasPrefix("input-") && $0.count == 18 })
    #expect(ids("t.csv", "when,to,from\n1,Kiel,Bern\n2,Oslo,Rome\n") == first)
    let lines = #"{"from": "Bern", "to": "Kiel"}"# + "\n" + #"{"from": "Rome", "to": "Oslo"}"#
    #expect(ids("t.jsonl", lines) == first)
    #expect(ids("t.jsonl", #"{"id": "own", "from": "Bern", "to": "Kiel"}"#) == ["Bern": "own"])
  }

  @Test("a file without a valid header, or without rows, is rejected")
  func header() {
    check(
      "t.csv", "",
      problems: [":1:1: the file is empty; the first row contains the names of the columns"])
    check(
      "t.csv", "id,to,to\n",
      problems: [":1:7: there are two columns `to`; the first one is in column 4"])
    check(
      "t.csv", "id;from;to\na;Rome;Oslo\n",
      problems: [":1:1: the only column has semicolons in its name; commas separate columns"])
    check(
      "t.csv", "id\tfrom\tto\na\tRome\tOslo\n",
      problems: [":1:1: the only column has tabs in its name; commas separate columns"])
    check(
      "t.csv", "id,stub\n",
      problems: [
        ":1:4: a CSV file can't have a column `stub`; use JSON Lines for test cases with their own "
          + "`stub`"
      ])
    check("t.csv", "id,from,to\n", problems: [": has no test cases; at least one is expected"])
  }

  @Test("a quoted cell may contain line breaks, and the positions of later cells stay correct")
  func linesInCells() throws {
    let rows = try CSVReader.read("\u{feff}a,\"x\ny\"\nb,é,\"\"")
    #expect(rows.map { $0.map(\.text) } == [["a", "x\ny"], ["b", "é", ""]])
    #expect(rows[1][2].location == .init(line: 3, column: 5))
    let marks = try CSVReader.read("a,\u{301}b\n\"say \"\"\u{301}\",c")
    #expect(marks.map { $0.map(\.text) } == [["a", "\u{301}b"], ["say \"\u{301}", "c"]])
  }
}
