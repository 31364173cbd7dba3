extension ResultStore {
  /// Limits the number of pages of the file, so that tests can make SQLite report a full disk.
  package func limitPagesForTesting(to count: Int) throws {
    try withState { state in
      try state.connection.execute("PRAGMA max_page_count = \(count)")
    }
  }

  /// Executes a statement, so that tests can damage or change what is stored.
  package func executeForTesting(_ statement: String) throws {
    try withState { state in try state.connection.execute(statement) }
  }
}
