extension ResultStore {
  /// Makes SQLite report a full disk beyond a number of pages, for tests of that failure.
  package func limitPagesForTesting(to count: Int) throws {
    try withState { state in
      try state.connection.execute("PRAGMA max_page_count = \(count)")
    }
  }
}
