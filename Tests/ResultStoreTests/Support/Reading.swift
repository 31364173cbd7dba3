import CSQLite
import ResultStore
import Testing

/// Returns the rows of a query with their columns joined by `|`, read without the result store.
func readRows(_ sql: String, in path: String) throws -> [String] {
  var handle: OpaquePointer?
  try #require(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
  defer { sqlite3_close_v2(handle) }
  var statement: OpaquePointer?
  let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
  try #require(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
  defer { sqlite3_finalize(statement) }
  var rows: [String] = []
  while sqlite3_step(statement) == SQLITE_ROW {
    let columns = (0..<sqlite3_column_count(statement)).map { column in
      sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "null"
    }
    rows.append(columns.joined(separator: "|"))
  }
  return rows
}

/// Runs a closure, and rethrows its `StoreError` without SQLite's own message, which may change.
func problem(_ body: () throws -> Void) throws {
  do {
    try body()
  } catch let error as StoreError {
    throw error.ignoringReason
  }
}

extension StoreError {
  var ignoringReason: StoreError { StoreError(problem, path: path) }
}
