import EvalRecords
import Foundation
import TestSupport
import Testing

@testable import ResultStore

@Suite("SQL statements")
struct StatementTests {
  @Test(
    "an SQL error names its statement on one line",
    arguments: [
      ("SELECT nothing\n  FROM nowhere", "SELECT nothing FROM nowhere"),
      ("INSERT INTO animal (name) VALUES (NULL)", "INSERT INTO animal (name) VALUES (NULL)"),
    ])
  func statementInError(sql: String, expected: String) throws {
    try withAnimals { connection in
      let error = #expect(throws: StoreError.self) { try connection.run(sql) }
      #expect(error?.problem == .failed)
      #expect(error?.statement == sql)
      #expect(error?.description.hasSuffix("; the statement was: \(expected)") == true)
    }
  }

  @Test("columns are written and read by name, whatever the order of the table's columns")
  func namedColumns() throws {
    try withAnimals { connection in
      try connection.insert(
        into: "animal", ["weight": SQLValue(0.5), "name": SQLValue("it's a \"cat\"")])
      try connection.insert(into: "animal", ["name": SQLValue("é")])
      let rows = try connection.query("SELECT weight, legs, name FROM animal ORDER BY legs, id") {
        ($0.text("name"), $0.integer("legs"), $0.optionalInteger("weight") == nil)
      }
      #expect(rows.map(\.0) == ["it's a \"cat\"", "é"])
      #expect(rows.map(\.1) == [4, 4])
      #expect(rows.map(\.2) == [false, true])
    }
  }

  private func withAnimals(_ body: (Connection) throws -> Void) throws {
    let folder = try TemporaryFolder()
    let connection = try Connection(
      path: folder.path("animals.sqlite"), isReadOnly: false, waiting: LockWait())
    try connection.execute(
      """
      CREATE TABLE animal (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, weight REAL, legs INTEGER DEFAULT 4) STRICT
      """)
    try body(connection)
  }
}
