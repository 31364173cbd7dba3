import Synchronization
import SystemBasics

/// The databases that this process has opened for writing.
enum WrittenDatabases {
  static let paths = Mutex<Set<String>>([])
}

extension ResultStore {
  /// Moves the write-ahead log into the file.
  ///
  /// Call the function after the last write of a run. Closing the last connection to a file also
  /// moves the log, but only if this connection can write. Another thread may release the store of
  /// a run after a reader has opened the file; then the reader closes the file last, and the log
  /// would stay.
  ///
  /// While another process reads an older state of the file or writes it, the log stays.
  public func settle() {
    try? withState { state in try state.connection.settle() }
  }

  /// Moves the write-ahead logs of the databases that this process has written into their files,
  /// and removes the empty logs that readers leave.
  ///
  /// Call the function just before the process exits, because exiting doesn't close what is still
  /// open. If another process has locked a database, its log stays after a quarter of a second, so
  /// that an interrupted run ends soon.
  public static func settleAll() {
    for path in WrittenDatabases.paths.withLock({ $0 })
    where FileManager.default.fileExists(atPath: path) {
      let connection = try? Connection(
        path: path, isReadOnly: false, waiting: LockWait(limit: 0.25))
      try? connection?.settle()
    }
  }
}

extension Connection {
  fileprivate func settle() throws {
    _ = try query("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer("busy") }
  }
}
