import Synchronization

/// The databases that this process has opened for writing.
enum WrittenDatabases {
  static let paths = Mutex<Set<String>>([])
}

extension ResultStore {
  /// Moves the write-ahead logs of the databases that this process has written into their files.
  ///
  /// Call the function just before the process exits. Exiting doesn't close what is still open, and
  /// then a copy of only the file, such as an artifact of a CI job, would lack the results that are
  /// still in the log. While another process reads or writes a database, its log stays.
  public static func settleAll() {
    for path in WrittenDatabases.paths.withLock({ $0 }) {
      let connection = try? Connection(
        path: path, isReadOnly: false, waiting: LockWait(limit: 1))
      _ = try? connection?.query("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer("busy") }
    }
  }
}
