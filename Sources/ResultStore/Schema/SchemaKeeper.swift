import SystemBasics

/// Migrates a file to this program's format, or reports why it can't be migrated.
struct SchemaKeeper {
  let connection: Connection

  /// Checks the file, and migrates it if necessary.
  ///
  /// - Returns: A connection to the file or, if an older format is opened for reading, to a
  ///   migrated copy of the file.
  func prepare(isReadOnly: Bool) throws -> Connection {
    let found = try version()
    if isReadOnly {
      guard found > 0 else {
        throw StoreError(
          .damaged, path: connection.path, reason: "the file is not a result database")
      }
      return try readable(found)
    }
    guard found >= 0 else {
      throw StoreError(.damaged, path: connection.path, reason: "its format is \(found)")
    }
    guard found <= Schema.version else {
      throw StoreError(
        .newer(version: found, supported: Schema.version), path: connection.path)
    }
    try useWriteAheadLog()
    try connection.execute("PRAGMA synchronous = NORMAL")
    if found < Schema.version {
      if found > 0 { try backUp(version: found) }
      try migrate()
    }
    try connection.execute("PRAGMA foreign_keys = ON")
    return connection
  }

  /// Returns the number of the file's format, or 0 for an empty file.
  ///
  /// The function reads the application id and the list of tables from one snapshot. Otherwise, if
  /// another process created the file between the two reads, the function would find tables but no
  /// id, and would take the file for another program's.
  private func version() throws -> Int {
    try connection.reading {
      let application = try connection.integer("PRAGMA application_id") ?? 0
      let tables = try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0
      if application == 0, tables == 0 { return 0 }
      guard application == Schema.applicationID else {
        throw StoreError(.foreign, path: connection.path)
      }
      return Int(clamping: try connection.integer("PRAGMA user_version") ?? 0)
    }
  }

  /// Returns a connection that reads this program's format and writes nothing to the file.
  ///
  /// If the file has an older format, the function copies it to a temporary database and migrates
  /// the copy, which disappears with the connection. If the file has a newer format, reading works
  /// as long as that format keeps the tables that this program uses.
  private func readable(_ found: Int) throws -> Connection {
    guard found < Schema.version else {
      try connection.execute("PRAGMA query_only = ON")
      return connection
    }
    let copy = try connection.temporaryCopy()
    try SchemaKeeper(connection: copy).migrate()
    try copy.execute("PRAGMA query_only = ON")
    return copy
  }

  /// Switches to WAL mode.
  ///
  /// SQLite doesn't wait for the lock that the switch needs. So if another process is creating the
  /// file, this process tries again, because a busy machine may suspend the other process while it
  /// holds the lock.
  private func useWriteAheadLog() throws {
    var tries = 0
    while true {
      do {
        _ = try connection.query("PRAGMA journal_mode = WAL") { $0.text("journal_mode") }
        return
      } catch let error as StoreError where error.problem == .busy {
        guard connection.pause(tries: tries) else { throw error }
        tries += 1
      }
    }
  }

  /// Performs the missing migrations in one transaction, unless another process has already
  /// performed them.
  private func migrate() throws {
    try connection.transaction {
      let current = try version()
      guard current < Schema.version else { return }
      for step in Schema.migrations[max(0, current)...] { try connection.execute(step) }
      try connection.execute(
        "PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = \(Schema.version)")
    }
  }

  /// Copies the file before its format changes, unless a copy already exists.
  ///
  /// The copy gets its final name only when it is complete, and only if it has the old format. If
  /// the copy has the new format, another process has migrated the file in the meantime, and has
  /// also made a copy.
  private func backUp(version found: Int) throws {
    let copy = Self.backupPath(of: connection.path, version: found)
    var status = stat()
    if stat(copy, &status) == 0, status.st_mode & S_IFMT == S_IFREG { return }
    let unfinished = try Self.newFile(beside: copy)
    defer { unlink(unfinished) }
    try connection.run("VACUUM INTO ?", [SQLValue(unfinished)])
    let made = try Connection(path: unfinished, isReadOnly: true, waiting: LockWait(limit: 0))
    guard try SchemaKeeper(connection: made).version() == found else { return }
    guard rename(unfinished, copy) == 0 else { throw Self.failure(copy) }
  }

  /// Creates an empty file with a unique name.
  static func newFile(beside path: String) throws -> String {
    var name = Array("\(path).XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw failure(path) }
    close(descriptor)
    return String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Returns the error of the last system call.
  static func failure(_ path: String) -> StoreError {
    StoreError(.notWritable, path: path, reason: String(cString: strerror(errno)).lowercased())
  }

  /// Returns the path of the copy that the keeper makes before it changes the file's format.
  static func backupPath(of path: String, version: Int) -> String {
    "\(path).format\(version).backup"
  }
}
