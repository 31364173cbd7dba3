extension ResultStore {
  /// Limits the file to a number of pages beyond which SQLite reports a full disk, for tests of
  /// that failure.
  package func limitPagesForTesting(to count: Int) throws {
    try withState { state in
      try state.connection.execute("PRAGMA max_page_count = \(count)")
    }
  }
}
