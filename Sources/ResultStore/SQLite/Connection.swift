import CSQLite
import SystemBasics

/// One connection to an SQLite file, with its prepared statements.
///
/// Only one thread at a time may use a connection.
final class Connection {
  /// The file.
  let path: String
  private let handle: OpaquePointer
  private let waiting: LockWait
  /// The wait for a lock that began last.
  private var turn: LockWait.Turn
  private var statements: [String: Statement] = [:]

  /// Creates a connection to a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - isReadOnly: Whether to open an existing file only for reading.
  ///   - waiting: The rule for waiting for another process's lock.
  init(path: String, isReadOnly: Bool, waiting: LockWait) throws {
    self.path = path
    self.waiting = waiting
    turn = waiting.begin()
    let access =
      isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    var opened = try Self.open(path, as: path, access)
    if isReadOnly, Self.needsUnchangingFile(opened, path: path) {
      sqlite3_close_v2(opened)
      opened = try Self.open(Self.unchangingName(path), as: path, access | SQLITE_OPEN_URI)
    }
    handle = opened
    sqlite3_extended_result_codes(handle, 1)
    setBusyHandler()
  }

  /// Lets SQLite wait for the locks of other processes.
  private func setBusyHandler() {
    sqlite3_busy_handler(
      handle,
      { connection, tries in
        guard let connection else { return 0 }
        let waiting = Unmanaged<Connection>.fromOpaque(connection).takeUnretainedValue()
        return waiting.pause(tries: Int(max(0, tries))) ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Pauses before another try to take a lock, or returns false if the wait is over.
  ///
  /// - Parameter tries: The number of earlier pauses of this wait.
  func pause(tries: Int) -> Bool {
    if tries == 0 { turn = waiting.begin() }
    return waiting.pause(&turn, path: path, files: lockedFiles)
  }

  /// The files that SQLite locks: the index of the write-ahead log, and the database.
  private var lockedFiles: [String] { ["\(path)-shm", path] }

  private static func open(
    _ name: String, as path: String, _ flags: Int32
  ) throws -> OpaquePointer {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard let opened, code == SQLITE_OK else {
      let reason = opened.map { systemReason($0, path: path) } ?? "out of memory"
      sqlite3_close_v2(opened)
      throw StoreError(.cannotOpen, path: path, reason: reason)
    }
    return opened
  }

  /// Returns whether SQLite can read a file in WAL mode only if it treats the file as immutable.
  ///
  /// Even a reader needs the files of the write-ahead log next to the database, and a reader can't
  /// create these files in a read-only folder. If the log contains commits, a reader that treats
  /// the database as immutable would miss them. In that case, this function returns false, and
  /// reading the database fails.
  private static func needsUnchangingFile(_ handle: OpaquePointer, path: String) -> Bool {
    let code = sqlite3_exec(handle, "SELECT count(*) FROM sqlite_schema", nil, nil, nil)
    guard code & 0xFF == SQLITE_CANTOPEN || code & 0xFF == SQLITE_READONLY else { return false }
    var status = stat()
    return stat(path + "-wal", &status) != 0 || status.st_size == 0
  }

  private static func unchangingName(_ path: String) -> String {
    let escaped = path.replacing("%", with: "%25").replacing("?", with: "%3f")
      .replacing("#", with: "%23")
    return "file:\(escaped)?immutable=1"
  }

  /// Creates a connection to an empty temporary database.
  private init(temporaryCopyOf path: String) throws {
    self.path = path
    waiting = LockWait()
    turn = waiting.begin()
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2("", &opened, flags, nil) == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw StoreError(.cannotOpen, path: path, reason: "out of memory")
    }
    handle = opened
    sqlite3_extended_result_codes(handle, 1)
  }

  deinit {
    statements = [:]
    sqlite3_close_v2(handle)
  }

  /// Runs one or more statements without results.
  func execute(_ sql: String) throws {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, in: sql) }
  }

  /// Runs one statement without results.
  func run(_ sql: String, _ values: [SQLValue] = []) throws {
    let statement = try prepared(sql)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step() {}
  }

  /// Runs a query.
  ///
  /// - Parameters:
  ///   - sql: One statement.
  ///   - values: The values of the statement's parameters, in order.
  ///   - row: A closure that converts a row to a result.
  func query<Result>(
    _ sql: String, _ values: [SQLValue] = [], row: (Row) throws -> Result
  ) throws -> [Result] {
    let statement = try prepared(sql)
    defer { statement.reset() }
    try statement.bind(values)
    var results: [Result] = []
    while try statement.step() { results.append(try row(Row(statement: statement))) }
    return results
  }

  /// Inserts one row.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - row: The values by column name. Omitted columns get their defaults.
  func insert(into table: String, _ row: KeyValuePairs<String, SQLValue>) throws {
    var (columns, places) = ("", "")
    for (column, _) in row {
      columns += columns.isEmpty ? column : ", \(column)"
      places += places.isEmpty ? "?" : ", ?"
    }
    try run("INSERT INTO \(table) (\(columns)) VALUES (\(places))", row.map(\.value))
  }

  /// Returns the integer in the only column of the first row, or `nil` if there is no row or the
  /// value is null.
  func integer(_ sql: String, _ values: [SQLValue] = []) throws -> Int64? {
    try query(sql, values) { $0.onlyInteger }.first ?? nil
  }

  /// The rowid of the last inserted row.
  var lastInsertedID: Int64 { sqlite3_last_insert_rowid(handle) }

  /// The number of rows that the last statement changed.
  var changeCount: Int { Int(sqlite3_changes(handle)) }

  /// Runs a closure in one write transaction, so that either all its changes are stored or none.
  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try run("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      // If the disk is full, SQLite may already have rolled back the transaction.
      if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }

  /// Runs a closure whose reads all see the same state of the file.
  ///
  /// If a transaction is already open, the closure runs inside this transaction.
  func reading<Result>(_ body: () throws -> Result) throws -> Result {
    guard sqlite3_get_autocommit(handle) != 0 else { return try body() }
    try run("BEGIN")
    defer { try? run("COMMIT") }
    return try body()
  }

  private func prepared(_ sql: String) throws -> Statement {
    if let statement = statements[sql] { return statement }
    var compiled: OpaquePointer?
    let code = sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil)
    guard code == SQLITE_OK, let compiled else { throw error(code, in: sql) }
    let statement = Statement(compiled, sql: sql, connection: self)
    statements[sql] = statement
    return statement
  }

  /// Returns a temporary copy of the database, which disappears with its connection.
  ///
  /// The copy is in memory or, if it is large, in the system's folder for temporary files.
  func temporaryCopy() throws -> Connection {
    let copy = try Connection(temporaryCopyOf: path)
    guard let backup = sqlite3_backup_init(copy.handle, "main", handle, "main") else {
      throw copy.error(sqlite3_errcode(copy.handle))
    }
    var code = sqlite3_backup_step(backup, -1)
    // Another process may be writing, so try again for a while. SQLite doesn't call the busy
    // handler here.
    var tries = 0
    while code == SQLITE_BUSY || code == SQLITE_LOCKED, pause(tries: tries) {
      code = sqlite3_backup_step(backup, -1)
      tries += 1
    }
    sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE else { throw error(code) }
    return copy
  }

  /// Returns the error for a result code, with SQLite's message for the last failure.
  ///
  /// - Parameters:
  ///   - code: The extended result code.
  ///   - sql: The statement that failed, if there was one.
  func error(_ code: Int32, in sql: String? = nil) -> StoreError {
    let problem: StoreError.Problem =
      switch code & 0xFF {
      case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      case SQLITE_FULL: .full
      case SQLITE_READONLY, SQLITE_PERM: .notWritable
      case SQLITE_CANTOPEN: .cannotOpen
      case SQLITE_IOERR: Self.problem(of: code, errno: sqlite3_system_errno(handle))
      default:
        switch code {
        case ExtendedCode.constraintUnique, ExtendedCode.constraintPrimaryKey: .duplicateAttempt
        case ExtendedCode.constraintForeignKey: .unknownAttemptKey
        default: .failed
        }
      }
    let number = sqlite3_system_errno(handle)
    let reason =
      switch (problem, code & 0xFF) {
      case (.busy, _): LockHolder.first(of: lockedFiles)?.description ?? ""
      case (.cannotOpen, _): Self.systemReason(handle, path: path)
      case (_, SQLITE_IOERR) where number != 0: String(cString: strerror(number)).lowercased()
      default: String(cString: sqlite3_errmsg(handle))
      }
    return StoreError(problem, path: path, reason: reason, statement: sql)
  }

  /// Returns the problem that a failed write or read indicates.
  ///
  /// SQLite reports a full disk with a specific result code for only one of several system calls,
  /// so this function looks at the system's error number first.
  private static func problem(of code: Int32, errno number: Int32) -> StoreError.Problem {
    switch number {
    case ENOSPC, EDQUOT, EFBIG: .full
    case EROFS, EACCES, EPERM: .notWritable
    // The system's error number is lost if SQLite makes another system call after the failure.
    default:
      switch code {
      case ExtendedCode.write, ExtendedCode.synchronize, ExtendedCode.truncate: .notWritable
      default: .failed
      }
    }
  }

  /// Returns the reason why a file could not be opened.
  ///
  /// The state of the folder gives a better explanation than SQLite's generic message.
  private static func systemReason(_ handle: OpaquePointer, path: String) -> String {
    // Foundation's function that returns the folder of a path traps if the path has only one
    // character.
    let slash = path.lastIndex(of: "/")
    let shown = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    if FileStatus(path: path)?.isFolder == true { return "this is a folder" }
    guard let folder = FileStatus(path: shown) else { return "there is no folder \(shown)" }
    guard folder.isFolder else { return "\(shown) is not a folder" }
    let number = sqlite3_system_errno(handle)
    return number == 0
      ? String(cString: sqlite3_errmsg(handle)) : String(cString: strerror(number))
  }
}
