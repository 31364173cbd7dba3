import Foundation

/// Brings a file to this program's format, or says why that must not be done.
struct SchemaKeeper {
  let connection: Connection

  /// Checks the file and migrates it where that is allowed.
  func prepare(isReadOnly: Bool) throws {
    let found = try version()
    if isReadOnly {
      guard found > 0 else {
        throw StoreError(
          .damaged, path: connection.path, reason: "the file holds no result database")
      }
      try connection.execute("PRAGMA query_only = ON")
      return
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
  }

  /// The file's format; 0 for an empty file.
  private func version() throws -> Int {
    let application = try connection.integer("PRAGMA application_id") ?? 0
    let tables = try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0
    if application == 0, tables == 0 { return 0 }
    guard application == Schema.applicationID else {
      throw StoreError(.foreign, path: connection.path)
    }
    return Int(try connection.integer("PRAGMA user_version") ?? 0)
  }

  /// Switches to WAL mode; two processes that make a file at once must try in turn, because SQLite
  /// does not wait for this lock by itself.
  private func useWriteAheadLog() throws {
    for attempt in 1... {
      do {
        _ = try connection.query("PRAGMA journal_mode = WAL") { $0.text(0) }
        return
      } catch let error as StoreError where error.problem == .busy && attempt < 50 {
        Thread.sleep(forTimeInterval: 0.02)
      }
    }
  }

  /// Takes the missing steps in one transaction.
  ///
  /// Another process may have taken them meanwhile.
  private func migrate() throws {
    try connection.transaction {
      let current = try version()
      guard current < Schema.version else { return }
      for step in Schema.migrations[current...] { try connection.execute(step) }
      try connection.execute(
        "PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = \(Schema.version)")
    }
  }

  /// Copies the file as it is before its format changes; an earlier copy is kept.
  private func backUp(version: Int) throws {
    let copy = "\(connection.path).format\(version).backup"
    guard !FileManager.default.fileExists(atPath: copy) else { return }
    try connection.run("VACUUM INTO ?", [SQLValue(copy)])
  }
}
