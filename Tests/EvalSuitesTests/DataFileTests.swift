import StructuredText
import Testing

@testable import EvalSuites

@Suite("Files of cases")
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

  @Test("CSV, JSON Lines, JSON and YAML give the same cases")
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

  @Test("a malformed row is a problem with its own file and line, and the others are still read")
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
        ":2:5: a quote stands in the middle of a cell; a cell with quotes is quoted itself, and its "
          + "quotes are doubled"
      ])
    let lines = load(
      "t.jsonl", "{\"id\": \"a\", \"from\": \"x\", \"to\": \"y\"}\n{\"id\": \n\n{\"id\": \"a b\"}")
    #expect(lines.problems.map(\.line) == [2, 4])
    #expect(lines.problems.map(\.file) == ["s/t.jsonl", "s/t.jsonl"])
    #expect(lines.suites.isEmpty)
  }

  @Test("rows are checked as cases are")
  func rows() {
    check(
      "t.csv", "id,from,to\na,Rome,Oslo\na,Bern,Kiel\n",
      problems: [":3:1: the case id `a` is used twice; the first one is at s/t.csv:2:1"])
    check(
      "t.csv", "id,form,to\na,Rome,Oslo\nb,Bern,Kiel\n",
      problems: [
        ":2:3: `form` is neither a key of a case nor a variable that is used; did you mean `from`? "
          + "allowed are: `from`, `to`, `id`, `title`, `tags`, `assertions`, `stub`"
      ])
    check(
      "t.csv", "name,from,to\nx,Rome,Oslo\n",
      problems: [":2:1: `id` is missing in a case; a name is expected under `id`"])
  }

  @Test("a header is checked before its rows")
  func header() {
    check("t.csv", "", problems: [":1:1: the file is empty; the first row names the columns"])
    check(
      "t.csv", "id,to,to\n",
      problems: [":1:7: there are two columns `to`; the first one is in column 4"])
    check(
      "t.csv", "id,stub\n",
      problems: [
        ":1:4: a CSV file has no column `stub`; use JSON Lines for cases with their own `stub`"
      ])
    check("t.csv", "id,from,to\n", problems: [": has no cases; at least one is expected"])
  }

  @Test("a cell in quotes may hold line breaks, and places go on counting")
  func linesInCells() throws {
    let rows = try CSVReader.read("\u{feff}a,\"x\ny\"\nb,é,\"\"")
    #expect(rows.map { $0.map(\.text) } == [["a", "x\ny"], ["b", "é", ""]])
    #expect(rows[1][2].location == .init(line: 3, column: 5))
  }
}
