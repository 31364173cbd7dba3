import CSQLite
import Foundation
import TestSupport
import Testing

/// Tests the page `docs/queries.md`: every query on it must run and give the result shown below it.
@Suite("The page of queries")
struct QueryPageTests {
  private static let page = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("docs/queries.md")

  /// A query on the page and the result shown below it.
  private struct Example {
    var query: String
    var result: String
    var range: Range<String.Index>
  }

  private func examples(_ text: String) throws -> [Example] {
    let pattern = try Regex("```sql\n([^`]*)```\n\n```text\n([^`]*)```")
    return text.matches(of: pattern).map { match in
      Example(
        query: String(match.output[1].substring ?? ""),
        result: String(match.output[2].substring ?? ""),
        range: match.output[2].range ?? match.range)
    }
  }

  /// Returns what the sqlite3 shell prints for a query with `-header`.
  private func run(_ query: String, in path: String) throws -> String {
    var handle: OpaquePointer?
    try #require(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY, nil) == SQLITE_OK)
    defer { sqlite3_close_v2(handle) }
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(handle, query, -1, &statement, nil)
    try #require(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle))): \(query)")
    defer { sqlite3_finalize(statement) }
    let columns = 0..<sqlite3_column_count(statement)
    var lines = [columns.map { String(cString: sqlite3_column_name(statement, $0)) }]
    while sqlite3_step(statement) == SQLITE_ROW {
      lines.append(
        columns.map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
        })
    }
    return lines.map { $0.joined(separator: "|") + "\n" }.joined()
  }

  @Test("every query returns the result shown below it")
  func queriesGiveTheirResults() throws {
    let folder = try TemporaryFolder()
    try ThreeNights.write(to: folder.database)
    var text = try String(contentsOf: Self.page, encoding: .utf8)
    let examples = try examples(text)
    #expect(examples.count >= 12)
    #expect(text.components(separatedBy: "```sql").count - 1 == examples.count)
    for example in examples.reversed() {
      let result = try run(example.query, in: folder.database)
      #expect(result.split(separator: "\n").count > 1, "no rows: \(example.query)")
      if ProcessInfo.processInfo.environment["ASSAY_REGENERATE"] == "1" {
        text.replaceSubrange(example.range, with: result)
      } else {
        #expect(result == example.result, "\(example.query)")
      }
    }
    if ProcessInfo.processInfo.environment["ASSAY_REGENERATE"] == "1" {
      try text.write(to: Self.page, atomically: true, encoding: .utf8)
    }
  }

  @Test("the table on the page lists exactly the views of the database")
  func viewsAreOnThePage() throws {
    let folder = try TemporaryFolder()
    try ThreeNights.write(to: folder.database)
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let listed = text.matches(of: try Regex("\n\\| `([a-z_]+)` \\|")).map {
      String($0.output[1].substring ?? "")
    }
    let views = try readRows(
      "SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name", in: folder.database)
    #expect(listed.sorted() == views)
  }
}
